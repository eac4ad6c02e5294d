@testable import CustomerStore
@testable import CustomerTransfer
import CustomersTestSupport
import Testing

/// The log and the next date of a customer in JSON, out of a list and back.
@Suite(.onThreads) struct LogTransferTests {
  @Test(arguments: [FileFormat.json, .ndjson])
  func `a log and a next date come back without loss, and no line twice`(format: FileFormat) throws {
    try withTemporaryFolder { folder in
      let path = "\(folder)/list.\(format.name)"
      let store = try CustomerStore.inMemory()
      try store.write { list in
        for name in ["A", "B", "C"] { try list.insert(CustomerFields(name: name)) }
        try list.addLine("called\n\"twice\"", to: 2)
        try list.addLine("left", to: 2)
        try list.addLine("wrote", to: 3)
        try list.update(3) { $0.next = "2026-12-24" }
        try list.update(1) { $0[.extra("next")] = .text("theirs") }
        try list.protect(3, canEdit: false)
      }
      let lines = try store.read { list in try [1, 2, 3].map { try list.log(of: CustomerID(rawValue: $0)) } }
      _ = try store.readAtLength { try $0.exportCustomers(to: path, options: ExportOptions(format: format)) }
      let other = try CustomerStore.inMemory()
      try other.write { _ = try $0.importCustomers(from: CustomerImporter(path: path)) }
      let logs = try other.read { list in try [1, 2, 3].map { try list.log(of: CustomerID(rawValue: $0)) } }
      #expect(logs.map { $0.map(\.text) } == lines.map { $0.map(\.text) })
      #expect(logs == lines)
      let found = try other.read { list in try list.page(from: 1, limit: 3, in: 1) }
      #expect(found.map(\.fields.next) == ["", "", "2026-12-24"])
      #expect(found[0].fields.extra == #"{"next":"theirs"}"#)
      #expect(found.map(\.canEdit) == [true, true, false])
      #expect(try other.read { try $0.check() } == [])
      var again = ImportOptions(format: format)
      (again.duplicates, again.keys) = (.update, ["first_name"])
      try other.write { list in
        try list.protect(3, canEdit: true)
        try list.deleteLine(lines[1][0].id)
      }
      try other.write { _ = try $0.importCustomers(from: CustomerImporter(path: path, options: again)) }
      #expect(try other.read { try $0.log(of: 2) } == [lines[1][1]])
      #expect(try other.read { try $0.log(of: 3) } == lines[2])
    }
  }

  @Test func `a log in a file of another program is an extra column, and a next date one of ours`() throws {
    try withTemporaryFolder { folder in
      try write(
        Array(#"[{"first_name":"A","next":"2026-12-24","log":[{"text":"x"}]}]"#.utf8),
        to: folder + "/list.json")
      let store = try CustomerStore.inMemory()
      try store.write { _ = try $0.importCustomers(from: CustomerImporter(path: folder + "/list.json")) }
      let fields = try store.read { try $0.customer(1).fields }
      #expect(fields.extra == #"{"log 2":[{"text":"x"}]}"#)
      #expect(fields.next == "2026-12-24")
    }
  }
}
