import CustomerFixtures
import CustomerStore
import CustomerTransfer
import CustomersTestSupport
import Foundation
import Synchronization
import Testing

/// Files and lists through the public API.
@Suite(.onThreads) struct ImporterTests {
  private static let notYesOrNo =
    "column 2 is imported as is_favorite, which must be yes, no, true, false, 1, or 0"

  private static func importer(
    _ text: String, _ options: ImportOptions = ImportOptions()
  ) throws -> CustomerImporter {
    var pieces = [Array(text.utf8)]
    return try CustomerImporter(options, receiving: { pieces.popLast() ?? [] })
  }

  private static let file = "Given name,Mail,Club\nAnn,ann@x.example,Bonn\nBob,,\n"

  @Test(arguments: [false, true])
  func `a preview has the columns, the count, and the first customer, and does not use up the file`(
    isPrepared: Bool
  ) throws {
    let importer = try Self.importer(Self.file)
    let targets: [ColumnTarget] = [.field(.firstName), .field(.email), .extra]
    #expect(try importer.columns().map(\.target) == targets)
    for _ in 0..<2 {
      let preview = try importer.preview()
      #expect(preview.columns.map(\.name) == ["Given name", "Mail", "Club"])
      #expect(preview.columns.map(\.target) == targets)
      #expect(preview.added == 2 && preview.rejected == 0 && preview.delimiter == ",")
      #expect(preview.first?.fields.email == "ann@x.example")
      #expect(preview.first?.fields.extraColumns["Club"] == "Bonn")
    }
    let store = try CustomerStore.inMemory("Eve")
    if isPrepared { try importer.prepare(for: store) }
    let trial = try store.dryRun { list in try list.importCustomers(from: importer) }
    #expect(try store.difference(from: "Eve") == nil)
    let summary = try store.write { list in try list.importCustomers(from: importer) }
    #expect(summary == trial && summary.added == 2)
    #expect(try store.difference(from: "Eve, Ann, Bob") == nil)
  }

  @Test func `the history finds an import of the same file until it is undone`() throws {
    let importer = try Self.importer(Self.file)
    let store = try CustomerStore.inMemory("Eve")
    #expect(try store.read { list in try list.lastImport(of: importer) } == nil)
    try store.write(action: "import") { list in try list.importCustomers(from: importer, at: .first) }
    #expect(try store.difference(from: "Ann, Bob, Eve") == nil)
    let again = try Self.importer(Self.file)
    #expect(try store.read { list in try list.lastImport(of: again) }?.action == "import")
    #expect(try store.read { list in try list.lastImport(of: Self.importer("name\nAnn\n")) } == nil)
    try store.write { list in try list.undo() }
    #expect(try store.read { list in try list.lastImport(of: again) } == nil)
  }

  @Test func `columns are mapped, once each`() throws {
    var options = ImportOptions()
    try options.map("club", to: .field(.extra("Guild")))
    try options.map("Mail", to: .ignored)
    #expect(throws: TransferError.columnMappedTwice("club")) { try options.map("club", to: .name) }
    #expect(throws: TransferError.targetMappedTwice(.field(.extra("Guild")))) {
      try options.map("Given name", to: .field(.extra("Guild")))
    }
    let first = try Self.importer(Self.file, options).preview().first
    #expect(first?.fields.extraColumns.names == ["Guild"] && first?.fields.email == "")
    // Whether another spelling is the same column shows only in the file.
    var others = options
    try others.map("CLUB", to: .name)
    #expect(throws: TransferError.columnMappedTwice("CLUB")) {
      try Self.importer(Self.file, others).columns()
    }
    try options.map("Phone", to: .field(.phone))
    #expect(throws: TransferError.noSuchColumn("Phone", near: nil, in: .mapping)) {
      try Self.importer(Self.file, options).columns()
    }
  }

  @Test(arguments: [
    ("name,note\nAnn,secret\nBob,\"secret", "line 3, byte 5: a quoted field starts here and never ends"),
    ("", "the file is empty"), ("name\n", "there are no customers in the file"),
    ("[{\"name\":\"secret\"}]", "the file is JSON, not csv"), ("%PDF-secret", "the file is a PDF, not csv"),
    ("x,y\nsecret,2\n", "no column of the file matches a field"),
    ("name,is_favorite\nAnn,secret\n", "1 row of the file can't be imported; line 2: \(notYesOrNo)"),
    (
      "name,is_favorite\nAnn,secret\nBob,yes\nCid,secret\n",
      "2 rows of the file can't be imported; the first is line 2: \(notYesOrNo)"
    ),
  ])
  func `an error names the place and no value, and nothing is imported`(file: String, message: String) throws
  {
    let store = try CustomerStore.inMemory("Eve")
    let error = try #require(
      throws: TransferError.self,
      performing: { try store.write { try $0.importCustomers(from: Self.importer(file)) } })
    #expect("\(error)" == message)
    #expect(error.localizedDescription == error.description)
    #expect(try store.difference(from: "Eve") == nil)
  }

  @Test func `an export never replaces the list, and is in the format of its extension`() async throws {
    let file = try TemporaryStore("Ann")
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/list.csv", withDestinationPath: file.path)
    await #expect(throws: TransferError.reserved("this is the list itself")) {
      try await file.store.exportCustomers(to: folder.path + "/list.csv")
    }
    for name in ["list.pdf", "list.sqlite", "list.ldif"] {
      await #expect(throws: TransferError.unknownExtension) {
        try await file.store.exportCustomers(to: folder.path + "/" + name)
      }
    }
    await #expect(throws: TransferError.unknownExtension) {
      try await file.store.exportCustomers(to: file.path)
    }
    #expect(try await file.store.read { try $0.count() } == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["list.csv"])
    let error = await #expect(throws: (any Error).self) {
      try await file.store.exportCustomers(to: folder.path + "/missing/list.csv")
    }
    #expect(error?.localizedDescription.hasPrefix("can't write \"") == true)
  }

  @Test func `rejected rows are reported as they are in the file, and the others imported`() throws {
    var options = ImportOptions()
    options.skipsRejectedRows = true
    options.encoding = .latin1
    var bytes: [UInt8] =
      Array("name;note\nZo".utf8) + [0xeb] + Array(";x\nB".utf8) + [0xf6] + Array("b\nEve;y\n".utf8)
    let importer = try CustomerImporter(
      options,
      receiving: {
        defer { bytes = [] }
        return bytes
      })
    var rows: [RejectedRow] = []
    importer.onRejectedRow = { rows.append($0) }
    let store = try CustomerStore.inMemory("Ann")
    let summary = try store.write { list in try list.importCustomers(from: importer) }
    #expect(summary.added == 2 && summary.rejected == 1 && summary.delimiter == ";")
    #expect(rows.map(\.bytes) == [[0x42, 0xf6, 0x62, 0x0a]] && rows[0].header == Array("name;note\n".utf8))
    #expect("\(rows[0].place): \(rows[0].reason)" == "line 3: expected 2 fields, found 1")
    #expect(try store.difference(from: "Ann, Zoë, Eve") == nil)
  }

  @Test func `a canceled task imports nothing`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/long.csv"
    let rows = (1...20_000).map { "Ann \($0),call back\n" }
    try ("name,note\n" + rows.joined()).write(toFile: path, atomically: true, encoding: .utf8)
    let temporary = try TemporaryStore("Eve")
    let canceling = Mutex<(@Sendable () -> Void)?>(nil)
    let calls = Mutex(0)
    let task = Task {
      try await temporary.store.importCustomers(path: path) { _, _ in
        calls.withLock { $0 += 1 }
        // The task is known as soon as the test has stored it.
        while canceling.withLock({ $0 }) == nil { Thread.sleep(forTimeInterval: 0.001) }
        canceling.withLock { $0 }?()
      }
    }
    canceling.withLock { $0 = { task.cancel() } }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(calls.withLock { $0 } == 1)
    #expect(try temporary.store.difference(from: "Eve") == nil)
    let summary = try await temporary.store.importCustomers(path: path)
    #expect(summary.added == 20_000)
  }

  @Test(arguments: FileFormat.all.filter(\.isComplete))
  func `an export to a file and its import give the same list`(format: FileFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/list." + format.fileExtensions[0]
    let store = try CustomerStore.inMemory("Ann Lee, Bob | Leads: Cid")
    #expect(try store.read { list in try list.exportCustomers(to: path) } == 3)
    let copy = try CustomerStore.inMemory("")
    #expect(try copy.write { try $0.importCustomers(from: CustomerImporter(path: path)) }.added == 3)
    #expect(try copy.difference(from: "Ann Lee, Bob | Leads: Cid") == nil)
  }

  @Test(arguments: [DuplicateHandling.skip, .update])
  func `who is known by name and phone number is not added again`(handling: DuplicateHandling) throws {
    let store = try CustomerStore.inMemory("")
    _ = try store.write { list in
      try list.importCustomers(
        from: Self.importer("name,email,phone\nAnn Lee,a@x.example,1\nBo Ray,,030 222 333\nEve,,4\n"))
    }
    var options = ImportOptions()
    options.duplicates = handling
    let text = "name,email,phone,note\nAnn Lee,a@x.example,1,x\nbo ray,,030-222333,y\nCy Dee,,4,\nEve,,5,\n"
    let summary = try store.write { list in
      try list.importCustomers(from: Self.importer(text, options))
    }
    #expect(summary.added == 2 && summary.addedNames == ["Cy Dee", "Eve"])
    #expect(handling == .skip ? summary.skipped == 2 : summary.updated == 2)
    let notes = try store.read { list in
      try list.page(from: 1, limit: 5, in: list.sections()[0].id).map(\.fields.note)
    }
    #expect(notes == (handling == .skip ? ["", "", "", "", ""] : ["x", "y", "", "", ""]))
  }

  @Test func `by its ids, an exported file updates the customers of the same list`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob | Leads: Cid")
    var export = ExportOptions(format: .csv)
    export.includesIDs = true
    var bytes: [UInt8] = []
    try store.read { list in _ = try list.exportCustomers(export) { bytes += $0 } }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("id,version,first_name,") && text.contains(",Bob,,"))
    var options = ImportOptions()
    options.duplicates = .update
    let importer = try Self.importer(text.replacing(",Bob,,", with: ",Bob,,Acme"), options)
    let summary = try store.write { list in try list.importCustomers(from: importer) }
    #expect(summary.added == 0 && summary.updated == 1 && summary.skipped == 2)
    #expect(try store.read { try $0.customer(named: "Bob").fields.company } == "Acme")
  }

  @Test func `every format has a name, a summary, and extensions of its own`() {
    let extensions = FileFormat.all.flatMap(\.fileExtensions)
    #expect(Set(extensions).count == extensions.count && Set(FileFormat.all).count == FileFormat.all.count)
    for format in FileFormat.all {
      #expect(FileFormat(named: format.name) == format && format.summary.hasSuffix("."))
      for end in format.fileExtensions { #expect(FileFormat(path: "a.b/list.\(end.uppercased())") == format) }
    }
    #expect(FileFormat(path: "list") == .csv && FileFormat(path: "list.xls") == nil)
  }
}
