internal import CustomersMigrations
internal import CustomersSQLite

/// The schema of a damaged file, as far as it can be read, and which of its objects are ours.
struct FoundSchema {
  /// An object of the file.
  struct Object {
    /// What may not be UTF-8.
    fileprivate struct Texts {
      var type, name, sql: [UInt8]
    }

    fileprivate var stored: Texts
    var table: String
    var root: Int?
    /// Whether its row is as SQLite writes one.
    fileprivate var isWhole: Bool

    /// What it is, in spite of a wrong bit.
    var type: String {
      Self.types.first { Array($0.utf8).isAlmost(stored.type) }
        ?? String(decoding: stored.type, as: UTF8.self)
    }
    var name: String { String(decoding: stored.name, as: UTF8.self) }
    var sql: String { String(decoding: stored.sql, as: UTF8.self) }
  }

  /// All objects that can be read.
  private(set) var objects: [Object] = []
  /// Whether some can't be read.
  private(set) var isDamaged = false
  /// How many rows can't be read; nil if that is not known.
  private var lostRows: Int?

  init(_ source: inout DamagedDatabase) throws {
    var shape = DamagedDatabase.Shape(columns: 5...5, texts: [0, 1, 2, 4])
    shape.holds = { row in
      guard case .text(let type) = row.value(0) else { return false }
      return Object.types.contains { Array($0.utf8).isAlmost(type) }
    }
    var found: [Int64: Object] = [:]
    var lost: [Object] = []
    func add(_ row: StoredRow) {
      var object = Object(row)
      object.isWhole = row.values.count == 5 && shape.holds(row) && row.value(3)?.number != nil
      if found[row.id] == nil { found[row.id] = object } else { lost.append(object) }
    }
    let unreadable = try source.readTree(1, shape, add)
    lostRows = unreadable.rows
    isDamaged =
      !unreadable.pages.isEmpty || !found.values.allSatisfy(\.isWhole) || !lost.allSatisfy(\.isWhole)
    if isDamaged {
      let count = found.count + lost.count
      try source.readLostPages([shape]) { _, row in add(row) }
      // If only the root is damaged, the pages that it led to have been found.
      if unreadable.pages == [1], found.count + lost.count > count { lostRows = 0 }
    }
    objects = found.sorted { $0.key < $1.key }.map(\.value) + lost
  }

  /// Whether objects of other programs may be among what can't be read: it is not as many rows as ours that are missing.
  ///
  /// - Parameters:
  ///   - ours: our objects.
  ///   - matches: which of them each object is.
  /// - Returns: whether there may be some.
  func mayLackOthers(_ ours: [SchemaObject], _ matches: [SchemaObject?]) -> Bool {
    guard isDamaged else { return false }
    guard let lostRows else { return true }
    let unknown = zip(objects, matches).count { object, match in match == nil && !object.isWhole }
    return lostRows + unknown != Set(ours).subtracting(matches.compactMap(\.self)).count
  }

  /// Which of our objects each is, if any: the one with its type and name, or with its text, or almost so; a table may
  /// have been renamed.
  func matches(_ ours: [SchemaObject]) -> [SchemaObject?] {
    let byName = Dictionary(ours.map { ($0.title, $0) }) { first, _ in first }
    let bySQL = Dictionary(ours.map { ($0.sql, $0) }) { first, _ in first }
    var matches = objects.map { object in byName[object.title] ?? bySQL[object.sql] }
    let matched = Set(matches.compactMap { $0?.title })
    let missing = ours.filter { !matched.contains($0.title) }
    for index in matches.indices where matches[index] == nil {
      let object = objects[index]
      matches[index] = missing.first { ours in
        object.isAlmost(ours.sql, \.sql) || object.isRenamed(ours)
          || object.isAlmost(ours.type, \.type) && object.isAlmost(ours.name, \.name)
      }
    }
    return matches
  }

  /// The format of the list.
  ///
  /// - Parameter identity: what the header of the file says, if it can be read.
  /// - Returns: a format that this version knows.
  /// - Throws: `StoreError` if it is not a list that can be repaired.
  func format(_ identity: (applicationID: Int64, userVersion: Int)?) throws -> Int {
    let current = Migrations.format
    let names = Set(objects.map { $0.name.lowercased() })
    let ids = [Migrations.applicationID, Migrations.releasedApplicationID]
    if let identity, ids.contains(identity.applicationID) {
      guard identity.userVersion <= current else {
        throw StoreError.newerFormat(found: identity.userVersion, known: current)
      }
      // Where tables are of the current format, a lower number is what is damaged.
      let areCurrent = ["edit_record", "line_record", "entry_record"].count(where: names.contains) > 1
      if identity.userVersion >= Migrations.oldestFormat {
        return areCurrent ? current : identity.userVersion
      }
    }
    let ours = [
      "section_record", "customer_record", "node", "place", "edit_record", "history_edit", "history_step",
      "receipt",
    ]
    guard ours.count(where: names.contains) >= 4 else { throw StoreError.notACustomersFile }
    return names.contains("edit_record") ? current : names.contains("identity") ? 11 : Migrations.oldestFormat
  }
}

extension FoundSchema.Object {
  fileprivate static let types = ["table", "index", "view", "trigger"]

  fileprivate init(_ row: StoredRow) {
    func text(_ index: Int) -> [UInt8] { if case .text(let bytes) = row.value(index) { bytes } else { [] } }
    stored = Texts(type: text(0), name: text(1), sql: text(4))
    table = String(decoding: text(2), as: UTF8.self)
    root = row.value(3)?.number.flatMap { Int(exactly: $0) }
    isWhole = true
  }

  fileprivate var title: String { "\(type) \(name.lowercased())" }

  /// Whether it has almost the statement of one of our objects.
  func isAlmost(_ sql: String) -> Bool { isAlmost(sql, \.sql) }

  /// Whether it is one of our tables but for the name.
  fileprivate func isRenamed(_ ours: SchemaObject) -> Bool {
    func columns(_ sql: some Sequence<UInt8>) -> [UInt8] { Array(sql.drop { $0 != UInt8(ascii: "(") }) }
    return type == "table" && ours.type == "table" && columns(stored.sql) == columns(ours.sql.utf8)
  }

  fileprivate func isAlmost(
    _ text: String, _ part: KeyPath<Texts, [UInt8]>
  ) -> Bool {
    stored[keyPath: part].isAlmost(Array(text.utf8))
  }
}

extension SchemaObject {
  fileprivate var title: String { "\(type) \(name.lowercased())" }
}

extension [UInt8] {
  /// Whether at most every eighth byte differs.
  func isAlmost(_ other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    return zip(self, other).count { $0 != $1 } <= Swift.max(1, count / 8)
  }
}
