@testable import CustomersCommands
import Foundation
import CustomersTestSupport
import Testing

/// Machines that can't be reached, or lack the program: the error quotes ssh and names the remedy.
@Suite(.onThreads) struct SSHFailureTests {
  private func run(_ serving: String, _ more: [String] = []) throws -> ProcessResult {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.otherMachine(serving: serving)
    return try sandbox.expectUntouched {
      try sandbox.run(words: ["add", "New"] + more, environment: environment)
    }
  }

  @Test func `an older or newer version there is reported, with a remedy`() throws {
    let old = try run("echo 'customers serve 1 0.0.9'")
    #expect(
      old
        == .failed(
          1,
          "customers: customers 0.0.9 on \"elsewhere\" is too old for this customers \(version)\nhint: install customers \(version) there"
        ))
    let new = try run("echo Welcome; echo 'customers serve 99 9.0.0'")
    #expect(
      new
        == .failed(
          1,
          "customers: customers 9.0.0 on \"elsewhere\" is too new for this customers \(version)\nhint: install that version here"
        ))
    // A version without the command `serve`.
    let unknown = try run("echo \"customers: unknown command 'serve'\" >&2; exit 2")
    #expect(
      unknown.code == 1 && unknown.errors.contains("customers on \"elsewhere\" is too old"), "\(unknown)")
  }

  @Test func `another version there is reported to a table as well`() throws {
    let sandbox = try CLISandbox.withLetters()
    let environment = try sandbox.otherMachine(serving: "echo \"customers: unknown option '--any'\"; exit 2")
    let (screen, code) = try sandbox.onTerminal("table", environment: environment)
    #expect(
      code == 1 && screen.contains("customers on \"elsewhere\" is not of the same version"), "\(screen)")
  }

  @Test func `a machine without the program is reported`() throws {
    let result = try run("run env PATH=/usr/bin:/bin HOME=/nowhere sh -c \"$word\"")
    #expect(
      result
        == .failed(
          1,
          "customers: customers is not installed on \"elsewhere\"\nhint: install it there, in a folder of $PATH, in ~/.local/bin or in /usr/local/bin"
        ))
  }

  @Test func `the error quotes ssh if the machine can't be reached`() throws {
    let serving = "echo 'ssh: connect to host elsewhere port 22: Connection refused' >&2; exit 255"
    #expect(
      try run(serving)
        == .failed(
          1,
          """
          customers: can't reach "elsewhere": ssh exited with status 255
               ssh: connect to host elsewhere port 22: Connection refused
          hint: test the connection: ssh -- elsewhere true
          """))
    let json = try run(serving, ["--json"])
    let error = try #require(jsonObject(json.errors)["error"] as? [String: Any])
    #expect(error["code"] as? Int == 1 && json.code == 1 && json.output.isEmpty)
    #expect((error["details"] as? [String])?.first?.hasSuffix("Connection refused") == true)
  }

  @Test func `a missing ssh is reported`() throws {
    let sandbox = try CLISandbox()
    let result = try sandbox.run("list", "--db", "ssh://host/list", environment: ["CUSTOMERS_SSH": "nossh"])
    #expect(result.code == 1 && result.errors.contains("can't run \"nossh\""), "\(result)")
    let status = try sandbox.run("status", "--db", "ssh://host/list", environment: ["CUSTOMERS_SSH": "nossh"])
    #expect(status.code == 10, "\(status)")
  }

  @Test(arguments: [
    "ssh://-oProxyCommand=touch owned/list", "ssh://-l@host/list", "ssh://host", "ssh://host/", "ssh:///list",
    "ssh://@host/list", "ssh://host:/list", "ssh://host:0/list", "ssh://host:65536/list",
    "ssh://host:2x/list",
    "ssh://a b/list", "ssh://a;b/list", "ssh://$(id)/list", "ssh://a@b`/list", "ssh://host:+1/list",
    "ssh://u\n@host/list", "ssh://[::1/list",
  ])
  func `an address that ssh could misread is refused`(address: String) throws {
    let sandbox = try CLISandbox()
    let result = try sandbox.run("list", "--db", address, environment: ["CUSTOMERS_SSH": "touch owned;"])
    #expect(result.code == 2 && result.errors.hasPrefix("customers: \"ssh://"), "\(result)")
    #expect(try sandbox.names.isEmpty)
  }

  @Test(arguments: [
    ("ssh://host/list", ["--", "host"], "/list"),
    ("ssh://ann@host:2222/a b", ["-p", "2222", "-l", "ann", "--", "host"], "/a b"),
    ("ssh://[::1]:22/~/list", ["-p", "22", "--", "::1"], "/users/ann/list"),
    ("ssh://a@b@host/x:y@z", ["-l", "a@b", "--", "host"], "/x:y@z"),
  ])
  func `an address has a user, host, port, and path`(text: String, words: [String], path: String) throws {
    let address = try SSHAddress(text)
    #expect(address.words == words)
    #expect(address.path(inHome: "/users/ann") == path)
  }
}
