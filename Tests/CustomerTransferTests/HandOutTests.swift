import CustomerFixtures
import CustomerStore
import CustomerTransfer
import CustomersTestSupport
import Foundation
import Testing

/// Lists that are handed out as files, and imported again.
@Suite(.onThreads) struct HandOutTests {
  /// The rows of a CSV file, without quotes.
  private struct File {
    var columns: [String]
    var rows: [[String]]

    init(_ store: CustomerStore, _ change: (inout ExportOptions) -> Void = { _ in }) throws {
      var options = ExportOptions()
      options.includesIDs = true
      change(&options)
      var bytes: [UInt8] = []
      try store.read { list in _ = try list.exportCustomers(options) { bytes += $0 } }
      let lines = String(decoding: bytes, as: UTF8.self).split(
        separator: "\n", omittingEmptySubsequences: true
      )
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
      (columns, rows) = (lines[0], Array(lines.dropFirst()))
    }

    subscript(row: Int, column: String) -> String {
      get { rows[row][columns.firstIndex(of: column) ?? 0] }
      set { rows[row][columns.firstIndex(of: column) ?? 0] = newValue }
    }

    var text: String { ([columns] + rows).map { $0.joined(separator: ",") + "\n" }.joined() }

    func importer(_ change: (inout ImportOptions) -> Void = { _ in }) throws -> CustomerImporter {
      var options = ImportOptions()
      options.duplicates = .update
      options.keys = ["id"]
      change(&options)
      var pieces = [Array(text.utf8)]
      return try CustomerImporter(options, receiving: { pieces.popLast() ?? [] })
    }

    func index(of name: String) -> Int { rows.indices.first { self[$0, "first_name"] == name } ?? 0 }
  }

  /// The first names, section by section.
  private func names(_ store: CustomerStore) throws -> [[String]] {
    try store.read { list in
      try list.sections().map { section in
        try list.page(from: 1, limit: .max, in: section.id).map(\.fields.firstName)
      }
    }
  }

  private func importing(
    _ file: File, into store: CustomerStore, _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws -> ImportSummary {
    let importer = try file.importer(change)
    return try store.write(action: "import") { list in try list.importCustomers(from: importer) }
  }

  @Test func `a customer with another name is the same one, and all of it is one step`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob | Leads: Cid")
    var file = try File(store)
    #expect(file.columns.prefix(3) == ["id", "version", "first_name"])
    file[1, "first_name"] = "Robert"
    file[1, "email"] = "r@x.example"
    let summary = try importing(file, into: store)
    #expect(summary.updated == 1 && summary.added == 0 && summary.skipped == 2)
    #expect(
      summary.changes[0].name == "Bob" && summary.changes[0].fields.map(\.new) == ["Robert", "r@x.example"])
    #expect(try names(store) == [["Ann", "Robert"], ["Cid"]])
    try store.write { list in try list.undo() }
    #expect(try names(store) == [["Ann", "Bob"], ["Cid"]])
  }

  @Test(arguments: [FileFormat.csv, .json, .ndjson])
  func `columns of the list with names of ours are its own, in the same list and in another one`(
    _ format: FileFormat
  ) throws {
    let names = ["uid", "next", "Next date", "log", "id", "version", "Name"]
    let store = try CustomerStore.inMemory("Ann, Bob, Cid")
    try store.write { list in
      for id in [CustomerID(1), 2] {
        try list.update(id) { fields in
          for name in names { fields.extraColumns[name] = .text("\(name) of \(id.rawValue)") }
        }
      }
    }
    func columns(_ store: CustomerStore) throws -> [[String?]] {
      try store.read { list in
        try list.page(from: 1, limit: .max, in: 1).map { row in
          names.map { row.fields.extraColumns[$0]?.text } + [
            row.fields.extra == "{}" ? "" : nil, row.fields.next,
          ]
        }
      }
    }
    func file(_ includesIDs: Bool) throws -> [UInt8] {
      var (options, bytes) = (ExportOptions(format: format), [UInt8]())
      options.includesIDs = includesIDs
      try store.read { list in _ = try list.exportCustomers(options) { bytes += $0 } }
      return bytes
    }
    func take(_ bytes: [UInt8], into store: CustomerStore, _ duplicates: DuplicateHandling) throws
      -> ImportSummary
    {
      var options = ImportOptions(format: format)
      (options.duplicates, options.keys) = (duplicates, duplicates == .add ? [] : ["id"])
      var pieces = [bytes]
      let importer = try CustomerImporter(options, receiving: { pieces.popLast() ?? [] })
      return try store.write(action: "import") { list in try list.importCustomers(from: importer) }
    }
    let expected = try columns(store)
    for includesIDs in [false, true] {
      let other = try CustomerStore.inMemory("")
      #expect(try take(file(includesIDs), into: other, .add).added == 3)
      #expect(try columns(other) == expected, "\(includesIDs)")
    }
    #expect(try take(file(true), into: store, .update).updated == 0)
    #expect(try columns(store) == expected)
    let changed = String(decoding: try file(true), as: UTF8.self).replacing("uid of 2", with: "other")
    #expect(try take(Array(changed.utf8), into: store, .update).updated == 1)
    #expect(try columns(store)[1][0] == "other" && columns(store)[2] == expected[2])
  }

  @Test func `what only one side changed is kept, and what both changed is a conflict`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob, Cid")
    var file = try File(store)
    try store.write { list in
      try list.update(1) { $0.note = "here" }
      try list.update(2) { $0.phone = "1" }
      try list.update(3) { $0.company = "Acme" }
    }
    (file[0, "email"], file[1, "phone"], file[2, "company"]) = ("ann@x.example", "2", "Acme")
    let importer = try file.importer()
    #expect(throws: TransferError.conflicts(count: 1)) {
      try store.write { list in try list.importCustomers(from: importer) }
    }
    #expect(importer.conflicts.map(\.kind) == [.value(column: "phone", ours: "1", theirs: "2")])
    #expect(importer.conflicts[0].id == 2 && importer.conflicts[0].place?.line == 3)
    #expect(try store.read { try $0.customer(1).fields.email } == "")
    for (winner, phone) in [(ConflictSide.ours, "1"), (.theirs, "2")] {
      _ = try importing(file, into: store) { $0.conflictWinner = winner }
      let fields = try store.read { list in try [1, 2, 3].map { try list.customer($0).fields } }
      #expect(fields[0].note == "here" && fields[0].email == "ann@x.example")
      #expect(fields[1].phone == phone && fields[2].company == "Acme")
      try store.write { list in try list.undo() }
    }
  }

  @Test func `a column that the list renamed is one column, and tags of both sides come together`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob, Cid")
    try store.write { list in
      try list.update(1) { ($0.extraColumns["Club"], $0.tags) = ("Chess", "old") }
      try list.update(2) { $0.extraColumns["Club"] = "Go" }
      try list.update(3) { $0.extraColumns["Fax"] = "1" }
    }
    var file = try File(store)
    try store.write { list in
      try list.renameColumn("Club", to: "Guild")
      try list.renameColumn("Guild", to: "Room")
      try list.update(1) { $0.tags = "old\nhere" }
      try list.update(2) { $0.extraColumns["Room"] = "Whist" }
    }
    (file[0, "Club"], file[0, "tags"]) = ("Bridge", "\"old\nthere\"")
    file[1, "note"] = "there"
    file[2, "Club"] = "Skat"
    let summary = try importing(file, into: store)
    #expect(summary.updated == 3)
    let fields = try store.read { list in try [1, 2, 3].map { try list.customer($0).fields } }
    #expect(fields.map { $0.extraColumns["Room"]?.text } == ["Bridge", "Whist", "Skat"])
    #expect(fields.allSatisfy { $0.extraColumns["Club"] == nil } && fields[1].note == "there")
    #expect(fields[0].tags == "old\nhere\nthere")
    file[1, "Club"] = "Rummy"
    let importer = try file.importer()
    #expect(throws: TransferError.conflicts(count: 1)) {
      try store.write { list in
        try list.undo()
        try list.importCustomers(from: importer)
      }
    }
    #expect(importer.conflicts.map(\.kind) == [.value(column: "Room", ours: "Whist", theirs: "Rummy")])
  }

  @Test func `without the history, every difference is a conflict`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob")
    var file = try File(store)
    try store.write { list in
      try list.update(1) { $0.note = "here" }
      try list.forgetHistory()
    }
    file[1, "phone"] = "2"
    let importer = try file.importer()
    #expect(throws: TransferError.conflicts(count: 2)) {
      try store.write { list in try list.importCustomers(from: importer) }
    }
    #expect(throws: TransferError.noCommonVersion) {
      try importing(file, into: store) {
        $0.takesOrder = true
        $0.conflictWinner = .theirs
      }
    }
    _ = try importing(file, into: store) { $0.conflictWinner = .theirs }
    #expect(try store.read { try $0.customer(1).fields.note } == "")
    #expect(try store.read { try $0.customer(2).fields.phone } == "2")
  }

  @Test func `who was logged here and is missing in the file is a conflict`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob, Cid, Dora")
    func log(_ text: String, _ id: CustomerID) throws {
      let line = LogLine(
        id: LogLineID(rawValue: -id.rawValue), customer: id, time: "2026-11-30T09:00:00Z", text: text)
      try store.write { list in _ = try list.addLines([line], to: id) }
    }
    try log("before", 1)
    var file = try File(store)
    try log("signed by phone", 3)
    file.rows = [file.rows[1]]
    let importer = try file.importer { $0.deletesMissing = true }
    #expect(throws: TransferError.conflicts(count: 1)) {
      try store.write { list in try list.importCustomers(from: importer) }
    }
    #expect(importer.conflicts.map(\.name) == ["Cid"])
    _ = try importing(file, into: store) { ($0.conflictWinner, $0.deletesMissing) = (.ours, true) }
    #expect(try names(store) == [["Bob", "Cid"]])
  }

  @Test func `deleted customers stay deleted, and a change of one is a conflict`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob, Cid, Dora")
    var file = try File(store)
    try store.write { list in
      try list.delete([1, 2])
      try list.update(3) { $0.note = "here" }
    }
    #expect(try importing(file, into: store).added == 0)
    #expect(try names(store) == [["Cid", "Dora"]])
    file[1, "phone"] = "2"
    file.rows.removeLast(2)
    let importer = try file.importer { $0.deletesMissing = true }
    #expect(throws: TransferError.conflicts(count: 2)) {
      try store.write { list in try list.importCustomers(from: importer) }
    }
    #expect(importer.conflicts.map(\.kind) == [.deletedFromList, .deletedFromFile])
    #expect(importer.conflicts.map(\.name) == ["Bob", "Cid"])
    let without = try importing(file, into: store) { $0.conflictWinner = .ours }
    #expect(without.missing.names == ["Cid", "Dora"])
    #expect(try names(store) == [["Cid", "Dora"]])
    _ = try importing(file, into: store) {
      $0.conflictWinner = .theirs
      $0.deletesMissing = true
    }
    #expect(try names(store) == [["Bob"]])
  }

  @Test func `a part of the list does not tell what is missing`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob | Leads: Cid, Dora")
    var part = try File(store) { $0.filter = RowFilter(search: TextSearch("o")) }
    part.rows.removeLast()
    #expect(try importing(part, into: store).missing.count == 0)
    #expect(throws: TransferError.partOfList) {
      try importing(part, into: store) { $0.deletesMissing = true }
    }
    var leads = try File(store) { $0.section = 2 }
    leads.rows.removeLast()
    #expect(try importing(leads, into: store).missing.names == ["Dora"])
    _ = try importing(leads, into: store) { $0.deletesMissing = true }
    #expect(try names(store) == [["Ann", "Bob"], ["Cid"]])
  }

  @Test func `an id in two rows, or a file without versions, is refused`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob")
    var file = try File(store)
    file.rows.append(file.rows[0])
    #expect(throws: TransferError.self) { try importing(file, into: store) }
    var plain = try File(store) { $0.includesIDs = false }
    plain[0, "note"] = "x"
    #expect(throws: TransferError.noVersion) {
      try importing(plain, into: store) {
        $0.keys = ["first_name"]
        $0.takesOrder = true
      }
    }
  }

  @Test func `chosen columns are enough, in any order if id is the key`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob")
    try store.write { list in
      try list.update(1) { $0.extraColumns["order"] = "7" }
      try list.update(2) { $0.phone = "2" }
    }
    var file = try File(store) { $0.columns = [.order, .field(.phone), .field(.extra("order"))] }
    #expect(file.columns == ["id", "version", "order", "phone", "extra.order"])
    (file[0, "phone"], file[0, "extra.order"], file[1, "order"]) = ("1", "8", "99")
    file.columns.reverse()
    file.rows = file.rows.map { $0.reversed() }
    let summary = try importing(file, into: store)
    #expect(summary.updated == 1 && summary.added == 0)
    let fields = try store.read { try $0.customer(1).fields }
    #expect(fields.phone == "1" && fields.extraColumns["order"] == "8" && fields.firstName == "Ann")
  }

  @Test
  func `rows that moved are reported, and moved if that is wanted; new ones are where the file has them`()
    throws
  {
    let store = try CustomerStore.inMemory("Ann, Bob, Cid | Leads: Dora")
    var file = try File(store)
    file.rows.swapAt(0, 1)
    file[3, "section"] = file[0, "section"]
    var new = file.rows[0]
    (new[0], new[1], new[2]) = ("", "", "Eve")
    file.rows.insert(new, at: 1)
    var plain = try importing(file, into: store) { _ in }
    #expect(plain.moved.count == 2 && plain.added == 1)
    #expect(try names(store) == [["Ann", "Bob", "Cid", "Eve"], ["Dora"]])
    try store.write { list in try list.undo() }
    plain = try importing(file, into: store) { $0.takesOrder = true }
    #expect(try names(store) == [["Bob", "Eve", "Ann", "Cid", "Dora"], []])
    try store.write { list in try list.undo() }
    #expect(try names(store) == [["Ann", "Bob", "Cid"], ["Dora"]])
  }

  /// Each seed makes random changes on both sides, and compares the merge with a model on dictionaries.
  @Test(arguments: sampled(0..<40, oneIn: 8)) func `random changes on both sides`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let store = try CustomerStore.inMemory("")
    let fields: [CustomerField] = [.firstName, .email, .note, .extra("City")]
    typealias Row = [CustomerField: String]
    func value() -> String { ["", "a", "b", "c"][random.below(4)] }
    try store.write { list in
      _ = try list.insertSection(title: "Leads")
      for section in try list.sections() {
        for number in 0..<20 {
          let id = try list.insert(
            CustomerFields(firstName: "\(section.order)-\(number)"), at: .last, in: section.id
          ).id
          try list.update(id) { for field in fields.dropFirst() { $0[field] = .text(value()) } }
        }
      }
    }
    func contents() throws -> (rows: [CustomerID: Row], order: [CustomerID]) {
      try store.read { list in
        let customers = try list.sections().flatMap { try list.page(from: 1, limit: .max, in: $0.id) }
        return (
          Dictionary(
            uniqueKeysWithValues: customers.map { customer in
              (customer.id, Dictionary(uniqueKeysWithValues: fields.map { ($0, customer.fields[$0].text) }))
            }), customers.map(\.id)
        )
      }
    }
    let base = try contents()
    var file = try File(store)
    // Here.
    try store.write { list in
      for _ in 0..<25 {
        let ids = try list.sections().flatMap { try list.ids(in: $0.id) }
        let id = ids[random.below(ids.count)]
        switch random.below(6) {
        case 0: try list.delete(id)
        case 1: try list.move([id], to: .first, in: SectionID(rawValue: Int64(random.below(2) + 1)))
        case 2: try list.insert(CustomerFields(firstName: "here \(random.below(1000))"), at: .last)
        case 3: try list.renameColumn("City", to: "Town"); try list.renameColumn("Town", to: "City")
        default: try list.update(id) { $0[fields[random.below(4)]] = .text("here" + value()) }
        }
      }
    }
    let here = try contents()
    // There.
    var there = base.rows
    var new = 0
    for _ in 0..<25 {
      let index = random.below(file.rows.count)
      switch random.below(6) {
      case 0:
        if let id = Int64(file[index, "id"]) { there[CustomerID(rawValue: id)] = nil } else { new -= 1 }
        file.rows.remove(at: index)
      case 1: file.rows.insert(file.rows.remove(at: index), at: random.below(file.rows.count + 1))
      case 2:
        var row = file.rows[index]
        (row[0], row[1], row[2]) = ("", "", "there \(seed)")
        file.rows.insert(row, at: index)
        new += 1
      default:
        guard let id = Int64(file[index, "id"]) else { continue }
        let (field, text) = (fields[random.below(4)], "there" + value())
        file[index, field.column] = text
        there[CustomerID(rawValue: id)]?[field] = text
      }
    }
    for winner in [nil, ConflictSide.ours, .theirs] {
      // The model.
      var (merged, conflicts, returned) = ([CustomerID: Row](), Set<String>(), 0)
      for id in Set(here.rows.keys).union(there.keys) {
        let (old, ours, theirs) = (base.rows[id], here.rows[id], there[id])
        switch (ours, theirs) {
        case (let ours?, nil):
          if let old, old != ours { conflicts.insert("\(id.rawValue) missing") }
          if old == nil || old != ours && winner == .ours { merged[id] = ours }
        case (nil, let theirs?):
          if theirs != old {
            conflicts.insert("\(id.rawValue) deleted")
            if winner == .theirs { returned += 1 }
          }
        case (let ours?, let theirs?):
          var row = ours
          for field in fields where theirs[field] != old?[field] && theirs[field] != ours[field] {
            if ours[field] == old?[field] {
              row[field] = theirs[field]
            } else {
              conflicts.insert("\(id.rawValue) \(field.column)")
              if winner == .theirs { row[field] = theirs[field] }
            }
          }
          merged[id] = row
        case (nil, nil): break
        }
      }
      let importer = try file.importer {
        ($0.conflictWinner, $0.takesOrder, $0.deletesMissing) = (winner, true, true)
      }
      do {
        try store.write(action: "import") { list in try list.importCustomers(from: importer) }
      } catch TransferError.conflicts(let count) {
        #expect(winner == nil && count == importer.conflicts.count)
        let now = try contents()
        #expect(now.rows == here.rows && now.order == here.order)
      }
      let found = Set(
        importer.conflicts.compactMap { conflict -> String? in
          switch conflict.kind {
          case .value(let column, _, _): "\(conflict.id.rawValue) \(column)"
          case .deletedFromList: "\(conflict.id.rawValue) deleted"
          case .deletedFromFile: "\(conflict.id.rawValue) missing"
          case .moved: nil
          }
        })
      #expect(found == conflicts)
      guard winner != nil || importer.conflicts.isEmpty else { continue }
      let result = try contents()
      #expect(result.rows.filter { base.rows[$0.key] != nil || here.rows[$0.key] != nil } == merged)
      #expect(result.rows.count == merged.count + new + returned)
      #expect(try store.read { try $0.check() }.isEmpty)
      try store.write { list in try list.undo() }
      let before = try contents()
      #expect(before.rows == here.rows && before.order == here.order)
    }
  }
}
