import Foundation
import CustomersTestSupport
import Testing

/// `customers serve`, and callers that do not keep to the protocol.
@Suite(.onThreads) struct ServeTests {
  /// Runs a caller, written in Python, and returns what it has printed.
  private func call(_ sandbox: CLISandbox, _ program: String, _ words: String...) throws -> ProcessResult {
    let path = try sandbox.keepProgram(speakingProtocol: program)
    let arguments = words.map { " '\($0)'" }.joined()
    return try sandbox.shell("python3 '\(path)'\(arguments)")
  }

  /// A caller that adds a customer, with another number of the protocol if one is given.
  private static let adding = """
    server, wire, number = serve()
    wire.send(REQUEST, *request(sys.argv[1].encode() if len(sys.argv) > 1 else number, 'add', 'Eve'))
    while (kind := wire.receive()[0]) not in (EXIT, None):
        if kind == WILL_CHANGE: wire.send(REPLY)
    print(ending(server))
    """

  @Test func `a request of the same protocol is run, and none of another one`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try call(sandbox, Self.adding).output == "0\n")
    #expect(try sandbox.order == "A B C D Eve | X Y")
    for number in ["0", "1", "99", "-1", "x", ""] {
      let result = try sandbox.expectUntouched { try call(sandbox, Self.adding, number) }
      #expect(result.output == "1\n" && !result.errors.isEmpty, "\(number): \(result)")
    }
  }

  @Test func `a change waits until the caller has confirmed that it knows of it`() throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try call(
      sandbox,
      """
      server, wire, number = serve()
      wire.send(REQUEST, *request(number, 'add', 'Eve'))
      print(wire.receive()[0] == WILL_CHANGE, wire.is_silent(1))
      count = ['sqlite3', os.environ['CUSTOMERS_DB'], 'SELECT count(*) FROM customers']
      print(subprocess.check_output(count).decode().strip())
      wire.send(REPLY)
      while wire.receive()[0] not in (EXIT, None): pass
      print(ending(server), subprocess.check_output(count).decode().strip())
      """)
    #expect(result == .done("True True\n6\n0 7"))
  }

  @Test func `a caller that is gone ends the program, even while nothing is written`() throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try call(
      sandbox,
      """
      server, wire, number = serve()
      wire.send(REQUEST, *request(number, 'watch'))
      while wire.receive()[0] != OUTPUT: pass
      server.stdin.close()
      print(ending(server))
      """)
    #expect(result == .done("SIGHUP"))
  }

  /// A caller that imports two rows, one of them rejected, and may be silent when it is asked to make them durable.
  private static let importing = """
    server, wire, number = serve()
    wire.send(REQUEST, *request(number, 'import', '-', '--rejects', 'bad.csv', '-qy'))
    while True:
        kind, content = wire.receive()
        if kind in (EXIT, None): break
        if kind == OPEN:
            wire.send(DATA, content=b'name\\nEve\\nFay,1\\n')
            wire.send(END)
        elif kind == CREATE: wire.send(REPLY, b'regular')
        elif kind == SYNC and len(sys.argv) > 1: print(ending(server))
        elif kind == MAY_WRITE: wire.send(REPLY, b'toCreate')
        elif kind in (WILL_CHANGE, SYNC, FINISH): wire.send(REPLY)
    print(ending(server))
    """

  @Test func `a caller that is silent while the list is locked has ten seconds`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try call(sandbox, Self.importing) == .done("0"))
    #expect(try sandbox.order == "A B C D Eve | X Y")
    let result = try call(sandbox, Self.importing, "silent")
    #expect(result == .done("SIGHUP\nSIGHUP"))
    #expect(try sandbox.order == "A B C D Eve | X Y")
    try sandbox.expectSound()
  }

  @Test(arguments: [
    "b'\\x01\\xff\\xff\\xff\\xff'", "b'\\x01\\x01\\x00\\x00\\x01'", "b'\\x81\\x7f\\xff\\xff\\xff'",
  ])
  func `a message that claims to be too long is refused before it is there`(header: String) throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try call(
      sandbox,
      """
      server, wire, number = serve()
      server.stdin.write(\(header))
      print(ending(server))
      """)
    #expect(result.output == "1\n" && !result.errors.isEmpty, "\(result)")
  }
}
