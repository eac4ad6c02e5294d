@testable import CustomersCommands
import CustomersSystem
import CustomersTestSupport
import Foundation
import Testing

/// Requests that no `customers` sends, but that a program of one's own can.
@Suite(.onThreads) struct ServedRequestTests {
  /// Runs `customers serve` with options and a request, and returns its output and exit code.
  private func serve(
    _ words: [String], by options: [String], environment: [String: String] = [:], timeZone: String = "UTC0",
    _ sandbox: CLISandbox
  ) throws -> ProcessResult {
    let request = try RemoteRequest(served: words, environment: environment, timeZone: timeZone)
    let path = try sandbox.keep("")
    let file = try FileDescriptor.openToWrite(path)
    try Channel(input: file, output: file).send(request.message)
    // The caller sends a file of rows, if the command may read one, and confirms changes.
    let rows = [Message(.data, bytes: Array("name\nEve\n".utf8)), Message(.end)]
    for message in (words.contains("-") ? rows : []) + [Message(.reply), Message(.reply)] {
      try Channel(input: file, output: file).send(message)
    }
    file.close()
    let words = options.map { "'\($0)'" }.joined(separator: " ")
    let script = "timeout 20 \"$CUSTOMERS\" serve \(words) < '\(path)' 2> /dev/null | tr -d '\\000'"
    return try sandbox.shell(script, environment: ["CUSTOMERS_DB": ""])
  }

  /// The options that limit a server to the list of a sandbox.
  private func limits(_ sandbox: CLISandbox) -> [[String]] {
    [["--list", sandbox.file], ["--folder", sandbox.folder], ["--list", sandbox.file, "--read-only"]]
  }

  @Test(arguments: [
    ["backup", "ssh://x/y", "--yes"], ["backup", "copy.sqlite", "--every", "1s"],
    ["backup", "ssh://x/y", "--every", "1s"],
  ])
  func `a command for the caller's machine does not run on that of the list`(words: [String]) throws {
    let sandbox = try CLISandbox.withLetters()
    let program = ["CUSTOMERS_SSH": "touch '\(sandbox.folder)/owned'; exit 3 #"]
    for list in [sandbox.file, "ssh://here\(sandbox.file)"] {
      let result = try serve(words + ["--db", list], by: ["--any"], environment: program, sandbox)
      #expect(result.output.contains("runs only on the machine where it is typed"), "\(list): \(result)")
      for limit in limits(sandbox) {
        let result = try serve(words + ["--db", list], by: limit, environment: program, sandbox)
        #expect(result.output.contains("is not offered"), "\(list): \(result)")
      }
      #expect(try sandbox.names == ["customers.sqlite"], "\(list)")
    }
  }

  @Test(arguments: [
    ["help"], ["completions", "bash"], ["list", "--help"], ["--version"], ["serve", "--any"], [],
    ["backup", "dqlite://127.0.0.1:1/x"],
  ])
  func `a command that is about more than the list is refused`(words: [String]) throws {
    let sandbox = try CLISandbox.withLetters()
    for limit in limits(sandbox) {
      let result = try serve(words + ["--db", sandbox.file], by: limit, sandbox)
      #expect(words.isEmpty || result.output.contains("is not offered"), "\(limit): \(result)")
      #expect(!result.output.contains("Usage"), "\(result)")
    }
  }

  @Test func `a request does not serve another one`() throws {
    let sandbox = try CLISandbox.withLetters()
    let command = SSHConnection.command(serving: try RemoteRequest(served: ["serve", "--any"]))
    let (screen, code) = try sandbox.terminal(
      [CLISandbox.program, "serve", "--any"], environment: [Environment.originalCommand: command]
    ) { _ in nil }
    #expect(code == 4 && screen.contains("can't be requested"), "\(screen)")
  }

  @Test func `completion does not read a file of the server`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write("secret:x:0,more\n", to: "secret")
    let words = ["__complete", "fish", "--", "import", "\(sandbox.folder)/secret", "--map", ""]
    for limit in limits(sandbox) + [["--any"]] {
      let result = try serve(words, by: limit, sandbox)
      #expect(!result.output.contains("secret"), "\(limit): \(result)")
    }
    // Rows of the list are completed.
    let rows = try serve(
      ["__complete", "fish", "--", "--db", sandbox.file, "show", "A"], by: ["--list", sandbox.file], sandbox)
    #expect(rows.output.contains("row 1"), "\(rows)")
  }

  @Test func `no time zone is read from a file`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(unsafe mkfifo(sandbox.folder + "/pipe", 0o600) == 0)
    for zone in [":\(sandbox.folder)/pipe", "\(sandbox.folder)/pipe"] {
      let result = try serve(["history", "--db", sandbox.file], by: ["--any"], timeZone: zone, sandbox)
      #expect(result.output.contains("add"), "\(result)")
    }
  }

  @Test func `only a folder lets lists be created`() throws {
    let sandbox = try CLISandbox.withLetters()
    let new = sandbox.folder + "/new.sqlite"
    for path in [new, sandbox.folder + "/.ssh/authorized_keys2", "/nowhere/list"] {
      let result = try serve(["add", "Eve", "--db", path], by: ["--list", sandbox.file], sandbox)
      #expect(result.output.contains("is not offered"), "\(path): \(result)")
    }
    let missing = try serve(["add", "Eve", "--db", new], by: ["--list", new], sandbox)
    #expect(missing.output.contains("no such file"), "\(missing)")
    for limit in [["--folder", sandbox.folder, "--read-only"], ["--list", new]] {
      _ = try serve(["add", "Eve", "--db", new], by: limit, sandbox)
      #expect(try sandbox.names == ["customers.sqlite"], "\(limit)")
    }
    let hidden = try serve(
      ["add", "Eve", "--db", sandbox.folder + "/.new"], by: ["--folder", sandbox.folder], sandbox)
    #expect(hidden.output.contains("is not offered"), "\(hidden)")
    _ = try serve(["add", "Eve", "--db", new], by: ["--folder", sandbox.folder], sandbox)
    #expect(try sandbox.names == ["customers.sqlite", "new.sqlite"])
  }

  @Test(arguments: [
    ["add", "Eve"], ["delete", "1", "--yes"], ["undo"], ["import", "-"], ["section", "add", "S"],
    ["history", "--forget", "-y"], ["check", "--repair", "-y"], ["restore", "x", "-y"],
  ])
  func `a list for reading only is not changed`(words: [String]) throws {
    let sandbox = try CLISandbox.withLetters()
    for limit in [["--list", sandbox.file], ["--folder", sandbox.folder]] {
      let result = try sandbox.expectUntouched {
        try serve(words + ["--db", sandbox.file], by: limit + ["--read-only"], sandbox)
      }
      #expect(result.output.contains("for reading only"), "\(words): \(result)")
      let rehearsed = try serve(
        ["move", "1", "2", "-n", "--db", sandbox.file], by: limit + ["--read-only"], sandbox)
      #expect(rehearsed.output.contains("Would move"), "\(rehearsed)")
    }
    #expect(try sandbox.names == ["customers.sqlite"])
  }

  @Test func `the history names whoever has the key`() throws {
    let sandbox = try CLISandbox.withLetters()
    let limit = ["--list", sandbox.file, "--person", "Ann Lee"]
    _ = try serve(["move", "1", "2", "--db", sandbox.file], by: limit, sandbox)
    #expect(try sandbox.sqlite("SELECT person FROM last_step") == "Ann Lee\n")
    let step = String(try sandbox.sqlite("SELECT id FROM last_step").dropLast())
    #expect(try sandbox.run("history", step).output.contains("by Ann Lee"))
    #expect(try sandbox.run("history", "--json", "--limit", "1").output.contains(#""person":"Ann Lee""#))
  }

  @Test func `a copy is kept only in an offered folder, and replaces only lists`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write("precious", to: "notes")
    for (options, name) in [
      (["--list", sandbox.file], "copy"), (["--folder", sandbox.folder], ".copy"),
      (["--folder", sandbox.folder, "--read-only"], "copy"), ([], "copy"),
    ] {
      let words = ["__keep", "ssh://here\(sandbox.folder)/\(name)", "-", "--yes"]
      let result = try serve(words, by: options, sandbox)
      #expect(result.output.contains("is not offered"), "\(options): \(result)")
    }
    #expect(try sandbox.names == ["customers.sqlite", "notes"])
    let copy = try sandbox.shell(
      """
      export CUSTOMERS_SSH="sh -c 'exec \\"$CUSTOMERS\\" serve --folder \\"$PWD\\"'"
      customers backup "ssh://here$PWD/notes" --yes; cat notes; echo
      customers backup "ssh://here$PWD/copy" && customers backup "ssh://here$PWD/copy" --yes
      """)
    #expect(copy.output.hasPrefix("precious\nBacked up") && copy.code == 0, "\(copy)")
    #expect(copy.errors.contains("not a customers file"), "\(copy)")
    #expect(try sandbox.run("list", "--db", "copy").output == sandbox.run("list").output)
  }

  @Test func `an older list that may only be read is read`() throws {
    let sandbox = try CLISandbox.withOlder("10")
    try sandbox.expectUntouched {
      for (words, answer) in [
        (["list", "--count"], "97"), (["add", "Ann", "-y"], "is offered for reading only"),
        (["upgrade"], "is offered for reading only"),
      ] {
        let result = try serve(
          words + ["--db", sandbox.file], by: ["--list", sandbox.file, "--read-only"], sandbox)
        #expect(result.output.contains(answer), "\(words): \(result)")
      }
    }
  }

  @Test func `on a terminal, no editor and no pager starts, and no file is used`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.write("name\nEve\n", to: "in.csv")
    let programs = ["EDITOR", "VISUAL", "PAGER", "CUSTOMERS_PAGER"].map { ($0, "touch owned; cat #") }
    for words in [
      ["edit", "1", "--editor"], ["arrange", "-y"], ["export", "out.csv"], ["import", "in.csv"],
      ["backup", "copy"],
      ["list"], ["help"], ["table", "--help"], ["restore", "in.csv", "-y"],
      ["list", "--db", "ssh://third/list"],
      ["import", "in.csv", "--rejects", "bad.csv"],
    ] {
      let request = try RemoteRequest(served: words, list: "ssh://here" + sandbox.file)
      let command = SSHConnection.command(serving: request)
      var environment = Dictionary(uniqueKeysWithValues: programs)
      environment[Environment.originalCommand] = command
      environment["CUSTOMERS_SSH"] = "touch owned #"
      let (screen, code) = try sandbox.terminal(
        [CLISandbox.program, "serve", "--list", sandbox.file], rows: 3, environment: environment
      ) { _ in nil }
      #expect(code == (words == ["list"] ? 0 : 4), "\(words): \(screen)")
      #expect(try sandbox.names == ["customers.sqlite", "in.csv"], "\(words)")
    }
    #expect(try sandbox.order == "A B C D | X Y")
  }
}
