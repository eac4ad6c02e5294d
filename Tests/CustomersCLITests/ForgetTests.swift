import Foundation
import Testing

/// `customers history --forget`: what was deleted is gone for good.
@Suite struct ForgetTests {
  @Test func `what was deleted is overwritten in the file once the history is forgotten`() throws {
    let sandbox = try CLISandbox.withLetters()
    let secret = "Xylophone-4711-Qwertz"
    #expect(try sandbox.run("add", "Eve", "--note", secret, "--first", "-q") == .done())
    #expect(try sandbox.run("delete", "eve", "-y", "-q") == .done())
    #expect(try #require(sandbox.bytes).range(of: Data(secret.utf8)) != nil, "undo needs it")
    try sandbox.expectUntouched { () throws in
      let refused = """
        customers: history --forget needs confirmation and standard input is no terminal
        hint: add --yes
        """
      #expect(try sandbox.run("history", "--forget") == .failed(4, refused))
      #expect(try sandbox.run("history", "--forget", "-n") == .done("Not done: Forgot the history."))
    }
    #expect(try sandbox.run("history", "--forget", "-y") == .done("Forgot the history."))
    #expect(try #require(sandbox.bytes).range(of: Data(secret.utf8)) == nil)
    #expect(try sandbox.run("undo") == .done(errors: "There is nothing to undo."))
    #expect(try sandbox.order == "A B C D | X Y")
    try sandbox.expectSound()
  }

  @Test func `the history begins anew`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("history", "--forget", "-y", "--json") == .done(#"{"op":"history forget"}"#))
    #expect(try sandbox.run("move", "4", "1", "-q") == .done())
    #expect(try sandbox.run("undo", "--steps", "9", "-q") == .done())
    #expect(try sandbox.order == "A B C D | X Y")
    #expect(try sandbox.run("redo", "-q") == .done())
    #expect(try sandbox.order == "D A B C | X Y")
    try sandbox.expectSound()
  }
}
