import CustomersTestSupport
import Foundation
import CustomersSystem
import Testing

/// Files and folders that can be read but not written, and the permissions of ours.
@Suite(.onThreads) struct PermissionTests {
  /// Runs a script as a user whom modes bind; they don't bind root.
  ///
  /// The user gets a copy of the program, because the build folder may be private.
  private static func asOther(_ sandbox: CLISandbox, _ script: String) throws -> ProcessResult {
    guard geteuid() == 0 else { return try sandbox.shell(script) }
    return try sandbox.shell(
      """
      cp "$CUSTOMERS" ../program
      exec setpriv --reuid=65534 --regid=65534 --clear-groups /bin/sh -c \
      'customers() { ../program "$@"; }
      '\(quoted(script))
      """)
  }

  private static func quoted(_ script: String) -> String {
    "'" + script.replacing("'", with: "'\\''") + "'"
  }

  /// Whether that user can run the program at all, wherever it was built.
  private static let otherCanRun = (try? asOther(CLISandbox(), "customers --version").code == 0) ?? false

  @Test(
    .enabled(if: otherCanRun),
    arguments: [
      ("444", "555", "the file or its folder is read-only"),
      ("444", "777", "the file or its folder is read-only"),
      ("666", "555", "the file or its folder is read-only"),
    ])
  func `a file that can't be written can be listed, and writing reports the reason`(
    file: String, folder: String, why: String
  )
    throws
  {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.shell("chmod \(file) customers.sqlite; chmod \(folder) .") == .done())
    let rows = try sandbox.run("list", "--json")
    try sandbox.expectUntouched { () throws in
      #expect(try PermissionTests.asOther(sandbox, "customers list --json") == rows)
      let status = try PermissionTests.asOther(sandbox, "customers status")
      #expect(status.code == 0 && status.output.contains("; you may only read it\n"), "\(status)")
      for reading in sampled(["show 1", "check", "section", "info", "add Ann -n", "delete 1 -n"], oneIn: 3) {
        #expect(try PermissionTests.asOther(sandbox, "customers \(reading)").code == 0, "\(reading)")
      }
      for writing in sampled(["add Ann", "move 1 2", "delete 1 -y", "section add New", "import -"], oneIn: 3)
      {
        let result = try PermissionTests.asOther(sandbox, "printf 'name\\nEve\\n' | customers \(writing)")
        #expect(result == .failed(1, "customers: can't write \"\(sandbox.file)\": \(why)"), "\(writing)")
      }
    }
    #expect(try sandbox.shell("chmod 755 .") == .done())
  }

  @Test(.enabled(if: otherCanRun))
  func `a file that can't be written is one for reading only to programs and assistants, too`() throws {
    let sandbox = try CLISandbox.withLetters()
    let calls = [MCPTests.call(2, "list", "{}"), MCPTests.call(3, "move", #"{"ids":[3],"to":"first"}"#)]
    try sandbox.write(MCPTests.hello + calls.joined(), to: "calls")
    #expect(try sandbox.shell("chmod 444 customers.sqlite; chmod 755 .") == .done())
    try sandbox.expectUntouched { () throws in
      let result = try PermissionTests.asOther(sandbox, "customers mcp --edit <calls")
      #expect(result.output.contains(#"\"read_only\":true"#), "\(result)")
      #expect(result.output.contains("by an account that may write the file"), "\(result)")
    }
  }

  @Test(.enabled(if: otherCanRun))
  func `an older file that can only be read is read`() throws {
    let sandbox = try CLISandbox.withOlder("10")
    #expect(try sandbox.shell("chmod 444 customers.sqlite") == .done())
    for reading in ["list --count", "add Ann -n", "check -q"] {
      #expect(try PermissionTests.asOther(sandbox, "customers \(reading)").code == 0, "\(reading)")
    }
    for writing in ["add Ann -y", "upgrade"] {
      let result = try PermissionTests.asOther(sandbox, "customers \(writing)")
      #expect(result.code == 1 && result.errors.contains("read-only"), "\(result)")
    }
  }

  @Test(.enabled(if: otherCanRun))
  func `an unreadable file and an unwritable folder are reported`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.shell("chmod 600 customers.sqlite; chmod 555 .") == .done())
    // Root created the file; if the tests do not run as root, their user owns it.
    if geteuid() != 0 { #expect(try sandbox.shell("chmod 0 customers.sqlite") == .done()) }
    for words in ["list", "add Ann", "info"] {
      let result = try PermissionTests.asOther(sandbox, "customers \(words)")
      #expect(
        result == .failed(1, "customers: can't open \"\(sandbox.file)\": Permission denied"), "\(words)")
    }
    let new = try PermissionTests.asOther(sandbox, "customers add Ann --db new.sqlite")
    #expect(new == .failed(1, "customers: can't open \"new.sqlite\": Permission denied"))
    let missing = ProcessResult.failed(3, "customers: can't open \"new.sqlite\": no such file")
    #expect(try PermissionTests.asOther(sandbox, "customers list --db new.sqlite") == missing)
    #expect(try sandbox.shell("chmod 755 .; chmod 600 customers.sqlite") == .done())
  }

  @Test(arguments: ["000", "022", "077"])
  func `only the owner can access our files, whatever the umask`(umask: String) throws {
    let sandbox = try CLISandbox()
    let made = try sandbox.shell(
      """
      umask \(umask); unset CUSTOMERS_DB; customers demo -q
      stat -c '%a %n' .local/share/customers .local/share/customers/*
      """)
    #expect(made == .done("700 .local/share/customers\n600 .local/share/customers/customers.sqlite"))
  }

  @Test func `a limit on the size of files rolls back a whole import`() throws {
    let sandbox = try CLISandbox.withLetters()
    let rows = "name,note\n" + (1...5000).map { "Ann \($0),\(String(repeating: "x", count: 90))\n" }.joined()
    try sandbox.write(rows, to: "list.csv")
    let order = try sandbox.order
    // Blocks of 512 bytes: less than the file needs to which the import first writes what it has read; more than that,
    // and less than the list needs.
    for (blocks, file) in [(400, "a temporary file in "), (1400, "\"\(sandbox.file)\": ")] {
      let result = try sandbox.shell("ulimit -f \(blocks); customers import list.csv")
      #expect(result.code == 1 && result.output.isEmpty)
      #expect(result.errors.hasPrefix("customers: can't write \(file)"))
      #expect(try sandbox.order == order)
    }
    try sandbox.expectSound()
    // An edit that fits the limit still succeeds.
    #expect(try sandbox.shell("ulimit -f 400; customers delete 1 -y").code == 0)
    #expect(try sandbox.shell("ulimit -f 400; customers add Ann -q").code == 0)
    #expect(try sandbox.run("import", "list.csv", "-q") == .done())
    try sandbox.expectSound()
  }
}
