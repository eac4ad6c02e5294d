internal import CustomersSQLite

/// Puts the rows of one of our tables into the new list.
final class OwnRows {
  let shape: DamagedDatabase.Shape
  private let table: String
  private let layout: StoredColumns
  /// For each column, where its value is in a row of the damaged file.
  private let places: [Int?]
  /// Where other programs' columns are, and their names.
  private let foreign: [(place: Int, name: String)]
  private let insert: String
  private let target: Connection
  private unowned let rebuilding: Rebuilding
  private var sectionNumbers: Set<StoredValue> = []
  /// Rows whose id another row has.
  private var seconds: [(id: Int64, values: [StoredValue])] = []

  /// - Parameters:
  ///   - table: the table, which the new list has.
  ///   - object: the table of the damaged file, if its schema still names it.
  ///   - target: the new list.
  ///   - rebuilding: who reports what can't be carried.
  /// - Throws: SQLite's error.
  init(
    _ table: SchemaObject, foundAs object: FoundSchema.Object?, on target: Connection,
    for rebuilding: Rebuilding
  ) throws {
    self.table = table.name
    (self.target, self.rebuilding) = (target, rebuilding)
    layout = try StoredColumns(of: table.name, on: target)
    var found = layout
    if let object, object.sql != table.sql, !object.isAlmost(table.sql) {
      found = (try? StoredColumns(ofTableMadeBy: object.sql)) ?? layout
    }
    places = layout.places(in: found)
    let known = Set(places.compactMap(\.self))
    foreign = found.columns.indices.filter { !known.contains($0) }.map { ($0, found.columns[$0].name) }
    // A column of another program may be in the rows only.
    shape = found.shape(surplus: table.name == "customer_record" ? 50 : 0)
    let destination = ["node", "place"].contains(table.name) ? "found_\(table.name)" : table.name
    let names = layout.columns.map(\.name.asSQLName).joined(separator: ", ")
    let marks = repeatElement("?", count: layout.columns.count).joined(separator: ", ")
    insert = "INSERT INTO \(destination) (\(names)) VALUES (\(marks))"
  }

  /// Puts a row into the new list.
  func carry(_ row: StoredRow) throws {
    // What an unfinished edit left.
    guard !["staged", "staged_extra"].contains(table) else { return }
    if let other = row.other {
      let others = other.isOfTable ? name(other.id) : "another row"
      rebuilding.lose("which long values are those of \(name(row.id)), and which those of \(others)")
    }
    var values: [StoredValue] = []
    for (index, column) in layout.columns.enumerated() {
      values.append(index == layout.alias ? .integer(row.id) : value(of: column, places[index], row))
    }
    try carryForeignValues(row, &values)
    if table == "section_record" { separateNumber(&values) }
    do {
      try target.execute(insert, stored: values)
      if !["node", "place"].contains(table) { rebuilding.countRow(of: table) }
    } catch let error as SQLiteError where [.constraint, .mismatch].contains(error.code.primary) {
      try carryOther(row.id, values)
    }
  }

  private func value(of column: StoredColumns.Column, _ place: Int?, _ row: StoredRow) -> StoredValue {
    // A row that is older than the column does not have it.
    guard let place, place < row.values.count || column.isRequired && !column.hasDefault else {
      return column.fallback
    }
    // One that may not be missing is as good as unreadable.
    guard let value = row.value(place), value != .null || !column.isRequired else {
      if table == "customer_record", column.name == "uid" { rebuilding.unnamed.insert(row.id) }
      rebuilding.lose("the \(words(column.name)) of \(name(row.id))")
      return column.fallback
    }
    if table == "customer_record", column.isFlag, value != .integer(0), value != .integer(1) {
      rebuilding.note("\(column.name) of \(name(row.id)) was neither 0 nor 1")
      return column.fallback
    }
    if table == "entry_record", column.name == "type", case .text(let type) = value,
      let known = CustomerList.entryTypes.first(where: { Array($0.utf8).isAlmost(type) }),
      value != .text(known)
    {
      rebuilding.note("the type of a \(known) was damaged")
      return .text(known)
    }
    return value
  }

  /// No two sections may have the same number; the second one is put right after the first.
  private func separateNumber(_ values: inout [StoredValue]) {
    guard let index = layout.columns.firstIndex(where: { $0.name == "order" }) else { return }
    while values[index] != .null, !sectionNumbers.insert(values[index]).inserted {
      guard let number = values[index].number, abs(number) < 1 << 50 else {
        values[index] = .null
        return
      }
      values[index] = .real(Double(number) + Double(sectionNumbers.count) / Double(1 << 20))
    }
  }

  /// A row whose key another one has: the same row on a second page, or one with a damaged id.
  private func carryOther(_ id: Int64, _ values: [StoredValue]) throws {
    let destination = String(insert.split(separator: " ")[2])
    guard !destination.hasPrefix("found_") else { return }
    let sameness = layout.columns.map { "\($0.name.asSQLName) IS ?" }.joined(separator: " AND ")
    var isThere = false
    try target.query("SELECT count(*) FROM \(destination) WHERE \(sameness)", stored: values) { row in
      isThere = try row.step() && row.int(0) > 0
    }
    guard !isThere else { return }
    guard ["customer_record", "section_record"].contains(table) else {
      rebuilding.incomplete.insert(table)
      return
    }
    seconds.append((id, values))
  }

  /// Gives new ids to the rows whose id another one has, when all others have theirs.
  func carrySeconds() throws {
    for (id, values) in seconds {
      var values = values
      let next = try rebuilding.greatestID(of: table) + 1
      if let alias = layout.alias { values[alias] = .integer(next) }
      do { try target.execute(insert, stored: values) } catch let error as SQLiteError
        where error.code.primary == .constraint
      {
        rebuilding.lose("a second \(name(id))")
        continue
      }
      if table == "customer_record" { rebuilding.unnamed.insert(next) }
      rebuilding.countRow(of: table)
      rebuilding.note("a second \(name(id)) is now @\(next)")
    }
  }

  // Columns of other programs -----------------------------------------------------------------------

  private func carryForeignValues(_ row: StoredRow, _ values: inout [StoredValue]) throws {
    var foreign = foreign
    if row.values.count > places.count + foreign.count {
      foreign += (places.count + foreign.count..<row.values.count).map { ($0, "column \($0 + 1)") }
    }
    for (place, name) in foreign where place < row.values.count && row.values[place] != .null {
      let extra = layout.columns.firstIndex { $0.name == "extra" }
      guard table == "customer_record", let extra, let value = row.values[place],
        let text = try adding(value, as: name, to: values[extra])
      else {
        rebuilding.lose("\(printableColumn(name)) of \(self.name(row.id))", isInCopies: false)
        continue
      }
      values[extra] = text
    }
  }

  /// The extra values of a customer with one more; nil if that can't be.
  private func adding(_ value: StoredValue, as name: String, to extra: StoredValue) throws -> StoredValue? {
    guard case .text(let bytes) = extra else { return nil }
    if case .blob = value { return nil }
    var result: StoredValue?
    try target.query(
      """
      SELECT json_quote(?1 || CASE WHEN EXISTS (SELECT 1 FROM json_each(?2) WHERE key = ?1) THEN ' 2' ELSE '' END),
        json_quote(?3)
      WHERE json_valid(?2) AND json_type(?2) = 'object'
      """, stored: [.text(name), extra, value]
    ) { row in
      guard try row.step() else { return }
      let end = bytes.lastIndex(of: UInt8(ascii: "}")) ?? bytes.endIndex
      let isEmpty = !bytes[..<end].contains(UInt8(ascii: ":"))
      let pair = "\(isEmpty ? "" : ",")\(row.text(0)):\(row.text(1))"
      result = .text(bytes[..<end] + Array(pair.utf8) + bytes[end...])
    }
    return result
  }

  // Words -------------------------------------------------------------------------------------------

  private func name(_ id: Int64) -> String {
    switch table {
    case "customer_record": "customer @\(id)"
    case "section_record": "section @\(id)"
    default: "row \(id) of table \(table)"
    }
  }

  private func words(_ column: String) -> String { column.replacing("_", with: " ") }
  private func printableColumn(_ name: String) -> String {
    name.hasPrefix("column ") ? name : "column \(name)"
  }
}

extension StoredColumns.Column {
  /// Whether it is one of a customer's numbers that are 0 or 1.
  fileprivate var isFlag: Bool { ["is_favorite", "can_edit", "can_move"].contains(name) }

  /// The value to use instead of one that can't be kept.
  fileprivate var fallback: StoredValue {
    if !isRequired { return .null }
    return isText ? .text([]) : .integer(name.hasPrefix("can_") ? 1 : 0)
  }
}

/// Puts the rows of a table of another program into the new list.
final class OtherRows {
  let shape: DamagedDatabase.Shape
  private let table: String
  private let layout: StoredColumns
  private let target: Connection
  private unowned let rebuilding: Rebuilding
  /// A name for the `rowid` that no column has.
  private let rowid: String?

  init(_ table: String, on target: Connection, for rebuilding: Rebuilding) throws {
    (self.table, self.target, self.rebuilding) = (table, target, rebuilding)
    layout = try StoredColumns(of: table, on: target)
    shape = layout.shape()
    let names = Set(layout.columns.map { $0.name.lowercased() })
    rowid =
      layout.isIndex || layout.alias != nil ? nil : ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
  }

  /// Puts a row into the new list.
  func carry(_ row: StoredRow) throws {
    if row.other != nil {
      rebuilding.lose("which long values are those of row \(row.id) of table \(table)", isInCopies: false)
    }
    var (names, values) = (rowid.map { [$0] } ?? [], rowid == nil ? [] : [StoredValue.integer(row.id)])
    for (index, column) in layout.columns.enumerated().prefix(row.values.count) where !column.isComputed {
      names.append(column.name.asSQLName)
      if row.values[index] == nil {
        rebuilding.lose("\(column.name) of row \(row.id) of table \(table)", isInCopies: false)
      }
      values.append(index == layout.alias ? .integer(row.id) : row.values[index] ?? .null)
    }
    let marks = repeatElement("?", count: names.count).joined(separator: ", ")
    do {
      try target.execute(
        "INSERT INTO \(table.asSQLName) (\(names.joined(separator: ", "))) VALUES (\(marks))", stored: values)
      rebuilding.countRow(of: table)
    } catch let error as SQLiteError where [.constraint, .mismatch].contains(error.code.primary) {
      // It may well be readable, and break a rule of its table.
      rebuilding.lose("row \(row.id) of table \(table): \(error.message)", isInCopies: false)
    }
  }
}
