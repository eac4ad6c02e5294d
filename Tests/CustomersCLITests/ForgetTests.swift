import Foundation
import Testing

/// `customers history --forget`: what was deleted is gone for good.
@Suite struct ForgetTests {
  @Test func `what was deleted is overwritten in the file once the history is forgotten`() throws {
    let desk = try Desk.withLetters()
    let secret = "Xylophone-4711-Qwertz"
    #expect(try desk.run("add", "Eve", "--note", secret, "--first", "-q") == .done())
    #expect(try desk.run("delete", "eve", "-y", "-q") == .done())
    #expect(try #require(desk.bytes).range(of: Data(secret.utf8)) != nil, "undo needs it")
    try desk.expectUntouched { () throws in
      let refused = """
        customers: history --forget needs confirmation and standard input is no terminal
        hint: add --yes
        """
      #expect(try desk.run("history", "--forget") == .failed(4, refused))
      #expect(try desk.run("history", "--forget", "-n") == .done("Not done: Forgot the history."))
    }
    #expect(try desk.run("history", "--forget", "-y") == .done("Forgot the history."))
    #expect(try #require(desk.bytes).range(of: Data(secret.utf8)) == nil)
    #expect(try desk.run("undo") == .done(errors: "There is nothing to undo."))
    #expect(try desk.order == "A B C D | X Y")
    try desk.expectSound()
  }

  @Test func `the history begins anew`() throws {
    let desk = try Desk.withLetters()
    #expect(try desk.run("history", "--forget", "-y", "--json") == .done(#"{"op":"history forget"}"#))
    #expect(try desk.run("move", "4", "1", "-q") == .done())
    #expect(try desk.run("undo", "--steps", "9", "-q") == .done())
    #expect(try desk.order == "A B C D | X Y")
    #expect(try desk.run("redo", "-q") == .done())
    #expect(try desk.order == "D A B C | X Y")
    try desk.expectSound()
  }
}
