internal import CustomerStore
internal import CustomersHTTP
internal import CustomersSystem
internal import CustomersText
internal import CustomersWeb

/// Where a list's page is served: its listeners, the names that browsers use, and the key.
struct WebDoor {
  let listeners: [Listener]
  let hosts: PageHosts
  let token: String
  /// The address for a browser.
  let url: String
  /// The port; nil for a Unix socket.
  let port: UInt16?
  /// Whether browsers come by way of a proxy.
  let isBehindProxy: Bool
  /// The file that keeps the address; nil if no home folder is known.
  let file: WebAddress.File?
  /// Those who have keys of their own, of this page and of one that can edit.
  let people: People?

  /// Opens the port that the list had before, or the port or socket that the command line names.
  ///
  /// - Parameters:
  ///   - session: the run.
  ///   - list: the path of the list, without links.
  /// - Throws: a `Failure` if an option is wrong, or what it names can't be used.
  init(_ session: Session, of list: String) throws {
    let invocation = session.invocation
    let names = try WebOptions.names(invocation)
    let asked = try WebOptions.port(invocation)
    file = WebAddress.File(
      ofList: list, isReadOnly: invocation[WebOptions.readOnly], session.environment)
    people = WebAddress.File(ofList: list, session.environment).map(People.init)
    var address = file?.read() ?? WebAddress()
    let given = ServiceManager(session.environment).sockets
    if !given.isEmpty {
      // The service manager holds the port, so that no other account gets it while this program does not run.
      guard !invocation.has(WebOptions.port) else {
        throw Failure.usage(
          "\(WebOptions.port.name) can't be used: the service manager gives the socket",
          offendingArgument: WebOptions.port.name)
      }
      do { (listeners, port) = try Listener.inherited(given) } catch {
        throw Failure.failed(
          "can't use the socket of the service manager: \(error.description)",
          hint: "let it listen on 127.0.0.1 and [::1], or on a Unix socket")
      }
      address.port = port ?? address.port
    } else if let path = WebOptions.socket(invocation) {
      do { listeners = [try Listener(path: path)] } catch {
        throw WebDoor.failure(quoted(path), error, other: ("socket", "\(WebOptions.port.name) PATH"))
      }
      port = nil
    } else {
      let wanted = asked ?? address.port
      do { (listeners, address.port) = try Listener.loopback(port: wanted) } catch {
        var failure = WebDoor.failure(
          wanted > 0 ? "port \(wanted)" : "a port", error, other: ("port", "\(WebOptions.port.name) N"))
        // A page that is still open has sent its key there. Only a socket that the system holds for this program keeps
        // others from the port while it does not run.
        if error.isTaken, wanted == file?.read()?.port, PortHolder.mayBeAnotherUser(wanted),
          (try? file?.write(WebAddress(port: wanted))) != nil
        {
          failure.outcome =
            "Another user has it and may have seen the key: the page has another key from now on."
        }
        throw failure
      }
      port = address.port
    }
    hosts = PageHosts(port: port, names: names)
    token = address.token
    url = "\(WebAddress.base(names, port: port ?? 8080))/#\(token)"
    isBehindProxy = !names.isEmpty
    do { try file?.write(address) } catch {
      try session.writeAside("note: this address ends with the program: \(session.failure(error).message)")
    }
    let socket = try WebOptions.socket(invocation).map { try Folder.resolve($0) }
    if isBehindProxy {
      let goal = port.map { "http://127.0.0.1:\($0)" } ?? "the socket \(printable(socket ?? ""))"
      try session.writeAside(
        "note: the proxy passes requests for \(listed(names, "and")) on to \(goal), with their Host")
    } else if let socket {
      try session.writeAside("note: from another machine: ssh -L 8080:\(printable(socket)) HOST")
    }
  }

  private static func failure(
    _ place: String, _ error: Listener.Refused, other: (kind: String, option: String)
  ) -> Failure {
    Failure.failed(
      "can't listen on \(place): \(error.description)",
      hint: error.isTaken ? "to use another \(other.kind): customers web \(other.option)" : nil)
  }
}

/// A file that leads a browser to the page.
///
/// The address itself is not put on a command line, where every user of the machine could read the key.
struct BrowserPage {
  private let file: StateFile
  private let url: String

  /// Chooses a file in the home folder, with a name that is not hidden.
  ///
  /// Browsers that are packed as snaps, such as Firefox and Chromium of Ubuntu, read nothing below a hidden folder, and
  /// have a `/tmp` of their own. Only its owner can read the file, and it goes away with the program.
  ///
  /// - Returns: nil if no home folder is known.
  init?(of door: WebDoor, _ environment: [String: String]) {
    guard let home = environment["HOME"], !home.isEmpty, let state = door.file else { return nil }
    file = StateFile("\(home)/customers-web-\(Folder.name(ofFile: state.path).prefix(8)).html")
    url = door.url
  }

  /// Writes the file, and opens it in a browser, which goes on after the program.
  func open(_ session: Session) throws {
    do { try file.write(bytes) } catch {
      return try session.writeAside("note: can't open a browser: \(session.failure(error).message)")
    }
    let script = """
      browser=${BROWSER:-xdg-open}
      command -v ${browser%% *} > /dev/null || exit 1
      $browser "$1" > /dev/null 2>&1 &
      """
    guard try Child(script, [file.path]).wait() != 0 else { return }
    try session.writeAside("note: can't open a browser: $BROWSER names none, and there is no xdg-open")
    try session.errors.flush()
  }

  private var bytes: [UInt8] {
    Array(
      """
      <!doctype html><meta charset="utf-8"><title>customers</title>
      <meta http-equiv="refresh" content="0;url=\(url)"><a href="\(url)">Open the list</a>

      """.utf8)
  }

  func remove() { try? Folder.removeFile(file.path) }
}
