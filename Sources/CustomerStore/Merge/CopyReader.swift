internal import CustomersSQLite

/// Reads states of a copy of a list, and what its log says, by uids.
struct CopyReader: Sendable {
  /// Everything that has a record, also what is deleted.
  var customers: UIDs<CustomerID>
  var sections: UIDs<SectionID>
  private let present: [CustomerSection]
  private let rows: [SectionID: [CustomerID]]
  /// The customers who are there, each with the fingerprint of all values.
  private let prints: [(id: CustomerID, print: Int64)]
  /// Lines of logs, each with its customer and a fingerprint.
  private let lines: [(uid: UID, customer: CustomerID, print: Int64)]

  /// What differs between two copies.
  struct Differences: Sendable {
    fileprivate(set) var customers: Set<UID> = []
    fileprivate(set) var lines: Set<UID> = []
  }

  /// - Throws: `ListError.damaged` if the numbers of rows and records do not fit, two have one uid, or one has none.
  /// - Complexity: O(rows).
  init(_ list: borrowing CustomerList) throws {
    present = try list.sections()
    let columns = CustomerField.stored.map(\.column) + ["extra", "can_edit", "can_move"]
    var prints: [(id: CustomerID, print: Int64)] = []
    let records = try list.scanRecords(reading: Self.fingerprint(columns)) {
      prints.append((CustomerID(rawValue: $0), $1))
    }
    self.prints = prints
    let lines = try list.connection.fetchIntegers(
      "uid, customer, \(Self.fingerprint(["at", "author", "text"]))",
      from: "line_record WHERE deleted_by IS NULL")
    self.lines = stride(from: 0, to: lines.count, by: 3).map {
      (lines[$0], CustomerID(rawValue: lines[$0 + 1]), lines[$0 + 2])
    }
    (customers, sections) = try (records.uids, list.sectionUIDs())
    guard let (rows, sum) = try list.rows(), sum == records.sum, customers.unnamed.isEmpty,
      customers.repeated.isEmpty, sections.repeated.isEmpty
    else { throw ListError.damaged }
    self.rows = rows
  }

  /// The list as it is now.
  ///
  /// - Parameters:
  ///   - differences: whose values are wanted; nil for all.
  ///   - other: a state of another copy; what is equal in both is in memory once.
  ///   - list: the copy.
  /// - Returns: the state.
  /// - Throws: `ListError.damaged`, `StoreError`.
  func state(
    _ differences: Differences?, like other: ListState = ListState(), in list: borrowing CustomerList
  ) throws -> ListState {
    var state = try outline(present, rows)
    let named = differences.map { $0.customers.compactMap { customers[$0] } } ?? rows.values.flatMap(\.self)
    let others = other[.customer]
    var records: [UID: ListState.Record] = [:]
    try list.forEachRecord(of: Set(named), arePresent: true) { customer in
      guard let uid = customers[customer.id] else { return }
      let record = customer.record
      records[uid] = others[uid] == record ? others[uid] : record
    }
    state[.customer] = records
    for entry in try list.presentEntries() { state.records[.entry, default: [:]][entry.id] = entry.record }
    for line in try lines(differences, nil, in: list) {
      state.records[.line, default: [:]][line.id.rawValue] = line.record(of: customers[line.customer] ?? 0)
    }
    return state
  }

  /// The list as it was after an edit.
  ///
  /// - Parameters:
  ///   - now: the list as it is.
  ///   - differences: whose values are wanted: those that `now` has.
  ///   - edit: an edit to which the log reaches back.
  ///   - list: the copy.
  /// - Returns: the state.
  /// - Throws: `ListError.damaged`, `StoreError`.
  func state(
    before now: ListState, _ differences: Differences, after edit: Int64, in list: borrowing CustomerList
  ) throws -> ListState {
    let past = try list.past(after: edit)
    var state = try outline(past.sections, past.rows(now: rows))
    var records = now[.customer]
    for uid in differences.customers {
      guard let id = customers[uid] else { continue }
      if !past.has(id, isThereNow: records[uid] != nil) {
        records[uid] = nil
      } else if let then = past.changed[id] {
        records[uid] = then.record
      }
    }
    state[.customer] = records
    state[.entry] = now[.entry]
    for (id, entry) in past.entries { state.records[.entry, default: [:]][id] = entry?.record }
    for line in try lines(differences, past, in: list) {
      state.records[.line, default: [:]][line.id.rawValue] = line.record(of: customers[line.customer] ?? 0)
    }
    return state
  }

  /// A state with sections and their rows.
  private func outline(
    _ sections: [CustomerSection], _ rows: [SectionID: [CustomerID]]
  ) throws -> ListState {
    var state = ListState()
    for section in sections {
      guard let uid = uid(of: section.id) else { throw ListError.damaged }
      state.sections.append(uid)
      state.rows[uid] = try rows[section.id]?.map { id in
        guard let uid = customers[id] else { throw ListError.damaged }
        return uid
      }
      state.records[.section, default: [:]][uid] = section.record
    }
    return state
  }

  /// Lines of logs; those of a deleted customer are there as long as no one deletes them.
  private func lines(
    _ differences: Differences?, _ past: ListPast?, in list: borrowing CustomerList
  ) throws -> [LogLine] {
    let sql = "SELECT \(LogLine.columns) FROM line_record WHERE deleted_by IS NULL"
    func read(_ condition: String, _ values: [SQLiteValue] = []) throws -> [LogLine] {
      try list.connection.fetchAll(sql + condition, values) { LogLine($0) }
    }
    var found: [LogLineID: LogLine] = [:]
    if let differences {
      for id in differences.customers.compactMap({ customers[$0] }) {
        for line in try read(" AND customer = ?", [.id(id)]) { found[line.id] = line }
      }
      for uid in differences.lines {
        for line in try read(" AND uid = ?", [.integer(uid)]) { found[line.id] = line }
      }
    } else {
      for line in try read("") { found[line.id] = line }
    }
    for (id, line) in past?.lines ?? [:] { found[id] = line }
    return Array(found.values)
  }

  /// A number for some values in a row, which others do not have, as SQL; it is another one in each process.
  private static func fingerprint(_ columns: [String]) -> String {
    "fingerprint(\(secret), \(columns.joined(separator: ", ")))"
  }

  private static let secret = Int64.random(in: .min ... .max)

  /// What differs between two copies, or is in one of them only. O(rows)
  func differences(from other: CopyReader) -> Differences {
    var differences = Differences()
    let pairs = other.prints.map { (other.customers[$0.id] ?? 0, $0.print) }
    var theirs = Dictionary(pairs) { first, _ in first }
    for (id, print) in prints {
      let uid = customers[id] ?? 0
      if theirs.removeValue(forKey: uid) != print { differences.customers.insert(uid) }
    }
    differences.customers.formUnion(theirs.keys)
    let (lines, others) = (linesByUID, other.linesByUID)
    for uid in Set(lines.keys).union(others.keys) where lines[uid] != others[uid] {
      differences.lines.insert(uid)
      differences.customers.formUnion([lines[uid], others[uid]].compactMap { $0?.customer })
    }
    return differences
  }

  private var linesByUID: [UID: LinePrint] {
    Dictionary(
      lines.map { ($0.uid, LinePrint(customer: customers[$0.customer] ?? 0, print: $0.print)) }
    ) { first, _ in first }
  }

  private struct LinePrint: Equatable {
    var customer: UID
    var print: Int64
  }

  /// What the log says of the time after an edit; nil if it does not reach back so far.
  ///
  /// - Parameters:
  ///   - edit: the edit.
  ///   - last: the last edit that counts.
  ///   - list: the copy.
  /// - Returns: the log.
  /// - Throws: `ListError.damaged`, `StoreError`.
  func log(
    since edit: Int64?, upTo last: Int64 = .max, in list: borrowing CustomerList
  ) throws -> MergeLog {
    var log = MergeLog(touched: edit == nil ? nil : [])
    // A repair, which is no edit, may have changed what was edited before it.
    let first = try (edit ?? list.reach()) &+ 1
    let times = try EditTimes(from: first, in: list)
    let undone = try list.editsOfUndonePulls()
    // The last edit comes first.
    try EditLog(from: first, in: list).forEachBackwards(in: list) { edit in
      guard edit.number <= last, !undone.contains(edit.number) else { return }
      func place(_ customers: some Sequence<CustomerID>) {
        for uid in customers.lazy.compactMap({ self.customers[$0] }) {
          log.touched?.insert(uid)
          if log.placed[uid] == nil { log.placed[uid] = times.time(of: edit.number, uid) }
        }
      }
      func change(_ kind: ListState.Kind, _ uid: UID?, _ fields: some Sequence<String>) {
        guard let uid else { return }
        for field in fields where log.changed[kind]?[uid]?[field] == nil {
          log.changed[kind, default: [:]][uid, default: [:]][field] = times.time(of: edit.number, uid)
        }
      }
      switch edit.change {
      case .insert(let id, _), .move(let id, _, _): place([id])
      case .insertMany(let first, let count, _): place(first.following(count))
      case .rows(let changes): place(changes.lazy.filter { $0.to != nil }.map(\.id))
      case .arrange(_, let moves): place(moves.lazy.map(\.id))
      case .update(let id, _): change(.customer, customers[id], edit.old.columns)
      case .column(let name?, let newName?):
        log.rename(name, to: newName, at: times.time(of: edit.number, 0))
      case .column(let name, let newName):
        if let name = name ?? newName { log.note(name, isDeleted: newName == nil) }
        for id in try list.customers(ofColumnEdit: edit.number) {
          change(.customer, customers[id], ["extra"])
        }
      case .line(let line, _, _): change(.line, line.rawValue, [""])
      case .entry(let id, _): change(.entry, id, [""])
      case .insertSection(let id, _), .moveSection(let id, _, _):
        guard let uid = sections[id], log.placedSections[uid] == nil else { break }
        log.placedSections[uid] = times.time(of: edit.number, uid)
      case .updateSection(let id): change(.section, sections[id], ["title", "footer"])
      case .delete, .deleteMany, .deleteSection: break
      }
    }
    return log
  }

  func uid(of id: CustomerID) -> UID? { customers[id] }
  func uid(of id: SectionID) -> UID? { sections[id] }
}

extension CopyReader {
  /// Readers of two copies that have the same uids for what both have.
  ///
  /// What both had when they parted is known from their logs: by the last edit that both have. If they do not tell, a row that
  /// has one id and one name in both is one, and so is a section with one title. Once one copy was merged with the other so,
  /// it has all who had only their numbers there: those whom it took for others, under these, and the rest is one, whatever it
  /// is called by now.
  ///
  /// - Parameters:
  ///   - list: a copy.
  ///   - known: its states.
  ///   - copy: another copy.
  ///   - other: the reader of that, if there is one.
  ///   - others: the states of that.
  ///   - areUnrelated: whether no state is known that both have in common.
  /// - Returns: the readers.
  /// - Throws: `PullError.isDamaged` if customers of the other copy have one uid, `.strangers`; `ListError.damaged`, `StoreError`.
  static func agreeing(
    _ list: borrowing CustomerList, _ known: KnownStates, _ copy: borrowing CustomerList,
    _ other: CopyReader?, _ others: KnownStates, areUnrelated: Bool
  ) throws -> (CopyReader, CopyReader) {
    var reader = try CopyReader(list)
    guard var other = try? other ?? CopyReader(copy) else { throw PullError.isDamaged(1) }
    func agree(_ customers: (CustomerID) -> Bool, _ sections: (SectionID) -> Bool) {
      reader.customers.agree(with: &other.customers, where: customers)
      reader.sections.agree(with: &other.sections, where: sections)
    }
    let old = try min(list.lastEditOfFormat11(), copy.lastEditOfFormat11())
    guard old > 0 else { return (reader, other) }
    if let edit = known.lastEdit(sharedWith: others, upTo: old), edit > 0,
      let last = try list.greatestIDs(after: edit) ?? copy.greatestIDs(after: edit)
    {
      agree({ $0.rawValue <= last.customer }, { $0.rawValue <= last.section })
      return (reader, other)
    }
    var taken: Set<CustomerID> = []
    if known.isMerged(with: others) { taken.formUnion(other.numbered) }
    if others.isMerged(with: known) { taken.formUnion(reader.numbered) }
    if areUnrelated || !taken.isEmpty {
      let (names, theirNames) = try (list.namesOfCustomers(), copy.namesOfCustomers())
      let (titles, theirTitles) = try (list.titlesOfSections(), copy.titlesOfSections())
      if areUnrelated {
        let strangers = reader.numbered.intersection(other.numbered).count { id in
          let (name, theirName) = (Set(names[id] ?? []), Set(theirNames[id] ?? []))
          return name != theirName && name.intersection(theirName).isSubset(of: [""])
        }
        guard strangers == 0 else { throw PullError.strangers(strangers) }
      }
      agree(
        { taken.contains($0) || names[$0] == theirNames[$0] }, { titles[$0] == theirTitles[$0] })
    }
    return (reader, other)
  }

  /// The rows that have their ids for uids.
  private var numbered: Set<CustomerID> {
    Set(rows.values.joined().lazy.filter { customers[$0] == $0.rawValue })
  }
}

extension CustomerList {
  /// The last edit that was made in format 11; 0 in a list that never had it.
  fileprivate func lastEditOfFormat11() throws -> Int64 {
    try connection.fetchOne("SELECT counted FROM identity") { $0.integer(0) } ?? 0
  }

  /// What all customers that have a record are called, those without a name by their other main values.
  ///
  /// - Complexity: O(rows).
  fileprivate func namesOfCustomers() throws -> [CustomerID: [String]] {
    let sql =
      "SELECT id, first_name, last_name, company, email, phone, address, note FROM customer_record"
    let names = try connection.fetchAll(sql) { row in
      let name = (1...3).map { row.text(Int32($0)) }
      let values = name.allSatisfy(\.isEmpty) ? (4...7).map { row.text(Int32($0)) } : []
      return (CustomerID(rawValue: row.integer(0)), name + values)
    }
    return Dictionary(uniqueKeysWithValues: names)
  }

  /// The titles of all sections that have a record.
  fileprivate func titlesOfSections() throws -> [SectionID: String] {
    let titles = try connection.fetchAll("SELECT id, title FROM section_record") {
      (SectionID(rawValue: $0.integer(0)), $0.text(1))
    }
    return Dictionary(uniqueKeysWithValues: titles)
  }

  /// The greatest ids of customers and sections that were given up to an edit, or all later ones if none was; nil if the log does
  /// not reach back to it.
  fileprivate func greatestIDs(after edit: Int64) throws -> (customer: Int64, section: Int64)? {
    guard try reach() <= edit else { return nil }
    var (customers, sections) = (Set<CustomerID>(), Set<SectionID>())
    // What was there before may have been deleted and come back.
    try EditLog(from: edit &+ 1, in: self).forEachBackwards(in: self) { edit in
      switch edit.change {
      case .insert(let id, _): customers.insert(id)
      case .insertMany(let first, let count, _): customers.formUnion(first.following(count))
      case .delete(let id, _): customers.remove(id)
      case .deleteMany(let first, let count, _): customers.subtract(first.following(count))
      case .rows(let changes):
        customers.formUnion(changes.lazy.filter { $0.from == nil }.map(\.id))
        customers.subtract(changes.lazy.filter { $0.to == nil }.map(\.id))
      case .insertSection(let id, _): sections.insert(id)
      case .deleteSection(let id, _): sections.remove(id)
      default: break
      }
    }
    return (
      (customers.lazy.map(\.rawValue).min() ?? .max) &- 1, (sections.lazy.map(\.rawValue).min() ?? .max) &- 1
    )
  }

  /// The edits from a pull up to its undo: they come to nothing.
  fileprivate func editsOfUndonePulls() throws -> IDRanges {
    let sql = """
      SELECT first.first_edit, last.first_edit + last.edits FROM undone_pull AS pull
      JOIN history_step AS first ON first.id = pull.step JOIN history_step AS last ON last.id = pull.next
      """
    return IDRanges(
      joining: try connection.fetchAll(sql) { $0.integer(0)..<max($0.integer(0), $0.integer(1)) })
  }
}

/// When the edits after one were made: those of a pull, in the other copy.
private struct EditTimes {
  private struct Pulled: Hashable {
    var edit: Int64
    var uid: UID
  }

  private let steps: [(firstEdit: Int64, time: String)]
  private let pulled: [Pulled: String]

  init(from first: Int64, in list: borrowing CustomerList) throws {
    steps = try list.connection.fetchAll(
      "SELECT first_edit, at FROM history_step WHERE first_edit + edits > ? ORDER BY id", [.integer(first)]
    ) { ($0.integer(0), $0.text(1)) }
    let times = try list.connection.fetchAll(
      "SELECT edit, row, at FROM pulled_time WHERE edit >= ?", [.integer(first)]
    ) { (Pulled(edit: $0.integer(0), uid: $0.integer(1)), $0.text(2)) }
    pulled = Dictionary(uniqueKeysWithValues: times)
  }

  func time(of edit: Int64, _ uid: UID) -> String {
    if !pulled.isEmpty, let time = pulled[Pulled(edit: edit, uid: uid)] { return time }
    let next = steps.partitionIndex { $0.firstEdit > edit }
    return next > 0 ? steps[next - 1].time : ""
  }
}

// Records -----------------------------------------------------------------------------------------

/// A value that is empty, or usual, is in no record.
extension Customer {
  /// The values that copies may change apart.
  var record: ListState.Record {
    var record = ListState.Record()
    for field in CustomerField.stored {
      let value = fields[field]
      guard value != field.emptyValue else { continue }
      record[field.column] =
        field.kind == .lines
        ? .lines(value.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        : .value(value)
    }
    let extra = fields.extra == "{}" ? ExtraColumns() : fields.extraColumns
    if extra.isWhole {
      record["extra"] = .text(fields.extra)
    } else {
      for (name, value) in extra.all { record[ListState.extra + name] = .value(value) }
      if !extra.all.isEmpty { record[ListState.columnOrder] = .lines(extra.all.map(\.name)) }
    }
    if !canEdit { record["can_edit"] = .value(.flag(false)) }
    if !canMove { record["can_move"] = .value(.flag(false)) }
    return record
  }

  /// Takes the values in which two records differ.
  mutating func take(_ record: ListState.Record, insteadOf old: ListState.Record) {
    var extra: [(name: String, value: FieldValue)] = []
    for name in Set(record.keys).union(old.keys).sorted() where record[name] != old[name] {
      let value = record[name]
      if let field = CustomerField.stored.first(where: { $0.column == name }) {
        fields[field] = value.map { .init($0) } ?? field.emptyValue
      } else if name == "can_edit" {
        canEdit = value == nil
      } else if name == "can_move" {
        canMove = value == nil
      } else if name == "extra" {
        fields.extra = value?.text ?? "{}"
      } else if name != ListState.columnOrder {
        extra.append((String(name.dropFirst(ListState.extra.count)), value.map { .init($0) } ?? .text("")))
      }
    }
    let order = record[ListState.columnOrder]
    guard record["extra"] == nil, !extra.isEmpty || order != old[ListState.columnOrder] else { return }
    var columns = fields.extraColumns
    for (name, value) in extra { columns[name] = value }
    if case .lines(let names)? = order { columns.arrange(names) }
    fields.extraColumns = columns
  }
}

extension FieldValue {
  fileprivate init(_ value: MergedValue) {
    switch value {
    case .value(let value): self = value
    case .lines: self = .text(value.text)
    }
  }
}

extension CustomerSection {
  fileprivate var record: ListState.Record {
    footer.isEmpty ? ["title": .text(title)] : ["title": .text(title), "footer": .text(footer)]
  }
}

extension ListEntry {
  fileprivate var record: ListState.Record {
    [
      "type": .text(kind.rawValue), "name": .text(name), "value": .text(value), "place": .text("\(place)"),
      "choices": .text(choices),
    ]
  }
}

extension LogLine {
  fileprivate func record(of customer: UID) -> ListState.Record {
    ["customer": .text("\(customer)"), "at": .text(time), "author": .text(author), "text": .text(text)]
  }
}
