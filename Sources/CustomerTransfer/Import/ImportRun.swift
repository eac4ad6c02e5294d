internal import CustomerStore
internal import CustomersText

/// One import of the rows of a file into a list.
struct ImportRun {
  let rows: ImportRows
  private var duplicates: Duplicates?
  /// The customers that the list has already, if they are to be noticed.
  private var people: KnownCustomers?
  /// What a file with versions says beside the list.
  var returned: ReturnedFile
  /// The place for all rows; nil if each goes to the section that the file names.
  private var fixed: (destination: Destination, section: SectionID?)?
  /// The sections before the import, by the key of the title; none in a new list, whose section gets another title.
  private let known: [String: [CustomerSection]]
  /// The sections for the titles so far.
  private var sections: [String: SectionID] = [:]
  /// The sections that the import has added, by title as the list compares titles.
  private var added: [String: SectionID] = [:]
  /// What goes to the ends of sections and is not written yet.
  private var appended = AppendedRows()
  /// The section of a new list, while the list is empty.
  private var unused: CustomerSection?
  /// The beginning of the UUIDs of this list, if the file may have some.
  private let ownUUIDs: String?
  /// What was done so far.
  var summary = ImportSummary()
  /// Where each row went.
  private(set) var choices = ImportChoices()
  /// The value of the key that matched several customers, or the name of one that the list has already.
  private(set) var ambiguousValue: String?

  /// Prepares the import of all rows to a place; without one, to the sections named in the file.
  init(
    _ rows: ImportRows, at destination: Destination?, in section: SectionID?, of list: borrowing CustomerList
  ) throws {
    self.rows = rows
    returned = try ReturnedFile(rows.options, list)
    if destination != nil || section != nil { fixed = (destination ?? .last, section) }
    let outline = try list.outline()
    for section in outline.sections.reversed() { sections[section.title] = section.id }
    if outline.count == 0, outline.sections.count == 1 { unused = outline.sections[0] }
    known = unused == nil ? Dictionary(grouping: outline.sections) { Name($0.title).key } : [:]
    try rows.match(list)
    try rows.decideKinds(in: list)
    summary.first = try rows.peek()?.customer
    ownUUIDs = try rows.haveUIDs ? list.uuidStart() : nil
    if rows.options.countsKnown || rows.options.refusesKnown, outline.count > 0 {
      people = try KnownCustomers(
        in: list, comparesUIDs: rows.haveUIDs, comparesNames: rows.options.duplicates == .update)
    }
    guard rows.options.duplicates != .add else { return }
    let keys = try rows.keys(rows.options.keys)
    // Without versions, a column of this name is one of another program, unless the list has it, too.
    if keys == [.field(.extra("id"))], outline.count > 0,
      try !list.extraColumns().contains(where: { $0.name == "id" })
    {
      throw TransferError.noVersion
    }
    duplicates = try Duplicates(by: keys, comparesUIDs: rows.haveUIDs, in: list)
  }

  /// Imports the whole file.
  ///
  /// - Throws: whatever ends the import; the transaction must be rolled back.
  mutating func importAll(into list: inout CustomerList) throws {
    let renamed =
      try isReturned
      ? rows.peek()?.handOut.map { try returned.renamedColumns(since: $0, in: list) } ?? [] : []
    summary.renamedColumns = renamed
    for found in rows.foundKinds
    where found.isNew && found.open.isEmpty && found.kind != .text && !renamed.contains(found.column) {
      try list.declareColumn(found.column, kind: found.kind)
    }
    for (name, values) in rows.declared where try list.extraColumns(like: name)?.fit != .exact {
      try list.declareColumn(name, kind: values.kind, choices: values.choices)
    }
    while let row = try rows.peek() {
      for heading in row.headings { try add(heading, to: &list) }
      // A UID names the customer in every copy.
      let isOfList =
        try duplicates.map { try returned.isOfList(row.handOut, list, refusesCopies: !$0.areUIDs) } ?? false
      if let match = duplicates?.match(row, isOfList: isOfList) {
        rows.advance()
        duplicates?.use(row, as: match.id)
        try appended.write(to: &list)
        try take(row, knownAs: match, in: &list)
      } else {
        try insertRun(from: row, isOfList: isOfList, into: &list)
      }
    }
    for heading in rows.headings { try add(heading, to: &list) }
    try appended.write(to: &list)
    if let people {
      choices.known = people.count
      (summary.known, summary.firstKnownName) = (people.count, people.firstName)
      guard people.count == 0 || !rows.options.refusesKnown else {
        ambiguousValue = people.firstName
        throw TransferError.knownCustomers(count: people.count)
      }
    }
    if isReturned { try finishReturned(into: &list) }
  }

  /// Whether the rows of a file with versions are merged with what the list has become since.
  private var isReturned: Bool { rows.options.duplicates == .update && duplicates?.areUIDs != true }

  /// Adds a section unless the list has it, and its footer unless it has another one.
  private mutating func add(_ heading: SectionHeading, to list: inout CustomerList) throws {
    guard fixed == nil, let id = try goal(heading.title, in: &list).section, !heading.footer.isEmpty
    else { return }
    try appended.write(to: &list)
    guard try list.section(id).footer.isEmpty else { return }
    try list.renameSection(id, footer: heading.footer)
  }

  /// Inserts the customer and those that follow it in the file to the same section.
  private mutating func insertRun(
    from row: ImportedRow, isOfList: Bool, into list: inout CustomerList
  ) throws {
    let (title, handOut) = (row.section, row.handOut)
    let goal = try goal(title, in: &list)
    let first = try appended.nextID(in: list).rawValue
    var inserted = 0
    func next() throws -> NewCustomer? {
      guard let row = try rows.peek(), row.section == title, inserted == 0 || row.headings.isEmpty,
        duplicates == nil || row.handOut == handOut && duplicates?.match(row, isOfList: isOfList) == nil
      else { return nil }
      rows.advance()
      let id = CustomerID(rawValue: first + Int64(inserted))
      var customer = row.customer
      if let ownUUIDs { CustomerUIDs.remove(of: ownUUIDs, from: &customer.fields) }
      duplicates?.add(customer.fields, id)
      duplicates?.use(row, as: id)
      people?.notice(row, isMatched: duplicates != nil)
      choices.note(.added, goal.section?.rawValue ?? 0)
      if isReturned {
        returned.note(
          ReturnedOrder.Row(
            id: id, section: title.flatMap { _ in goal.section }, canMove: row.customer.canMove))
      }
      inserted += 1
      if inserted <= ImportSummary.named, summary.addedNames.count < ImportSummary.named {
        summary.addedNames.append(row.customer.fields.name)
      }
      return customer
    }
    // The rows of a short run are written with those of others.
    var run: [NewCustomer] = []
    while fixed == nil, run.count < ImportRun.short, let customer = try next() { run.append(customer) }
    if fixed == nil, run.count < ImportRun.short {
      try appended.add(run, in: goal.section, to: &list)
    } else {
      try appended.write(to: &list)
      run.reverse()
      try list.insertCustomers(at: goal.destination, in: goal.section) { try run.popLast() ?? next() }
    }
    summary.added += inserted
    // The next row goes after the last one.
    if fixed != nil { fixed?.destination = .after(CustomerID(rawValue: first + Int64(inserted) - 1)) }
  }

  /// How many rows of a section, one after another, are worth a part of their own.
  private static let short = 100

  /// Adds a customer of the file that the list does not have any more.
  mutating func insert(_ customer: NewCustomer, _ title: String?, into list: inout CustomerList) throws {
    let goal = try goal(title, in: &list)
    try appended.write(to: &list)
    let id = CustomerID(rawValue: try list.largestID() + 1)
    var rest = [customer]
    try list.insertCustomers(at: goal.destination, in: goal.section) { rest.popLast() }
    duplicates?.add(customer.fields, id)
    returned.note(
      ReturnedOrder.Row(id: id, section: title.flatMap { _ in goal.section }, canMove: customer.canMove))
    summary.added += 1
    if summary.addedNames.count < ImportSummary.named { summary.addedNames.append(customer.fields.name) }
    if fixed != nil { fixed?.destination = .after(id) }
  }

  /// The destination of the next row.
  ///
  /// A missing section is created at the end of the list; in an empty list, the first title renames its
  /// section.
  mutating func goal(
    _ title: String?, in list: inout CustomerList
  ) throws -> (destination: Destination, section: SectionID?) {
    if let fixed { return fixed }
    guard let title, !title.trimmingBlanks.isEmpty else { return (.last, nil) }
    defer { unused = nil }
    let id: SectionID
    if let found = try section(titled: title) {
      id = found
    } else if let unused {
      try list.renameSection(unused.id, title: title)
      sections[unused.title] = nil
      id = unused.id
      added[Name.title(title)] = id
    } else {
      id = try appended.addSection(title, to: &list)
      added[Name.title(title)] = id
    }
    sections[title] = id
    return (.last, id)
  }

  /// The section of the list that a title means; nil if there is none.
  ///
  /// - Throws: `SelectionError` if several are the same but for what is ignored.
  func section(titled title: String) throws -> SectionID? {
    try sections[title] ?? added[Name.title(title)] ?? section(like: title)
  }

  /// The section of the list that a title means though it is written in another way.
  ///
  /// - Throws: `SelectionError` if several are the same but for what is ignored.
  private func section(like title: String) throws -> SectionID? {
    let key = Name(title).key
    guard !key.isEmpty, let found = known[key] else { return nil }
    guard found.count == 1 else { throw SelectionError(.severalTitles(found), title) }
    return found[0].id
  }

  /// Updates a customer of the list from the file.
  private mutating func take(
    _ row: ImportedRow, knownAs match: Duplicates.Match, in list: inout CustomerList
  ) throws {
    choices.note(.known, match.id?.rawValue ?? 0)
    guard rows.options.duplicates == .update else {
      skip(row.customer.fields)
      return
    }
    guard let id = match.id else {
      ambiguousValue = match.value
      throw TransferError.severalMatches(rows.place(of: row), match.field)
    }
    // Without a version, every difference may be a change in the list.
    if isReturned, row.plan?.hasVersion == true || match.isByID { return try merge(row, id, in: &list) }
    let before = try list.customer(id)
    var after = try row.onto(before, nulls: rows.options.nullTexts)
    if let ownUUIDs { CustomerUIDs.remove(of: ownUUIDs, from: &after.fields) }
    // The list has the address already, beside another main one.
    if match.isByOtherAddress { after.fields.email = before.fields.email }
    // The same number with other digits is no change.
    if after.fields != before.fields {
      _ = after.fields.keepForms(of: before.fields, try list.columnKinds(), onlyCertain: true)
    }
    try update(before, to: after, from: row, in: &list)
  }

  /// Changes a customer of the list.
  mutating func update(
    _ before: Customer, to after: NewCustomer, from row: ImportedRow, in list: inout CustomerList
  ) throws {
    let id = before.id
    var lines = 0
    do {
      try list.update(id) { $0 = after.fields }
      lines = try list.addLines(after.log, to: id)
    } catch ListError.editForbidden {
      throw TransferError.protected(rows.place(of: row), id)
    }
    let keepsRights = before.canEdit == after.canEdit && before.canMove == after.canMove
    if !keepsRights { try list.protect(id, canEdit: after.canEdit, canMove: after.canMove) }
    duplicates?.add(after.fields, id)
    if keepsRights && lines == 0 && before.fields == after.fields { return skip(before.fields) }
    summary.updated += 1
    if summary.changes.count < ImportSummary.described {
      summary.changes.append(ImportChange(NewCustomer(before), after))
    }
  }

  mutating func skip(_ fields: CustomerFields) {
    summary.skipped += 1
    if summary.skippedNames.count < ImportSummary.named { summary.skippedNames.append(fields.name) }
  }
}

extension ImportSummary {
  /// The summary with what is known only after the last row.
  func completed(by rows: ImportRows) -> ImportSummary {
    var summary = self
    (summary.columns, summary.encoding, summary.nullTexts) = (
      rows.columns, rows.file.detectedEncoding, rows.nullTexts
    )
    if let table = rows.file.table {
      (summary.delimiter, summary.notes) = (table.detectedDelimiter, table.notes)
      let filled = table.filled
      if filled.count > 0 { (summary.filledRows, summary.firstFilledLine) = (filled.count, filled.first) }
      (summary.emptyRows, summary.repeatedHeaders) = (table.records.emptyRows, table.records.repeatedHeaders)
    }
    (summary.rejected, summary.groups) = (rows.rejected, rows.file.skippedGroups)
    summary.similarColumns = rows.similarColumns
    summary.kinds = rows.foundKinds.filter { !renamedColumns.contains($0.column) }
    summary.declaredColumns = rows.declaredColumns.union(renamedColumns)
    return summary
  }
}

/// What an import did with the rows of its file, one by one.
package struct ImportChoices: Sendable {
  /// What happens to a row.
  enum Choice: UInt64 {
    /// It is added to a section.
    case added = 1
    /// It is one of a customer of the list.
    case known
  }

  /// A number that differs for other choices.
  private var sum: UInt64
  /// How many customers the list had already; nil if that was not looked at.
  fileprivate(set) var known: Int?

  init() { sum = 0xcbf2_9ce4_8422_2325 }

  /// The choices with a text; nil for any other text.
  package init?(_ text: String) {
    guard let sum = UInt64(text, radix: 16) else { return nil }
    self.sum = sum
  }

  /// The text, without how many customers the list had.
  package var text: String { String(sum, radix: 16) }

  /// Takes note of a row, in a way that anyone can compute (FNV-1a with words for bytes).
  mutating func note(_ choice: Choice, _ id: Int64) {
    for word in [choice.rawValue, UInt64(bitPattern: id)] { sum = (sum ^ word) &* 0x100_0000_01b3 }
  }

  /// Whether an import did the same, as far as that is known.
  func areSame(as other: ImportChoices) -> Bool {
    sum == other.sum && (known == nil || other.known == nil || known == other.known)
  }
}
