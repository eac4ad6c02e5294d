@_spi(Tools) import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Foundation
import Testing

/// An atomic operation on a list.
struct Operation: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// Prepares the sample list.
  var prepare: @Sendable (inout CustomerList) throws -> Void = { _ in }
  /// SQL that damages the sample list, with constraints disabled.
  var damage: String?
  /// The path of the file to start with, instead of the sample list.
  var sample: String?
  /// Opens the list in a folder and edits it, in the transaction with the token.
  var run: @Sendable (_ folder: WatchedFolder, TransactionToken) throws -> Void

  init(
    _ name: String, prepare: @escaping @Sendable (inout CustomerList) throws -> Void = { _ in },
    damage: String? = nil, edit: @escaping @Sendable (inout CustomerList) throws -> Void
  ) {
    testDescription = name
    self.prepare = prepare
    self.damage = damage
    run = { folder, token in try CustomerStore(path: folder.list).write(token: token) { try edit(&$0) } }
  }

  init(
    _ name: String, sample: String? = nil, damage: String? = nil,
    run: @escaping @Sendable (WatchedFolder, TransactionToken) throws -> Void
  ) {
    testDescription = name
    self.sample = sample
    self.damage = damage
    self.run = run
  }
}

extension Operation {
  static let edits: [Operation] = [
    Operation("insert") { try $0.insert(CustomerFields(lastName: "New", note: long), at: .place(3)) },
    Operation("delete") { try $0.delete([2, 40, 41]) },
    Operation("move") { try $0.move([5, 50], to: .first) },
    Operation("update") { _ = try $0.update(7) { $0.note = long } },
    Operation("update of many") { list in
      let ids = try list.sections().flatMap { try list.ids(in: $0.id) }
      try list.apply(.update(Array(ids.prefix(40)), [.note: .text(long)]))
    },
    Operation("section edits") { list in
      let section = try list.addSection(title: "New", at: 1)
      try list.renameSection(2, title: "Other", footer: "x")
      try list.moveSection(3, to: 1)
      try list.deleteSection(section.id)
    },
    Operation("batch") { list in
      try list.performBatchUpdates {
        $0.delete(.customer(3))
        $0.move(.customer(9), to: .first(in: 2))
        $0.insert(CustomerFields(name: "New"), at: .place(4, in: 1))
        $0.update(.customer(1), [.note: .text(long)])
      }
    },
    Operation("import") { list in
      var number = 0
      try list.insert(at: .place(2)) {
        number += 1
        return number > 400 ? nil : CustomerFields(lastName: "Row \(number)", note: long)
      }
    },
    Operation("undo", prepare: { try $0.delete((1...20).map { CustomerID(rawValue: $0) }) }) {
      _ = try $0.undo()
    },
    Operation("pull") { folder, token in
      let store = try CustomerStore(path: folder.list)
      let copy = try store.copyInMemory()
      try copy.write { list in
        var ids: [CustomerID] = []
        try list.forEach { customer in
          ids.append(customer.id)
          return ids.count < 60
        }
        try list.delete([ids[1], ids[39]])
        try list.move([ids[8], ids[49]], to: .first)
        try list.insert(CustomerFields(lastName: "New", note: long), at: .place(3))
        try list.update(ids[6]) { $0.note = long }
        _ = try list.addSection(title: "New", at: 1)
      }
      try store.pull(CustomerStore.ListCopy(copy), token: token)
    },
    Operation("sort") { try $0.sort(by: SortOrder(by: [.name], isDescending: true)) },
  ]

  static let upkeep: [Operation] = [
    Operation("forget", prepare: { try $0.delete([4, 5, 6]) }) { try $0.forgetHistory() },
    Operation(
      "repair", damage: "UPDATE place SET slot = slot + 20 WHERE customer % 5 = 0 AND slot % 64 + 20 < 64"
    ) { folder, _ in
      try CustomerStore(path: folder.list).repair()
    },
    Operation("backup") { folder, _ in
      try CustomerStore(path: folder.list).backUp(to: folder.path + "/copy.sqlite", replacing: true)
    },
    Operation("migration") { folder, _ in
      let connection = try Connection(path: folder.list)
      _ = try connection.localFile.setJournalMode(.rollback)
      try NextFormat.migrator.migrate(connection)
    },
  ]

  /// Upgrading a list of an earlier format.
  static let conversions = [
    Operation("conversion of format 10", sample: formatTen) { folder, _ in
      var options = CustomerStore.Options()
      options.upgrades = true
      _ = try CustomerStore(path: folder.list, options: options)
    }
  ]

  private static let formatTen = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../CustomerStoreTests/Samples/format-10.sqlite").standardizedFileURL.path

  private static let long = String(repeating: "x", count: 900)
}
