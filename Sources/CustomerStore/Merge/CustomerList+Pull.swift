internal import CustomersSQLite

extension CustomerList {
  /// Writes what a pull brings, as edits of the step of this transaction.
  ///
  /// Each row is written once: those that leave, come, or move are one edit. Protection says what people may do by accident,
  /// so it keeps no one out here.
  ///
  /// - Throws: `ListError`, `StoreError`.
  /// - Complexity: O(rows in the list).
  mutating func write(_ plan: PullPlan) throws {
    let first = try lastEdit() + 1
    try atomically { list in
      var writing = PullWriting(plan)
      try list.edit({ _ in nil }) {
        let isNew = try list.currentStep() == nil
        let changesNothing = plan.summary.changesNothing
        if isNew {
          // An edit would make it impossible to redo what was undone.
          try list.connection.execute(
            "INSERT INTO open_step (kind) VALUES (?)", [.text(changesNothing ? "redo" : "edit")])
        }
        try writing.writeUIDs(in: list)
        try writing.forgetErased(in: list)
        try writing.writeSections(in: list)
        try writing.writeColumns(in: list)
        try writing.moveLines(in: list)
        try writing.writeRows(in: list)
        try writing.writeValues(in: list)
        try writing.writeLines(in: list)
        try writing.writeEntries(in: list)
        try writing.arrangeSections(in: list)
        try writing.noteTimes(from: first, in: list)
        try list.take(plan.taken, head: plan.head, naming: plan.mark)
        if isNew, changesNothing { try list.hideStep() }
      }
    }
  }

  /// Notes in the open step that it took states of another copy in, and gives the list a name.
  private func take(_ states: [Int64], head: Int64, naming mark: Int64) throws {
    let step = try connection.fetchOne("SELECT max(id) FROM history_step") { $0.integer(0) } ?? 0
    try connection.execute("UPDATE history_step SET mark = ? WHERE id = ?", [.integer(mark), .integer(step)])
    try note(states, head: head, takenInBy: step)
  }

  /// Makes the open step, which has no edits, one that no one sees or undoes.
  private func hideStep() throws {
    try connection.execute(
      """
      UPDATE history_step SET kind = 'edit', state = 'dropped', is_open = 0
      WHERE id = (SELECT max(id) FROM history_step)
      """)
  }

  /// Notes that a step took states in.
  func note(_ states: [Int64], head: Int64? = nil, takenInBy step: Int64) throws {
    try connection.executeEach(
      "INSERT OR IGNORE INTO known_state (step, mark, is_head) VALUES (?, ?, ?)", states
    ) { [.integer(step), .integer($0), .bool($0 == head)] }
  }
}

/// What is known while a pull is written.
private struct PullWriting {
  private let plan: PullPlan
  private let now: ListState
  private let merged: ListState
  private var reader: CopyReader
  /// The customers whose records the history no longer keeps.
  private var erased: Set<UID> = []
  /// The lines that are as they will be.
  private var movedLines: Set<UID> = []
  /// The lines that someone keeps until their customers are there.
  private var keptLines: Set<UID> = []

  init(_ plan: PullPlan) { (self.plan, now, merged, reader) = (plan, plan.now, plan.merged, plan.reader) }

  private func section(_ section: UID) throws -> SectionID {
    guard let id = reader.sections[section] else { throw ListError.damaged }
    return id
  }

  private func customer(_ customer: UID) throws -> CustomerID {
    guard let id = reader.customers[customer] else { throw ListError.damaged }
    return id
  }

  /// Writes the uids that another copy gave.
  func writeUIDs(in list: borrowing CustomerList) throws {
    try list.connection.executeEach(
      "UPDATE customer_record SET uid = ? WHERE id = ?", reader.customers.adopted
    ) { [.integer(reader.uid(of: $0) ?? $0.rawValue), .id($0)] }
    try list.connection.executeEach(
      "UPDATE section_record SET uid = ? WHERE id = ?", reader.sections.adopted
    ) { [.integer(reader.uid(of: $0) ?? $0.rawValue), .id($0)] }
  }

  /// The step in which this is written may have erased the oldest of the history when it began, with what was deleted
  /// then: if that comes back, it is new.
  mutating func forgetErased(in list: borrowing CustomerList) throws {
    func isThere(_ table: String, _ id: Int64) throws -> Bool {
      try list.connection.fetchOne("SELECT 1 FROM \(table) WHERE id = ?", [.integer(id)]) { _ in true }
        ?? false
    }
    var absent = Set(
      [now, merged].flatMap { $0[.line].values.compactMap { ListState.customer(of: $0) } })
    absent.formUnion(plan.rows.arrivals.lazy.filter(\.isNew).map(\.row))
    if !absent.isEmpty { absent.subtract(now.rows.values.joined()) }
    for uid in absent {
      guard let id = reader.customers[uid], try !isThere("customer_record", id.rawValue) else { continue }
      erased.insert(uid)
      reader.customers.forget(uid)
    }
    for uid in merged.sections where now.rows[uid] == nil {
      guard let id = reader.sections[uid], try !isThere("section_record", id.rawValue) else { continue }
      reader.sections.forget(uid)
    }
  }

  /// Adds sections at the end, and gives those of the list their titles.
  mutating func writeSections(in list: borrowing CustomerList) throws {
    var count = now.sections.count
    for uid in merged.sections {
      guard let record = merged[.section][uid] else { throw ListError.damaged }
      let (title, footer) = (record["title"]?.text ?? "", record["footer"]?.text ?? "")
      var isNew = false
      if now.rows[uid] == nil {
        count += 1
        if reader.sections[uid] == nil {
          isNew = true
          try list.connection.execute(
            """
            INSERT INTO section_record (title, title_key, footer, "order", uid) VALUES (?1, lower(trim(?1)), ?2, NULL, ?3)
            """, [.text(title), .text(footer), .integer(uid)])
          let last = "SELECT max(id) FROM section_record"
          let id = SectionID(rawValue: try list.connection.fetchOne(last) { $0.integer(0) } ?? 0)
          reader.sections.add(id, uid)
        }
        try list.connection.execute(
          "INSERT INTO logged_section_insert VALUES (?, ?)", [.id(section(uid)), .integer(count)])
      }
      guard !isNew, now[.section][uid] != record else { continue }
      try list.connection.execute(
        "INSERT INTO logged_section_update VALUES (?, ?, ?)",
        [.id(section(uid)), .text(title), .text(footer)])
    }
  }

  /// Renames extra columns of the customers who have them, so that other copies find that in the log.
  func writeColumns(in list: borrowing CustomerList) throws {
    var names = plan.columns.filter { $0 != $1 }
    // First those whose new names are not renamed themselves.
    while let (name, newName) = names.sorted(by: { $0.key < $1.key }).first(where: { names[$1] == nil })
      ?? names.first
    {
      names[name] = nil
      let (field, newField) = (ListState.extra + name, ListState.extra + newName)
      let uids = now[.customer].filter { uid, record in
        guard record[field] != nil, record[newField] == nil, let new = merged[.customer][uid] else {
          return false
        }
        return new[field] == nil && new[newField] != nil
      }.keys.sorted()
      try list.renameColumn(name, to: newName, of: uids.map { try customer($0) })
    }
  }

  /// Deletes, adds, and moves rows, all at once.
  mutating func writeRows(in list: borrowing CustomerList) throws {
    var (change, new) = (Rearrangement(), [UID]())
    let from = try list.places(
      of: (plan.rows.deleted + plan.rows.arrivals.lazy.filter { !$0.isNew }.map(\.row)).map {
        try customer($0)
      }
    )
    for arrival in plan.rows.arrivals {
      let place = CustomerPlace(section: try section(arrival.section), order: arrival.order)
      if let known = reader.customers[arrival.row] {
        change.arrivals.append(.init(row: .customer(known, from: from[known]), place: place))
      } else {
        change.arrivals.append(.init(row: .new(new.count), place: place))
        new.append(arrival.row)
      }
    }
    for row in plan.rows.deleted {
      let id = try customer(row)
      guard let place = from[id] else { throw ListError.damaged }
      change.deleted.append((id, place))
    }
    try list.write(change, addRecords(of: new, in: list))
  }

  private mutating func addRecords(of new: [UID], in list: borrowing CustomerList) throws -> [CustomerID] {
    let records = merged[.customer]
    let ids = try list.addRecords(
      new.map { uid in
        var customer = Customer(id: 0, place: CustomerPlace(section: 0, order: 0), fields: CustomerFields())
        customer.take(records[uid] ?? [:], insteadOf: [:])
        return NewCustomer(customer.fields, canEdit: customer.canEdit, canMove: customer.canMove)
      })
    try list.connection.executeEach("UPDATE customer_record SET uid = ? WHERE id = ?", Array(zip(new, ids))) {
      [.integer($0), .id($1)]
    }
    for (uid, id) in zip(new, ids) { reader.customers.add(id, uid) }
    return ids
  }

  /// Gives customers other values.
  func writeValues(in list: borrowing CustomerList) throws {
    let old = now[.customer]
    var changed: [CustomerID: ListState.Record] = [:]
    for (uid, record) in merged[.customer] where old[uid] != record { changed[try customer(uid)] = record }
    guard !changed.isEmpty else { return }
    // New customers have them, and those who come back what they had.
    let customers = try list.customers(changed.keys.sorted()).values.sorted { $0.id < $1.id }
    try list.overwrite(customers) { customer in
      customer.take(changed[customer.id] ?? [:], insteadOf: customer.record)
    }
  }

  /// The lines as they are; those of erased customers are erased.
  private var oldLines: [UID: ListState.Record] {
    now[.line].filter { !erased.contains(ListState.customer(of: $0.value) ?? 0) }
  }

  private func log(
    _ kind: String, _ uid: UID, _ line: ListState.Record, of other: UID? = nil,
    in list: borrowing CustomerList
  ) throws {
    guard let customer = (other ?? ListState.customer(of: line)).flatMap({ reader.customers[$0] }) else {
      throw ListError.damaged
    }
    let values = ["at", "author", "text"].map { SQLiteValue.text(line[$0]?.text ?? "") }
    try list.connection.execute(
      "INSERT INTO logged_line VALUES (?, ?, ?, ?, ?, ?)",
      [.text(kind), .integer(uid), .id(customer)] + values)
  }

  /// Moves lines away from customers that will leave, as after a merge, or that have left.
  ///
  /// An undo, which goes back edit by edit, gives a line only to a customer who is there, from one who is there, too. If the
  /// new one is not there yet, anyone who stays keeps it until then; if the old one is not there any more, that one comes
  /// back until the line has moved.
  mutating func moveLines(in list: borrowing CustomerList) throws {
    let (old, leaving) = (oldLines, Set(plan.rows.deleted))
    let here = Set(now.rows.values.joined())
    guard let someone = here.subtracting(leaving).min() else { return }
    let stays = here.subtracting(leaving).union(plan.rows.arrivals.lazy.map(\.row))
    var (moving, gone) = ([(uid: UID, line: ListState.Record, isHere: Bool)](), Set<CustomerID>())
    for (uid, line) in merged[.line].sorted(by: { $0.key < $1.key }) where old[uid] != line {
      guard let record = try list.lineRecord(uid), let owner = reader.uid(of: record.customer),
        owner != ListState.customer(of: line), !stays.contains(owner)
      else { continue }
      if !here.contains(owner) { gone.insert(record.customer) }
      moving.append((uid, old[uid] ?? line, !record.isDeleted))
    }
    guard !moving.isEmpty, let home = try list.wholeSections().first else { return }
    let back = gone.sorted().enumerated().map { index, id in
      (id: id, place: CustomerPlace(section: home.id, order: home.count + index + 1))
    }
    var change = Rearrangement()
    change.arrivals = back.map { .init(row: .customer($0.id, from: nil), place: $0.place) }
    try list.write(change, [])
    for (uid, line, isHere) in moving {
      let kind = isHere ? "line update" : "line insert"
      if let moved = merged[.line][uid], let other = ListState.customer(of: moved), here.contains(other) {
        try log(kind, uid, moved, in: list)
        movedLines.insert(uid)
      } else {
        try log(kind, uid, line, of: someone, in: list)
        keptLines.insert(uid)
      }
    }
    change = Rearrangement()
    change.deleted = back
    try list.write(change, [])
  }

  /// Adds, edits, and deletes lines of logs.
  func writeLines(in list: borrowing CustomerList) throws {
    let (old, new) = (oldLines, merged[.line])
    lazy var present = Set(merged.rows.values.joined())
    func log(_ kind: String, _ uid: UID, _ line: ListState.Record) throws {
      try self.log(kind, uid, line, in: list)
    }
    for uid in Set(old.keys).union(new.keys).sorted()
    where old[uid] != new[uid] && !movedLines.contains(uid) {
      let customer = (new[uid] ?? old[uid]).flatMap { ListState.customer(of: $0) } ?? 0
      switch (old[uid], new[uid]) {
      // Those of a deleted customer are deleted with it.
      case (let line?, nil): if present.contains(customer) { try log("line delete", uid, line) }
      case (nil, let line?) where keptLines.contains(uid): try log("line update", uid, line)
      case (nil, let line?):
        guard let id = reader.customers[customer] else { break }
        try list.connection.execute(
          "INSERT OR IGNORE INTO line_record (uid, customer, at, author, text) VALUES (?, ?, '', '', '')",
          [.integer(uid), .id(id)])
        try log("line insert", uid, line)
      case (_?, let line?): try log("line update", uid, line)
      case (nil, nil): break
      }
    }
  }

  /// Adds, edits, and deletes what the list says about itself.
  ///
  /// At no time do two have one name, so that the edits can be undone one by one.
  func writeEntries(in list: borrowing CustomerList) throws {
    let (old, new) = (now[.entry], merged[.entry])
    func log(_ kind: String, _ uid: UID, _ entry: ListState.Record, name: String? = nil) throws {
      let values = ["value", "place", "choices"].map { entry[$0]?.text ?? "" }
      try list.connection.execute(
        "INSERT INTO logged_entry VALUES (?, ?, ?, ?, ?, ?)",
        [
          .text(kind), .integer(uid), .text(name ?? entry["name"]?.text ?? ""), .text(values[0]),
          .integer(Int64(values[1]) ?? 0), .text(values[2]),
        ])
    }
    for (uid, entry) in old.sorted(by: { $0.key < $1.key }) where new[uid] == nil {
      try log("entry delete", uid, entry)
    }
    let changed = new.keys.sorted().filter { new[$0] != old[$0] }
    for uid in changed {
      guard let entry = old[uid], entry["name"] != new[uid]?["name"] else { continue }
      try log("entry update", uid, entry, name: "\(entry["name"]?.text ?? "") \(uid)")
    }
    for uid in changed {
      guard let entry = new[uid] else { continue }
      if old[uid] == nil {
        try list.connection.execute(
          "INSERT OR IGNORE INTO entry_record VALUES (?, ?, '', '', 0, '', NULL)",
          [.integer(uid), .text(entry["type"]?.text ?? "")])
      }
      try log(old[uid] == nil ? "entry insert" : "entry update", uid, entry)
    }
  }

  /// Deletes sections, which are empty now, and puts the others in order.
  func arrangeSections(in list: borrowing CustomerList) throws {
    for uid in now.sections where merged.rows[uid] == nil {
      try list.connection.execute("INSERT INTO logged_section_delete VALUES (?)", [.id(section(uid))])
    }
    var order =
      now.sections.filter { merged.rows[$0] != nil } + merged.sections.filter { now.rows[$0] == nil }
    for (index, uid) in merged.sections.enumerated() where order[index] != uid {
      order.removeAll { $0 == uid }
      order.insert(uid, at: index)
      try list.connection.execute(
        "INSERT INTO logged_section_move VALUES (?, ?)", [.id(section(uid)), .integer(index + 1)])
    }
  }

  /// Notes when what was written was changed in the other copy.
  func noteTimes(from first: Int64, in list: borrowing CustomerList) throws {
    let log = plan.theirLog
    var times: [(edit: Int64, uid: UID, time: String)] = []
    try EditLog(from: first, in: list).forEachBackwards(in: list) { edit in
      func note(_ uid: UID?, _ time: (UID) -> String?) {
        guard let uid, let time = time(uid), !time.isEmpty else { return }
        times.append((edit.number, uid, time))
      }
      switch edit.change {
      case .rows(let changes):
        for change in changes where change.to != nil { note(reader.uid(of: change.id)) { log.placed[$0] } }
      case .update(let id, _):
        note(reader.uid(of: id)) { uid in edit.old.columns.map { log.time(of: $0, uid, .customer) }.max() }
      case .line(let line, _, _): note(line.rawValue) { log.time(of: "", $0, .line) }
      case .column(_, let newName?):
        note(0) { _ in log.columns.values.first { $0.name == newName }?.time }
      case .entry(let id, _): note(id) { log.time(of: "", $0, .entry) }
      case .insertSection(let id, _), .moveSection(let id, _, _):
        note(reader.uid(of: id)) { log.placedSections[$0] }
      case .updateSection(let id): note(reader.uid(of: id)) { log.time(of: "title", $0, .section) }
      default: break
      }
    }
    try list.connection.executeEach("INSERT INTO pulled_time (edit, row, at) VALUES (?, ?, ?)", times) {
      [.integer($0.edit), .integer($0.uid), .text($0.time)]
    }
  }
}

extension CustomerList {
  /// Whose log the record of a line is in, and whether it was deleted alone; nil if there is none.
  fileprivate func lineRecord(_ uid: UID) throws -> (customer: CustomerID, isDeleted: Bool)? {
    try connection.fetchOne(
      "SELECT customer, deleted_by NOT NULL FROM line_record WHERE uid = ?", [.integer(uid)]
    ) {
      (CustomerID(rawValue: $0.integer(0)), $0.bool(1))
    }
  }
}

extension Connection {
  /// Runs a statement for each of some elements.
  fileprivate func executeEach<Element>(
    _ sql: String, _ elements: [Element], _ values: (Element) -> [SQLiteValue]
  ) throws {
    try executeMany(sql, for: elements) { statement, element in
      for (index, value) in values(element).enumerated() { try statement.bind(value, at: Int32(index + 1)) }
    }
  }
}
