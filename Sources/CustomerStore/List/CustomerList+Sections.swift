internal import CustomersSQLite

extension CustomerList {
  /// All sections in order.
  public func sections() throws -> [CustomerSection] {
    try sections(from: #"sections ORDER BY "order""#)
  }

  /// The sections that are in a view, as SQL says.
  func sections(from view: String, _ values: SQLiteValue...) throws -> [CustomerSection] {
    try connection.fetchAll(#"SELECT id, title, footer, "order", count FROM \#(view)"#, values) {
      CustomerSection($0)
    }
  }

  /// The section with an id.
  ///
  /// - Throws: `ListError.noSuchSection`.
  package func section(_ id: SectionID) throws -> CustomerSection {
    guard let found = try sections(withID: id).first else { throw ListError.noSuchSection(id) }
    return found
  }

  /// The section with an id, if it is there. O(log sections)
  func sections(withID id: SectionID) throws -> [CustomerSection] {
    try sections(from: "sections WHERE id = ?", .id(id))
  }

  /// Adds an empty section at place `order` (from 1) or as the last.
  ///
  /// - Throws: `ListError.placeOutOfRange`, `untitledSection`, `titleInUse`.
  package mutating func addSection(title: String, footer: String = "", at order: Int? = nil) throws
    -> CustomerSection
  {
    try refuseTitle(title)
    return try section(insertSection(title: title, footer: footer, at: order))
  }

  /// Adds an empty section whose title was compared with all others by `Name.title`.
  ///
  /// - Complexity: O(log sections) for the last place.
  package mutating func insertSection(
    title: String, footer: String = "", at order: Int? = nil
  ) throws -> SectionID {
    let id = try nextID(in: "section_record")
    try edit(
      #"INSERT INTO sections (id, title, footer, "order") VALUES (?, ?, ?, ?)"#,
      [.integer(id), .text(title), .text(footer), order.map(SQLiteValue.integer) ?? .null]
    ) { refusal in
      guard refusal == .place, let order, let count = try? sections().count else {
        return titleError(refusal, title)
      }
      return .placeOutOfRange(asked: order, allowed: 1..<count + 2)
    }
    return SectionID(rawValue: id)
  }

  /// Changes the title, the footer, or both of a section.
  ///
  /// - Throws: `ListError.noSuchSection`, `untitledSection`, `titleInUse`.
  package mutating func renameSection(_ id: SectionID, title: String? = nil, footer: String? = nil) throws {
    let old = try section(id)
    if let title, title != old.title { try refuseTitle(title, besides: id) }
    try edit(
      "UPDATE sections SET title = ?, footer = ? WHERE id = ?",
      [.text(title ?? old.title), .text(footer ?? old.footer), .id(id)]
    ) { titleError($0, title ?? old.title) }
  }

  /// Refuses a title that differs from another section's only in case or in spaces at the ends.
  ///
  /// The triggers do so for the letters a to z.
  private func refuseTitle(_ title: String, besides id: SectionID? = nil) throws {
    guard title.utf8.contains(where: { $0 >= 0x80 }) else { return }
    if let other = try section(likeTitled: title, besides: id) { throw ListError.titleInUse(other.title) }
  }

  func section(likeTitled title: String, besides id: SectionID? = nil) throws -> CustomerSection? {
    let (last, recorder) = (try lastEdit(), recorder)
    if recorder.titles == nil {
      recorder.titles = SectionTitles(try sections(), at: last)
    } else {
      try recorder.updateTitles(to: last, on: connection)
    }
    guard let other = recorder.titles?.sections(titled: title).first(where: { $0 != id }) else { return nil }
    return try section(other)
  }

  func titleError(_ refusal: Refusal, _ title: String) -> ListError? {
    switch refusal {
    case .untitled: .untitledSection
    case .title:
      .titleInUse((try? section(likeTitled: title))?.title ?? title)
    default: nil
    }
  }

  /// Moves a section, with its rows, to place `order` (from 1), counted after the edit.
  ///
  /// - Throws: `ListError.noSuchSection`, `placeOutOfRange`.
  package mutating func moveSection(_ id: SectionID, to order: Int) throws {
    _ = try section(id)
    let count = try sections().count
    try edit(
      #"UPDATE sections SET "order" = ? WHERE id = ?"#, [.integer(order), .id(id)]
    ) { $0 == .place ? .placeOutOfRange(asked: order, allowed: 1..<count + 1) : nil }
  }

  /// Deletes a section; if it has customers, only together with them.
  ///
  /// - Throws: `ListError.noSuchSection`, `sectionNotEmpty`, or `editForbidden` for a customer that is
  ///   protected.
  package mutating func deleteSection(_ id: SectionID, withCustomers: Bool = false) throws {
    guard withCustomers else { return try remove(section(id)) }
    var customers: [CustomerID] = []
    try forEach(in: id) {
      customers.append($0.id); return true
    }
    try atomically { list in
      // From the end, so that no rows shift.
      try list.delete(customers.reversed())
      try list.remove(list.section(id))
    }
  }

  private func remove(_ section: CustomerSection) throws {
    try edit("DELETE FROM sections WHERE id = ?", [.id(section.id)]) {
      $0 == .occupied ? .sectionNotEmpty(section.id, count: section.count) : nil
    }
  }

  /// Lets the ids of the next customers and sections be greater than a number.
  ///
  /// - Parameter number: less than 2⁵², and not less than any id.
  /// - Throws: `StoreError`.
  package func continueIDs(after number: Int64) throws {
    for table in ["customer_record", "section_record"] {
      try connection.continueIDs(of: table, after: number)
    }
  }

  /// The id of the next row of a table; ids only grow.
  func nextID(in table: String) throws -> Int64 {
    let sql = "SELECT seq FROM sqlite_sequence WHERE name = ?"
    return (try connection.fetchOne(sql, [.text(table)]) { Int64(max(0, $0.int(0))) } ?? 0) + 1
  }
}

extension Connection {
  /// Lets the ids of a table continue after a number.
  func continueIDs(of table: String, after number: Int64) throws {
    try execute("DELETE FROM sqlite_sequence WHERE name = ?", [.text(table)])
    try execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", [.text(table), .integer(number)])
  }
}

/// The sections by their titles, as `Name.title` compares them.
struct SectionTitles {
  /// The last edit that it knows.
  var edit: Int64
  private var titles: [SectionID: String] = [:]
  private var sections: [String: Set<SectionID>] = [:]

  init(_ sections: [CustomerSection], at edit: Int64) {
    self.edit = edit
    for section in sections { self[section.id] = section.title }
  }

  /// The title of a section; nil if there is none.
  subscript(id: SectionID) -> String? {
    get { titles[id] }
    set {
      if let old = titles[id] { sections[Name.title(old)]?.remove(id) }
      if let newValue { sections[Name.title(newValue), default: []].insert(id) }
      titles[id] = newValue
    }
  }

  func sections(titled title: String) -> Set<SectionID> { sections[Name.title(title)] ?? [] }
}

extension StepRecorder {
  /// Reads the titles of the sections that were edited since they were read.
  fileprivate func updateTitles(to last: Int64, on connection: Connection) throws {
    guard var titles else { return }
    // So that nothing is copied when it changes.
    self.titles = nil
    let edited = "SELECT row FROM \(CustomerList.loggedEdits) WHERE kind LIKE 'section %'"
    let numbers: [SQLiteValue] = [.integer(titles.edit + 1), .integer(last + 1)]
    for id in Set(try connection.fetchAll(edited, numbers, { $0.integer(0) })) {
      let title = "SELECT title FROM present_section WHERE id = ?"
      titles[SectionID(rawValue: id)] = try connection.fetchOne(title, [.integer(id)]) { $0.text(0) }
    }
    titles.edit = last
    self.titles = titles
  }
}

extension CustomerSection {
  init(_ row: borrowing Statement) {
    self.init(
      id: SectionID(rawValue: row.integer(0)), title: row.text(1), footer: row.text(2),
      order: row.int(3), count: max(0, row.int(4)))
  }
}
