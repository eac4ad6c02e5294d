internal import CustomerStore
internal import CustomerStoreCluster
internal import CustomersCluster
internal import CustomersTerminalText

/// Where a list is.
///
/// It is parsed once. Whatever differs between the kinds of addresses is in this file.
enum ListAddress: Equatable, Sendable {
  /// In a file of this machine, by its path.
  case file(String)
  /// In the memory of this process, while there is no file yet.
  case memory
  /// On another machine, whose `customers` is started by `ssh`.
  case ssh(SSHAddress)
  /// On a cluster.
  case cluster(ClusterAddress)

  /// Parses an address; a string that is no other address is a path.
  ///
  /// - Throws: a `Failure` if it begins like an address, but is not a valid one.
  init(_ text: String) throws {
    if SSHAddress.isMeant(by: text) {
      self = .ssh(try SSHAddress(text))
    } else if ClusterAddress.isMeant(by: text) {
      guard let address = ClusterAddress(text) else {
        throw Failure(StoreError.invalidAddress, file: text)
      }
      self = .cluster(address)
    } else if let scheme = text.firstMatch(of: /^[a-z][a-z0-9+.]*:\/\//) {
      throw Failure.usage(
        "\(scheme.output) is not supported",
        hint: "use a path, ssh://host/path, or dqlite://host:port,…/name",
        offendingArgument: text)
    } else {
      self = .file(text)
    }
  }

  /// Whether the list is on a cluster.
  var isCluster: Bool {
    if case .cluster = self { true } else { false }
  }

  /// The path of the list, if it is in a file of this machine.
  var path: String? {
    if case .file(let path) = self { path } else { nil }
  }

  /// Opens the list.
  ///
  /// - Throws: `StoreError`; a `Failure` if it is on another machine.
  func open(_ options: CustomerStore.Options) throws -> CustomerStore {
    switch self {
    case .file(let path): try CustomerStore(path: path, options: options)
    case .memory: try CustomerStore.inMemory(options: options)
    case .cluster(let address): try CustomerStore(on: address, options: options)
    case .ssh(let machine):
      throw Failure(code: .failed, message: "the list is on the machine \(quoted(machine.host))")
    }
  }

  /// How long a command waits for other programs; an election may take longer than another program's write.
  var busyTimeout: Duration {
    if case .cluster = self { .seconds(30) } else { CustomerStore.Options().busyTimeout }
  }

  /// What a command waits for that can't get at the list, in a sentence after "waiting for".
  var obstacle: String {
    if case .cluster(let address) = self {
      var search = LeaderSearch(address.nodes)
      return (try? search.connect(within: .zero)) == nil
        ? "the cluster, whose nodes are electing a leader or can't be reached"
        : "another program, which is writing to the list on the cluster"
    }
    return "\(holder ?? "another program"), which has locked the list"
  }

  /// The program that has locked the list to write or to read it, if the system says which.
  var holder: String? {
    path.flatMap(CustomerStore.lockHolder).map { "\(printable($0.program)) (process \($0.process))" }
  }

  /// What is said of a list that does not exist and the remedy; `name` is its address.
  func absence(called name: String) -> (message: String, hint: String?) {
    guard case .cluster = self else { return (StoreError.missing.description, nil) }
    return (
      "there is no list on the cluster yet",
      "create it with customers add NAME, or copy a file: customers --db FILE backup \(printable(name))"
    )
  }
}
