internal import CustomerStore
internal import CustomerStoreCluster
internal import CustomersCluster
internal import CustomersSystem
internal import CustomersText

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
    } else if let scheme = ListAddress.scheme(of: text) {
      throw Failure.usage(
        "\(scheme) is not supported",
        hint: "use a path, ssh://host/path, or dqlite://host:port,…/name",
        offendingArgument: text)
    } else {
      self = .file(text)
    }
  }

  /// The start of a string that looks like an address, such as `https://`.
  private static func scheme(of text: String) -> String? {
    let name = Substring(
      text.utf8.prefix { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || "+.".utf8.contains($0) })
    guard name.first?.isLetter == true, text.dropFirst(name.count).hasPrefix("://") else { return nil }
    return name + "://"
  }

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
      throw Failure.failed("the list is on the machine \(quoted(machine.host))")
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

  /// What is said of a list that does not exist, or of a file without a list, and the remedy; `name` is its address.
  func absence(called name: String) -> (message: String, hint: String?) {
    guard case .cluster = self else {
      let isThere = path.flatMap(FileIdentity.init) != nil
      return (isThere ? "the file is empty" : StoreError.missing.description, nil)
    }
    return (
      "there is no list on the cluster yet",
      "create it with customers add NAME, or copy a file: customers --db FILE backup \(printable(name))"
    )
  }
}

/// The list that a command works on: where it is and who said so.
struct ChosenList: Sendable {
  let address: ListAddress
  /// What named it, such as `--db`.
  let source: String
  /// Whether a user named it; otherwise it is the default file.
  let isNamed: Bool
  /// The address as it was named.
  let text: String
  /// The address by which a person on another machine names this machine; nil for people here.
  private let machine: SSHAddress?

  /// Where a run gets its list from, if no `--db` names one.
  enum Origin: Sendable {
    /// From the environment of this machine.
    case environment
    /// From a program on another machine; an `ssh:` address that it sends names a file here.
    case request
    /// From the run that has started this one.
    case run(ChosenList)
  }

  /// The list that a command line means.
  ///
  /// - Throws: a `Failure` if its address is invalid, or if there is no default for want of a home folder.
  init(_ invocation: Invocation, in context: Context) throws {
    let (text, source, isNamed): (String, String, Bool)
    if let named = invocation[GlobalOptions.list] {
      guard !named.isEmpty else { throw Failure.usage("\(GlobalOptions.list.name) needs a path") }
      (text, source, isNamed) = (named, GlobalOptions.list.name, true)
    } else if case .run(let list) = context.origin {
      self = list
      return
    } else {
      (text, source, isNamed) = try ChosenList.usual(context.environment)
    }
    var (address, machine) = (try ListAddress(text), nil as SSHAddress?)
    if case .request = context.origin, case .ssh(let there) = address {
      (address, machine) = (.file(there.path(inHome: context.environment["HOME"])), there)
    }
    self.address = try context.offer?.admit(address, called: text) ?? address
    self.machine = machine
    (self.text, self.source, self.isNamed) = (text, source, isNamed)
  }

  /// The list on another machine.
  init(on machine: SSHAddress) {
    (address, source, isNamed, text) = (.ssh(machine), GlobalOptions.list.name, true, machine.text)
    self.machine = nil
  }

  /// The list for which no option was given.
  private static func usual(
    _ environment: [String: String]
  ) throws -> (text: String, source: String, isNamed: Bool) {
    if let text = environment["CUSTOMERS_DB"], !text.isEmpty { return (text, "$CUSTOMERS_DB", true) }
    let file = "customers/customers.sqlite"
    if let home = environment["XDG_DATA_HOME"], home.hasPrefix("/") {
      return ("\(home)/\(file)", "$XDG_DATA_HOME", false)
    }
    guard let home = environment["HOME"], !home.isEmpty else {
      throw Failure.failed("no home folder is known", hint: "name the file: --db PATH")
    }
    return ("\(home)/.local/share/\(file)", "default location", false)
  }

  /// The path of its file, for a command that has declared to need one.
  var path: String {
    guard let path = address.path else {
      preconditionFailure("the command did not declare that it needs a file")
    }
    return path
  }

  /// Its address in messages, from where the user is.
  var name: String { address.path.map(name(ofFileAt:)) ?? text }

  /// Returns the name of a file beside the list, from where the user is.
  func name(ofFileAt path: String) -> String { machine?.text(of: path) ?? path }
}

/// What a command line needs of the place where it runs.
///
/// A command declares it; `Session.perform` alone brings the command there or refuses it.
enum CommandNeed: Sendable {
  /// No list; it runs where it was typed.
  case nothing
  /// The list; it runs where the list is.
  case list
  /// The list, and a cluster, which it reaches from there.
  case cluster
  /// A list in a file, for what a cluster can't do. The words name that and say what to do instead; it may
  /// leave a file beside the list.
  case file(String, instead: String, leavesFile: Bool = false)
  /// The list and a terminal to draw on.
  case terminal
  /// The machine where it was typed, from which it reaches the list and other machines.
  case typist
  /// A path for a copy that another machine sends; it runs there.
  case copy
  /// A folder of copies that another machine asks for; it runs there.
  case copies
  /// The list of a line that is being typed; it runs where that is typed, and there.
  case completion
}
