internal import CustomerStore
internal import Synchronization

/// The list: the file that has its name now, read and written without a thread that waits.
final class OpenList: Sendable {
  /// How long a read waits for another program and how long an edit does.
  static let readLimit = Duration.seconds(2), writeLimit = CustomerStore.Options().busyTimeout

  private let current: Mutex<CustomerStore>
  /// Whether each look at the list is a conversation with other machines, in which a thread of the store waits.
  let isOnCluster: Bool
  private let lockHolder: @Sendable () -> String?

  init(_ store: CustomerStore, isOnCluster: Bool, lockHolder: @escaping @Sendable () -> String?) {
    current = Mutex(store)
    self.isOnCluster = isOnCluster
    self.lockHolder = lockHolder
  }

  /// The store of the file that was found last.
  var store: CustomerStore { current.withLock(\.self) }

  /// Opens the file that has the list's name now.
  func openAgain() throws -> CustomerStore {
    let store = try store.openedAgain(busyTimeout: .zero)
    current.withLock { $0 = store }
    return store
  }

  /// Who has locked the list, as a sentence.
  var obstacle: String { "\(lockHolder() ?? "Another program") has locked the list." }

  /// Reads the list.
  func read<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing CustomerList) throws -> Result
  ) async throws -> Result {
    try await patiently(OpenList.readLimit) { [isOnCluster] store in
      try await store.read(busyTimeout: isOnCluster ? OpenList.readLimit : .zero, body)
    }
  }

  /// Reads much of the list; no other program waits, nor does any other request.
  func readAtLength<Result: Sendable>(
    _ body: @escaping @Sendable (borrowing CustomerList) throws -> Result
  ) async throws -> Result {
    try await patiently(OpenList.readLimit) { [isOnCluster] store in
      try await store.readAtLength(busyTimeout: isOnCluster ? OpenList.readLimit : .zero, body)
    }
  }

  /// Edits the list in a transaction with a name.
  func write<Result: Sendable>(
    action: String, token: TransactionToken,
    _ body: @escaping @Sendable (inout CustomerList) throws -> Result
  ) async throws -> Result {
    try await patiently(OpenList.writeLimit) { [commitLimit] store in
      try await store.write(action: action, token: token, busyTimeout: commitLimit, body)
    }
  }

  /// Looks up a transaction and prevents it from being committed later.
  func settle(_ token: TransactionToken) async throws -> TransactionOutcome {
    try await patiently(OpenList.writeLimit) { [commitLimit] store in
      try await store.settle(token, busyTimeout: commitLimit)
    }
  }

  /// How long the store's own thread waits: a commit needs a moment in which no one reads, and a cluster may elect a
  /// leader.
  private var commitLimit: Duration { isOnCluster ? OpenList.writeLimit : .milliseconds(20) }

  /// Tries again while the file is locked, and with the file in its place if it was replaced.
  private func patiently<Result>(
    _ limit: Duration, _ call: (CustomerStore) async throws -> Result
  ) async throws -> Result {
    let end = ContinuousClock.now + limit
    var pause = Duration.milliseconds(5)
    // A file that is replaced again and again must not keep a request forever; time says nothing on a busy machine.
    var replacements = 0
    while true {
      let store = store
      do {
        return try await call(store)
      } catch StoreError.locked where ContinuousClock.now < end {
      } catch StoreError.replaced where replacements < 10 {
        replacements += 1
        if store === self.store { _ = try openAgain() }
      }
      try await Task.sleep(for: pause)
      pause = min(pause * 2, .milliseconds(40))
    }
  }
}
