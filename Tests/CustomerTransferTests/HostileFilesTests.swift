import CustomerFixtures
import CustomerStore
import CustomersText
import CustomerTransfer
import Foundation
import CustomersTestSupport
import Testing

/// Files that ask for more work than their size is worth; `hostile-files.py` says how.
@Suite(.onThreads) struct HostileFilesTests {
  private static let script = URL(filePath: #filePath)
    .appending(path: "../../HostileFiles/hostile-files.py").standardizedFileURL.path

  /// Writes one file of each shape of a format.
  ///
  /// - Returns: the names of the files.
  private static func write(_ fileExtension: String, _ size: Int, in folder: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script, folder, "\(size)", "." + fileExtension]
    try process.run()
    process.waitUntilExit()
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  /// The steps of reading a file, whether it can be imported or not.
  private static func steps(_ path: String) throws -> Int {
    var options = ImportOptions(format: FileFormat(path: path) ?? .csv)
    (options.acceptsUnmatchedColumns, options.fillsShortRows, options.skipsRejectedRows) = (true, true, true)
    let importer = try CustomerImporter(path: path, options: options)
    do { _ = try importer.preview() } catch is TransferError {}
    return importer.steps
  }

  @Test(arguments: ["csv", "tsv", "json", "ndjson", "vcf", "ldif"])
  func `a hostile file takes steps in its size`(fileExtension: String) throws {
    let folder = try TemporaryFolder()
    let sizes = isLong ? [4_000, 8_000] : [2_000, 4_000]
    let names = try sizes.map { try Self.write(fileExtension, $0, in: "\(folder.path)/\($0)") }
    #expect(names[0] == names[1] && names[0].count >= 3)
    for name in names[0] {
      let steps = try sizes.map { try Self.steps("\(folder.path)/\($0)/\(name)") }
      let bytes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(sizes[1])/\(name)")
      let size = try #require(bytes[.size] as? Int)
      #expect(steps[1] <= 1_000 + steps[0] * 22 / 10, "\(name): \(steps)")
      #expect(steps[1] <= 1_000 + size * 14, "\(name): \(steps[1]) for \(size) bytes")
    }
  }

  /// The processor time of looking at a file.
  private static func work(_ text: String, _ format: FileFormat) throws -> Duration {
    var pieces = [Array(text.utf8)]
    var options = ImportOptions(format: format)
    options.acceptsUnmatchedColumns = true
    let importer = try CustomerImporter(options, receiving: { pieces.popLast() ?? [] })
    return try processorTime { _ = try importer.preview() }
  }

  @Test(arguments: [
    ("Website %", 2_000), ("Event % - Value,Event % - Label", 500),
    ("Address % - Street,Address % - City", 500),
  ])
  func `columns take time in their number`(names: String, count: Int) throws {
    func work(ofColumns count: Int) throws -> Duration {
      let columns = (0..<count).map { names.replacing("%", with: "\($0)") }.joined(separator: ",")
      let values = columns.split(separator: ",").indices.map { ",v\($0)" }.joined()
      return try Self.work("Name,\(columns)\nAnn\(values)\n", .csv)
    }
    let (few, many) = (try work(ofColumns: count), try work(ofColumns: 4 * count))
    #expect(many < few * 7, "\(few) \(many)")
  }

  @Test func `the parts of a long address are looked for in time in its length`() throws {
    func work(ofLines count: Int) throws -> Duration {
      let lines = (0..<count).map { "ADR;TYPE=WORK:;;;Town\($0);;;\n" }.joined()
      let long = "ADR;TYPE=PREF:;;" + String(repeating: "Way ", count: 4 * count) + ";;;;\n"
      return try Self.work("BEGIN:VCARD\nVERSION:3.0\nFN:Ann\n\(long)\(lines)END:VCARD\n", .vcard)
    }
    let (few, many) = (try work(ofLines: 500), try work(ofLines: 2_000))
    #expect(many < few * 7, "\(few) \(many)")
  }

  @Test func `only a card of few lines is written again to find those that need not be kept`() throws {
    func steps(ofLines count: Int) throws -> Double {
      let lines = (1...count).map { "TEL;a:\($0)\n" }.joined()
      var pieces = [Array("BEGIN:VCARD\nVERSION:3.0\nFN:A\n\(lines)END:VCARD\n".utf8)]
      let (budget, size) = (ReadingBudget(), pieces[0].count)
      var reader = VCardReader(budget) { pieces.popLast() ?? [] }
      #expect(try reader.next() != nil)
      return Double(budget.steps) / Double(size)
    }
    #expect(try steps(ofLines: 200) > 3)
    #expect(try steps(ofLines: 1_000) < 3)
  }

  @Test func `a file that takes more steps than its size is worth is refused`() throws {
    let budget = ReadingBudget()
    budget.add(bytes: 1_000)
    budget.spend(1_000_000 + 50_000)
    try budget.check(line: 3)
    budget.spend(1)
    let error = #expect(throws: ParseError.self) { try budget.check(line: 3) }
    #expect(error?.line == 3 && error?.message.hasPrefix("the customer here takes more work") == true)
  }

  @Test func `a name with many prefixes keeps all but one`() throws {
    let prefixes = String(repeating: "extra.", count: 50_000)
    for (name, kept) in [("phone", String(prefixes.dropFirst(6)) + "phone"), ("x", prefixes + "x")] {
      var pieces = [Array("name,\(prefixes)\(name)\nAnn,1\n".utf8)]
      let importer = try CustomerImporter(ImportOptions(), receiving: { pieces.popLast() ?? [] })
      #expect(try importer.preview().first?.fields.extraColumns.names == [kept])
    }
  }
}

/// Files that are read before the list is locked.
@Suite(.onThreads) struct PreparedImportTests {
  private static func importer(_ text: String, _ options: ImportOptions = ImportOptions()) throws
    -> CustomerImporter
  {
    var pieces = [Array(text.utf8)]
    return try CustomerImporter(options, receiving: { pieces.popLast() ?? [] })
  }

  /// More than a piece of a file.
  private static let long = "name,city,note\n" + (1...3_000).map { "Ann \($0),Bonn,call back\n" }.joined()

  @Test func `a list can be edited while a file is read for it`() throws {
    let temporary = try TemporaryStore("Eve")
    let other = try CustomerStore(path: temporary.path)
    let importer = try Self.importer(Self.long)
    var progress: [(done: Int, total: Int)] = []
    importer.onProgress = { done, total in
      progress.append((done, total))
      if done <= total / 2 { try other.write { list in _ = try list.insert(CustomerFields(name: "Zoe")) } }
    }
    try importer.prepare(for: temporary.store)
    let read = progress.count
    #expect(read > 1)
    let summary = try temporary.store.write(action: "import") { list in
      try list.importCustomers(from: importer)
    }
    #expect(summary.added == 3_000 && progress.count > read)
    #expect(progress.last.map { $0.done == $0.total && $0.total == 2 * Self.long.utf8.count } == true)
    #expect(try temporary.store.read { try $0.count() } == 3_001 + read)
    #expect(try temporary.store.read { try $0.history(limit: 1).first?.action } == "import")
  }

  @Test func `a file that was read before is imported like one that is read in the transaction`() throws {
    let files: [(String, FileFormat)] = [
      ("section,name,e-mail,phone,fax,city\nLeads,Ann Lee,a@x,1;2,3,Bonn\n,,,,,\nLeads,Bob\n", .csv),
      (
        #"{"name":"Ann","extra":{"a":[1, 2],"b":null}}{"section":"New","footer":"f"}{"first_name":"Bob","x":1.50}"#,
        .ndjson
      ),
      ("BEGIN:VCARD\nVERSION:3.0\nN:Lee;Ann\nTEL:1\nTEL;TYPE=work:2\nX-A:1\nEND:VCARD\n", .vcard),
      ("dn: cn=1\ncn: Ann\nmail: a@x\nmobile: 1\nstreet: a\nstreet: b\nl: Bonn\n", .ldif),
    ]
    for (text, format) in files {
      for duplicates in DuplicateHandling.allCases {
        var options = ImportOptions(format: format)
        (options.duplicates, options.fillsShortRows) = (duplicates, true)
        let stores = try (0..<2).map { _ in try TemporaryStore("Eve") }
        var summaries: [ImportSummary] = []
        for (index, temporary) in stores.enumerated() {
          for _ in 0..<2 {
            let importer = try Self.importer(text, options)
            if index == 1 { try importer.prepare(for: temporary.store) }
            summaries.append(
              try temporary.store.write { list in try list.importCustomers(from: importer) })
          }
        }
        #expect(Array(summaries[..<2]) == Array(summaries[2...]), "\(format) \(duplicates)")
        let lists = try stores.map { temporary in
          try temporary.store.read { list in
            var rows: [NewCustomer] = []
            try list.forEach { customer in
              rows.append(
                NewCustomer(customer.fields, canEdit: customer.canEdit, canMove: customer.canMove))
              return true
            }
            return (rows, try list.sections().map { [$0.title, $0.footer, "\($0.count)"] })
          }
        }
        #expect(lists[0].0 == lists[1].0 && lists[0].1 == lists[1].1, "\(format) \(duplicates)")
      }
    }
  }

  @Test func `a file is read again if the list has got other columns`() throws {
    let temporary = try TemporaryStore("Eve")
    let importer = try Self.importer("name,Home base\nAnn,Bonn\n")
    try importer.prepare(for: temporary.store)
    try temporary.store.write { list in
      let id = try list.insert(CustomerFields(name: "Bob")).id
      try list.update(id) { $0.extraColumns["home_base"] = .text("Ulm") }
    }
    #expect(throws: TransferError.outdated) {
      try temporary.store.write { list in try list.importCustomers(from: importer) }
    }
    #expect(try temporary.store.read { try $0.count() } == 2)
    try importer.prepare(for: temporary.store)
    try temporary.store.write { list in try list.importCustomers(from: importer) }
    #expect(try temporary.store.read { try $0.extraColumns().map(\.count) } == [2])
  }

  @Test func `an import that was confirmed is refused if it would do anything else`() throws {
    let temporary = try TemporaryStore("Eve")
    var options = ImportOptions()
    options.duplicates = .update
    let importer = try Self.importer("name,e-mail\nAnn,a@x\n", options)
    _ = try temporary.store.dryRun { list in try list.importCustomers(from: importer) }
    importer.confirmed = importer.choices
    let other = try temporary.store.write { list in
      try list.insert(CustomerFields(firstName: "Ann", email: "a@x"))
    }
    #expect(throws: StaleConfirmation.self) {
      try temporary.store.write { list in try list.importCustomers(from: importer) }
    }
    try temporary.store.write { list in try list.delete([other.id]) }
    let summary = try temporary.store.write { list in try list.importCustomers(from: importer) }
    #expect(summary.added == 1)
  }
}
