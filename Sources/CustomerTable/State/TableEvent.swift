package import CustomerStore

/// Where to move the cursor or the rows in hand.
package enum TableMotion: Hashable, Sendable {
  /// A number of rows down, or up if negative.
  case by(Int)
  /// A number of screens down, or up if negative.
  case pages(Int)
  /// A number of half screens down, or up if negative.
  case halfPages(Int)
  /// To the first row or the last one.
  case first, last
  /// To the row that is shown with a number, from 1: its number in the list.
  case number(Int)
  /// To the start of the section a number of sections down, or up if negative.
  case sections(Int)
}

/// The target of the pointer.
package enum TableTarget: Hashable, Sendable {
  /// A row, by its customer.
  case row(CustomerID)
  /// The row that adds a customer to a section or the text below it.
  case end(of: SectionID)
}

/// An event of a table: from a person, from the clock, or as the result of an effect.
package enum TableEvent: Sendable {
  // The screen
  /// The screen has this many lines, from 1 to `TableState.mostLines`, of which each part of the table takes
  /// some.
  case resize(Int, heights: LineHeights = LineHeights())
  /// The list scrolls by this many lines; the cursor stays.
  case scroll(Int)
  /// A second has passed since rows were highlighted.
  case fade

  /// Reads the list again that could not be read or edited.
  case tryAgain
  /// Looks at such a list and edits nothing.
  case openReadOnly

  /// A line is being typed about the marked rows or the one at the cursor: until `letGo`, edits are about these,
  /// wherever another program moves the cursor.
  case hold
  /// The line is closed.
  case letGo

  // The cursor
  /// A key that moves the cursor, or the rows in hand.
  case go(TableMotion)
  /// A click on a row that only brings the cursor there.
  case point(TableTarget)
  /// A click on a row that opens it too.
  case click(TableTarget)
  /// Opens the form of the row at the cursor; on the "add" row, one for a new customer.
  case open
  /// Opens the form for a new customer, just above or below the cursor or at the end of its section.
  case add(TableAddition)
  /// An action in the open form.
  case form(FormEvent)

  // Edit mode and deletion
  /// Begins or ends edit mode.
  case setEditing(Bool)
  /// Shows the Delete button: for a row by its control, or for the marked rows or the one at the cursor.
  case askToDelete(CustomerID?)
  /// Answers yes to the Delete button or to a question about undo.
  case confirm
  /// A key or click without a meaning; it dismisses a visible button or question.
  case dismiss
  /// Cancels one thing: what is in hand, a question, the search, the marks, edit mode.
  case escape

  /// Makes the marked rows, or the one at the cursor, favorites; if all are, no longer.
  case toggleFavorite

  // The log
  /// Shows only those who are due today, or all rows again.
  case toggleDue
  /// Adds a line to the log of the marked rows or the one at the cursor; with a next date, such as `2026-12-24`, sets it,
  /// or clears it if it is empty. Of those who are due, the cursor goes to the next one.
  case log(String, next: String?)

  // Moving
  /// Moves the marked rows, or the one at the cursor, by this many places, within the section.
  case shift(Int)
  /// Moves the marked rows, or the one at the cursor, to a row number, from 1.
  case move(to: Int)
  /// Picks up rows: one by its handle, or the marked rows, or the one at the cursor.
  case pickUp(CustomerID?)
  /// Drags the rows in hand over something.
  case drag(over: TableTarget)
  /// Drops the rows in hand where they are shown.
  case drop
  /// Cuts the marked rows or the one at the cursor; they stay until they are put somewhere.
  case cut
  /// Puts the rows that were cut above or below the cursor.
  case put(above: Bool)

  // Marks
  /// Marks or unmarks the row at the cursor, and moves the cursor one down.
  case mark
  /// Starts or ends marking all rows that the cursor passes.
  case markRange
  /// Inverts the marks of all rows that are shown.
  case invertMarks

  // Search
  /// Opens the search line.
  case search
  /// A key in the search line.
  case searchText(FormText.Edit)
  /// Closes the search line and stays at the match.
  case acceptSearch
  /// Goes to the next or previous match.
  case nextHit, previousHit
  /// Shows only the matches, or all rows again.
  case filter

  // The view
  /// Looks up the names of columns, or of fields to sort by, that were typed; none mean the usual ones.
  case choose(TableChoice)
  /// Shows these columns; nil for the usual ones.
  case show([ListColumn]?)
  /// Shows the rows in an order; nil for the list's.
  case sort(SortOrder?)

  // History
  case undo, redo

  // Answers
  /// Rows were read.
  case loaded(TableContents)
  /// The user has made steps by other means, such as a command line: they count as the table's own.
  case adopt([HistoryStep.ID])
  /// The list was changed by any program; the steps or nil if there are too many or the history has
  /// forgotten some.
  case changed([ListStep]?, TableContents)
  /// An edit was made; this is the list after it.
  case wrote(TableWrite, TableWrite.Result, TableContents)
  /// The step that would be undone or redone; nil if there is none.
  case offered(HistoryStep?, TableWrite.Reversal)
  /// Matches were found.
  case scanned(SearchScan, SearchScan.Result)
  /// Rows to sort were read.
  case sorted(TableSort, TableSort.Result)
  /// An effect failed; nothing was changed.
  case failed(TableEffect, any Error)
}

/// Where to add a new customer.
package enum TableAddition: Hashable, Sendable {
  /// Just above the cursor, just below it, at the end of its section.
  case above, below, last
}

extension TableEvent {
  /// Whether it begins an edit of the list.
  var isEdit: Bool {
    switch self {
    case .open, .click, .add, .setEditing(true), .askToDelete, .toggleFavorite, .log, .shift, .move, .pickUp,
      .cut,
      .put, .undo,
      .redo:
      true
    default: false
    }
  }
}

/// A request of a table to its owner; the result arrives as an event.
package enum TableEffect: Sendable {
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
package struct TableWrite: Sendable {
  /// The direction in the history.
  package enum Reversal: Hashable, Sendable { case undo, redo }

  /// The change.
  package enum Work: Hashable, Sendable {
    /// Edits, in order; the id of a new customer comes with the answer.
    case edits([ListEdit])
    /// Save a customer and move it to a place of its section.
    case save(CustomerID, from: CustomerFields, to: CustomerFields, place: Int?)
    /// Undo or redo the step that the user saw, or nothing.
    case revert(Reversal, expecting: HistoryStep)
  }

  /// The change.
  package var work: Work
  /// The name of the step in the history.
  package var action: String
  /// Why something else is refused while it waits for another program.
  package var refusal: TableNotice {
    TableNotice(
      kind: .refusal,
      text: "An edit (\(action)) is still waiting for another program; press Esc to cancel it.")
  }

  /// Whether the open form has asked for it, which closes once it is done.
  var isOfForm = false

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

  /// Whether it is about customers that the user saw.
  var namesRows: Bool {
    switch work {
    case .edits(let edits): edits.contains { if case .insert = $0 { false } else { true } }
    case .save: true
    case .revert: false
    }
  }

  /// What it adds to a log.
  var loggedText: String? {
    guard case .edits(let edits) = work, case .log(_, let text, _, _, _)? = edits.first else { return nil }
    return text
  }

  /// The result.
  package struct Result: Sendable {
    /// The changes of the edits.
    package var outcomes: [EditOutcome]
    /// The step of the history; nil if nothing was changed.
    package var step: HistoryStep?
    /// The step that was undone or redone.
    package var reverted: HistoryStep?
  }

  /// Edits the list.
  ///
  /// - Throws: what `CustomerList.apply` and `undo(expecting:)` throw.
  package func run(_ list: inout CustomerList) throws -> Result {
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

/// The edits that a table allows and the labels of its controls.
///
/// The list takes precedence: a protected customer has no controls, whatever the policy says.
package struct EditingPolicy: Sendable {
  /// The rules for one row.
  package enum Answer: Sendable {
    case yes, no
    /// The rules for the table.
    case asTable
  }

  /// Whether rows may be edited and deleted by default.
  package var allowsEditing = true
  /// Whether rows may be moved by default.
  package var allowsMoving = true
  /// Whether customers may be added.
  package var allowsAdding = true
  /// Whether one row may be edited and deleted.
  package var edit: @Sendable (Customer) -> Answer = { _ in .asTable }
  /// Whether one row may be moved.
  package var move: @Sendable (Customer) -> Answer = { _ in .asTable }
  /// The text below or beside the name; empty for none.
  package var subtitle: @Sendable (Customer) -> String = { $0.fields.note }
  /// The text of the button that deletes a row.
  package var deleteTitle: @Sendable (Customer) -> String = { _ in "Delete" }
  /// The text of the row that adds a customer.
  package var addTitle = "(add new)"
  /// The text shown in edit mode for a row without a subtitle; empty for nothing.
  package var emptyNoteHint = "enter notes in customer details"
  /// The appearance of the table's forms; title, place, and placeholders are set when a form is opened.
  package var form = FormState.Options()

  /// A policy that allows everything.
  package init() {}

  /// A policy that allows nothing.
  package static var readOnly: EditingPolicy {
    var policy = EditingPolicy()
    policy.forbidEverything()
    return policy
  }

  /// Whether nothing is allowed.
  package private(set) var isReadOnly = false

  package mutating func forbidEverything() {
    (allowsEditing, allowsMoving, allowsAdding, isReadOnly) = (false, false, false, true)
    (edit, move) = ({ _ in .asTable }, { _ in .asTable })
  }

  /// Whether a customer may be edited and deleted.
  package func canEdit(_ customer: Customer) -> Bool {
    customer.canEdit && Self.decide(edit(customer), allowsEditing)
  }

  /// Whether a customer may be moved.
  package func canMove(_ customer: Customer) -> Bool {
    customer.canMove && Self.decide(move(customer), allowsMoving)
  }

  /// The appearance of the form of a customer; nil for a new one.
  ///
  /// It has the extra columns that are declared, and those of the customer and of others beside it: to know all that some
  /// customer has, the whole list would be read. They are in the order of whoever has most, so that it is much the same
  /// for one customer after the other.
  package func form(
    of customer: Customer?, _ columns: [DeclaredColumn], beside others: some Sequence<Customer> = []
  ) -> FormState.Options {
    var options = form
    if options.title.isEmpty { options.title = customer?.name ?? "New customer" }
    let rows = ([customer].compactMap(\.self) + others).map { $0.fields.extraColumns.shown.map(\.name) }
      .sorted { $0.count > $1.count }
    var known: Set<String> = []
    let names = (columns.map(\.name) + rows.joined()).filter { known.insert($0).inserted }
    options.sections.append(FormSection(fields: names.map(CustomerField.extra)))
    options.kinds = ColumnKinds(columns)
    // The examples are for a new customer; how a date is typed helps always.
    if customer != nil { options.placeholders = options.placeholders.filter { $0.key == .next } }
    return options
  }

  private static func decide(_ answer: Answer, _ table: Bool) -> Bool {
    switch answer {
    case .yes: true
    case .no: false
    case .asTable: table
    }
  }
}
