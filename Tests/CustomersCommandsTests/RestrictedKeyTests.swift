@testable import CustomersCommands
import CustomersSystem
import Foundation
import CustomersTestSupport
import Testing

/// A key that `authorized_keys` restricts to `customers serve`, with the real `ssh` and `sshd`: it is good for the
/// offered lists, and for nothing else.
///
/// `ServedRequestTests` and `HostileCallerTests` send what no `customers` sends.
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

  @Test(arguments: ["", "--list LIST", "--folder FOLDER"])
  func `it writes no other file, least of all authorized_keys`(options: String) throws {
    let (sandbox, server) = try server(options)
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
    }
    #expect(try sandbox.shell("cd '\(server.home)'; ls -lAR; cat profile .ssh/*").output == before)
    #expect(try sandbox.names == ["customers.sqlite"])
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
