import CustomerFixtures
@testable import CustomerStore
import CustomersText
import CustomersSQLite
import CustomersTestSupport
import Foundation
import Testing

/// What an edit that names one extra column does to the bytes of the others: nothing.
@Suite(.onThreads) struct ExtraValueTests {
  private static let names = [
    "City", "city", "City ", "Größe", "a\"b", "a.b", "[0]", "$", "extra", "x\\y", "é", "e\u{301}",
    "first_name",
    "tab\there",
  ]
  private static let values = [
    "12345678901234567890", "1.10", "1e2", "-0", "0.50", "1E+2", "7", #""7""#, #""caf\u00e9""#, #""\u202e""#,
    #""a\/b""#, "[1, 2.0,  {\"k\" : 1e5}]", #"{"a":{"b":[ ]} }"#, "true", "false", "null", #""""#,
    "\"\u{202e}\"",
    #"{"k":1,"K":1.0}"#,
  ]

  @Test(arguments: ["{bad", "nul", "1 2", #"1, "Area": "x""#, "}", "\u{0}"])
  func `malformed JSON is kept as a string, and the other columns stay`(text: String) throws {
    let store = try CustomerStore.inMemory("Ann")
    let area = CustomerField.extra("Area"), bad = CustomerField.extra("Bad")
    try store.write { _ = try $0.apply(.update([1], [area: "North", .extra("N"): .json("1.50")])) }
    try store.write { try $0.update(1) { $0[bad] = .json(text) } }
    try store.write { _ = try $0.apply(.update([1], [.extra("Worse"): .json(text)])) }
    let fields = try store.read { try $0.customer(1).fields }
    #expect(fields[area] == "North" && fields[.extra("N")] == .json("1.50"))
    #expect(fields[bad].text == text && fields[.extra("Worse")].text == text)
    for _ in 0..<2 { _ = try store.write { try $0.undo() } }
    #expect(try store.read { try $0.customer(1).fields.extra } == #"{"Area":"North","N":1.50}"#)
    try store.write { try $0.update(1) { $0[area] = .json("") } }
    #expect(try store.read { try $0.customer(1).fields.extra } == #"{"N":1.50}"#)
  }

  @Test func `a mark that is neither yes nor no is refused`() throws {
    let store = try CustomerStore.inMemory("Ann")
    let error = #expect(throws: FieldError.self) {
      try store.write { _ = try $0.apply(.update([1], [.isFavorite: "maybe"])) }
    }
    #expect(error?.localizedDescription == "Favorite must be yes, no, true, false, 1, or 0")
    try store.write { _ = try $0.apply(.update([1], [.isFavorite: "Yes"])) }
    #expect(try store.read { try $0.customer(1).fields.isFavorite })
  }

  /// The columns of a customer, as the test expects them in the file.
  private struct Row {
    var members: [(name: String, key: String, value: String)] = []
    /// As another client wrote it, until one of our edits.
    var written: String?

    init(_ random: inout SplitMix64) {
      var free = ExtraValueTests.names
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let name = free.remove(at: .random(in: free.indices, using: &random))
        let value = ExtraValueTests.values.randomElement(using: &random) ?? ""
        members.append((name, random.oneIn(4) ? Self.escaped(name) : JSON.string(name).text, value))
      }
      let space = random.oneIn(2) ? " " : ""
      written =
        members.isEmpty
        ? "{}"
        : "{\(space)" + members.map { "\($0.key)\(space):\(space)\($0.value)" }.joined(separator: ",\(space)")
          + "\(space)}"
    }

    var text: String { written ?? "{" + members.map { "\($0.key):\($0.value)" }.joined(separator: ",") + "}" }

    func index(_ name: String) -> Int? { members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) } }

    mutating func rename(_ name: String, to newName: String?) {
      guard let index = index(name) else { return }
      written = nil
      if let newName {
        (members[index].name, members[index].key) = (newName, JSON.string(newName).text)
      } else {
        members.remove(at: index)
      }
    }

    mutating func set(_ name: String, _ text: String) {
      let value = JSON.string(text).text
      switch (index(name), text.isEmpty) {
      case (let index?, false): members[index].value = value
      case (let index?, true): members.remove(at: index)
      case (nil, false): members.append((name, JSON.string(name).text, value))
      case (nil, true): return
      }
      written = nil
    }

    private static func escaped(_ name: String) -> String {
      "\"" + name.utf16.map { "\\u" + String(String(Int($0) + 0x10000, radix: 16).dropFirst()) }.joined()
        + "\""
    }
  }

  private func stored(_ list: borrowing CustomerList) throws -> [String] {
    try list.connection.fetchAll("SELECT extra FROM customer_record ORDER BY id") { $0.text(0) }
  }

  @Test(arguments: sampled(0..<(isLong ? 2000 : 80), oneIn: 8))
  func `every edit of a column leaves the bytes and the order of the others alone`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let store = try CustomerStore.inMemory("Ann, Bob, Cid, Dee")
    var rows = (0..<4).map { _ in Row(&random) }
    try store.write { list in
      for (index, row) in rows.enumerated() {
        try list.connection.execute(
          "UPDATE customers SET extra = ? WHERE id = ?", [.text(row.text), .integer(index + 1)])
      }
    }
    for number in 0..<12 {
      let before = rows
      let name = Self.names.randomElement(using: &random) ?? ""
      let row = Int.random(in: 0..<4, using: &random)
      let id = CustomerID(rawValue: Int64(row + 1))
      let text =
        random.oneIn(4)
        ? "" : ["x\(number)", "é\(number)\"\n", "\(number) 000"].randomElement(using: &random) ?? ""
      var edit: ListEdit?
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let free = Self.names.filter { name in
          !ListColumn.isTaken(name) && rows.allSatisfy { $0.index(name) == nil }
        }
        let newName = free.randomElement(using: &random)
        guard let newName, rows.contains(where: { $0.index(name) != nil }) else { break }
        for index in rows.indices { rows[index].rename(name, to: newName) }
        edit = .column(.rename(name, to: newName))
      case 1:
        guard rows.contains(where: { $0.index(name) != nil }) else { break }
        for index in rows.indices { rows[index].rename(name, to: nil) }
        edit = .column(.drop(name))
      case 2:
        rows[row].set(name, text)
        edit = .update([id], [.extra(name): .text(text)])
      default:
        rows[row].set(name, text)
        let seen = try store.read { list in try list.customer(id).fields }
        var wanted = seen
        wanted[.extra(name)] = .text(text)
        edit = .save(id, from: seen, to: wanted)
      }
      guard let edit else { continue }
      try store.write { list in try list.apply(edit) }
      let found = try store.read { list in try stored(list) }
      try #require(found == rows.map(\.text), "\(seed): \(edit)")
      guard found != before.map(\.text) else { continue }
      try store.write { list in try list.undo() }
      let undone = try store.read { list in try stored(list) }
      try #require(undone == before.map(\.text), "\(seed): undo \(edit)")
      try store.write { list in try list.redo() }
      let redone = try store.read { list in try stored(list) }
      try #require(redone == found, "\(seed): redo \(edit)")
    }
  }

  @Test func `a repeated name is renamed and dropped with all its values`() throws {
    let store = try CustomerStore.inMemory("Ann")
    try store.write { list in
      try list.connection.execute(#"UPDATE customers SET extra = '{"a":1.0,"b":1e2,"a":"\u00e9"}'"#)
      try list.renameColumn("a", to: "c")
      let renamed = try stored(list)
      #expect(renamed == [#"{"c":1.0,"b":1e2,"c":"\u00e9"}"#])
      try list.dropColumn("c")
      let dropped = try stored(list)
      #expect(dropped == [#"{"b":1e2}"#])
    }
  }

  @Test func `a string that is not UTF-8 stays as it is`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob")
    try store.write { list in
      try list.connection.execute(#"UPDATE customers SET extra = '{"a":1}'"#)
      try list.connection.execute(
        "UPDATE customers SET extra = CAST(x'7b2261223a22ff227d' AS TEXT) WHERE id = 1")
      let count = try list.dropColumn("a")
      let left = try list.connection.fetchAll("SELECT hex(extra) FROM customer_record ORDER BY id") {
        $0.text(0)
      }
      #expect(count == 1 && left == ["7B2261223A22FF227D", "7B7D"])
    }
  }

  /// More than one page of rows.
  @Test func `a column of many customers is one edit`() throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in
      try list.insert(
        contentsOf: (0..<2500).map { number in
          var fields = CustomerFields(firstName: "\(number)")
          if !number.isMultiple(of: 7) { fields.extra = #"{"a":\#(number).0,"b":1e2}"# }
          return fields
        })
    }
    try store.write { list in
      let first = try list.lastEdit()
      let count = try list.dropColumn("a")
      let last = try list.lastEdit()
      #expect(count == 2500 - 358 && last == first + 1)
      let left = try Set(stored(list))
      #expect(left == ["{}", #"{"b":1e2}"#])
    }
  }

  @Test(
    arguments: [
      (.json("7"), "8", .json("8")), (.json("7"), "7", .json("7")), (.text("7"), "8", .text("8")),
      (.json("1.10"), "12345678901234567890", .json("12345678901234567890")),
      (.json("7"), "1e2", .json("1e2")),
      (.json("7"), "1.10", .json("1.10")), (.json("7"), "seven", .text("seven")),
      (.json("7"), " 8", .text(" 8")),
      (.json("7"), "08", .text("08")), (.json("7"), "true", .text("true")),
      (.json("true"), "false", .json("false")),
      (.json("true"), "1", .text("1")), (.json("[1]"), "[1,2.0]", .json("[1,2.0]")),
      (.json("[1]"), "[1", .text("[1")),
      (.json(#"{"a":1}"#), "[1]", .text("[1]")), (.text(""), "7", .text("7")), (.json("7"), "", .text("")),
    ] as [(FieldValue, String, FieldValue)])
  func `a number typed over a number is a number, and a string stays a text`(
    old: FieldValue, typed: String, new: FieldValue
  ) throws {
    #expect(old.replaced(by: typed) == new)
    let store = try CustomerStore.inMemory("Ann")
    try store.write { list in
      try list.update(1) { $0.extraColumns["n"] = old }
      try list.apply(.update([1], [.extra("n"): .text(typed)]))
      let found = try list.customer(1).fields.extraColumns["n"]
      #expect(found == (typed.isEmpty ? nil : new))
    }
  }

  @Test func `a CSV text and a JSON number of the same text are the same entry`() throws {
    #expect(FieldValue.text("1").isSame(as: .json("1")) && FieldValue.json("1").isSame(as: .json("1")))
    #expect(!FieldValue.text("1").isSame(as: .json("2")) && !FieldValue.json("1").isSame(as: .json("1.0")))
    let store = try CustomerStore.inMemory("Ann, Ann")
    try store.write { list in
      try list.update(1) { $0.extra = #"{"a":"1","b":2}"# }
      try list.update(2) { $0.extra = #"{"a":1,"b":"3"}"# }
      let merged = try list.merge([1, 2])
      #expect(merged.fields.extra == #"{"a":"1","b":2,"b 2":"3"}"#)
    }
    var extra = ExtraColumns(#"{"a":1,"b":2,"c":"3","d":""}"#)
    extra.set([("a", .text("1")), ("b", .text("2.5")), ("c", .json("3")), ("e", .text(""))])
    #expect(extra.json == #"{"a":1,"b":2.5,"c":"3","d":""}"#)
  }

  @Test func `a change of only the type is no conflict`() throws {
    let store = try CustomerStore.inMemory("Ann")
    try store.write { list in
      try list.update(1) { $0.extra = #"{"a":1}"# }
      let seen = try list.customer(1).fields
      try list.update(1) { $0.extraColumns["a"] = .json("2") }
      var wanted = seen
      wanted.extraColumns["a"] = .text("2")
      let saved = try list.update(1, from: seen, to: wanted)
      #expect(saved.fields.extra == #"{"a":2}"#)
    }
  }
}
