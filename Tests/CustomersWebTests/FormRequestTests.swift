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
    let sections = answer.object("form")["sections"] as? [[String: Any]] ?? []
    return sections.flatMap { $0["fields"] as? [[String: Any]] ?? [] }
  }

  @Test func `the form has the fields of the table's form`() async throws {
    let answer = try await list.get("form")
    #expect(fields(answer).map { $0["name"] as? String } == CustomerField.standard.map(\.column))
    #expect(fields(answer)[0]["placeholder"] as? String == "Ann")
    #expect(
      fields(answer).map { $0["autocomplete"] as? String }.prefix(5) == [
        "given-name", "family-name", "organization", "email", "tel",
      ])
    #expect(answer.object("form")["title"] as? String == "New customer")
  }

  @Test func `a customer comes with its fields, place and extra columns`() async throws {
    try list.change { list in try list.update(2) { $0[.extra("Age")] = .json("42") } }
    let answer = try await list.get("customer", ["id": "2"])
    #expect(answer.object("fields")["first_name"] as? String == "B")
    #expect(answer.object("fields")["extra.Age"] as? String == "42")
    #expect(answer.object("fields")["is_favorite"] as? Bool == false)
    #expect(fields(answer).last?["label"] as? String == "Age")
    #expect(answer.object("customer")["row"] as? Int == 2)
    #expect(answer.object("form")["title"] as? String == "B")
    // A number stays one, if it is typed over as a number.
    let edit = #"{"update":{"id":2,"from":{"extra.Age":"42"},"to":{"extra.Age":"43"}}}"#
    #expect(try await list.edit(edit).status == 200)
    #expect(try list.look { try $0.customer(2).fields[.extra("Age")] } == .json("43"))
  }

  @Test func `a customer that is gone has no form`() async throws {
    let answer = try await list.get("customer", ["id": "9"])
    #expect(answer.status == 404 && answer["outcome"] == "gone")
    #expect(try await list.get("customer").status == 400)
  }

  @Test func `others' changes of other fields are kept, of the same field are a conflict`() async throws {
    let save = #"{"update":{"id":2,"from":{"phone":"","note":""},"to":{"phone":"5","note":"m"}}}"#
    try list.change { list in try list.update(2) { $0.email = "b@y" } }
    #expect(try await list.edit(save).status == 200)
    try list.change { list in try list.update(2) { $0.phone = "6" } }
    let answer = try await list.edit(save)
    #expect(answer.status == 409 && answer["outcome"] == "conflict")
    let conflict = try #require(answer.objects("fields").first)
    #expect(conflict["field"] as? String == "phone" && conflict["mine"] as? String == "5")
    #expect(conflict["theirs"] as? String == "6")
    #expect(answer.object("now")["email"] as? String == "b@y")
  }

  @Test func `saving a deleted customer says so`() async throws {
    try list.change { list in try list.delete([2]) }
    let answer = try await list.edit(#"{"update":{"id":2,"from":{"phone":""},"to":{"phone":"5"}}}"#)
    #expect(answer.status == 409 && answer["outcome"] == "conflict" && answer["reason"] == "gone")
    #expect(answer.json["gone"] as? Bool == true)
  }

  @Test func `a field that the form does not have is refused, unless its column went away`() async throws {
    for edit in [
      #"{"update":{"id":2,"from":{"extra.Fax":""},"to":{"extra.Fax":"5"}}}"#,
      #"{"insert":{"fields":{"first_name":"N","extra.Fax":"5"},"section":1,"at":"last"}}"#,
    ] {
      let answer = try await list.edit(edit)
      #expect(answer.status == 422 && answer["outcome"] == "invalid")
      #expect(
        answer.object("fields") as? [String: String] == [
          "extra.Fax": #"There is no field "Fax" in this form"#
        ])
    }
    #expect(try list.look { try $0.extraColumns() }.isEmpty)
    // It had one when the form was opened.
    let gone = try await list.edit(#"{"update":{"id":2,"from":{"extra.Fax":"4"},"to":{"extra.Fax":"5"}}}"#)
    #expect(gone.status == 409 && gone["outcome"] == "conflict")
  }

  @Test(arguments: [
    ("first_name", #"\u0000"#, "U+0"), ("first_name", #"a\u001b[31m"#, "U+1B"),
    ("last_name", #"a\nb"#, "U+A"),
    ("note", #"a\u0085"#, "U+85"), ("tags", #"a\r\nb"#, "U+D"), ("extra.Age", #"4\u007f"#, "U+7F"),
  ])
  func `a control character can't be typed, but may stay`(field: String, text: String, code: String)
    async throws
  {
    try list.change { list in
      try list.update(2) { ($0[.extra("Age")], $0.firstName) = (.json("4"), "B\u{1b}") }
    }
    let from = field == "extra.Age" ? "4" : field == "first_name" ? #"B\u001b"# : ""
    let before = try list.version
    let answer = try await list.edit(
      #"{"update":{"id":2,"from":{"\#(field)":"\#(from)"},"to":{"\#(field)":"\#(text)"}}}"#)
    #expect(answer.status == 422)
    #expect(
      answer.object("fields") as? [String: String]
        == [field: "The text has a control character (\(code)); type it again"])
    #expect(try list.version == before)
    let other = try await list.edit(
      #"{"update":{"id":2,"from":{"first_name":"B\u001b","note":""},"to":{"first_name":"B\u001b","note":"a\tb\nc"}}}"#
    )
    #expect(other.status == 200)
  }

  @Test func `fields that the form would not save are named`() async throws {
    for edit in [
      #"{"update":{"id":2,"from":{"is_favorite":false},"to":{"is_favorite":true}}}"#,
      #"{"insert":{"fields":{"is_favorite":true},"section":1,"at":"last"}}"#,
    ] {
      let answer = try await list.edit(edit)
      #expect(answer.status == 422 && answer["outcome"] == "invalid")
      #expect(answer.object("fields") as? [String: String] == ["phone": "needed"])
      #expect(answer["message"] == "Not saved: 1 field has an error.")
    }
    let wrong = try await list.edit(
      #"{"insert":{"fields":{"is_favorite":"perhaps"},"section":1,"at":"last"}}"#)
    #expect(wrong.status == 422)
    #expect(wrong.object("fields").keys.sorted() == ["is_favorite"])
  }
}
