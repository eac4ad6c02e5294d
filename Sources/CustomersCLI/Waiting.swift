internal import CustomerStore
internal import CustomersPlatform
internal import Synchronization
internal import CustomersTerminalText

/// Waits for a customers file that another program has locked: for a limited time, with a message after a
/// second.
final class Waiting: Sendable {
  private struct Announcement {
    var waited = Duration.zero
    var hasTold = false
  }

  private let path: String
  private let errors: Stream?
  private let limit: Duration
  private let state = Mutex(Announcement())

  /// - Parameters:
  ///   - path: the customers file.
  ///   - errors: where to print the message.
  ///   - limit: how long to wait in total, to open the file and for its transactions.
  init(for path: String, telling errors: Stream?, atMost limit: Duration) {
    (self.path, self.errors, self.limit) = (path, errors, limit)
  }

  /// Whether to keep waiting; false if the person has pressed the interrupt key.
  func goesOn(after pause: Duration) -> Bool {
    let (waited, reports) = state.withLock { state in
      state.waited += pause
      let reports = state.waited >= .seconds(1) && !state.hasTold
      if reports { state.hasTold = true }
      return (state.waited, reports)
    }
    if reports { tell() }
    return waited < limit && !SignalSet([SIGINT, SIGTERM, SIGHUP]).isPending
  }

  private func tell() {
    guard !CustomerStore.isClusterAddress(path) else {
      try? errors?.write(
        "note: waiting for the cluster: another program is writing, or the nodes are electing a leader\n")
      try? errors?.flush()
      return
    }
    let holder = CustomerStore.lockHolder(ofFile: path)
      .map { "\(printable($0.program)) (process \($0.process))" }
    try? errors?.write("note: waiting for \(holder ?? "another program"), which has locked the list\n")
    try? errors?.flush()
  }
}
