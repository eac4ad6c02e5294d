import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersWeb
import CustomersTestSupport
import Foundation
import Testing

/// The form of a customer, and saving it.
@Suite(.onThreads) struct FormRequestTests {
  private let list: TestAPI

  init() throws {
    var policy = EditingPolicy()
    policy.form.placeholders = [.firstName: "Ann"]
    policy.form.check = { $0.isFavorite && $0.phone.isEmpty ? [.phone: "needed"] : [:] }
    list = try TestAPI("A, B, C", policy: policy)
  }

  private func fields(_ answer: Answer) -> [[String: Any]] {
    answer.objects("sections").flatMap { $0["fields"] as? [[String: Any]] ?? [] }
  }

  /// What is in a field.
  private func value(_ name: String, _ answer: Answer) -> Any? {
    fields(answer).first { $0["name"] as? String == name }?["value"]
  }

  @Test func `the form has the fields of the table's form`() async throws {
    let answer = try await list.v1("form")
    #expect(fields(answer).map { $0["name"] as? String } == CustomerField.edited.map(\.column))
    #expect(fields(answer)[0]["placeholder"] as? String == "Ann")
    #expect(
      fields(answer).map { $0["autocomplete"] as? String }.prefix(5) == [
        "given-name", "family-name", "organization", "email", "tel",
      ])
    #expect(answer["title"] == "New customer" && value("is_favorite", answer) as? Bool == false)
  }

  @Test func `a customer comes with its fields, place and extra columns`() async throws {
    try list.change { list in try list.update(2) { $0[.extra("Age")] = .json("42") } }
    let answer = try await list.v1("form", ["id": "2"])
    #expect(value("first_name", answer) as? String == "B")
    #expect(value("extra.Age", answer) as? String == "42")
    #expect(fields(answer).last?["label"] as? String == "Age")
    #expect(answer[number: "section"] == 1 && answer.json["can_edit"] as? Bool == true)
    #expect(answer["title"] == "B")
    // A number stays one, if it is typed over as a number.
    let edit = #"{"save":{"id":2,"from":{"extra":{"Age":"42"}},"to":{"extra":{"Age":"43"}}}}"#
    #expect(try await list.edit(edit).status == 200)
    #expect(try list.look { try $0.customer(2).fields[.extra("Age")] } == .json("43"))
  }

  @Test func `declared columns come with their kind and choices, also for a new customer`() async throws {
    try list.change { list in
      try list.declareColumn("Due", kind: .date)
      try list.declareColumn("Stage", kind: .choice, choices: ["new", "old"])
    }
    for query in [[:], ["id": "2"]] {
      let last = try await fields(list.v1("form", query)).suffix(2)
      #expect(last.map { $0["name"] as? String } == ["extra.Due", "extra.Stage"])
      #expect(last.map { $0["kind"] as? String } == ["date", "choice"])
      #expect(last.map { $0["choices"] as? [String] } == [nil, ["new", "old"]])
    }
  }

  @Test func `a customer that is gone has no form`() async throws {
    #expect(try await list.v1("form", ["id": "9"]).kind == "not_found")
    #expect(try await list.v1("form", ["id": "0"]).kind == "bad_request")
  }

  @Test func `others' changes of other fields are kept, of the same field are a conflict`() async throws {
    let save = #"{"save":{"id":2,"from":{"phone":"","note":""},"to":{"phone":"5","note":"m"}}}"#
    try list.change { list in try list.update(2) { $0.email = "b@y" } }
    #expect(try await list.edit(save).status == 200)
    try list.change { list in try list.update(2) { $0.phone = "6" } }
    let answer = try await list.edit(save)
    #expect(answer.status == 409 && answer.kind == "conflict")
    let conflict = try #require(answer.objects("fields").first)
    #expect(conflict["field"] as? String == "phone" && conflict["mine"] as? String == "5")
    #expect(conflict["theirs"] as? String == "6")
    #expect(answer.objects("rows").first?["email"] as? String == "b@y")
  }

  @Test func `saving a deleted customer says so`() async throws {
    try list.change { list in try list.delete([2]) }
    let answer = try await list.edit(#"{"save":{"id":2,"from":{"phone":""},"to":{"phone":"5"}}}"#)
    #expect(answer.status == 409 && answer.kind == "conflict" && answer["reason"] == "deleted")
  }

  @Test func `a field whose column went away since the form was opened is a conflict`() async throws {
    let gone = try await list.edit(
      #"{"save":{"id":2,"from":{"extra":{"Fax":"4"}},"to":{"extra":{"Fax":"5"}}}}"#)
    #expect(gone.status == 409 && gone.kind == "conflict")
  }

  @Test func `a name of an extra column has no control character, whoever makes it`() async throws {
    let before = try list.version
    for edit in [
      #"{"update":{"ids":[1],"set":{"extra":{"a\u0000b":"x"}}}}"#,
      #"{"insert":{"customers":[{"name":"Eve","extra":{"a\u001bb":"x"}}]}}"#,
      #"{"set_column_kind":{"name":"a\u0000b","kind":"date"}}"#,
    ] {
      #expect(try await list.edit(edit).kind == "invalid", "\(edit)")
    }
    let file = #"{"name":"a.csv","content":"Name,B\nEve,1\n","columns":[{"name":"B","to":"extra.a\u0000b"}]}"#
    #expect(try await list.v1("import", body: file).kind == "invalid")
    #expect(try list.version == before)
    // One that another program has made is edited as it is.
    try list.change { try $0.update(1) { $0[.extra("a\tb\u{1}")] = "x" } }
    let old = #"{"update":{"ids":[1],"set":{"extra":{"a\tb\u0001":"y"}}}}"#
    #expect(try await list.edit(old).status == 200)
  }

  @Test(arguments: [
    ("first_name", #"\u0000"#, "U+0"), ("first_name", #"a\u001b[31m"#, "U+1B"),
    ("last_name", #"a\nb"#, ""),
    ("note", #"a\u0085"#, "U+85"), ("Age", #"4\u007f"#, "U+7F"),
  ])
  func `a control character can't be typed, but may stay`(field: String, text: String, code: String)
    async throws
  {
    try list.change { list in
      try list.update(2) { ($0[.extra("Age")], $0.firstName) = (.json("4"), "B\u{1b}") }
    }
    let from = field == "Age" ? "4" : field == "first_name" ? #"B\u001b"# : ""
    let fields = [from, text].map {
      field == "Age" ? #"{"extra":{"Age":"\#($0)"}}"# : #"{"\#(field)":"\#($0)"}"#
    }
    let before = try list.version
    let answer = try await list.edit(
      #"{"save":{"id":2,"from":\#(fields[0]),"to":\#(fields[1])}}"#)
    #expect(answer.status == 422)
    let problem =
      code.isEmpty
      ? "The text has several lines, and the field has one"
      : "The text has a control character (\(code)); type it again"
    #expect(
      answer.object("fields") as? [String: String] == [field == "Age" ? "extra.Age" : field: problem])
    // Not every edit shows its fields.
    #expect(answer["message"]?.hasSuffix(": \(problem).") == true, "\(answer)")
    #expect(try list.version == before)
    let other = try await list.edit(
      #"{"save":{"id":2,"from":{"first_name":"B\u001b","note":""},"to":{"first_name":"B\u001b","note":"a\tb\nc"}}}"#
    )
    #expect(other.status == 200)
  }

  @Test func `an extra column has lines, if its kind lets it`() async throws {
    try list.change { list in
      try list.update(2) { $0[.extra("Memo")] = "a\nb" }
      try list.setKind(.date, ofColumn: "Due", keepingText: true)
    }
    let set = #"{"update":{"ids":[2],"set":{"extra":{"Memo":"a\nb\nc"}}}}"#
    #expect(try await list.edit(set).status == 200)
    let memo = try await list.store.read { try $0.customer(2).fields[.extra("Memo")].text }
    #expect(memo == "a\nb\nc")
    let insert = #"{"insert":{"customers":[{"name":"Z","extra":{"Memo":"x\ny"}}]}}"#
    #expect(try await list.edit(insert).status == 200)
    let due = #"{"update":{"ids":[2],"set":{"extra":{"Due":"2026-12-01\nx"}}}}"#
    #expect(try await list.edit(due).status == 422)
  }

  @Test func `fields that the form would not save are named`() async throws {
    for edit in [
      #"{"save":{"id":2,"from":{"is_favorite":false},"to":{"is_favorite":true}}}"#,
      #"{"insert":{"customers":[{"is_favorite":true}],"section":1,"to":"last"}}"#,
    ] {
      let answer = try await list.edit(edit)
      #expect(answer.status == 422 && answer.kind == "invalid")
      #expect(answer.object("fields") as? [String: String] == ["phone": "needed"])
      #expect(answer["message"] == "Not saved: Phone: needed.")
    }
  }
}
