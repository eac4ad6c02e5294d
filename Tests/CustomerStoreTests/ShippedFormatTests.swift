@testable import CustomerStore
import CustomersSQLite
import Foundation
import CustomersTestSupport
import Synchronization
import Testing

/// Files of every format that was shipped: opened, checked, edited, undone to the beginning and redone.
///
/// `Samples/make-sample.py` wrote them, each when its format was the newest; a file is never written again.
@Suite(.onThreads) struct ShippedFormatTests {
  /// Copies a sample to a file of this folder.
  static func copy(_ sample: String, to folder: String) throws -> String {
    let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Samples/\(sample).sqlite")
    let path = folder + "/list.sqlite"
    try write(bytes(of: sample.path), to: path)
    return path
  }

  @Test(arguments: [10, 11, 12]) func `a file of this format is read, edited, and undone`(format: Int) throws
  {
    try withTemporaryFolder { folder in
      let path = try Self.copy("format-\(format)", to: folder)
      let reports = Mutex<[[Int]]>([])
      var options = CustomerStore.Options()
      options.upgrades = true
      options.whileConverting = { done, total in reports.withLock { $0.append([done, total]) } }
      let store = try CustomerStore(path: path, options: options)
      let told = reports.withLock { $0 }
      let isNewest = format == CustomerStore.formatVersion
      #expect(isNewest ? told.isEmpty : told.count > 1 && told.last == [97, 97])
      #expect(told.map(\.[0]) == told.map(\.[0]).sorted())

      let sections = try store.read { try $0.sections() }
      #expect(sections.map(\.title) == ["Prospects", "Customers"])
      #expect(sections.map(\.count) == [18, 79])
      #expect(try store.read { try $0.check() } == [])
      #expect(
        try store.read { list in try list.ids(in: sections[1].id).prefix(4).map(\.rawValue) } == [
          77, 1, 100, 2,
        ])
      #expect(
        try store.read { list in try list.ids(in: sections[0].id).prefix(3).map(\.rawValue) } == [95, 90, 85])
      let changed = try store.read { try $0.customer(CustomerID(rawValue: 12)) }
      #expect(changed.fields.note == "changed" && changed.fields.isFavorite)
      #expect(
        try store.read { try $0.customer(CustomerID(rawValue: 10)) }.fields.extra == #"{"Town":"Bonn"}"#)
      let last = try #require(try store.read { try $0.history(limit: 1) }.first)
      #expect([last.program, last.user, last.host, last.action] == ["customers", "ann", "desk", "edit"])
      let identity = try store.read { list in
        try list.connection.fetchOne("SELECT list_id, history_id FROM list_identity") { $0.texts(2) }
      }
      #expect(identity?.map(\.count) == [32, 32])
      let token = TransactionToken(rawValue: "00000000000000000000000000000001")
      #expect(try store.read { try $0.outcome(of: token) } == .committed)

      try store.write { list in _ = try list.insert(CustomerFields(firstName: "New"), at: .first) }
      let before = try store.read { try $0.connection.listNumbers() }
      var undone = 0
      while try store.write({ list in try list.undo() }) != nil { undone += 1 }
      #expect(undone >= 11)
      #expect(try store.read { try $0.count() } == 0)
      #expect(try store.read { try $0.sections() }.map(\.title) == ["Customers"])
      while try store.write({ list in try list.redo() }) != nil { undone -= 1 }
      #expect(undone == 0)
      #expect(try store.read { try $0.connection.listNumbers() } == before)
      #expect(try store.read { try $0.check() } == [])
      #expect(reports.withLock { $0.count } == told.count)
    }
  }

  /// Version 0.2.0 deleted customers, many customers, customers by a merge, and a section; each time the deletion was
  /// reverted and the revert undone, and 0.2.0 refuses to undo more.
  @Test func `a file whose undo is stuck comes loose`() throws {
    try withTemporaryFolder { folder in
      let path = try Self.copy("stuck-11", to: folder)
      var options = CustomerStore.Options()
      options.upgrades = true
      let store = try CustomerStore(path: path, options: options)
      let end = try store.read { try $0.connection.contents() }
      #expect(try store.read { try $0.count() } == 14)
      var counts: [Int] = []
      while try store.write({ list in try list.undo() }) != nil {
        counts.append(try store.read { try $0.count() })
      }
      #expect(counts == [20, 21, 22, 141, 142, 12, 11, 10, 0])
      #expect(try store.read { try $0.check() } == [])
      while try store.write({ list in try list.redo() }) != nil {}
      // The last revert could be redone, and now it has been.
      #expect(try store.read { try $0.count() } == 20)
      _ = try store.write { list in try list.undo() }
      #expect(try store.read { try $0.connection.contents() } == end)
      #expect(try store.read { try $0.check() } == [])
    }
  }
}
