import CustomersTestSupport
import Testing

/// Several e-mail addresses, numbers, and tags on the command line.
@Suite(.onThreads) struct SeveralValuesTests {
  @Test(arguments: try Transcript.sessions("SeveralValues"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  private func sandbox() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    #expect(
      try sandbox.run(
        "add", "Ann Lee", "--email", "a@x", "--email", "Work:b@y", "--phone", "cell:+1", "--phone", "fax:2",
        "--address", "Weg 1: links", "--tag", "vip, new", "--tag", "x y", "-q"
      ).code == 0)
    return sandbox
  }

  @Test func `the main number is changed without the others, and keeps its label`() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("edit", "1", "--phone", "+49", "-q")
    #expect(try sandbox.run("show", "1").output.contains("Phone (mobile): +49"))
    _ = try sandbox.run("edit", "1", "--phone", "home:+50", "--set", "email=x:y", "-q")
    let shown = try sandbox.run("show", "1").output
    #expect(shown.contains("Phone (home):  +50") && shown.contains("E-mail:        x:y"), "\(shown)")
  }

  @Test(arguments: [
    (["edit", "1", "--email", "x", "--email", "y"], 2, "--email was given twice"),
    (["edit", "1", "--add-phone", "work:"], 2, "--add needs a value after the label \"work\""),
    (
      ["edit", "1", "--add", "note=x"], 2,
      "--add takes email, phone, address, or tag, as in --add phone=555-0100"
    ),
    (["edit", "1", "--remove", "5"], 2, "--remove takes email, phone, address, or tag"),
    (["add", "--tags", "x"], 2, "nothing to add"),
    (["add", "--tag", "x", "--favorite"], 2, "nothing to add"),
    (["add", "--email", "x", "--set", "email=y"], 2, "--set: \"email\" was given twice"),
    (["edit", "1", "--untag"], 2, "--untag needs a value"),
  ])
  func `mistakes change nothing`(words: [String], code: Int32, message: String) throws {
    let sandbox = try sandbox()
    let result = try sandbox.expectUntouched { try sandbox.run(words: words) }
    #expect(result.code == code && result.errors.hasPrefix("customers: " + message), "\(result)")
  }
}
