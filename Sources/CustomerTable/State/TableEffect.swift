public import CustomerStore

/// A request of a table to its owner; the result arrives as an event.
public enum TableEffect: Sendable {
  /// Reads rows: `loaded`.
  case load(TableGoal)
  /// Edits the list: `wrote`.
  case write(TableWrite)
  /// Asks which step would be undone or redone: `offered`.
  case lookUp(TableWrite.Reversal)
  /// Looks up names: `show` or `sort`.
  case choose(TableChoice)
  /// Searches some rows for a string in the background: `scanned`.
  case scan(SearchScan)
  /// Reads some rows in the background, to sort them: `sorted`.
  case sort(TableSort)
}

/// One transaction: a gesture is one step of the history.
public struct TableWrite: Sendable {
  /// The direction in the history.
  public enum Reversal: Hashable, Sendable { case undo, redo }

  /// The change.
  public enum Work: Hashable, Sendable {
    /// Edits, in order; the id of a new customer comes with the answer.
    case edits([ListEdit])
    /// Save a customer and move it to a place of its section.
    case save(CustomerID, from: CustomerFields, to: CustomerFields, place: Int?)
    /// Undo or redo the step that the user saw, or nothing.
    case revert(Reversal, expecting: HistoryStep)
  }

  /// The change.
  public var work: Work
  /// The name of the step in the history.
  public var action: String

  /// The rows that it moves or deletes, which the screen does not follow.
  var moved: Set<CustomerID> {
    guard case .edits(let edits) = work else { return [] }
    var moved: Set<CustomerID> = []
    for edit in edits {
      switch edit {
      case .move(let ids, _, _, _), .delete(let ids, _): moved.formUnion(ids)
      default: break
      }
    }
    return moved
  }

  /// The result.
  public struct Result: Sendable {
    /// The changes of the edits.
    public var outcomes: [EditOutcome]
    /// The step of the history; nil if nothing was changed.
    public var step: HistoryStep?
    /// The step that was undone or redone.
    public var reverted: HistoryStep?
  }

  /// Edits the list.
  ///
  /// - Throws: what `CustomerList.apply` and `undo(expecting:)` throw.
  public func run(_ list: inout CustomerList) throws -> Result {
    var outcomes: [EditOutcome] = []
    var reverted: HistoryStep?
    let before = try list.lastEdit()
    switch work {
    case .edits(let edits): for edit in edits { outcomes.append(try list.apply(edit)) }
    case .save(let id, let from, let to, let place):
      outcomes.append(try list.apply(.save(id, from: from, to: to)))
      if let place { outcomes.append(try list.apply(.move([id], to: .place(place)))) }
    case .revert(let reversal, let step):
      let done = try reversal == .undo ? list.undo(expecting: step) : list.redo(expecting: step)
      outcomes = done.map { [$0.outcome] } ?? []
      reverted = done?.step
    }
    let step = try list.lastEdit() == before ? nil : try list.history(limit: 1).first
    return Result(outcomes: outcomes, step: step, reverted: reverted)
  }
}
