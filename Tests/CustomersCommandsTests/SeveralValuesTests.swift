import CustomersTestSupport
import Testing

/// Several e-mail addresses, numbers, and tags on the command line.
@Suite(.onThreads) struct SeveralValuesTests {
  private func sandbox() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    #expect(
      try sandbox.run(
        "add", "Ann Lee", "--email", "a@x", "--email", "Work:b@y", "--phone", "cell:+1", "--phone", "fax:2",
        "--address", "Weg 1: links", "--tag", "vip, new", "--tag", "x y", "-q"
      ).code == 0)
    return sandbox
  }

  @Test func `a new customer gets several, with labels`() throws {
    let shown = try sandbox().run("show", "1").output
    for line in [
      "E-mail:         a@x", "E-mail (work):  b@y", "Phone (mobile): +1", "Fax:            2",
      "Address:        Weg 1: links", "Tags:           vip, new, x y",
    ] { #expect(shown.contains(line), "\(line)") }
  }

  @Test func `values are added and removed one by one, and the main one is replaced by the next`() throws {
    let sandbox = try sandbox()
    let edit = try sandbox.run(
      "edit", "1", "--add-email", "c@z", "--remove-email", "A@X", "--remove-phone", "2", "--tag", "New",
      "--untag", "VIP,x y")
    #expect(edit.code == 0)
    let fields = try sandbox.run("list", "--fields", "email,phone,other_contacts,tags", "--format", "csv")
      .output
    #expect(fields.hasSuffix("b@y,+1,\"email work: b@y\nphone mobile: +1\nemail: c@z\",new\n"), "\(fields)")
    #expect(try sandbox.run("edit", "1", "--remove-email", "nobody@x").errors == "Nothing was changed.\n")
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.run("show", "1").output.contains("Fax:            2"))
  }

  @Test func `the main number is changed without the others, and keeps its label`() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("edit", "1", "--phone", "+49", "-q")
    #expect(try sandbox.run("show", "1").output.contains("Phone (mobile): +49"))
    _ = try sandbox.run("edit", "1", "--phone", "home:+50", "--set", "email=x:y", "-q")
    let shown = try sandbox.run("show", "1").output
    #expect(shown.contains("Phone (home):  +50") && shown.contains("E-mail:        x:y"), "\(shown)")
  }

  @Test func `two lines of a batch add to the same row`() throws {
    let sandbox = try sandbox()
    let script =
      "begin\nedit 1 --add-phone 7\nedit 1 --add-phone 8 --tag t\nadd Bob --email 1@x --email 2@x\nend\n"
    #expect(try sandbox.run("apply", "-", "-q", stdin: script).code == 0)
    let phones = try sandbox.run("list", "--fields", "phone,email").output
    #expect(phones.contains("+1 +2") && phones.contains("1@x +1"))
    #expect(try sandbox.ids("list", "--where", "phone=8 tag=t") == "@1")
  }

  @Test(arguments: [
    (["edit", "1", "--email", "x", "--email", "y"], 2, "--email was given twice"),
    (["edit", "1", "--add-phone", "work:"], 2, "--add-phone needs a value after the label \"work\""),
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
