import CustomersTestSupport
import Testing

/// `customers add`, whole outputs.
@Suite(.onThreads) struct AddTests {
  /// A way to name a place, the reported position, and the first names after the command.
  struct Case: CustomTestStringConvertible, Sendable {
    var place: [String]
    var position: Int
    var order: String
    var testDescription: String { place.joined(separator: " ") }

    init(_ place: String..., position: Int, order: String) {
      (self.place, self.position, self.order) = (place, position, order)
    }
  }

  @Test(arguments: [
    Case(position: 5, order: "A B C D Ann | X Y"),
    Case("--at", "1", position: 1, order: "Ann A B C D | X Y"),
    Case("--at=3", position: 3, order: "A B Ann C D | X Y"),
    // At a border: the row goes to where the row shown there is.
    Case("--at", "5", position: 5, order: "A B C D | Ann X Y"),
    Case("--at", "6", position: 6, order: "A B C D | X Ann Y"),
    Case("--at", "7", position: 7, order: "A B C D | X Y Ann"),
    Case("--first", position: 1, order: "Ann A B C D | X Y"),
    Case("--last", position: 5, order: "A B C D Ann | X Y"),
    Case("--before", "X", position: 5, order: "A B C D | Ann X Y"),
    Case("--before", "1", position: 1, order: "Ann A B C D | X Y"),
    Case("--after", "@2", position: 3, order: "A B Ann C D | X Y"),
    Case("--after", "last", position: 7, order: "A B C D | X Y Ann"),
    Case("--section", "more", position: 7, order: "A B C D | X Y Ann"),
    Case("--section", "more", "--first", position: 5, order: "A B C D | Ann X Y"),
    Case("--section", "more", "--last", position: 7, order: "A B C D | X Y Ann"),
    Case("--section", "@2", "--at", "2", position: 6, order: "A B C D | X Ann Y"),
    Case("--section", "1", "--at", "5", position: 5, order: "A B C D Ann | X Y"),
  ])
  func `every place, reported and used`(_ test: Case) throws {
    let sandbox = try CLISandbox.withLetters()
    let words = ["add", "Ann"] + test.place
    let rehearsal = try sandbox.expectUntouched { try sandbox.run(words: words + ["-n"]) }
    #expect(rehearsal == .done("Would add \"Ann\" as row \(test.position)."))
    #expect(try sandbox.run(words: words) == .done("Added \"Ann\" as row \(test.position)."))
    #expect(try sandbox.order == test.order)
    try sandbox.expectSound()
  }

  @Test func `the answer in json is the record`() throws {
    let sandbox = try CLISandbox()
    let record = """
      {"op":"add","changes":[{"op":"add","id":1,"name":"Ann van Lee",\
      "to":{"section":1,"order":1,"position":1},\
      "customer":{"id":1,"section":1,"section_title":"Customers","order":1,"position":1,\
      "name":"Ann van Lee","first_name":"Ann van","last_name":"Lee","company":"","email":"","phone":"1",\
      "address":"","note":"","other_contacts":"","tags":"","is_favorite":true,"can_edit":true,"can_move":true,"extra":{}}}]
      """
    let words = ["add", " Ann  van Lee ", "--phone", "1", "--favorite", "--json"]
    #expect(try sandbox.run(words: words + ["-n"]) == .done(record + #","dry_run":true}"#))
    #expect(try sandbox.names.isEmpty, "a dry run makes no file")
    #expect(try sandbox.run(words: words).withoutStep == .done(record + "}"))
    #expect(try sandbox.run("add", "Bob", "-q") == .done())
    #expect(try sandbox.order == "Ann van Bob")
  }

  @Test func `a field is given once, by the name or by its option, and a company needs no name`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "--company", "Acme") == .done("Added \"Acme\" as row 1."))
    for option in ["--first-name=Bea", "--last-name=Lee"] {
      let both = try sandbox.expectUntouched { try sandbox.run("add", "Ann Lee", option) }
      let name = option.prefix { $0 != "=" }
      #expect(both == .failed(2, "customers: NAME and \(name) can't be combined"))
    }
    let fields = try sandbox.run("add", "--first-name=Bea", "--last-name=Lee", "--note", "--odd")
    #expect(fields == .done("Added \"Bea Lee\" as row 2."))
    #expect(try sandbox.run("add", "--", "--first") == .done("Added \"--first\" as row 3."))
    #expect(try sandbox.sqlite("SELECT note FROM customers WHERE id = 2") == "--odd\n")
  }

  @Test func `an empty customer, or two places, are refused`() throws {
    let sandbox = try CLISandbox.withLetters()
    try sandbox.expectUntouched { () throws in
      let nothing = """
        customers: nothing to add: a customer needs first name, last name, company, e-mail, phone, address, or note
        hint: for example: customers add "Ann Lee" --phone 555-0100
        """
      for words in [
        ["add"], ["add", ""], ["add", "  "], ["add", "--last"], ["add", "--favorite"],
        ["add", "--note", " "],
        ["add", "--set", "City="],
      ] {
        #expect(try sandbox.run(words: words) == .failed(2, nothing))
      }
      let two = try sandbox.run("add", "Ann", "--first", "--at", "2")
      #expect(two == .failed(2, "customers: --at and --first can't be combined"))
      #expect(try sandbox.run("add", "Ann", "--before", "A", "--after", "B").code == 2)
      #expect(
        try sandbox.run("add", "Ann", "--at", "9")
          == .failed(3, "customers: row 9 is out of range (1–7)"))
      #expect(try sandbox.run("add", "Ann", "--section", "more", "--at", "4").code == 3)
      #expect(
        try sandbox.run("add", "Ann", "Lee")
          == .failed(
            2, "customers: add: too many arguments\nhint: put the name in quotes: customers add \"Ann Lee\""))
    }
  }
}
