internal import CustomerStore
internal import CustomersFormats
internal import Synchronization

/// The steps that undo and redo would revert, with their descriptions, as they were at the last look: scrolling
/// doesn't change them.
final class OfferedSteps: Sendable {
  /// The steps at a version.
  struct Offer: Sendable {
    var version: ListVersion
    /// The next steps; null for none.
    var undo: JSON
    var redo: JSON
  }

  private let last = Mutex<Offer?>(nil)

  /// The members of an answer.
  func members(_ list: borrowing CustomerList) throws -> [(String, JSON)] {
    let version = try list.version()
    let known = last.withLock(\.self)
    let offer =
      if let known, known.version == version { known } else {
        Offer(
          version: version, undo: try .step(list.undoable(), in: list),
          redo: try .step(list.redoable(), in: list))
      }
    last.withLock { $0 = offer }
    return [("undo", offer.undo), ("redo", offer.redo)]
  }
}

extension JSON {
  /// A step that can be undone or redone; null for none.
  static func step(_ step: HistoryStep?, in list: borrowing CustomerList) throws -> JSON {
    guard let step else { return .null }
    return .object(step.members(try step.isShort(at: list.lastEdit()) ? list.outcome(of: step) : nil))
  }
}
