@testable import CustomersCommands
import CustomersSystem
import Foundation
import CustomersTestSupport
import Testing

/// A key that `authorized_keys` restricts to `customers serve`, with the real `ssh` and `sshd`: it is good for the
/// offered lists, and for nothing else.
@Suite(.onThreads) struct RestrictedKeyTests {
  /// A list, and a server that lets a key only run `customers serve` with some options.
  private func server(
    _ options: String, pty: Bool = false
  ) throws -> (sandbox: CLISandbox, server: SSHServer) {
    let sandbox = try CLISandbox.withLetters()
    let words = options.replacing("LIST", with: sandbox.file).replacing("FOLDER", with: sandbox.folder)
    let command = #"restrict,\#(pty ? "pty," : "")command="customers serve \#(words)" "#
    return (sandbox, try SSHServer(for: sandbox, isShared: true, keyOptions: command))
  }

  /// Sends a request that no `customers` sends, with the terminal if the key may have one.
  private func send(
    _ words: [String], environment: [String: String] = [:], list: String = "", _ sandbox: CLISandbox,
    _ server: SSHServer, onTerminal: Bool
  ) throws -> String {
    let request = try RemoteRequest(served: words, list: list, environment: environment)
    if onTerminal {
      let ssh = ["ssh", "-F", server.configuration, "-tt", "far", SSHConnection.command(serving: request)]
      return try sandbox.terminal(ssh, rows: 3, environment: server.environment) { _ in nil }.screen
    }
    let path = try sandbox.keep("")
    let file = try FileDescriptor.openToWrite(path)
    try Channel(input: file, output: file).send(request.message)
    file.close()
    let program = try sandbox.keepProgram(speakingProtocol: Self.sending)
    // Without a command, sshd does not say that it runs another one.
    return try ["", "x"].map { command in
      try sandbox.shell("python3 '\(program)' '\(path)' ssh -F '\(server.configuration)' far \(command)")
        .output
    }.joined()
  }

  /// A caller that sends a file and agrees to everything; it prints what it receives.
  private static let sending = """
    ssh = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    wire = Wire(ssh.stdout, ssh.stdin)
    while ssh.stdout.read(1) not in (b'\\n', b''): pass
    ssh.stdin.write(open(sys.argv[1], 'rb').read())
    while (message := wire.receive())[0] not in (EXIT, None):
        print(message[1].decode(errors='replace'))
        if message[0] == MAY_WRITE: wire.send(REPLY, b'toReplace')
        elif message[0] == OPEN: wire.send(END)
        elif message[0] not in (OUTPUT, ERRORS, WRITE): wire.send(REPLY)
    ssh.stdin.close()
    ssh.wait(60)
    """

  /// The limits of a key, without and with a terminal.
  static let keys = ["", "--list LIST", "--folder FOLDER"].flatMap { [($0, false), ($0, true)] }

  @Test(arguments: ["--list LIST", "--folder FOLDER"])
  func `it gives access to the list and the table`(options: String) throws {
    let (sandbox, server) = try server(options, pty: true)
    #expect(try sandbox.run(words: ["list"], environment: server.environment) == sandbox.run("list"))
    let added = try sandbox.run(words: ["add", "Eve"], environment: server.environment)
    #expect(added.code == 0, "\(added)")
    try sandbox.expectTable("table", in: server.environment)
    let other = try sandbox.shell("ssh -F '\(server.configuration)' far 'touch owned' < /dev/null")
    #expect(other.code != 0 && other.output.hasPrefix("customers serve"), "\(other)")
    let names = try FileManager.default.contentsOfDirectory(atPath: server.home)
    #expect(names == [".ssh"])
  }

  @Test(arguments: sampled(Self.keys, oneIn: 6, salt: 0))
  func `it starts no program`(options: String, onTerminal: Bool) throws {
    let (sandbox, server) = try server(options, pty: onTerminal)
    let program = "touch '\(sandbox.folder)/owned'; exit 3 #"
    let names = ["CUSTOMERS_SSH", "EDITOR", "VISUAL", "PAGER", "CUSTOMERS_PAGER"]
    let environment = Dictionary(uniqueKeysWithValues: names.map { ($0, program) })
    for words in [
      ["watch", "--exec", "true", "--cursor", "\(sandbox.folder)/cursor"],
      ["backup", "ssh://x/y"], ["backup", "\(sandbox.folder)/copy", "--every", "1s"],
      ["edit", "1", "--editor"], ["arrange", "-y"],
      ["list"], ["help"], ["serve", "--any"],
    ] {
      _ = try send(
        words + ["--db", sandbox.file], environment: environment, list: "ssh://far" + sandbox.file, sandbox,
        server,
        onTerminal: onTerminal)
      #expect(try sandbox.names == ["customers.sqlite"], "\(words)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: server.home) == [".ssh"], "\(words)")
    }
  }

  @Test(arguments: sampled(Self.keys, oneIn: 6, salt: 1))
  func `it writes no other file, least of all authorized_keys`(options: String, onTerminal: Bool) throws {
    let (sandbox, server) = try server(options, pty: onTerminal)
    let keys = server.home + "/.ssh/authorized_keys"
    let profile = server.home + "/profile"
    for path in [keys, profile] { try CustomersTestSupport.write(Array("precious\n".utf8), to: path) }
    let before = try sandbox.shell("cd '\(server.home)'; ls -lAR; cat profile .ssh/*").output
    let note = "\nssh-ed25519 AAAA evil\n"
    for path in sampled([keys, keys + "2", profile, server.home + "/rc"], oneIn: 2) {
      for words in [["add", "Eve", "--note", note], ["demo"]] {
        let made = try sandbox.spawn(
          words: words + ["--db", "ssh://far\(path)"], environment: server.environment)
        #expect(made.code == 4 && made.errors.contains("is not offered"), "\(made)")
      }
      let sent = try sandbox.spawn(
        words: ["backup", "ssh://far\(path)", "--yes", "--db", sandbox.file], environment: server.environment)
      #expect(sent.code == 4 && sent.errors.contains("is not offered"), "\(sent)")
      for words in [
        ["add", "Eve", "--note", note], ["backup", path, "-y"], ["export", path, "-y"],
        ["__keep", "ssh://x\(path)", "-", "-y"],
      ] {
        _ = try send(
          words + (words[0] == "add" ? ["--db", path] : ["--db", sandbox.file]), sandbox, server,
          onTerminal: onTerminal)
      }
    }
    #expect(try sandbox.shell("cd '\(server.home)'; ls -lAR; cat profile .ssh/*").output == before)
    #expect(try sandbox.names == ["customers.sqlite"])
  }

  @Test(arguments: sampled(Self.keys, oneIn: 6, salt: 2))
  func `it reads no other file`(options: String, onTerminal: Bool) throws {
    let (sandbox, server) = try server(options, pty: onTerminal)
    let secret = server.home + "/secret.csv"
    try CustomersTestSupport.write(Array("root:x:0,name\nroot,secret\n".utf8), to: secret)
    for words in [
      ["__complete", "fish", "--", "import", secret, "--map", ""], ["import", secret, "-n"],
      ["apply", secret, "-n"],
      ["list", "--db", secret], ["restore", secret, "-n"],
    ] {
      let found = try send(words, list: "ssh://far" + sandbox.file, sandbox, server, onTerminal: onTerminal)
      #expect(!found.contains("root"), "\(words): \(found)")
    }
  }

  @Test func `without a limit, it gives access to the account's own list only`() throws {
    let (sandbox, server) = try server("")
    let usual = server.home + "/.local/share/customers/customers.sqlite"
    let copied = try sandbox.shell("mkdir -p \"$(dirname '\(usual)')\" && customers backup '\(usual)'")
    #expect(copied.code == 0, "\(copied)")
    for address in ["ssh://far/~/.local/share/customers/customers.sqlite", "ssh://far" + usual] {
      let environment = server.environment.merging(["CUSTOMERS_DB": address]) { $1 }
      #expect(try sandbox.run(words: ["list"], environment: environment) == sandbox.run("list"))
    }
    let other = try sandbox.run(words: ["list"], environment: server.environment)
    #expect(other.code == 4 && other.errors.contains("is not offered"), "\(other)")
    let (open, any) = try self.server("--any")
    #expect(try open.run(words: ["list"], environment: any.environment) == open.run("list"))
  }

  @Test func `files are those of the caller, and a restore keeps the old list`() throws {
    let (sandbox, server) = try server("--list LIST")
    try sandbox.write("name\nEve\n", to: "people.csv")
    for words in [
      ["import", "people.csv", "-q"], ["export", "out.csv", "-q"], ["backup", "copy", "-q"],
      ["restore", "copy", "-qy"],
      ["check"],
    ] {
      let result = try sandbox.run(words: words, environment: server.environment)
      #expect(result.code == 0, "\(words): \(result)")
    }
    #expect(
      try sandbox.names == [
        "copy", "customers.sqlite", "customers.sqlite.before-restore", "out.csv", "people.csv",
      ])
    let repaired = try sandbox.run(words: ["check", "--repair", "-y"], environment: server.environment)
    #expect(repaired.code == 4 && repaired.errors.contains("it leaves a file beside the list"), "\(repaired)")
  }
}
