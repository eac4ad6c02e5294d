internal import Synchronization

/// The progress of a run, for an error that may end it.
final class RunProgress: Sendable {
  private let hasChanged = Atomic(false)
  private let machine = Mutex<SSHAddress?>(nil)

  /// Whether the list was changed.
  var isDone: Bool { hasChanged.load(ordering: .relaxed) }

  func noteChange() { hasChanged.store(true, ordering: .relaxed) }

  /// The address of a required list on another machine; nil if none is required.
  var neededMachine: SSHAddress? { machine.withLock(\.self) }

  func need(_ machine: SSHAddress) { self.machine.withLock { $0 = machine } }
}
