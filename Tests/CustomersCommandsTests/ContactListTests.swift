import CustomerFixtures
@testable import CustomerStore
import CustomersTestSupport
import CustomersText
import Foundation
import Testing

/// Contacts and tags as lists in JSON.
@Suite(.onThreads) struct ContactListTests {
  private let sandbox: CLISandbox

  init() throws { sandbox = try CLISandbox() }

  private func members(_ json: JSON) throws -> [JSONMembers] {
    guard case .array(let values) = try JSON(reading: Array(json.text.utf8)) else { return [] }
    return try values.map { try JSONMembers($0) }
  }

  @Test func `what was read from the list of a customer is the same customer`() throws {
    var random = SplitMix64(seed: 7)
    let kinds = ContactLine.Kind.allCases
    for _ in 0..<2_000 {
      var fields = CustomerFields()
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let text = ["a", "b:c", "1 Way\nTown", "\\", "é", "x work: y"].randomElement(using: &random) ?? ""
        let label = ["", "work", "Ski: Hut", "a\nb"].randomElement(using: &random) ?? ""
        let line = ContactLine(kinds.randomElement(using: &random) ?? .fax, label: label, text)
        fields.set(FieldChanges(adding: [.otherContacts: [line.text]]))
      }
      if Bool.random(using: &random) { fields.otherContacts.append(line: "call Ann") }
      var read = CustomerFields()
      let list = try members(fields.contactsJSON)
      try read.setContacts(list) { fields[$0].text }
      #expect(read == fields)
      // Without the fields, the first ones are the main ones.
      var first = CustomerFields()
      try first.setContacts(list)
      #expect(first == fields)
    }
  }

  @Test(arguments: [
    (#"[{"kind":"mail","value":"x"}]"#, #"kind" needs email, phone, fax, pager, address, or"#),
    (#"[{"kind":"email"}]"#, #"value" is missing"#), (#"[{"kind":"email","value":""}]"#, "is not empty"),
    (#"[{"kind":"other","label":"work","value":"x"}]"#, #"kind" needs"#),
    (#"[{"kind":"email","value":"x","type":"work"}]"#, #"type"."#), (#"{"email":"x"}"#, "a list of objects"),
  ])
  func `a malformed list is refused`(list: String, reason: String) throws {
    let json = #"{"update":{"ids":[1],"set":{"contacts":\#(list)}}}"#
    let mistake = #expect(throws: JSONMistake.self) {
      try ListEdit(JSONMembers(JSON(reading: Array(json.utf8))))
    }
    #expect(mistake?.description.contains(reason) == true, "\(mistake as Any)")
  }

  @Test func `an edit sets all ways to be reached, and the main ones may be given, too`() throws {
    let store = try CustomerStore.inMemory("Ann")
    func edit(_ set: String) throws {
      let json = #"{"update":{"ids":[1],"set":\#(set)}}"#
      let edit = try ListEdit(JSONMembers(JSON(reading: Array(json.utf8))))
      #expect(try ListEdit(JSONMembers(edit.json)) == edit)
      try store.write { list in _ = try list.apply(edit) }
    }
    let list = #"[{"kind":"email","label":"work","value":"a"},{"kind":"email","value":"b"}]"#
    try edit(#"{"contacts":\#(list),"email":"a","tags":["vip","a, b"]}"#)
    var fields = try store.read { list in try list.customer(1).fields }
    #expect(
      fields.email == "a" && fields.otherContacts == "email work:\nemail: b" && fields.tags == "vip\na, b")
    #expect(throws: (any Error).self) { try edit(#"{"contacts":\#(list),"email":"c"}"#) }
    #expect(throws: (any Error).self) { try edit(#"{"contacts":\#(list),"other_contacts":["fax: 1"]}"#) }
    try edit(#"{"contacts":[],"tags":"new\nold"}"#)
    fields = try store.read { list in try list.customer(1).fields }
    #expect(fields.email.isEmpty && fields.otherContacts.isEmpty && fields.tags == "new\nold")
  }

  @Test func `a file that contradicts itself is refused, and 0.2.0's text is read`() throws {
    func row(_ rest: String) -> String {
      #"{"first_name":"Ann","section":"Customers","can_edit":true,"can_move":true,\#(rest)}"#
    }
    let list = #""contacts":[{"kind":"email","value":"a"},{"kind":"fax","value":"2"}]"#
    let wrong = try sandbox.run("import", "-", "--format", "json", "-y", stdin: row(#""email":"b",\#(list)"#))
    #expect(wrong.code != 0 && wrong.errors.contains("leave one of the two out"), "\(wrong)")
    let old = row(#""email":"a","other_contacts":"fax: 2","tags":"vip\na b""#)
    for text in [old, row(#"\#(list),"tags":["vip","a b"]"#)] {
      #expect(try sandbox.run("import", "-", "--format", "json", "-y", "-q", stdin: text).code == 0)
    }
    // A list of other things is an extra column.
    let other = #"{"first_name":"Bob","contacts":[{"who":"Ann"}]}"#
    #expect(try sandbox.run("import", "-", "--format", "json", "-y", "-q", stdin: other).code == 0)
    #expect(
      try sandbox.sqlite(
        "SELECT json_extract(extra, '$.contacts[0].who') FROM customers WHERE first_name = 'Bob'")
        == "Ann\n")
    #expect(try sandbox.run("delete", "Bob", "-y", "-q") == .done())
    let rows = try sandbox.sqlite("SELECT email, other_contacts, replace(tags, char(10), '|') FROM customers")
    #expect(rows == "a|fax: 2|vip|a b\na|fax: 2|vip|a b\n")
  }

  @Test func `columns that were chosen are lists, too, and text in a table`() throws {
    let words = ["add", "Ann", "--tag", "vip", "--tag", "a b", "--email", "a", "--email", "work:b", "-q"]
    #expect(try sandbox.run(words: words) == .done())
    let row = try sandbox.run("show", "1", "--json").output
    #expect(
      row.contains(
        #""contacts":[{"kind":"email","label":"","value":"a"},{"kind":"email","label":"work","value":"b"}],"tags":["vip","a b"]"#
      ))
    let chosen = ["list", "--fields", "tags,other_contacts", "--format"]
    #expect(
      try sandbox.run(words: chosen + ["ndjson"]).output
        == "{\"tags\":[\"vip\",\"a b\"],\"other_contacts\":[\"email work: b\"]}\n")
    #expect(
      try sandbox.run(words: chosen + ["csv"]).output == "tags,other_contacts\n\"vip\na b\",email work: b\n")
  }

  @Test(arguments: ["json", "ndjson"])
  func `a file with chosen columns comes back as it was`(format: String) throws {
    #expect(try sandbox.run("add", "Ann", "--phone", "1", "--phone", "mobile:2", "-q") == .done())
    let list = ["list", "--fields", "name,phone,other_contacts", "--format", "csv"]
    let before = try sandbox.run(words: list)
    for fields in ["name,phone,other_contacts", "section,name,phone,other_contacts"] {
      #expect(try sandbox.run("export", "a.\(format)", "--fields", fields, "-q", "-y") == .done())
      let words = ["import", "a.\(format)", "--on-duplicate", "update", "--key", "name", "-q"]
      #expect(try sandbox.run(words: words) == .done())
      #expect(try sandbox.run(words: list) == before)
      let other = ["--db", "\(fields.count).db"]
      #expect(try sandbox.run(words: other + ["import", "a.\(format)", "-y", "-q"]) == .done())
      #expect(try sandbox.run(words: other + list) == before)
    }
  }

  private func tags() throws -> String {
    try sandbox.run("list", "--fields", "tags", "--format", "ndjson").output
  }

  @Test(arguments: ["json", "csv", "tsv", "xlsx"])
  func `tags of a file with chosen columns change nothing when they come back`(format: String) throws {
    for (name, tag) in [("Ann", #"C:\temp"#), ("Bob", "Bakers; Bonn"), ("Cid", "* a")] {
      #expect(try sandbox.run("add", name, "--tag", tag, "-q") == .done())
    }
    let before = try tags()
    let file = ["a.\(format)", "-q", "-y"]
    #expect(try sandbox.run(words: ["export", "--fields", "name,tags"] + file) == .done())
    let again = ["import", "--on-duplicate", "update", "--key", "name"] + file
    #expect(try sandbox.run(words: again) == .done())
    #expect(try tags() == before)
  }

  @Test func `tags in an array are taken as they are`() throws {
    let json =
      #"[{"first_name":"A","tags":["Bakers; Bonn","\"hi\""]},{"first_name":"B","Labels":["C:\\temp"]}]"#
    try sandbox.write(json, to: "a.json")
    #expect(try sandbox.run("import", "a.json", "-q", "-y") == .done())
    #expect(try tags() == #"{"tags":["Bakers; Bonn","\"hi\""]}"# + "\n" + #"{"tags":["C:\\temp"]}"# + "\n")
  }

  @Test
  func `tags of another program lose only quotes in pairs, and those of an export are not escaped twice`()
    throws
  {
    let csv = #"""
      Name,Tags
      A,"say ""hi"""
      B,"""x"",""y z"""
      C,"C:\temp;D:\\temp"

      """#
    try sandbox.write(csv, to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q", "-y") == .done())
    #expect(
      try tags()
        == #"""
        {"tags":["say \"hi\""]}
        {"tags":["x","y z"]}
        {"tags":["C:\\temp","D:\\temp"]}

        """#)
  }
}
