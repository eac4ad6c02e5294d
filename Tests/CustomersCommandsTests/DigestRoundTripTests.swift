@testable import CustomersCommands
import CustomerFixtures
import CustomerStore
import CustomerTransfer
import CustomersTestSupport
import Testing

/// Random lists through every format, in this process: an import of an export has the same digest.
@Suite(.onThreads) struct DigestRoundTripTests {
  private static let seeds = 0..<(isLong ? 3_000 : 4)

  private func copy(_ store: CustomerStore, _ format: FileFormat) throws -> CustomerStore {
    var bytes: [[UInt8]] = []
    _ = try store.read { list in
      try list.exportCustomers(ExportOptions(format: format)) { bytes.append($0) }
    }
    let options = ImportOptions(format: format)
    bytes.reverse()
    let importer = try CustomerImporter(options, receiving: { bytes.popLast() ?? [] })
    let copy = try CustomerStore.inMemory()
    try copy.write { list in _ = try list.importCustomers(from: importer) }
    return copy
  }

  @Test(arguments: [FileFormat.json, .ndjson])
  func `json and ndjson restore sections, footers, protection, and every value as it is written`(
    format: FileFormat
  ) throws {
    for seed in Self.seeds {
      let store = try RandomList(seed: seed).store()
      let restored = try copy(store, format)
      let digest = try store.read { list in try list.digest() }
      try #require(try restored.read { list in try list.digest() } == digest, "seed \(seed)")
    }
  }

  @Test(arguments: [FileFormat.csv, .tsv])
  func `csv and tsv restore all but empty sections, footers, and the types of values`(
    format: FileFormat
  ) throws {
    for seed in Self.seeds {
      let store = try RandomList(seed: seed, isPlain: true).store()
      guard try store.read({ list in try list.count() }) > 0 else { continue }
      let restored = try copy(store, format)
      let digest = try store.read { list in try list.digest() }
      try #require(try restored.read { list in try list.digest() } == digest, "seed \(seed)")
      // The types of JSON are lost, and nothing else.
      let typed = try RandomList(seed: seed).store()
      guard try typed.read({ list in try list.count() }) > 0 else { continue }
      try #require(try contents(copy(typed, format)) == contents(typed), "seed \(seed)")
    }
  }

  /// What people see of a list, without empty sections, footers, and types.
  private func contents(_ store: CustomerStore) throws -> [[String]] {
    try store.read { list in
      let outline = try list.outline()
      var rows: [[String]] = []
      try list.forEach { customer in
        let columns = customer.fields.extraColumns.columns.filter { !$0.value.text.isEmpty }
        rows.append(
          [outline.section(customer.place.section)?.title ?? "", "\(customer.canEdit) \(customer.canMove)"]
            + CustomerField.standard.map { customer.fields[$0].text }
            + columns.map { "\($0.name)=\($0.value.text)" }.sorted())
        return true
      }
      return rows
    }
  }

  @Test func `fields of lines are in a table, and in the digest, only if someone has a value`() throws {
    func export(_ store: CustomerStore, _ format: FileFormat) throws -> [Substring] {
      var bytes: [UInt8] = []
      _ = try store.read { list in try list.exportCustomers(ExportOptions(format: format)) { bytes += $0 } }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
    let store = try CustomerStore.inMemory("Ann, Bob")
    let (digest, plain) = (try store.read { list in try list.digest() }, try export(store, .ndjson))
    #expect(try export(store, .csv)[0].hasSuffix(",can_move,section"))
    #expect(plain.allSatisfy { $0.hasSuffix(#""contacts":[],"tags":[],"extra":{}}"#) })
    try store.write { list in try list.update(2) { ($0.tags, $0.extra) = ("vip\na,b", #"{"tags":1}"#) } }
    let csv = try export(store, .csv)
    #expect(csv[0].hasSuffix(",section,tags,extra.tags") && csv[1].hasSuffix(",Customers,,"))
    let json = try export(store, .ndjson)
    #expect(json[0].hasSuffix(#""tags":[],"extra":{}}"#))
    #expect(json[1].hasSuffix(#""tags":["vip","a,b"],"extra":{"tags":1}}"#))
    #expect(try store.read { list in try list.digest() } != digest)
    for format in FileFormat.all where format.isComplete {
      let restored = try copy(store, format).read { list in try list.customer(2).fields }
      #expect(restored.tags == "vip\na,b" && restored.extraColumns["tags"]?.text == "1", "\(format)")
    }
    // A deleted customer is none.
    try store.write { list in try list.delete([2]) }
    #expect(try export(store, .ndjson) == Array(plain.prefix(1)))
  }

  @Test func `a footer of the list stays, and a section that it has is not added again`() throws {
    let file = """
      {"section":"leads","footer":"theirs"}
      {"section":"New","footer":"new"}
      {"first_name":"Eve","section":"LEADS"}
      {"section":"Empty","footer":""}
      """
    let store = try CustomerStore.inMemory("First: Ann | Leads: Bob | Old: Cid")
    try store.write { list in
      try list.renameSection(2, footer: "ours")
      var pieces = [Array(file.utf8)]
      let importer = try CustomerImporter(
        ImportOptions(format: .ndjson), receiving: { pieces.popLast() ?? [] })
      let summary = try list.importCustomers(from: importer)
      #expect(summary.added == 1 && summary.columns.map(\.name) == ["first_name", "section"])
    }
    let sections = try store.read { list in try list.sections().map { "\($0.title) \($0.footer) \($0.count)" }
    }
    #expect(sections.dropFirst() == ["Leads ours 2", "Old  1", "New new 0", "Empty  0"])
  }
}

/// A list with all that an export may lose.
private struct RandomList {
  private let seed: Int
  /// Whether there are only strings, and neither footers nor empty sections.
  private let isPlain: Bool

  init(seed: Int, isPlain: Bool = false) { (self.seed, self.isPlain) = (seed, isPlain) }

  private static let texts = [
    "", "", "Ann", "O'Neil", "Ö z", "a,b", "\"q\"", "'=1", "=1+1", "tab\there", "\\n", "x\u{2028}y",
    "e\u{301}", "é",
    "null", "1", "true", "@x", "{}", "#", " pad ",
  ]
  private static let names = [
    "Club", "club", "CLUB", "a b", "é", "e\u{301}", "section", "id", "order", "position", "extra", "extra.x",
    "name",
    "email", "can_edit", "footer", "1", "x,y", "\"",
  ]
  private static let values = [
    "1", "1.0", "1e2", "-0", "12345678901234567890", "0.10", "true", "false", "null", "\"\"", "\"1\"",
    "\"é\"",
    "\"\\u00e9\"", "\"\\/\"", "{\"a\":[1,2]}", "[]", "\"null\"", "[{\"b\":null}]",
  ]

  func store() throws -> CustomerStore {
    var random = SplitMix64(seed: seed)
    let store = try CustomerStore.inMemory()
    try store.write { list in
      try list.renameSection(1, title: "First", footer: footer(&random))
      for number in 0..<Int.random(in: 0...4, using: &random) {
        _ = try list.addSection(
          title: ["Leads", "über", "Old-Leads", "Old Leads"][number], footer: footer(&random))
      }
      for section in try list.sections() {
        let most = isPlain ? 1...4 : 0...4
        for _ in 0..<Int.random(in: most, using: &random) {
          // In a table, all customers have the columns in one order: that of the first one.
          let hasAll = try isPlain && list.count() == 0
          let customer = try list.insert(fields(&random, hasAll: hasAll), at: .last, in: section.id)
          if Bool.random(using: &random) {
            try list.protect(
              customer.id, canEdit: Bool.random(using: &random), canMove: Bool.random(using: &random))
          }
        }
      }
    }
    return store
  }

  private func footer(_ random: inout SplitMix64) -> String {
    isPlain ? "" : ["", "", "foot", "ünd \"so\""].randomElement(using: &random) ?? ""
  }

  private func fields(_ random: inout SplitMix64, hasAll: Bool) -> CustomerFields {
    var fields = CustomerFields()
    for field in CustomerField.texts where Bool.random(using: &random) {
      fields[field] = .text(Self.texts.randomElement(using: &random) ?? "")
    }
    fields.isFavorite = Bool.random(using: &random)
    var members: [String] = []
    for name in Self.names where Int.random(in: 0..<5, using: &random) == 0 || hasAll {
      let key = "\"\(name.replacing("\"", with: "\\\""))\""
      let value = isPlain ? "\"text\"" : Self.values.randomElement(using: &random) ?? "1"
      members.append("\(key):\(value)")
    }
    fields.extra = "{\(members.joined(separator: ","))}"
    return fields
  }
}
