import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersWeb
import CustomersTestSupport
import Testing

/// Edits of sections.
@Suite(.onThreads) struct SectionRequestTests {
  private let list: TestAPI

  init() throws { list = try TestAPI("A, B | More: X, Y | Empty:") }

  private var titles: [String] { get throws { try list.look { try $0.sections().map(\.title) } } }

  @Test(arguments: [
    (#"{"add_section":{"title":"New"}}"#, ["Customers", "More", "Empty", "New"]),
    (#"{"add_section":{"title":"New","to":1}}"#, ["New", "Customers", "More", "Empty"]),
    (#"{"rename_section":{"id":2,"title":"Less"}}"#, ["Customers", "Less", "Empty"]),
    (#"{"move_section":{"id":3,"to":1}}"#, ["Empty", "Customers", "More"]),
    (#"{"delete_section":{"id":3,"with_customers":false}}"#, ["Customers", "More"]),
    (#"{"delete_section":{"id":2,"with_customers":true}}"#, ["Customers", "Empty"]),
  ])
  func `a section is added, renamed, moved or deleted, as one step`(edit: String, after: [String])
    async throws
  {
    let before = try titles
    let answer = try await list.edit(edit)
    #expect(answer.status == 200 && answer["text"]?.isEmpty == false, "\(answer.json)")
    #expect(try titles == after)
    try list.change { list in _ = try list.undo() }
    #expect(try titles == before)
    #expect(try list.ids == [1, 2, 3, 4])
  }

  @Test(arguments: [
    (#"{"add_section":{"title":" "}}"#, "title"), (#"{"add_section":{"title":"more"}}"#, "\"More\""),
    (#"{"add_section":{"title":"New","to":9}}"#, "out of range"),
    (#"{"rename_section":{"id":9,"title":"x"}}"#, "section"),
    (#"{"move_section":{"id":1,"to":9}}"#, "out of range"),
    (#"{"move_section":{"id":1,"to":-9223372036854775808}}"#, "out of range"),
    (#"{"delete_section":{"id":2,"with_customers":false}}"#, "2 customers"),
    (#"{"delete_section":{"id":9,"with_customers":true}}"#, "section"),
  ])
  func `a refusal says why, and nothing is changed`(edit: String, word: String) async throws {
    let before = try list.version
    let answer = try await list.edit(edit)
    #expect([404, 409, 422].contains(answer.status))
    #expect(answer["message"]?.contains(word) == true, "\(answer.json)")
    #expect(try list.version == before)
  }

  @Test func `a section that another program has changed is not deleted with its customers`() async throws {
    let edit = #"{"delete_section":{"id":2,"with_customers":true}}"#
    let seen = try list.version
    try list.change { list in try list.update(3) { $0.note = "x" } }
    #expect(try await list.edit(edit, seen: seen)["reason"] == "changed")
    let later = try list.version
    try list.change { list in _ = try list.move([1], to: .last, in: SectionID(rawValue: 2)) }
    let refused = try await list.edit(edit, seen: later)
    #expect(refused["reason"] == "moved" && refused.ids == [1])
    let again = try list.version
    try list.change { list in
      try list.insert(CustomerFields(name: "New"), at: .last, in: SectionID(rawValue: 2))
    }
    #expect(try await list.edit(edit, seen: again).status == 409)
    #expect(try titles.count == 3)
    // What was deleted or moved away since does not count, nor a new order.
    let last = try list.version
    try list.change { list in
      try list.delete([4])
      try list.move([3], to: .last, in: SectionID(rawValue: 1))
    }
    #expect(try await list.edit(edit, seen: last).status == 200)
    #expect(try titles == ["Customers", "Empty"])
  }

  @Test(arguments: [
    #"{"rename_section":{"id":2,"title":"Less"}}"#, #"{"move_section":{"id":2,"to":1}}"#,
    #"{"delete_section":{"id":2}}"#, #"{"delete_section":{"id":2,"with_customers":true}}"#,
  ])
  func `a section that was renamed or moved since is not edited`(edit: String) async throws {
    let changes: [SectionEdit] = [.rename(2, title: "Most"), .move(2, to: 3)]
    for change in changes {
      let seen = try list.version
      try list.change { list in
        try list.apply(.section(change))
        try list.apply(.section(.add(title: "\(change)")))
      }
      let before = try list.version
      let answer = try await list.edit(edit, seen: seen)
      #expect(answer.status == 409 && answer["reason"] == "changed", "\(answer.json)")
      #expect(try list.version == before)
    }
    let last = try list.version
    try list.change { list in
      try list.apply(.section(.rename(1, title: "Others")))
      try list.delete([3, 4])
    }
    #expect(try await list.edit(edit, seen: last).status == 200)
  }

  @Test func `a section with a protected customer is not deleted`() async throws {
    try list.change { try $0.protect(3, canEdit: false) }
    let answer = try await list.edit(#"{"delete_section":{"id":2,"with_customers":true}}"#)
    #expect(answer.status == 409 && answer["reason"] == "protected" && answer.ids == [3])
    var policy = EditingPolicy()
    policy.allowsEditing = false
    let strict = TestAPI(list.store, policy: policy)
    #expect(
      try await strict.edit(#"{"delete_section":{"id":1,"with_customers":true}}"#)["reason"] == "protected"
    )
  }
}
