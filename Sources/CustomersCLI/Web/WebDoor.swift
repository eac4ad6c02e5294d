internal import CustomersFiles
internal import CustomersHTTP
internal import CustomersTerminalText
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
  /// The file that keeps the address; nil if no home folder is known.
  let file: WebAddress.File?

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
    file = WebAddress.File(ofList: list, session.environment)
    var address = file?.read() ?? WebAddress()
    var note: String?
    if let path = invocation[WebOptions.socket] {
      listeners = [
        try WebDoor.listening(on: quoted(path)) { () throws(Listener.Refused) in try Listener(path: path) }
      ]
      port = nil
    } else {
      let wanted = asked ?? address.port
      do {
        (listeners, address.port) = try Listener.loopback(port: wanted)
      } catch  where error.isTaken && asked == nil && wanted > 0 {
        // Whoever has the port may have seen the key in a bookmark.
        address = WebAddress()
        (listeners, address.port) = try WebDoor.listening(on: "a port") { () throws(Listener.Refused) in
          try Listener.loopback(port: 0)
        }
        note =
          "port \(wanted) of this list's page is in use; this address ends with the program. "
          + "\(WebOptions.port.name) N chooses another for good"
      } catch {
        throw WebDoor.failure("port \(wanted)", error)
      }
      port = address.port
    }
    hosts = PageHosts(port: port, names: names)
    token = address.token
    let base = names.first.map { "https://\($0)" } ?? "http://localhost:\(port ?? 8080)"
    url = "\(base)/#\(token)"
    if let note {
      try session.writeAside("note: \(note)")
    } else {
      do { try file?.write(address) } catch {
        try session.writeAside("note: this address ends with the program: \(session.failure(error).message)")
      }
    }
    if port == nil, names.isEmpty, let path = invocation[WebOptions.socket] {
      try session.writeAside("note: from another machine: ssh -L 8080:\(printable(path)) HOST")
    }
  }

  private static func listening<Result>(
    on place: String, _ body: () throws(Listener.Refused) -> Result
  ) throws -> Result {
    do { return try body() } catch { throw failure(place, error) }
  }

  private static func failure(_ place: String, _ error: Listener.Refused) -> Failure {
    Failure(
      code: .failed, message: "can't listen on \(place): \(error.description)",
      hint: error.isTaken ? "another program uses it; name another one" : nil)
  }
}
