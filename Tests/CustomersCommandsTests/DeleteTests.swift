import CustomersTestSupport
import Testing

/// `customers delete`, whole outputs; the question is in QuestionTests.
@Suite(.onThreads) struct DeleteTests {
  @Test func `the gaps close, and every row is reported`() throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(
      try sandbox.run("delete", "-y", "2", "X") == .done("Deleted \"B\", row 2.\nDeleted \"X\", row 5."))
    #expect(try sandbox.order == "A C D | Y")
    #expect(try sandbox.run("rm", "-q", "--yes", "1,3") == .done())
    #expect(try sandbox.order == "C | Y")
    #expect(try sandbox.run("delete", "first", "last", "-y").code == 0)
    #expect(try sandbox.run("list") == .done("Customers\nMore"))
    // Ids are not given again.
    #expect(try sandbox.run("add", "Z") == .done("Added \"Z\" as row 1."))
    #expect(try sandbox.sqlite("SELECT id FROM customers") == "7\n")
    try sandbox.expectSound()
  }

  @Test func `a dry run asks nothing and deletes nothing`() throws {
    let sandbox = try CLISandbox.withLetters()
    let result = try sandbox.expectUntouched { try sandbox.run("delete", "2-3", "-n") }
    #expect(result == .done("Would delete \"B\", row 2.\nWould delete \"C\", row 3."))
  }

  @Test func `the output in json is the deleted records`() throws {
    let sandbox = try CLISandbox.withLetters()
    let record = """
      {"op":"delete","changes":[{"op":"delete","id":2,"name":"B","from":{"section":1,"order":2,"position":2},\
      "customer":{"id":2,"section":1,"section_title":"Customers","order":2,"position":2,"name":"B","first_name":"B",\
      "last_name":"","company":"","email":"","phone":"","address":"","note":"","other_contacts":"","tags":"","is_favorite":false,\
      "can_edit":true,"can_move":true,"extra":{}}}]
      """
    #expect(try sandbox.run("delete", "B", "-n", "--json") == .done(record + #","dry_run":true}"#))
    #expect(try sandbox.run("delete", "B", "-y", "--json").withoutStep == .done(record + "}"))
  }

  @Test func `one row that can't be deleted prevents the deletion`() throws {
    let sandbox = try CLISandbox.withLetters()
    _ = try sandbox.sqlite("UPDATE customers SET can_edit = 0 WHERE id = 3")
    try sandbox.expectUntouched { () throws in
      let protected = try sandbox.run("delete", "1-4", "-y")
      #expect(
        protected
          == .failed(
            4,
            """
            customers: "C" (row 3) is protected against editing and deleting
            hint: to allow editing: customers protect 3 --allow-edit
            """))
      #expect(try sandbox.run("delete", "1", "nobody", "-y").code == 3)
      #expect(try sandbox.run("delete", "1", "@1", "-y") == .failed(2, "customers: \"A\" is named twice"))
      #expect(try sandbox.run("delete", "first", "1", "-y").errors.contains("\"A\" is named twice"))
      #expect(try sandbox.run("delete", "1", "9", "-y").code == 3)
      #expect(
        try sandbox.run("delete")
          == .failed(
            2,
            """
            customers: delete: missing argument
            hint: customers delete ROW…
                  customers delete --where TERM …
            """))
    }
  }

  @Test func `deleting from a missing file or an empty list reports the reason`() throws {
    let sandbox = try CLISandbox()
    let missing = "customers: can't open \"\(sandbox.file)\": no such file"
    #expect(try sandbox.run("delete", "1", "-y") == .failed(3, missing))
    let empty =
      "customers: the list is empty\nhint: to add a customer: customers add NAME"
    let usual = CLISandbox.usualPlace
    #expect(try sandbox.run("delete", "1", "-y", environment: usual) == .failed(3, empty))
    #expect(
      try sandbox.run("delete", "first", "-y", environment: usual)
        == .failed(3, "customers: the list is empty"))
    #expect(try sandbox.names.isEmpty)
  }
}
