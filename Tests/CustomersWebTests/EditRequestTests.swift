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
    (#"{"move":{"ids":[4],"to":{"before":2}}}"#, [1, 4, 2, 3, 5, 6], #"Moved "D" 4 → 2."#),
    (
      #"{"move":{"ids":[3,1],"section":2,"to":"first"}}"#, [2, 4, 1, 3, 5, 6],
      #"Moved 2 customers to More/1: "A", "C"."#
    ),
    (#"{"move":{"ids":[1],"section":1,"to":"last"}}"#, [2, 3, 4, 1, 5, 6], #"Moved "A" 1 → 4."#),
    (#"{"move":{"ids":[1],"to":{"position":6}}}"#, [2, 3, 4, 5, 6, 1], #"Moved "A" Customers/1 → More/3."#),
    (
      #"{"move":{"ids":[1,2],"to":{"position":3}}}"#, [3, 4, 1, 2, 5, 6],
      #"Moved 2 customers to row 3: "A", "B"."#
    ),
    (#"{"move":{"ids":[1],"to":{"position":1}}}"#, [1, 2, 3, 4, 5, 6], #""A" is already at 1."#),
    (#"{"delete":{"ids":[2, 6]}}"#, [1, 3, 4, 5], #"Deleted 2 customers: "B", "Y"."#),
    (
      #"{"insert":{"customers":[{"first_name":"N","tags":"a\n\nb"}],"section":2,"to":"first"}}"#,
      [1, 2, 3, 4, 7, 5, 6], #"Added "N" as row 5."#
    ),
    (
      #"{"save":{"id":2,"from":{"phone":""},"to":{"phone":"5"}}}"#, [1, 2, 3, 4, 5, 6],
      #"Edited "B", row 2: phone."#
    ),
    (
      #"{"protect":{"ids":[1],"can_move":false}}"#, [1, 2, 3, 4, 5, 6],
      #"Protected "A", row 1, against moving."#
    ),
  ])
  func `an edit is done, and described as by the command line`(
    edit: String, ids: [Int64], notice: String
  ) async throws {
    let answer = try await list.edit(edit)
    let hasMoved = edit != #"{"move":{"ids":[1],"to":{"position":1}}}"#
    #expect(
      answer.status == 200 && answer["outcome"] == (hasMoved ? "done" : "unchanged") && answer.again == false)
    #expect(answer["text"] == notice)
    #expect(try list.ids == ids)
    let step = try list.look { try $0.undoable()?.id }
    #expect(answer[number: "step"].map(Int64.init) == step)
    #expect(answer["version"] == (try list.version).text)
  }

  @Test func `one value per line is saved without blank lines, and a mark as a mark`() async throws {
    _ = try await list.edit(
      #"{"insert":{"customers":[{"first_name":"N","tags":"a\n\nb\n","is_favorite":true}],"section":1,"to":"last"}}"#
    )
    let fields = try list.look { try $0.customer(7).fields }
    #expect(fields.tags == "a\nb" && fields.isFavorite)
  }

  @Test func `a row that another program has moved is not moved, and named`() async throws {
    let seen = try list.version
    try list.change { list in _ = try list.move([2], to: .last) }
    let answer = try await list.edit(#"{"move":{"ids":[2],"to":{"before":1}}}"#, seen: seen)
    #expect(answer.status == 409 && answer["reason"] == "moved" && answer.ids == [2])
    #expect(answer["message"] == #"Nothing was changed: "B" has been moved since."#)
    let other = try await list.edit(#"{"move":{"ids":[3],"to":{"before":1}}}"#, seen: seen)
    #expect(other.status == 200)
    #expect(try list.ids == [3, 1, 4, 2, 5, 6])
  }

  @Test(arguments: [
    (#"{"update":{"row":{"id":2},"set":{"note":"mine"}}}"#, "changed"),
    (#"{"delete":{"row":{"id":2}}}"#, "changed"), (#"{"delete":{"row":{"section":1,"order":2}}}"#, "changed"),
    (#"{"move":{"row":{"id":1},"to":{"section":1,"order":"first"}}}"#, "moved"),
    (#"{"move":{"row":{"section":1,"order":1},"to":{"section":1,"order":"first"}}}"#, "moved"),
    (#"{"update":{"row":{"section":1,"order":4},"set":{"note":"mine"}}}"#, "deleted"),
  ])
  func `a row of a batch that another program has changed is not touched`(
    update: String, reason: String
  ) async throws {
    let seen = try list.version
    try list.change { list in
      try list.apply(.update([2], [.note: "theirs"]))
      try list.move([1], to: .last)
      try list.delete([4])
    }
    let before = try list.version
    let answer = try await list.edit(#"{"batch":{"updates":[\#(update)]}}"#, seen: seen)
    #expect(answer.status == 409 && answer["reason"] == reason)
    #expect(try list.version == before)
  }

  @Test func `a batch names rows by the places that they had in the version that was seen`() async throws {
    let seen = try list.version
    try list.change { list in _ = try list.move([1], to: .last) }
    let answer = try await list.edit(
      #"{"batch":{"updates":[{"delete":{"row":{"section":1,"order":2}}},{"update":{"row":{"section":2,"order":1},"set":{"note":"x"}}}]}}"#,
      seen: seen)
    #expect(answer.status == 200)
    #expect(try list.ids == [3, 4, 1, 5, 6])
    #expect(try list.look { try $0.customer(5).fields.note } == "x")
    let none = try await list.edit(
      #"{"batch":{"updates":[{"delete":{"row":{"section":1,"order":5}}}]}}"#, seen: seen)
    #expect(none.status == 422)
  }

  @Test(arguments: [false, true])
  func `a name that differs in case or accents only is that of the column that the list has`(
    isDeclared: Bool
  ) async throws {
    try list.change { list in
      if isDeclared { try list.declareColumn("Âge", kind: .text) }
      try list.apply(.update([1], [.extra("Âge"): "5"]))
    }
    for edit in [
      #"{"update":{"ids":[2],"set":{"extra":{"age":"6"}}}}"#,
      #"{"save":{"id":3,"from":{},"to":{"extra":{"AGE":"0"}}}}"#,
      #"{"save":{"id":3,"from":{"extra":{"AGE":"0"}},"to":{"extra":{"AGE":"7"}}}}"#,
      #"{"insert":{"customers":[{"name":"N","extra":{"aGe":"8"}}],"section":1}}"#,
      #"{"batch":{"updates":[{"update":{"row":{"id":4},"set":{"extra":{"age":"9"}}}}]}}"#,
    ] {
      #expect(try await list.edit(edit).status == 200)
    }
    #expect(try list.look { try $0.extraColumns().map { "\($0.name) \($0.count)" } } == ["Âge 5"])
    let shown = try await list.v1("rows", ["fields": "extra.AGE", "limit": "5"]).objects("rows")
    #expect(shown.map { $0["extra.AGE"] as? String } == ["5", "6", "7", "9", "8"])
    let both = try await list.edit(#"{"update":{"ids":[2],"set":{"extra":{"age":"1","Âge":"2"}}}}"#)
    #expect(both.status == 422)
    #expect(try await list.edit(#"{"update":{"ids":[2],"set":{"extra":{"age":null}}}}"#).status == 200)
    #expect(try list.look { try $0.extraColumns().map(\.count) } == [4])
    #expect(try await list.edit(#"{"rename_column":{"name":"age","to":"Years"}}"#).status == 200)
    #expect(try list.look { try $0.extraColumns().map(\.name) } == ["Years"])
  }

  @Test func `a sort and a join find a column by a name that differs in case or accents only`() async throws {
    try list.change { list in
      for (id, age) in [(1, "5"), (2, "7"), (3, "6")] as [(CustomerID, String)] {
        try list.apply(.update([id], [.extra("Âge"): .text(age)]))
      }
      try list.apply(.update([4], [.extra("Years"): "8"]))
    }
    for session in [[:], ["session": "p", "text": ""]] {
      let query = ["sort": "-extra.age", "limit": "3"].merging(session) { $1 }
      let rows = try await list.v1("rows", query).objects("rows")
      #expect(rows.compactMap { $0["id"] as? Int } == [2, 3, 1])
    }
    let file = await list.api.answer(
      APIRequest(method: "GET", path: "/v1/export", query: ["sort": "-extra.age", "format": "csv"]))
    let lines = String(decoding: file.body, as: UTF8.self).split(separator: "\n")
    #expect(lines[1...3].map { $0.prefix(2) } == ["B,", "C,", "A,"])
    #expect(try await list.edit(#"{"sort":{"by":["-extra.age"],"section":1}}"#).status == 200)
    #expect(try list.ids == [2, 3, 1, 4, 5, 6])
    let unknown = try await list.edit(#"{"sort":{"by":["extra.A"],"section":1}}"#)
    #expect(unknown.status == 404 && unknown["message"]?.contains("\"A\"") == true)
    for path in ["rows", "export"] {
      let refused = try await list.v1(path, ["sort": "name,-extra.Yars"])
      #expect(refused.status == 422 && refused["remedy"] == "Did you mean \"Years\"?", "\(refused.json)")
    }
    #expect(try await list.edit(#"{"join_column":{"name":"years","into":"extra.age"}}"#).status == 200)
    #expect(try list.look { try $0.extraColumns().map { "\($0.name) \($0.count)" } } == ["Âge 4"])
  }

  @Test(arguments: [false, true], ["Town", nil])
  func `a column that was renamed or deleted since is neither edited nor made again`(
    isDeclared: Bool, newName: String?
  ) async throws {
    try list.change { list in
      if isDeclared {
        try list.declareColumn("City", kind: .text)
      } else {
        try list.apply(.update([1], [.extra("City"): "Bonn"]))
      }
    }
    let seen = try list.version
    try list.change { list in
      try list.apply(.column(newName.map { .rename("City", to: $0) } ?? .drop("City")))
    }
    let before = try list.version
    let update = #"{"update":{"ids":[2],"set":{"extra":{"city":"Rome"}}}}"#
    for edit in [
      update, #"{"save":{"id":3,"from":{},"to":{"extra":{"City":"Rome"}}}}"#,
      #"{"insert":{"customers":[{"name":"N","extra":{"City":"Rome"}}],"section":1}}"#,
      #"{"batch":{"updates":[{"update":{"row":{"id":4},"set":{"extra":{"City":"Rome"}}}}]}}"#,
      #"{"sort":{"by":["extra.City"]}}"#,
      #"{"set_column_kind":{"name":"City","kind":"choice","choices":["A"]}}"#,
      #"{"rename_column":{"name":"City","to":"Place"}}"#, #"{"drop_column":{"name":"City"}}"#,
      #"{"join_column":{"name":"City","into":"city"}}"#,
    ] {
      let answer = try await list.edit(edit, seen: seen)
      #expect(answer.status == 409 && answer["reason"] == "changed", "\(edit): \(answer.json)")
    }
    #expect(try list.version == before)
    #expect(try await list.edit(update).status == 200)
    #expect(try list.look { try $0.extraColumns().map(\.name).contains("city") })
  }

  @Test func `a batch is checked as each of its updates alone`() async throws {
    let answer = try await list.edit(
      #"{"batch":{"updates":[{"update":{"row":{"id":2},"set":{"note":"a\u0007b"}}}]}}"#)
    #expect(answer.status == 422 && answer.object("fields")["note"] != nil)
  }

  @Test(arguments: [
    (#"{"move":{"ids":[77],"to":{"position":1}}}"#, "deleted"),
    (#"{"move":{"ids":[1],"to":{"before":77}}}"#, "deleted"),
    (#"{"delete":{"ids":[77]}}"#, "deleted"), (#"{"protect":{"ids":[77],"can_edit":true}}"#, "deleted"),
    (#"{"move":{"ids":[5],"to":{"position":1}}}"#, "protected"), (#"{"delete":{"ids":[1,5]}}"#, "protected"),
    (#"{"save":{"id":5,"from":{"note":""},"to":{"note":"x"}}}"#, "protected"),
    (#"{"move":{"ids":[1],"to":{"position":7}}}"#, "other"),
    (#"{"move":{"ids":[1],"to":{"position":0}}}"#, "other"),
    (#"{"move":{"ids":[1],"to":{"position":-9223372036854775808}}}"#, "other"),
    (#"{"move":{"ids":[1,1],"to":{"position":1}}}"#, "other"),
    (#"{"move":{"ids":[1,2],"to":{"before":1}}}"#, "other"),
    (#"{"move":{"ids":[1],"section":9,"to":"last"}}"#, "section"),
    (#"{"insert":{"customers":[{"note":"x"}],"section":9223372036854775807,"to":"last"}}"#, "section"),
  ])
  func `a refusal says why, and nothing is changed`(edit: String, reason: String) async throws {
    try list.change { list in try list.protect(5, canEdit: false, canMove: false) }
    let before = try list.version
    let answer = try await list.edit(edit)
    #expect(answer.status == ["section": 404, "other": 422][reason] ?? 409)
    #expect(answer["reason"] == reason)
    #expect(answer["message"]?.hasPrefix("Nothing was changed: ") == true)
    #expect(try list.version == before)
  }

  @Test func `a place beside a row that is not in the section is refused`() async throws {
    let list = try TestAPI("A, B | Two: C")
    let before = try list.version
    for edit in [
      #"{"insert":{"customers":[{"note":"x"}],"to":{"after":1},"section":2}}"#,
      #"{"move":{"ids":[2],"to":{"before":1},"section":2}}"#,
      #"{"log":{"ids":[2],"text":"x","to":{"after":3},"section":1}}"#,
    ] {
      let answer = try await list.edit(edit)
      #expect(
        answer.status == 422 && answer["message"]?.contains("is not in section") == true, "\(answer.json)")
    }
    for isDryRun in [true, false] {
      let answer = try await list.v1(
        "import",
        body: #"{"name":"a.csv","content":"Name\nN\n","to":{"before":3},"section":1,"dry_run":\#(isDryRun)}"#)
      #expect(answer.status == 422, "\(answer.json)")
    }
    #expect(try list.version == before)
    let insert = #"{"insert":{"customers":[{"first_name":"N"}],"to":{"after":3},"section":2}}"#
    #expect(try await list.edit(insert).status == 200)
  }

  @Test func `a number that a person typed is refused if it may be two`() async throws {
    try list.change { list in _ = try list.declareColumn("Sum", kind: .number) }
    let edits = [
      #"{"update":{"ids":[1],"set":{"extra":{"Sum":"1.200"}}}}"#,
      #"{"save":{"id":1,"from":{"extra":{}},"to":{"extra":{"Sum":"1.200"}}}}"#,
      #"{"insert":{"customers":[{"first_name":"Z","extra":{"Sum":"1.200"}}],"to":"last"}}"#,
    ]
    for edit in edits {
      for (typed, status) in [(#","typed":true"#, 422), ("", 200), (#","typed":false"#, 200)] {
        let answer = try await list.v1(edits: edit, #""dry_run":true\#(typed)"#)
        #expect(answer.status == status, "\(edit) \(typed) \(answer["message"] ?? "")")
        if status == 422 { #expect(answer["message"]?.contains("may be 1.2 or 1200") == true) }
      }
    }
    // A value that stays is not typed.
    try list.change { list in try list.update(1) { $0[.extra("Sum")] = .text("1.200") } }
    let save =
      #"{"save":{"id":1,"from":{"note":"","extra":{"Sum":"1.200"}},"to":{"note":"x","extra":{"Sum":"1.200"}}}}"#
    #expect(try await list.v1(edits: save, #""typed":true"#).status == 200)
  }

  @Test func `an answer names a word for a day that stays a word`() async throws {
    let edit = #"{"update":{"ids":[1],"set":{"extra":{"Due":"2w","Club":"Go"}}}}"#
    for edits in [edit, edit + "," + edit.replacing("[1]", with: "[2]")] {
      let text = try await list.v1(edits: edits, #""dry_run":true"#)["text"] ?? ""
      #expect(text.contains(#" "Due" has any text, so "2w" stays as it is; for the day, write 2"#), "\(text)")
      #expect(!text.contains("\"Go\" stays"), "\(text)")
    }
  }

  @Test func `an edit of another history is refused`() async throws {
    for edit in [
      #"{"delete":{"ids":[1]}}"#, #"{"move":{"ids":[1],"to":{"position":2}}}"#, #"{"protect":{"ids":[1]}}"#,
    ] {
      let answer = try await list.edit(edit, seen: ListVersion(mark: "other", edit: 5))
      #expect(answer.status == 409 && answer["reason"] == "other_list")
    }
  }
}
