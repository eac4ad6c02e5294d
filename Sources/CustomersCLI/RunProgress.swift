internal import Synchronization

/// What a run has done so far, for the error that may end it.
final class RunProgress: Sendable {
  private let hasChanged = Atomic(false)

  /// Whether the list was changed.
  var isDone: Bool { hasChanged.load(ordering: .relaxed) }

  func noteChange() { hasChanged.store(true, ordering: .relaxed) }
}
