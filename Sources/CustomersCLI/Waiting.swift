internal import CustomerStore
internal import Platform
internal import Synchronization
internal import TerminalText

/// The waiting for a customers file that another program has locked: it has an end, and after a second the
/// person gets to know of it.
final class Waiting: Sendable {
  private struct State {
    var waited = Duration.zero
    var hasTold = false
  }

  private let path: String
  private let errors: Stream?
  private let limit: Duration
  private let state = Mutex(State())

  /// - Parameters:
  ///   - path: the customers file.
  ///   - errors: where the person reads of it.
  ///   - limit: how long to wait in all, to open the file and for its transactions.
  init(for path: String, telling errors: Stream?, atMost limit: Duration) {
    (self.path, self.errors, self.limit) = (path, errors, limit)
  }

  /// Whether to go on waiting; not if the person interrupts while that signal is held back.
  func goesOn(after pause: Duration) -> Bool {
    let (waited, tells) = state.withLock { state in
      state.waited += pause
      let tells = state.waited >= .seconds(1) && !state.hasTold
      if tells { state.hasTold = true }
      return (state.waited, tells)
    }
    if tells { tell() }
    return waited < limit && !SignalSet([SIGINT, SIGTERM, SIGHUP]).isPending
  }

  private func tell() {
    guard !CustomerStore.isClusterAddress(path) else {
      try? errors?.write("note: waiting for the cluster: another program writes, or it elects a leader\n")
      try? errors?.flush()
      return
    }
    let holder = CustomerStore.lockHolder(ofFile: path)
      .map { "\(printable($0.program)) (process \($0.process))" }
    try? errors?.write("note: waiting for \(holder ?? "another program"), which has locked the list\n")
    try? errors?.flush()
  }
}
