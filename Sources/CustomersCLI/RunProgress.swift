internal import Synchronization

/// The progress of a run, for an error that may end it.
final class RunProgress: Sendable {
  private let hasChanged = Atomic(false)

  /// Whether the list was changed.
  var isDone: Bool { hasChanged.load(ordering: .relaxed) }

  func noteChange() { hasChanged.store(true, ordering: .relaxed) }
}
