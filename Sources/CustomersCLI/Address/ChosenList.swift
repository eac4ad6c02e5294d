internal import CustomersTerminalText

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
      throw Failure(code: .failed, message: "no home folder is known", hint: "name the file: --db PATH")
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
