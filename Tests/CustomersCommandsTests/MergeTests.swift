import CustomersTestSupport
import Foundation
import Testing

/// `customers duplicates` and `customers merge`.
@Suite(.onThreads) struct MergeTests {
  @Test(arguments: try Transcript.sessions("Merge"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  private func sandbox() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    let file = """
      name,company,email,phone,note,VIP,Club
      Ann Lee,,ann@x,030 1234-56,,no,Bonn
      Bob Ray,Acme,,,,no,
      ANN  LEE,Acme,ANN@x ,,old,yes,Berlin
      ,Acme,info@acme,12,,no,
      Eve,,,+49 (30) 123456,,no,
      ,acme,,12,,no,
      Ann Li,,,030123456,,no,Bonn

      """
    try #require(
      try sandbox.run("import", "-", "-q", "--map", "VIP=is_favorite", stdin: file) == .done())
    return sandbox
  }

  @Test func `groups have a name, an address, or the digits of a phone in common`() throws {
    let sandbox = try self.sandbox()
    let groups = try jsonObject(sandbox.run("duplicates", "--json").output)["groups"] as? [[String: Any]]
    let found = try #require(groups).map { group in
      let ids = (group["customers"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
      return "\(ids) \((group["same"] as? [String] ?? []).joined(separator: " "))"
    }
    #expect(found == ["[1, 3] name email", "[1, 7] phone", "[4, 6] name"])
    let text = try sandbox.run("duplicates").output.split(separator: "\n")
    #expect(text.contains("Same name and e-mail") && text.contains("Same phone"), "\(text)")
    #expect(text.count { $0.contains("@1") && $0.contains("Ann Lee") } == 2)
    #expect(try CLISandbox.withLetters().run("duplicates") == .done(errors: "No duplicates."))
  }

  @Test func `the first keeps its values and gets what it lacks; the rest become extra columns`() throws {
    let sandbox = try self.sandbox()
    let before = try sandbox.run("list", "--json").output
    let merged = try sandbox.run("merge", "1", "3", "7")  // They have a phone in common.
    #expect(
      merged.code == 0 && merged.output.contains("Merged \"ANN LEE\" (row 3) into \"Ann Lee\" (row 1)."),
      "\(merged)")
    let ann = try jsonObject(sandbox.run("show", "1", "--json").output)
    #expect(ann["company"] as? String == "Acme" && ann["note"] as? String == "old")
    #expect(ann["email"] as? String == "ann@x" && ann["is_favorite"] as? Bool == true)
    #expect(
      ann["extra"] as? [String: String] == [
        "Club": "Bonn", "Club 2": "Berlin", "name 2": "Ann Li",
      ])
    #expect(try sandbox.order == "Ann Bob  Eve ")
    try sandbox.expectSound()
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.run("list", "--json").output == before)
  }

  @Test func `a script asks before it merges strangers, as merge alone does`() throws {
    let sandbox = try self.sandbox()
    try sandbox.write("edit 1 --note x\nmerge 2 5\n", to: "script")
    let question =
      "Merge \"Eve\" (row 5) into \"Bob Ray\" (row 2)? They have no name, e-mail, or phone in common."
    try sandbox.expectUntouched { () throws in
      let refused = try sandbox.run("apply", "script")
      #expect(refused.code == 4 && refused.errors.contains("apply needs confirmation"), "\(refused)")
      for line in ["merge 2 5", #"{"merge":{"ids":[2,5]}}"#] {
        let piped = try sandbox.run("apply", "-", stdin: line + "\n")
        #expect(piped.code == 4 && piped.errors.contains("hint: add --yes"), "\(piped)")
      }
      let no = try sandbox.run(words: ["apply", "script"], answers: ["n"])
      #expect(no.code == 5 && no.errors.contains(question), "\(no)")
      let rehearsed = try sandbox.run("apply", "script", "-n")
      let wanted = "note: it would ask: \(question)\n\(refused.errors)"
      #expect(rehearsed.code == 4 && rehearsed.errors == wanted, "\(rehearsed)")
      #expect(rehearsed.output.contains("Would apply 2 lines"), "\(rehearsed)")
      let agreed = try sandbox.run("apply", "script", "-n", "-y")
      #expect(agreed.code == 0 && agreed.errors.isEmpty && agreed.output == rehearsed.output, "\(agreed)")
      let shown = try sandbox.onTerminal("apply", "script", "-n", "--color", "never")
      #expect(shown.code == 0 && shown.screen.contains("note: it would ask: Merge"), "\(shown)")
    }
    let late = try sandbox.onTerminal("apply", "script", "--color", "never", typing: "y\n") {
      let made = try sandbox.run("edit", "@5", "--note", "precious", "-q")
      #expect(made == .done())
    }
    #expect(late.code == 4 && late.screen.contains("nothing was changed"), "\(late)")
    #expect(try sandbox.run(words: ["apply", "script", "-q"], answers: ["y"]).code == 0)
    #expect(try sandbox.run("show", "@2", "--json").output.contains("precious"))
    #expect(try sandbox.run("undo", "-q") == .done())
    #expect(try sandbox.run("apply", "script", "-y", "-q") == .done())
  }

  @Test func `it can be in a script, and is all or nothing`() throws {
    let sandbox = try self.sandbox()
    try sandbox.write("merge 1 @3\nexpect count 6\nmove Eve 1\n", to: "script")
    #expect(try sandbox.run("apply", "script", "-q").code == 0)
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.run("protect", "3", "--no-edit", "-q").code == 0)
    try sandbox.expectUntouched { () throws in
      #expect(try sandbox.run("merge", "1", "3").code == 4)
      #expect(try sandbox.run("merge", "1").code == 2)
      #expect(try sandbox.run("merge", "1", "1").code == 2)
      #expect(try sandbox.run("merge", "1", "99").code == 3)
      #expect(try sandbox.run("merge", "1", "2", "-n").output.contains("\nWould edit \"Ann Lee\", row 1: "))
    }
  }
}
