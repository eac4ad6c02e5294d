import CustomersTestSupport
import Foundation
import Testing

/// `customers history --forget`: deleted data is gone for good.
@Suite(.onThreads) struct ForgetTests {
  @Test(arguments: try Transcript.sessions("Forget"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test func `deleted data is overwritten in the file once the history is erased`() throws {
    let sandbox = try CLISandbox.withLetters()
    let secret = "Xylophone-4711-Qwertz"
    #expect(try sandbox.run("add", "Eve", "--note", secret, "--first", "-q") == .done())
    #expect(try sandbox.run("delete", "eve", "-y", "-q") == .done())
    #expect(try #require(sandbox.bytes).range(of: Data(secret.utf8)) != nil, "undo needs it")
    try sandbox.expectUntouched { () throws in
      let refused = """
        customers: history --forget needs confirmation, but standard input is not a terminal
        hint: add --yes
        """
      #expect(try sandbox.run("history", "--forget") == .failed(4, refused))
      let no = try sandbox.run(words: ["history", "--forget"], answers: ["n"])
      #expect(no.code == 5 && no.errors.hasSuffix(" [y/N] Nothing was changed.\n"))
      #expect(try sandbox.run("history", "--forget", "-n") == .done("Would forget the history."))
    }
    #expect(try sandbox.run("history", "--forget", "-y") == .done("Forgot the history."))
    #expect(try #require(sandbox.bytes).range(of: Data(secret.utf8)) == nil)
    #expect(try sandbox.run("undo") == .done(errors: "There is nothing to undo."))
    #expect(try sandbox.order == "A B C D | X Y")
    try sandbox.expectSound()
  }

  private static let secret = "Xyzzy-7f3a9"

  private func traces(_ sandbox: CLISandbox) throws -> Bool {
    try sandbox.shell("grep -rqa \(Self.secret) .").code == 0
  }

  @Test(arguments: ["OFF", "FAST", "ON"])
  func `no traces remain after the history is erased, whatever another client did`(mode: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let long = String(repeating: Self.secret, count: 1000)
    _ = try sandbox.sqlite(
      """
      PRAGMA secure_delete = \(mode);
      INSERT INTO customers (first_name, note) VALUES ('\(Self.secret)', '\(long)');
      UPDATE customers SET note = '' WHERE first_name = '\(Self.secret)';
      DELETE FROM customers WHERE first_name = '\(Self.secret)';
      INSERT INTO forget_history SELECT max(id) FROM history_step;
      """)
    #expect(try traces(sandbox) == (mode != "ON"))
    #expect(try sandbox.run("history", "--forget", "-n", "-y").code == 0)
    #expect(try sandbox.run("history", "--forget", "-y") == .done("Forgot the history."))
    #expect(try !traces(sandbox))
    #expect(try sandbox.names == ["customers.sqlite"])
    try sandbox.expectSound()
  }

  @Test func `data that expires from the history is overwritten`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(
      try sandbox.run("add", Self.secret, "--note", String(repeating: Self.secret, count: 500)).code == 0)
    #expect(try sandbox.run("edit", Self.secret, "--note", "").code == 0)
    #expect(try sandbox.run("delete", Self.secret, "-y").code == 0)
    _ = try sandbox.sqlite("UPDATE history_limit SET steps = 2")
    #expect(try traces(sandbox))
    for name in ["A", "B", "C"] { #expect(try sandbox.run("add", name).code == 0) }
    #expect(try !traces(sandbox))
  }

  @Test func `a disk that is too full to erase traces is reported, and the list stays intact`() throws {
    let sandbox = try CLISandbox.withDemo()
    // A new file has free pages, which need no journal.
    _ = try sandbox.sqlite("VACUUM")
    let blocks = try #require(sandbox.bytes).count / 512
    // Enough for the edit, not for a journal of the whole file.
    let result = try sandbox.shell("ulimit -f \(blocks); customers history --forget -y")
    #expect(result.code == 7)
    #expect(result.errors.contains("traces of it may remain in the file"), "\(result)")
    #expect(result.errors.contains("the change was made, but then"), "\(result)")
    try sandbox.expectSound()
  }
}
