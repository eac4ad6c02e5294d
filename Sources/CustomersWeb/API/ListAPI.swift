package import CustomerStore
package import CustomerTable
internal import Synchronization

/// What a page in a browser and other programs can read and do: each request has one answer, and `follow` reports
/// changes.
///
/// No thread waits for another program's lock. The only state is in memory and may be lost: which browser made
/// which step, what a page has searched, and the files that are sent and fetched.
public final class ListAPI: Sendable {
  /// What a page shows of the program and the list.
  struct Program: Sendable {
    var version: String
    /// Another one if the page's files are others.
    var build: String
    /// The name of the list; nil if the key is not told.
    var list: String?
  }

  let list: OpenList
  let policy: EditingPolicy
  let isReadOnly: Bool
  /// What a setting of the list makes of an edit.
  let settled: @Sendable (ListEdit, borrowing CustomerList) throws -> ListEdit
  let program: Program
  let made: MadeSteps
  /// Whose key this is; nil for the page's own.
  let person: PagePerson?
  let presence: Presence
  /// Of a part of a list: makes its edits in the list, too.
  let carrier: PartEdits?
  let offers = OfferedSteps()
  let views = ViewSessions()
  let files = KeptFiles()
  let work = LongWork()
  /// Exports in one answer, each of which copies a long list and has all of its file in memory.
  let exports = Turns(2)

  /// Creates the requests and events of one list.
  ///
  /// - Parameters:
  ///   - store: the list.
  ///   - isReadOnly: whether edits are refused.
  ///   - program: the version of the program.
  ///   - build: a tag of the page's files.
  ///   - listName: the name of the list for people.
  ///   - policy: what may be edited, the subtitles, and the appearance of the form.
  ///   - isOnCluster: whether the list is on other machines; then it is looked at less often.
  ///   - lockHolder: the program that has locked the list, if the system says which.
  ///   - settled: what a setting of the list makes of an edit.
  ///   - presenceLifetime: how long a page edits what it says, unless it says so again.
  ///   - writeLimit: how long an edit waits for another program.
  package init(
    store: CustomerStore, isReadOnly: Bool, program: String, build: String, listName: String = "",
    policy: EditingPolicy = EditingPolicy(), isOnCluster: Bool = false,
    lockHolder: @escaping @Sendable () -> String? = { nil },
    settled: @escaping @Sendable (ListEdit, borrowing CustomerList) throws -> ListEdit = { edit, _ in edit },
    presenceLifetime: Duration = .seconds(30),
    writeLimit: Duration = CustomerStore.Options().busyTimeout
  ) {
    var policy = policy
    if isReadOnly { policy.forbidEverything() }
    (self.isReadOnly, self.policy, self.settled) = (isReadOnly, policy, settled)
    list = OpenList(store, isOnCluster: isOnCluster, writeLimit: writeLimit, lockHolder: lockHolder)
    self.program = Program(version: program, build: build, list: listName)
    (made, carrier, person, presence) = (
      MadeSteps(), nil, nil, Presence(lifetime: presenceLifetime)
    )
  }

  /// The same list for a person, or a part of it with a policy of its own, whose edits are made in the list, too.
  init(
    _ api: ListAPI, _ store: CustomerStore, of person: PagePerson, isReadOnly: Bool,
    part: (policy: EditingPolicy, carrier: PartEdits)? = nil
  ) {
    var policy = part?.policy ?? api.policy
    if isReadOnly { policy.forbidEverything() }
    (self.isReadOnly, self.policy, carrier) = (isReadOnly, policy, part?.carrier)
    let list = part == nil ? api.program.list : nil
    program = Program(version: api.program.version, build: api.program.build, list: list)
    (self.person, presence) = (person, api.presence)
    // A part need not have the section of which a setting speaks.
    settled = part == nil ? api.settled : { @Sendable edit, _ in edit }
    // The steps of a part are not those of the list.
    made = part == nil ? api.made : MadeSteps()
    self.list = OpenList(
      store, isOnCluster: api.list.isOnCluster, writeLimit: api.list.writeLimit,
      lockHolder: api.list.lockHolder)
  }

  package func persons() async throws -> Set<PersonID>? {
    try await list.read { list in Set(try list.persons().map(\.id)) }
  }

  /// The list for a person, whose name the history then has.
  package func list(for person: PagePerson) throws -> any ListService {
    if person.limits != nil || person.rights == .add { return try LimitedList(self, of: person) }
    let isReadOnly = isReadOnly || person.rights == .read
    return ListAPI(
      self, try list.store.opened(for: person.name, isReadOnly: isReadOnly), of: person,
      isReadOnly: isReadOnly)
  }
}

/// What answers the requests of pages: the list itself, or the program on the machine that has it.
package protocol ListService: Sendable {
  /// Answers a request; one that can't be understood or done gets an answer, too.
  func answer(_ request: APIRequest) async -> APIAnswer

  /// Reports the changes of the list, one after another, until its task is canceled.
  ///
  /// It begins with `hello`. While `report` waits, nothing else is reported: the next event has all that happened
  /// until then.
  func follow(_ report: @Sendable (APIEvent) async -> Void) async

  /// The list for a person who has a key of their own.
  ///
  /// - Throws: `StoreError`, or `APIError` if it can't be had for one.
  func list(for person: PagePerson) throws -> any ListService

  /// The people whom the list has now; nil if it keeps none.
  ///
  /// - Throws: `StoreError`.
  func persons() async throws -> Set<PersonID>?

  /// What a stream that has a version gets instead of the changes that `follow` reports; nil if it gets those.
  func stream(after version: ListVersion?) -> (@Sendable () async -> [UInt8]?)?
}

extension ListService {
  package func persons() async throws -> Set<PersonID>? { nil }

  package func stream(after version: ListVersion?) -> (@Sendable () async -> [UInt8]?)? { nil }

  package func list(for person: PagePerson) throws -> any ListService {
    throw APIError(.forbidden, "This page has no keys for people.", remedy: "Use the page's own key.")
  }
}

extension ListAPI: ListService {}

/// The list: the file that has its name now, read and written without a thread that waits.
final class OpenList: Sendable {
  /// How long a read waits for another program.
  static let readLimit = Duration.seconds(2)

  private let current: Mutex<CustomerStore>
  /// Whether each look at the list is a conversation with other machines, in which a thread of the store waits.
  let isOnCluster: Bool
  let lockHolder: @Sendable () -> String?
  /// How long an edit waits for another program.
  let writeLimit: Duration

  init(
    _ store: CustomerStore, isOnCluster: Bool, writeLimit: Duration,
    lockHolder: @escaping @Sendable () -> String?
  ) {
    current = Mutex(store)
    self.isOnCluster = isOnCluster
    self.writeLimit = writeLimit
    self.lockHolder = lockHolder
  }

  /// Puts another list in its place.
  func put(_ store: CustomerStore) { current.withLock { $0 = store } }

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
    try await patiently(writeLimit) { [commitLimit] store in
      try await store.write(action: action, token: token, busyTimeout: commitLimit, body)
    }
  }

  /// Looks up a transaction and prevents it from being committed later.
  func settle(_ token: TransactionToken) async throws -> TransactionOutcome {
    try await patiently(writeLimit) { [commitLimit] store in
      try await store.settle(token, busyTimeout: commitLimit)
    }
  }

  /// How long the store's own thread waits: a commit needs a moment in which no one reads, and a cluster may elect a
  /// leader.
  private var commitLimit: Duration { isOnCluster ? writeLimit : .milliseconds(20) }

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

extension TransactionToken {
  /// The token in a request; nil for a text that is not 32 hexadecimal digits.
  ///
  /// Its time decides how long its outcome is known, so no other form is accepted.
  init?(request text: String) {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
      return nil
    }
    self.init(rawValue: text.lowercased())
  }
}
