import CustomerFixtures
import CustomerStore
import CustomersWeb
import CustomersSQLite
import CustomersTestSupport
import Foundation
import Testing

/// Two pages and another SQLite client edit a list at random.
@Suite(.onThreads) struct RandomAPITests {
  /// The list in arrays: the rows of each section.
  private struct Model {
    var sections: [[Int64]]
    var rows: [Int64] { sections.flatMap(\.self) }

    func section(of id: Int64) -> Int? { sections.firstIndex { $0.contains(id) } }

    mutating func move(_ ids: [Int64], to section: Int, _ index: Int) {
      let moving = rows.filter(ids.contains)
      for section in sections.indices { sections[section].removeAll(where: ids.contains) }
      sections[section].insert(contentsOf: moving, at: index)
    }

    /// Moves rows to a position of the whole list, from 1; in their section, if they can be there.
    mutating func move(_ ids: [Int64], toRow row: Int) -> Bool {
      guard let first = rows.first(where: ids.contains), let home = section(of: first) else { return false }
      let staying = sections.map { $0.filter { !ids.contains($0) } }
      var above = 0
      var found: (section: Int, index: Int)?
      for (section, rows) in staying.enumerated() {
        let index = row - 1 - above
        if section == home ? (0...rows.count).contains(index) : rows.indices.contains(index),
          found == nil || section == home
        {
          found = (section, index)
        }
        above += rows.count
      }
      guard row >= 1, row <= above + 1 else { return false }
      let target = found ?? (staying.count - 1, staying[staying.count - 1].count)
      move(ids, to: target.section, target.index)
      return true
    }
  }

  @Test(arguments: [1, 2, 3])
  func `windows show the list, and each answer is true`(seed: Int) async throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let path = folder.path + "/list.sqlite"
    let list = TestAPI(try CustomerStore(path: path))
    try list.store.fill(with: "A, B, C, D, E, F, G, H | More: X, Y | Third: Z")
    let raw = try Connection(path: path)
    try raw.executeScript("PRAGMA synchronous = OFF")
    let sections = try list.look { try $0.sections().map(\.id.rawValue) }
    var model = Model(sections: [Array(1...8), [9, 10], [11]])
    var lastID: Int64 = 11
    var seen = [try list.version, try list.version]
    // The edit by which each row was last added or moved.
    var moved: [Int64: Int64] = [:]
    var done = 0
    for _ in 0..<700 {
      let client = random.below(3)
      let rows = model.rows
      let ids = (0...random.below(3)).compactMap { _ in rows.randomElement(using: &random) }
      let all = Array(Set(ids)).sorted()
      let (index, end) = (random.below(sections.count), random.oneIn(2))
      guard client < 2 else {
        if let id = all.first, random.oneIn(2) {
          let count = model.sections[index].count + (model.sections[index].contains(id) ? 0 : 1)
          let order = 1 + random.below(count)
          try raw.execute(
            #"UPDATE customers SET section = ?, "order" = ? WHERE id = ?"#,
            [.integer(sections[index]), .integer(Int64(order)), .integer(id)])
          model.move([id], to: index, order - 1)
          moved[id] = try list.version.edit
        } else if let id = all.first, rows.count > 12 {
          try raw.execute("DELETE FROM customers WHERE id = ?", [.integer(id)])
          for section in model.sections.indices { model.sections[section].removeAll { $0 == id } }
        } else {
          try raw.execute(
            "INSERT INTO customers (section, first_name) VALUES (?, 'R')", [.integer(sections[index])])
          lastID += 1
          model.sections[index].append(lastID)
          moved[lastID] = try list.version.edit
        }
        continue
      }
      if random.oneIn(3) { seen[client] = try list.version }
      let edit: String
      var after = model
      switch random.below(5) {
      case 0:
        edit =
          #"{"insert":{"customers":[{"first_name":"N"}],"section":\#(sections[index]),"to":"\#(end ? "last" : "first")"}}"#
        after.sections[index].insert(lastID + 1, at: end ? after.sections[index].count : 0)
      case 1 where rows.count > 12:
        edit = #"{"delete":{"ids":\#(all)}}"#
        for section in after.sections.indices { after.sections[section].removeAll(where: all.contains) }
      case 2:
        let row = random.below(rows.count + 2)
        edit = #"{"move":{"ids":\#(all),"to":{"position":\#(row)}}}"#
        _ = after.move(all, toRow: row)
      case 3:
        let before = random.oneIn(9) ? lastID + 5 : rows[random.below(rows.count)]
        edit = #"{"move":{"ids":\#(all),"to":{"before":\#(before)}}}"#
        if let section = after.section(of: before), !all.contains(before) {
          let staying = after.sections[section].filter { !all.contains($0) }
          after.move(all, to: section, staying.firstIndex(of: before) ?? 0)
        }
      default:
        edit = #"{"move":{"ids":\#(all),"section":\#(sections[index]),"to":"\#(end ? "last" : "first")"}}"#
        after.move(all, to: index, end ? after.sections[index].count { !all.contains($0) } : 0)
      }
      let token = TransactionToken().rawValue
      let answer = try await list.edit(edit, seen: seen[client], token: token, page: "p\(client)")
      switch answer.status {
      case 200:
        done += 1
        if edit.hasPrefix(#"{"insert"#) { lastID += 1 }
        model = after
        let changed = edit.hasPrefix(#"{"insert"#) ? [lastID] : all
        for id in changed { moved[id] = try list.version.edit }
        if random.oneIn(4), answer.json["step"] as? Int != nil {
          #expect(
            try await list.edit(edit, seen: seen[client], token: token, page: "p\(client)").again == true)
        }
      case 409 where answer["reason"] == "moved":
        let id = try #require(answer.ids.first)
        #expect(all.contains(Int64(id)) && moved[Int64(id), default: 0] > seen[client].edit)
      case 409, 422: #expect(["deleted", "other"].contains(answer["reason"] ?? ""), "\(edit)")
      default: Issue.record("\(edit): \(answer.json)")
      }
      let (from, limit) = (1 + random.below(rows.count), 1 + random.below(8))
      let window = try await list.rows(["from": String(from), "limit": String(limit)])
      let first = try #require(window[number: "from"])
      let expected = Array(model.rows.dropFirst(first - 1).prefix(limit))
      #expect(window.objects("rows").map { Int64($0["id"] as? Int ?? 0) } == expected, "\(edit)")
    }
    #expect(try list.ids == model.rows)
    #expect(done > 100)
    #expect(try list.look { try $0.check() }.isEmpty)
  }
}
