internal import CustomersPlatform
internal import Synchronization

/// Waits for a customers file that another program has locked: for a limited time, with a message after a
/// second.
final class Waiting: Sendable {
  private struct Announcement {
    var waited = Duration.zero
    var hasTold = false
  }

  private let list: ListAddress
  private let errors: Stream?
  private let limit: Duration
  private let state = Mutex(Announcement())

  /// - Parameters:
  ///   - list: the list.
  ///   - limit: the time to wait in total, to open it and for its transactions.
  ///   - errors: where to print the message.
  init(for list: ListAddress, within limit: Duration, telling errors: Stream?) {
    (self.list, self.limit, self.errors) = (list, limit, errors)
  }

  /// Whether to keep waiting; false if the user has pressed the interrupt key.
  func shouldContinue(after pause: Duration) -> Bool {
    let (waited, reports) = state.withLock { state in
      state.waited += pause
      let reports = state.waited >= .seconds(1) && !state.hasTold
      if reports { state.hasTold = true }
      return (state.waited, reports)
    }
    if reports { tell() }
    return waited < limit && !SignalSet.ending.isPending
  }

  private func tell() {
    try? errors?.write("note: waiting for \(list.obstacle)\n")
    try? errors?.flush()
  }
}
