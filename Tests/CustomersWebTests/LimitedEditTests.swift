import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersTestSupport
@testable import CustomersWeb
import Foundation
import Testing

/// Keys that show a part of the list and edit it.
@Suite(.onThreads) struct LimitedEditTests {
  /// In all that the key must not show.
  private static let secret = "Xyzzy"

  /// A list of which a key has the section "Guests".
  private struct Part {
    let folder: TemporaryFolder
    let list: TestAPI
    let section: SectionID
    let key: any ListService
    private let rights: PagePerson.Rights
    private let columns: [CustomerField]?

    init(_ rights: PagePerson.Rights = .edit, columns: [CustomerField]? = nil, guests: Int = 8) throws {
      let folder = try TemporaryFolder()
      let list = TestAPI(try CustomerStore(path: folder.path + "/list.sqlite"))
      let section = try list.store.write { list in
        let first = try #require(try list.sections().first)
        try list.renameSection(first.id, title: "\(secret) club")
        for _ in 1...5 { try list.insert(Part.hidden, in: first.id) }
        let section = try list.addSection(title: "Guests").id
        _ = try list.addSection(title: "\(secret) other")
        for number in 0..<guests { try list.insert(Part.guest(number, columns), in: section) }
        return section
      }
      (self.folder, self.list, self.section) = (folder, list, section)
      (self.rights, self.columns) = (rights, columns)
      key = try Part.key(list, rights, section, columns)
    }

    /// The same key and list, of a server that knows nothing of the one before.
    func startedAgain() throws -> Part { try Part(again: self) }

    private init(again part: Part) throws {
      (folder, section, rights, columns) = (part.folder, part.section, part.rights, part.columns)
      list = TestAPI(part.list.store)
      key = try Part.key(list, rights, section, columns)
    }

    static func key(
      _ list: TestAPI, _ rights: PagePerson.Rights, _ section: SectionID, _ columns: [CustomerField]?,
      id: Int64 = 7
    ) throws -> any ListService {
      let uid = try list.look { try $0.uid(of: section) }
      return try list.api.list(
        for: PagePerson(
          id: PersonID(rawValue: id), name: "Ann", rights: rights,
          limits: PageLimits(section: uid, columns: try columns?.map { try Part.column($0, of: list) })))
    }

    private static func column(_ field: CustomerField, of list: TestAPI) throws -> PageLimits.Column {
      guard case .extra(let name) = field else { return .field(field) }
      return .extra(
        try list.store.write { list in
          try list.declaredExtraColumns().first { $0.name == name }?.id ?? list.declareColumn(name).id
        })
    }

    private static var hidden: CustomerFields {
      CustomerFields(lastName: secret, company: secret, email: "\(secret)@x.example")
    }

    static func guest(_ number: Int, _ columns: [CustomerField]?) -> CustomerFields {
      var fields = CustomerFields(firstName: "G\(number)", note: "n\(number)")
      if let columns {
        fields.company = secret
        if !columns.contains(.email) { fields.email = "\(secret)@x.example" }
      }
      return fields
    }

    func ask(_ path: String, _ query: [String: String] = [:], body: String? = nil) async throws -> Answer {
      let answer = await key.answer(
        APIRequest(
          method: body == nil ? "GET" : "POST", path: "/v1/" + path, query: query,
          body: Array((body ?? "").utf8)))
      #expect(!String(decoding: answer.body, as: UTF8.self).contains(secret), "\(path) \(body ?? "")")
      return Answer(answer)
    }

    func edit(_ edits: String, token: String = TransactionToken().rawValue) async throws -> Answer {
      try await ask("edits", body: #"{"edits":[\#(edits)],"token":"\#(token)"}"#)
    }

    /// The ids and names that the key shows.
    func rows() async throws -> [(id: Int, name: String)] {
      let answer = try await ask("rows", ["limit": "1000"])
      return answer.objects("rows").map {
        ($0["id"] as? Int ?? 0, "\($0["first_name"] ?? "") \($0["note"] ?? "") \($0["next"] ?? "")")
      }
    }

    /// The same, when they are these: a part that took long to read is not read again at once.
    func rows(as names: [String]) async throws -> [(id: Int, name: String)] {
      let start = ContinuousClock.now
      while true {
        let rows = try await rows()
        if rows.map(\.name) == names || ContinuousClock.now - start > longestWait { return rows }
        try await Task.sleep(for: .milliseconds(20))
      }
    }

    /// What the list has in the section.
    func stored() throws -> [String] {
      var names: [String] = []
      try list.look { list in
        try list.forEach(in: section) { customer in
          names.append("\(customer.fields.firstName) \(customer.fields.note) \(customer.fields.next)")
          return true
        }
      }
      return names
    }

    /// All that the key does not show.
    func concealed() throws -> [String] {
      var texts: [String] = []
      try list.look { list in
        texts = try list.sections().map { "\($0.id) \($0.title)" }
        try list.forEach { customer in
          let fields = customer.fields
          texts.append(
            customer.place.section == section
              ? "\(fields.company) \(fields.email)" : "\(customer.place) \(fields.lastName)")
          return true
        }
      }
      return texts.sorted()
    }
  }

  @Test(arguments: [1, 2, 3, 4])
  func `whatever a key and others do, it shows its section and changes nothing else`(seed: Int) async throws {
    var random = SplitMix64(seed: seed)
    let columns: [CustomerField]? = seed.isMultiple(of: 2) ? [.firstName, .lastName, .note] : nil
    let part = try Part(columns: columns)
    var count = 100
    var done = 0
    for _ in 0..<(isLong ? 2_000 : 150) {
      let rows = try await part.rows(as: part.stored())
      #expect(try rows.map(\.name) == part.stored())
      let before = (try part.stored(), try part.concealed())
      let ids = Array(Set((0...random.below(3)).compactMap { _ in rows.randomElement(using: &random)?.id }))
      let kind = random.below(columns == nil ? 18 : 15)
      count += 1
      guard kind > 4, !ids.isEmpty, rows.count > 3 else {
        // Others; what they do in the section is shown.
        // A row may be protected.
        try? part.list.change { list in
          let own = try list.ids(in: part.section)
          let others = try list.ids(in: list.sections()[0].id)
          guard let id = own.randomElement(using: &random), let other = others.first, own.count > 3 else {
            try list.insert(Part.guest(count, columns), at: .first, in: part.section)
            return
          }
          switch random.below(8) {
          case 0: try list.insert(Part.guest(count, columns), at: .before(id))
          case 1:
            try list.apply(
              .update([id] + own.prefix(2).filter { $0 != id }, [.note: .text("other \(count)")]))
          case 2: try list.apply(.move([id], to: .first, in: list.sections()[0].id))
          case 3: try list.apply(.move([other], to: .last, in: list.sections()[2].id))
          case 4: try list.apply(.delete([id]))
          case 5: try list.apply(.move([id], to: .last))
          case 6: try list.protect(id, canEdit: random.oneIn(2), canMove: random.oneIn(2))
          default: try list.update(other) { $0.lastName = "\(Self.secret) \(count)" }
          }
        }
        continue
      }
      let edit =
        switch kind {
        case 5, 6:
          #"{"insert":{"customers":[{"first_name":"N\#(count)"}],"to":\#(random.oneIn(2) ? "1" : #""last""#)}}"#
        case 7: #"{"update":{"ids":\#(ids),"set":{"note":"key \#(count)"}}}"#
        case 8: #"{"delete":{"ids":\#(ids)}}"#
        case 9: #"{"move":{"ids":\#(ids),"to":{"before":\#(rows[random.below(rows.count)].id)}}}"#
        case 10: #"{"move":{"ids":\#(ids),"by":\#(random.below(7) - 3)}}"#
        case 11: #"{"move":{"ids":\#(ids),"to":{"position":\#(1 + random.below(rows.count))}}}"#
        case 12: #"{"sort":{"by":["first_name"]}}"#
        case 13: #"{"update":{"ids":\#(ids),"set":{"note":"a"}}},{"move":{"ids":\#(ids),"to":"first"}}"#
        case 14: "undo"
        case 15: #"{"log":{"ids":\#(ids),"text":"said \#(count)","next":"2027-01-01"}}"#
        case 16: #"{"done":{"ids":\#(ids)}}"#
        default: #"{"swap":{"ids":[\#(rows[0].id),\#(rows[1].id)]}}"#
        }
      let token = TransactionToken().rawValue
      let answer =
        try await edit == "undo" ? part.ask("undo", body: "{}") : part.edit(edit, token: token)
      let after = try part.stored()
      if answer.status == 200 {
        done += 1
        #expect(try await part.rows(as: after).map(\.name) == after, "\(edit)")
        if edit != "undo", answer["outcome"] == "done", random.oneIn(3) {
          // Once, however often it is sent; and undone and redone.
          let again = try await part.edit(edit, token: token)
          #expect(try again.again == true && part.stored() == after, "\(edit)")
          #expect(try await part.ask("undo", body: "{}").status == 200, "\(edit)")
          #expect(try part.stored() == before.0, "\(edit)")
          #expect(try await part.rows(as: before.0).map(\.name) == before.0)
          #expect(try await part.ask("redo", body: "{}").status == 200, "\(edit)")
          #expect(try part.stored() == after)
        }
      } else {
        #expect([409, 422, 403].contains(answer.status), "\(edit): \(answer.json)")
        #expect(after == before.0, "\(edit)")
      }
      // Rows that come or go have hidden columns, but those of others stay.
      if kind != 5, kind != 6, kind != 8, kind != 14 { #expect(try part.concealed() == before.1, "\(edit)") }
    }
    #expect(done > 30)
    #expect(try part.list.look { try $0.check() }.isEmpty)
    let authors = try part.list.look { list in Set(try list.history(limit: 1000).map(\.person)) }
    #expect(authors.contains("Ann"))
  }

  @Test func `what is not the key's is refused, and nothing is changed`() async throws {
    let part = try Part(columns: [.firstName, .note])
    let ids = try await part.rows().map(\.id)
    let before = try part.list.version
    for (edit, status) in [
      (#"{"update":{"ids":[\#(ids[0])],"set":{"email":"a@x.example"}}}"#, 403),
      (#"{"update":{"ids":[\#(ids[0])],"add":{"contacts":["tel: 5"]}}}"#, 403),
      (#"{"update":{"ids":[\#(ids[0])],"set":{"extra.Club":"a"}}}"#, 403),
      (#"{"insert":{"customers":[{"first_name":"A","email":"a@x.example"}]}}"#, 403),
      (#"{"merge":{"ids":[\#(ids[0]),\#(ids[1])]}}"#, 403),
      (#"{"log":{"ids":[\#(ids[0])],"text":"a"}}"#, 403),
      (#"{"protect":{"ids":[\#(ids[0])],"edit":false}}"#, 403),
      (#"{"add_section":{"title":"A"}}"#, 403), (#"{"rename_column":{"name":"Club","to":"A"}}"#, 403),
      (#"{"delete":{"ids":[\#(ids.max()! + 1)]}}"#, 404),
    ] {
      let answer = try await part.edit(edit)
      #expect([status, 400, 404, 422].contains(answer.status), "\(edit): \(answer.json)")
    }
    for (path, body) in [
      ("revert", #"{"step":1}"#), ("undo", "{}"), ("redo", "{}"),
      ("import", #"{"name":"a.csv","content":"name\nA"}"#),
      ("pull", #"{"file":"0123456789abcdef0123456789abcdef"}"#),
    ] {
      #expect([403, 409].contains(try await part.ask(path, body: body).status), "\(path)")
    }
    #expect(try part.list.version == before)
    #expect(try await part.ask("history").objects("steps").isEmpty)
    // Whoever does not see names can't add.
    let nameless = try Part.key(part.list, .edit, part.section, [.note])
    let insert = #"{"edits":[{"insert":{"customers":[{"note":"A"}]}}]}"#
    let answer = await nameless.answer(
      APIRequest(method: "POST", path: "/v1/edits", query: [:], body: Array(insert.utf8)))
    #expect(answer.status == 403)
    let rows = await nameless.answer(APIRequest(method: "GET", path: "/v1/rows", query: [:], body: []))
    let id = try #require(Answer(rows).objects("rows").first?["id"] as? Int)
    let update = #"{"edits":[{"update":{"ids":[\#(id)],"set":{"note":"A"}}}]}"#
    let updated = await nameless.answer(
      APIRequest(method: "POST", path: "/v1/edits", query: [:], body: Array(update.utf8)))
    #expect(updated.status == 200)
  }

  @Test func `a key that adds sees none, and its edit is made once`() async throws {
    let part = try Part(.add)
    #expect(try await part.rows().isEmpty)
    let count = try part.stored().count
    let token = TransactionToken().rawValue
    let insert = #"{"insert":{"customers":[{"first_name":"New"}],"to":"first"}}"#
    for isAgain in [false, true] {
      let answer = try await part.edit(insert, token: token)
      #expect(answer.again == isAgain)
      #expect(answer.status == 200 && answer["text"]?.contains("New") == true, "\(answer.json)")
      #expect(try part.stored().count == count + 1 && part.stored().last?.hasPrefix("New") == true)
      #expect(try await part.rows().isEmpty)
    }
    #expect(
      try await part.edit(#"{"insert":{"customers":[{"first_name":"Other"}]}}"#, token: token).status == 409)
    #expect(try await part.ask("settle", body: #"{"token":"\#(token)"}"#)["outcome"] == "done")
    for edit in [
      #"{"delete":{"ids":[1]}}"#, #"{"update":{"ids":[1],"set":{"note":"A"}}}"#, #"{"sort":{"by":["name"]}}"#,
      #"{"add_section":{"title":"A"}}"#,
    ] { #expect(try await part.edit(edit).status >= 400, "\(edit)") }
    for path in ["undo", "redo"] { #expect(try await part.ask(path, body: "{}").status == 409) }
    for path in ["rows", "ids", "duplicates", "export", "sections", "next", "history", "columns", "form"] {
      let answer = try await part.ask(path)
      #expect(answer.objects("rows").isEmpty && answer.ids.isEmpty, "\(path)")
    }
    #expect(try part.stored().count == count + 1)
  }

  @Test func `a key that adds to the first section is not told that another one is the first`() async throws {
    let part = try Part(.add)
    let key = try part.list.api.list(for: PagePerson(id: PersonID(rawValue: 8), name: "Form", rights: .add))
    func version() async throws -> String? {
      let answer = await key.answer(APIRequest(method: "GET", path: "/v1/rows", query: [:], body: []))
      return Answer(answer)["version"]
    }
    let before = try await version()
    let section = try await part.list.store.write { list in
      let section = try list.addSection(title: "First").id
      try list.moveSection(section, to: 1)
      return section
    }
    #expect(try await version() == before)
    let insert = #"{"edits":[{"insert":{"customers":[{"first_name":"New"}]}}]}"#
    let answer = await key.answer(
      APIRequest(method: "POST", path: "/v1/edits", query: [:], body: Array(insert.utf8)))
    #expect(answer.status == 200)
    #expect(try await part.list.store.read { list in try list.ids(in: section).count } == 1)
  }

  @Test func `a contact that is hidden is neither taken nor found out`() async throws {
    for columns in [[.firstName, .email], [.firstName, .otherContacts]] as [[CustomerField]] {
      let part = try Part(columns: columns)
      let ids = try await part.rows().map(\.id)
      let before = try part.list.version
      for set in [#""email":"a@x.example""#, #""other_contacts":["email: a@x.example"]"#, #""email":"""#] {
        #expect(
          try await part.edit(#"{"update":{"ids":[\#(ids[0])],"set":{\#(set)}}}"#).status == 403, "\(set)")
      }
      #expect(try part.list.version == before)
    }
    // A part of the address changes the address.
    let address = try Part(columns: [.firstName, .address])
    let id = try await address.rows()[0].id
    #expect(try await address.edit(#"{"update":{"ids":[\#(id)],"set":{"city":"Bonn"}}}"#).status == 403)
    let part = try Part(columns: [.firstName, .email])
    let insert = #"{"insert":{"customers":[{"first_name":"A","email":"a@x.example"}]}}"#
    #expect(try await part.edit(insert).status == 200)
  }

  @Test func `undo of an added row takes along what others have hidden in it, and redo brings it back`()
    async throws
  {
    let part = try Part(columns: [.firstName, .note])
    let before = try part.stored()
    #expect(try await part.edit(#"{"insert":{"customers":[{"first_name":"New"}]}}"#).status == 200)
    try part.list.change { list in
      let id = try #require(try list.ids(in: part.section).last)
      try list.update(id) { $0.company = Self.secret }
      try list.addLine(Self.secret, to: id)
    }
    #expect(try await part.ask("undo", body: #"{"dry_run":true}"#).status == 200)
    #expect(try await part.ask("undo", body: "{}").status == 200)
    #expect(try part.stored() == before)
    #expect(try await part.ask("redo", body: "{}").status == 200)
    let company = try part.list.look { list in
      try list.customer(#require(try list.ids(in: part.section).last)).fields.company
    }
    #expect(company == Self.secret)
    #expect(try await part.rows().count == before.count + 1)
  }

  @Test func `what others do elsewhere does not keep a key from its edits, nor make it read again`()
    async throws
  {
    for columns in [nil, [.firstName, .note]] as [[CustomerField]?] {
      let part = try Part(columns: columns)
      _ = try await part.rows()
      let version = try await part.ask("rows")["version"]
      for number in 0..<30 {
        // As if it was done between the look at the list and the edit of it.
        try part.list.change { list in
          if columns == nil {
            try list.update(list.ids(in: list.sections()[0].id)[0]) { $0.note = "\(number)" }
          } else {
            try list.update(list.ids(in: part.section)[0]) { $0.company = "\(Self.secret) \(number)" }
          }
        }
        if columns == nil { #expect(try await part.ask("rows")["version"] == version) }
      }
      let rows = try await part.rows()
      #expect(
        try await part.edit(#"{"update":{"ids":[\#(rows[1].id)],"set":{"note":"mine"}}}"#).status == 200)
      #expect(try part.stored()[1].contains("mine"))
    }
  }

  @Test func `a token is of one key, and what a restored list lacks was never done`() async throws {
    let part = try Part()
    let other = try Part.key(part.list, .edit, part.section, nil, id: 8)
    let token = TransactionToken().rawValue
    let body = #"{"edits":[{"insert":{"customers":[{"first_name":"New"}]}}],"token":"\#(token)"}"#
    let request = APIRequest(method: "POST", path: "/v1/edits", query: [:], body: Array(body.utf8))
    let copy = part.folder.path + "/copy.sqlite"
    try part.list.store.backUp(to: copy)
    let count = try part.stored().count
    #expect(Answer(await part.key.answer(request)).again == false)
    #expect(Answer(await other.answer(request)).again == false)
    #expect(try part.stored().count == count + 2)
    #expect(Answer(await part.key.answer(request)).again == true)
    #expect(try await part.list.settle(token)["outcome"] == "not_done")
    try part.list.store.restore(
      CustomerStore.checkBackup(at: copy, forListAt: part.folder.path + "/list.sqlite"), keepingListAt: nil)
    #expect(Answer(await part.key.answer(request)).again == false)
    #expect(try TestAPI(CustomerStore(path: part.folder.path + "/list.sqlite")).ids.count == count + 6)
  }

  @Test(arguments: [PagePerson.Rights.edit, .add])
  func `what was asked before the server was started again is about no other row`(
    _ rights: PagePerson.Rights
  ) async throws {
    let part = try Part(rights)
    let token = TransactionToken().rawValue
    let known = try await part.rows()
    let sections = try await part.ask("sections").objects("sections").compactMap { $0["id"] as? Int }
    let edit =
      if rights == .edit {
        #"{"update":{"ids":[\#(known[0].id)],"set":{"note":"mine"}}}"#
      } else {
        #"{"insert":{"customers":[{"first_name":"New"}]}}"#
      }
    #expect(try await part.edit(edit, token: token).again == false)
    try part.list.change { list in try list.delete(try list.ids(in: part.section)[0]) }
    let stored = try part.stored()
    let started = try part.startedAgain()
    #expect(try await Set(started.rows().map(\.id)).isDisjoint(with: known.map(\.id)))
    let ids = try await started.ask("sections").objects("sections").compactMap { $0["id"] as? Int }
    #expect(ids.count == 1 && sections.count == 1 && ids != sections)
    let again = try await started.edit(edit, token: token)
    #expect(again.status == 200 && again.again == true && again["outcome"] == "done")
    #expect(try await started.edit(edit + "," + edit, token: token).kind == "token_used")
    if rights == .edit { #expect(try await started.edit(edit).status != 200) }
    #expect(try part.stored() == stored)
  }

  @Test(arguments: [nil, [.firstName, .note]] as [[CustomerField]?])
  func `what is asked again after the server was started again has the answer that it had`(
    _ columns: [CustomerField]?
  ) async throws {
    let part = try Part(columns: columns)
    let known = try await part.rows()
    for edit in [
      #"{"update":{"ids":[\#(known[0].id)],"set":{"note":"mine"}}}"#,
      #"{"move":{"ids":[\#(known[1].id)],"to":"last"}}"#,
      #"{"insert":{"customers":[{"first_name":"New"}]}}"#,
    ] {
      let token = TransactionToken().rawValue
      let first = try await part.edit(edit, token: token)
      let started = try part.startedAgain()
      let again = try await started.edit(edit, token: token)
      #expect(first.again == false && again.again == true && again.status == 200)
      for member in ["text", "outcome"] { #expect(again[member] == first[member], "\(edit)") }
      let places = try await (part.rows().map(\.id), started.rows().map(\.id))
      #expect(again.ids.map { places.1.firstIndex(of: $0) } == first.ids.map { places.0.firstIndex(of: $0) })
      #expect(again.ids.count == 1 && again.objects("changes").count == first.objects("changes").count)
    }
  }

  @Test(arguments: [PagePerson.Rights.read, .edit])
  func `what is forgotten in the list is forgotten in the part`(_ rights: PagePerson.Rights) async throws {
    let part = try Part(rights)
    let copy = part.folder.path + "/part.sqlite"
    let own = try #require(part.key as? LimitedList).part.list
    func says(_ word: String) throws -> Bool {
      try own.store.backUp(to: copy, replacing: true)
      return try Data(contentsOf: URL(filePath: copy)).range(of: Data(word.utf8)) != nil
    }
    for word in ["mistyped", "corrected"] {
      try part.list.change { list in
        try list.update(try #require(try list.ids(in: part.section).first)) { $0.note = word }
      }
      _ = try await part.rows(as: part.stored())
    }
    let version = try await part.ask("rows")["version"]
    #expect(try says("mistyped"))
    try part.list.change { try $0.forgetHistory() }
    #expect(try await part.rows(as: part.stored()).map(\.name) == part.stored())
    #expect(try says("corrected") && !says("mistyped"))
    // The rows are the same.
    #expect(try await part.ask("rows")["version"] == version)
    #expect(try await part.ask("rows", ["seen": version ?? ""]).json["other_list"] as? Bool == false)
  }

  @Test(arguments: [PagePerson.Rights.read, .edit, .add])
  func `a key for a part has no backup`(_ rights: PagePerson.Rights) async throws {
    let part = try Part(rights)
    let file = TransactionToken().rawValue
    let answer = try await part.ask("backup", body: #"{"file":"\#(file)"}"#)
    #expect(answer.status == 403 && answer.message == "This key has no backup.")
    #expect(try await part.ask("files", ["file": file]).status == 404)
  }

  @Test func `sections come, go, and move, and all rows keep their ids`() async throws {
    let list = TestAPI(try CustomerStore.inMemory())
    try list.store.fill(with: "Club: A, B, C | Guests: X, Y, Z | Rest: R")
    let ann = PagePerson(
      id: PersonID(rawValue: 7), name: "Ann", rights: .edit,
      limits: PageLimits(columns: [.field(.firstName), .field(.lastName)]))
    let key = try list.api.list(for: ann)
    /// The rows in their sections, as the key shows them.
    func shown() async throws -> [[String]] {
      let answer = Answer(await key.answer(APIRequest(method: "GET", path: "/v1/sections")))
      var sections: [[String]] = []
      for section in answer.objects("sections") {
        let query = ["section": "\(section["id"] as? Int ?? 0)"]
        let rows = Answer(await key.answer(APIRequest(method: "GET", path: "/v1/rows", query: query)))
        sections.append(
          [section["title"] as? String ?? ""] + rows.objects("rows").map { $0["name"] as? String ?? "" })
      }
      return sections
    }
    func ids() async throws -> [String: Int] {
      let rows = Answer(
        await key.answer(APIRequest(method: "GET", path: "/v1/rows", query: ["limit": "1000"])))
      return Dictionary(
        uniqueKeysWithValues: rows.objects("rows").map { ("\($0["name"] ?? "")", $0["id"] as? Int ?? 0) })
    }
    let known = try await ids()
    #expect(known.count == 7)
    let sections = try list.look { try $0.sections().map(\.id) }
    let changes: [@Sendable (inout CustomerList) throws -> Void] = [
      { _ = try $0.addSection(title: "New", at: 2) },
      { try $0.renameSection(sections[0], title: "Guest") },
      { list in
        try list.protect(list.ids(in: sections[1])[1], canMove: false)
        try list.apply(.move([list.ids(in: sections[1])[0]], to: .first, in: sections[2]))
      },
      { try $0.moveSection(sections[2], to: 1) },
      { list in
        let titles = try [0, 1].map { try list.section(sections[$0]).title }
        try list.renameSection(sections[0], title: "?")
        try list.renameSection(sections[1], title: titles[0])
        try list.renameSection(sections[0], title: titles[1])
      },
      { list in
        try list.apply(.move(list.ids(in: sections[0]), to: .last, in: sections[2]))
        try list.deleteSection(sections[0])
        _ = try list.addSection(title: "Guests")
      },
    ]
    for change in changes {
      try list.change(change)
      let wanted = try list.look { list in
        try list.sections().map { section in
          var names: [String] = [section.title]
          try list.forEach(in: section.id) { customer in
            names.append(customer.fields.name)
            return true
          }
          return names
        }
      }
      try await waitUntilEqual(wanted, shown)
      #expect(try await ids() == known)
    }
  }

  /// Waits until a part shows something: one that took long to read is not read again at once.
  private func waitUntilEqual(_ wanted: [[String]], _ shown: () async throws -> [[String]]) async throws {
    let start = ContinuousClock.now
    var found = try await shown()
    while found != wanted, ContinuousClock.now - start < longestWait {
      try await Task.sleep(for: .milliseconds(20))
      found = try await shown()
    }
    #expect(found == wanted)
  }

  @Test func `an extra column that a key shows is edited, declared or not`() async throws {
    for columns in [nil, [.firstName, .extra("Room")]] as [[CustomerField]?] {
      let part = try Part(columns: columns)
      try part.list.change { list in
        for (section, name) in [(part.section, "Room"), (try list.sections()[0].id, "Guild")] {
          try list.update(try #require(try list.ids(in: section).last)) {
            $0[.extra(name)] = .text(Self.secret)
          }
        }
        if columns == nil {
          let id = try #require(try list.ids(in: part.section).last)
          try list.update(id) { $0[.extra("Room")] = .text("1") }
        }
      }
      try part.list.change { list in
        try list.update(try #require(try list.ids(in: part.section).last)) { $0[.extra("Room")] = .text("1") }
      }
      let id = try await part.rows()[0].id
      func set(_ name: String) async throws -> Int {
        try await part.edit(#"{"update":{"ids":[\#(id)],"set":{"extra":{"\#(name)":"2"}}}}"#).status
      }
      #expect(try await set("Room") == 200)
      // Columns that only others have are not there.
      #expect(try await set("Guild") == 403)
      #expect(try await set("Club") == 403)
      let room = try part.list.look { list in
        try list.customer(try #require(try list.ids(in: part.section).first)).fields[.extra("Room")].text
      }
      #expect(room == "2")
    }
  }

  @Test func `a stream goes on from a version, and ends with the section`() async throws {
    let part = try Part()
    func events(_ version: ListVersion?) async throws -> [String]? {
      let stream = try #require(part.key.stream(after: version))
      return await stream().map { bytes in
        String(decoding: bytes, as: UTF8.self).matches(of: #/event: (\w+)/#).map { String($0.1) }
      }
    }
    let version = try #require(try await part.ask("rows")["version"].flatMap { ListVersion($0) })
    #expect(try await events(nil) == ["hello"])
    let hello = String(decoding: await part.key.stream(after: nil)?() ?? [], as: UTF8.self)
    #expect(hello.contains(#""read_only":false"#) && !hello.contains(#""list""#), "\(hello)")
    #expect(try await events(version) == ["hello"])
    #expect(try await events(ListVersion(mark: "0123456789abcdef", edit: 3)) == ["hello", "reload"])
    let stream = try #require(part.key.stream(after: version))
    #expect(await stream() != nil)
    try part.list.change { list in
      try list.update(try #require(try list.ids(in: part.section).first)) { $0.note = "new" }
    }
    #expect(String(decoding: await stream() ?? [], as: UTF8.self).contains("event: reload"))
    #expect(try await events(version) == ["hello", "reload"])
    try part.list.change { try $0.deleteSection(part.section, withCustomers: true) }
    #expect(await stream() == nil)
  }

  @Test func `keys that edit at once lose nothing`() async throws {
    let part = try Part()
    let keys = try (0..<3).map { _ in try Part.key(part.list, .edit, part.section, nil) }
    await withTaskGroup(of: Void.self) { group in
      for (index, key) in keys.enumerated() {
        group.addTask {
          for number in 0..<20 {
            let body =
              #"{"edits":[{"insert":{"customers":[{"first_name":"K\#(index)-\#(number)"}],"to":"first"}}]}"#
            let request = APIRequest(method: "POST", path: "/v1/edits", query: [:], body: Array(body.utf8))
            // A list that changes all the time is busy, and one that is written is locked.
            while await key.answer(request).status != 200 {}
          }
        }
      }
      group.addTask {
        for _ in 0..<40 {
          try? part.list.change { list in
            let last = try #require(try list.ids(in: part.section).last)
            try list.apply(.move([last], to: .first))
          }
        }
      }
    }
    let names = try part.stored()
    #expect(names.count == 68 && Set(names).count == 68)
    #expect(try part.list.look { try $0.check() }.isEmpty)
  }
}
