import CustomerFixtures
import CustomerStore
import CustomersWeb
import CustomersTestSupport
import Foundation
import Testing

/// Edits, and why they are refused.
@Suite(.onThreads) struct EditRequestTests {
  private let list: TestAPI

  init() throws { list = try TestAPI("A, B, C, D | More: X, Y") }

  @Test(arguments: [
    (#"{"move":{"ids":[4],"before":2}}"#, [1, 4, 2, 3, 5, 6], #"Moved "D" 4 → 2."#),
    (
      #"{"move":{"ids":[3,1],"section":2,"at":"first"}}"#, [2, 4, 1, 3, 5, 6],
      #"Moved "A" Customers/1 → More/1; moved "C" Customers/3 → More/2."#
    ),
    (#"{"move":{"ids":[1],"section":1,"at":"last"}}"#, [2, 3, 4, 1, 5, 6], #"Moved "A" 1 → 4."#),
    (#"{"move":{"ids":[1],"row":6}}"#, [2, 3, 4, 5, 6, 1], #"Moved "A" Customers/1 → More/3."#),
    (#"{"move":{"ids":[1,2],"row":3}}"#, [3, 4, 1, 2, 5, 6], #"Moved "A" 1 → 3; moved "B" 2 → 4."#),
    (#"{"move":{"ids":[1],"row":1}}"#, [1, 2, 3, 4, 5, 6], #""A" is already at 1."#),
    (#"{"delete":{"ids":[2, 6]}}"#, [1, 3, 4, 5], #"Deleted "B", row 2; deleted "Y", row 6."#),
    (
      #"{"insert":{"fields":{"first_name":"N","tags":"a\n\nb"},"section":2,"at":"first"}}"#,
      [1, 2, 3, 4, 7, 5, 6], #"Added "N" as row 5."#
    ),
    (
      #"{"update":{"id":2,"from":{"phone":""},"to":{"phone":"5"}}}"#, [1, 2, 3, 4, 5, 6],
      #"Edited "B", row 2: phone."#
    ),
    (
      #"{"protect":{"ids":[1],"canMove":false}}"#, [1, 2, 3, 4, 5, 6],
      #"Protected "A", row 1, against moving."#
    ),
  ])
  func `an edit is done, and described as by the command line`(
    edit: String, ids: [Int64], notice: String
  ) async throws {
    let answer = try await list.edit(edit)
    #expect(answer.status == 200 && answer["outcome"] == "done" && answer.again == false)
    #expect(answer["notice"] == notice)
    #expect(try list.ids == ids)
    let step = try list.look { try $0.undoable()?.id }
    #expect(answer[number: "step"].map(Int64.init) == step)
    #expect(answer.object("version")["edit"] as? Int == Int(try list.version.edit))
  }

  @Test func `one value per line is saved without blank lines, and a mark as a mark`() async throws {
    _ = try await list.edit(
      #"{"insert":{"fields":{"first_name":"N","tags":"a\n\nb\n","is_favorite":true},"section":1,"at":"last"}}"#
    )
    let fields = try list.look { try $0.customer(7).fields }
    #expect(fields.tags == "a\nb" && fields.isFavorite)
  }

  @Test func `a row that another program has moved is not moved, and named`() async throws {
    let seen = try list.version
    try list.change { list in _ = try list.move([2], to: .last) }
    let answer = try await list.edit(#"{"move":{"ids":[2],"before":1}}"#, seen: seen)
    #expect(answer.status == 409 && answer["reason"] == "moved" && answer.ids == [2])
    #expect(answer["message"] == #"Nothing was changed: "B" has been moved since."#)
    let other = try await list.edit(#"{"move":{"ids":[3],"before":1}}"#, seen: seen)
    #expect(other.status == 200)
    #expect(try list.ids == [3, 1, 4, 2, 5, 6])
  }

  @Test func `a customer that another program has changed is not deleted`() async throws {
    let seen = try list.version
    try list.change { list in try list.update(2) { $0.note = "x" } }
    let answer = try await list.edit(#"{"delete":{"ids":[1,2]}}"#, seen: seen)
    #expect(answer.status == 409 && answer["reason"] == "changed" && answer.ids == [2])
    #expect(try list.ids.count == 6)
  }

  @Test(arguments: [
    (#"{"move":{"ids":[77],"row":1}}"#, "deleted"), (#"{"move":{"ids":[1],"before":77}}"#, "deleted"),
    (#"{"delete":{"ids":[77]}}"#, "deleted"), (#"{"protect":{"ids":[77],"canEdit":true}}"#, "deleted"),
    (#"{"move":{"ids":[5],"row":1}}"#, "protected"), (#"{"delete":{"ids":[1,5]}}"#, "protected"),
    (#"{"update":{"id":5,"from":{"note":""},"to":{"note":"x"}}}"#, "protected"),
    (#"{"move":{"ids":[1],"row":7}}"#, "other"), (#"{"move":{"ids":[1],"row":0}}"#, "other"),
    (#"{"move":{"ids":[1],"row":-9223372036854775808}}"#, "other"),
    (#"{"move":{"ids":[1,1],"row":1}}"#, "other"), (#"{"move":{"ids":[1,2],"before":1}}"#, "other"),
    (#"{"move":{"ids":[1],"section":9,"at":"last"}}"#, "section"),
    (#"{"insert":{"fields":{"note":"x"},"section":9223372036854775807,"at":"last"}}"#, "section"),
  ])
  func `a refusal says why, and nothing is changed`(edit: String, reason: String) async throws {
    try list.change { list in try list.protect(5, canEdit: false, canMove: false) }
    let before = try list.version
    let answer = try await list.edit(edit)
    #expect(answer.status == 409 && answer["outcome"] == "refused")
    #expect(answer["reason"] == reason)
    #expect(answer["message"]?.hasPrefix("Nothing was changed: ") == true)
    #expect(try list.version == before)
  }

  @Test func `an edit of another history is refused`() async throws {
    for edit in [#"{"delete":{"ids":[1]}}"#, #"{"move":{"ids":[1],"row":2}}"#, #"{"protect":{"ids":[1]}}"#] {
      let answer = try await list.edit(edit, seen: ListVersion(mark: "other", edit: 5))
      #expect(answer.status == 409 && answer["reason"] == "otherList")
    }
  }

  @Test func `a list that can only be read refuses edits`() async throws {
    let reader = TestAPI(list.store, isReadOnly: true)
    #expect(try await reader.edit(#"{"delete":{"ids":[1]}}"#).status == 403)
    #expect(try await reader.v1("undo", body: "{}").status == 403)
    let rows = try await reader.get("rows")
    #expect(rows.json["readOnly"] as? Bool == true)
    #expect(rows.objects("rows").allSatisfy { $0["canEdit"] as? Bool == false })
  }
}
