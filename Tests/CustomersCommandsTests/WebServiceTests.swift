import CustomersTestSupport
import Testing

/// `customers web` as a service of systemd, which another program stands for: none runs in a container.
@Suite(.onThreads) struct WebServiceTests {
  private static let manager = #"""
    """Starts a program as systemd does: with open sockets, and a socket to hear from it."""
    import os, socket, sys, urllib.request
    kind, program = sys.argv[1], sys.argv[2:]
    heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    name = ("\0customers-test-%d" % os.getpid()) if kind == "abstract" else os.path.abspath("../notify")
    heard.bind(name)
    heard.settimeout(60)
    if kind == "away":
        door = socket.create_server(("0.0.0.0", 0))
    else:
        door = socket.create_server(("127.0.0.1", 0))
    child = os.fork()
    if child == 0:
        os.dup2(door.fileno(), 3)
        os.environ.update(NOTIFY_SOCKET=name.replace("\0", "@"), WATCHDOG_USEC="300000", LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
        os.execv(program[0], program)
    if kind == "away":
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        sys.exit()
    print([heard.recv(100).decode() for _ in range(3)])
    with urllib.request.urlopen("http://127.0.0.1:%d/health" % door.getsockname()[1]) as answer:
        print(answer.status, answer.read().decode().strip())
    os.kill(child, 15)
    while (state := heard.recv(100).decode()) == "WATCHDOG=1": pass
    print(state, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """#

  private func run(_ kind: String, _ words: String = "") throws -> ProcessResult {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write(Self.manager, to: "manager.py")
    return try sandbox.shell(
      #"python3 manager.py \#(kind) "$CUSTOMERS" web --quiet \#(words) 2> errors > out; cat errors; sed 's,port [0-9]*,port N,' out"#
    )
  }

  @Test(arguments: ["file", "abstract"])
  func `it uses the socket that it gets, and says that it is ready, lives, and ends`(kind: String) throws {
    #expect(
      try run(kind)
        == .done(
          """
          The page is served on port N. For its address, which has the key: customers web address
          ['READY=1', 'WATCHDOG=1', 'WATCHDOG=1']
          200 {"status":"ok"}
          STOPPING=1 -15
          """))
  }

  @Test func `a socket that other machines reach is refused, and so are options that name another one`()
    throws
  {
    let refused = try run("away")
    let start = "customers: can't use the socket of the service manager: "
    #expect(refused.output.hasPrefix(start), "\(refused)")
    let end = "hint: let it listen on 127.0.0.1 and [::1], or on a Unix socket\n1\n"
    #expect(refused.output.hasSuffix(end), "\(refused)")
    for option in ["--port 8421", "--socket place"] {
      let refused = try run("away", option)
      #expect(
        refused == .done("customers: --port can't be used: the service manager gives the socket\n2"),
        "\(refused)")
    }
  }
}
