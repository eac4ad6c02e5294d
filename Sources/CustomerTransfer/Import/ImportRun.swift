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
      people = try KnownCustomers(in: list, comparesUIDs: rows.haveUIDs)
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
    for found in rows.foundKinds where found.isNew && found.open.isEmpty && found.kind != .text {
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
    let isReturned = isReturned && row.plan?.hasVersion == true
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
    (summary.columns, summary.delimiter) = (rows.columns, rows.detectedDelimiter)
    (summary.encoding, summary.notes, summary.nullTexts) = (rows.detectedEncoding, rows.notes, rows.nullTexts)
    let filled = rows.filled
    if filled.count > 0 { (summary.filledRows, summary.firstFilledLine) = (filled.count, filled.first) }
    summary.rejected = rows.rejected
    (summary.emptyRows, summary.repeatedHeaders) = rows.skipped
    summary.groups = rows.skippedGroups
    summary.similarColumns = rows.similarColumns
    (summary.kinds, summary.declaredColumns) = (rows.foundKinds, rows.declaredColumns)
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

/// The rows of an imported file, with their values sorted by target; those that can't be imported are set
/// aside.
final class ImportRows {
  private let file: CustomerFile
  let options: ImportOptions
  private let onRejectedRow: (RejectedRow) throws -> Void
  /// The plans of the last rows, the last one last, and their places by the names of the columns.
  private var plans: [ColumnPlan] = []
  private var places: [[String]: Int] = [:]
  private var waiting: ImportedRow?
  /// All rows, once they have been read.
  private var spool: ImportSpool?
  /// The columns of the list that those of the file were compared with.
  private var matched: ListedColumns?
  private var count = 0
  private var known: Set<String> = []
  private var names = ColumnNames()
  /// The sections that the file describes after the last row that was read.
  private(set) var headings: [SectionHeading] = []
  /// What the file says about extra columns.
  private(set) var declared: [(name: String, values: ColumnKinds.Column)] = []
  /// Whether no row has been consumed.
  private(set) var isAtStart = true
  /// How many rows can't be imported.
  private(set) var rejected = 0
  /// All columns seen so far and their targets.
  private(set) var columns: [ImportedColumn] = []

  var detectedDelimiter: Character? { file.detectedDelimiter }
  var detectedEncoding: FileEncoding? { file.detectedEncoding }
  var notes: [String] { file.notes }
  var filled: (first: Int, count: Int) { file.filled }
  var skipped: (empty: Int, headers: Int) { file.skipped }
  var skippedGroups: Int { file.skippedGroups }
  /// How many steps the rows took so far.
  var steps: Int { file.budget.steps }
  /// Whether some row can be imported.
  private(set) var hasValid = false
  /// The values of the first customers that many programs write for "no value".
  private(set) var nullTexts: [String] = []
  /// What the values of the own columns are.
  private let kinds: ImportedKinds

  /// Starts with the first row.
  ///
  /// - Throws: `TransferError`, including when the file has no customers; `ParseError`; what reading throws.
  init(
    _ source: ImportSource, _ options: ImportOptions, onProgress: @escaping (Int, Int) throws -> Void,
    onRejectedRow: @escaping (RejectedRow) throws -> Void
  ) throws {
    self.options = options
    self.onRejectedRow = onRejectedRow
    kinds = ImportedKinds(options.kinds, options.format, isKeyedByID: options.isKeyedByID)
    file = try CustomerFile(source, options, onProgress: onProgress)
    if let columns = file.columns {
      _ = try plan(columns)
      if !columns.isEmpty { try checkColumns() }
    }
    let isEmpty = try peek() == nil && rejected == 0 && headings.isEmpty && declared.isEmpty
    guard !isEmpty else { throw file.emptiness }
  }

  /// The next row, without consuming it; nil at the end.
  func peek() throws -> ImportedRow? {
    if waiting == nil { waiting = spool == nil ? try read() : try nextKept() }
    return waiting
  }

  /// Consumes the row that `peek` returned.
  func advance() {
    waiting = nil
    isAtStart = false
  }

  var mayHaveExtraColumns: Bool {
    file.columns == nil
      || columns.contains { $0.target.isExtra || [.birthday, .event, .field(.next)].contains($0.target) }
  }

  /// The extra columns that are the same but for case, accents, spaces, `-`, and `_`, one of which is new.
  var similarColumns: [[String]] { names.similar }

  /// Imports columns of the file as the same columns of the list, before the first row is consumed.
  ///
  /// - Throws: `ListError.ambiguousColumn`; `TransferError.outdated` if all rows have been read for other columns.
  /// - Complexity: O(customers), unless the list is as it was when the rows were read.
  func match(_ list: borrowing CustomerList) throws {
    guard mayHaveExtraColumns else { return }
    let listed = try ListedColumns(list, unless: matched)
    guard
      listed.names != matched?.names || listed.kinds != matched?.kinds
        || listed.unlikeKnown != matched?.unlikeKnown
    else { return }
    guard spool == nil else { throw TransferError.outdated }
    try match(listed)
  }

  /// Reads all rows, so that they can be imported without reading the file again.
  ///
  /// - Parameter listed: the columns of the list; nil if none of the file may be one of them.
  /// - Throws: what reading throws, or `FileError` if there is no room.
  func keep(for listed: ListedColumns?) throws {
    if let listed { try match(listed) }
    var spool = try ImportSpool(keepsRecords: options.duplicates != .add)
    var isEmpty = true
    while let row = try peek() {
      try spool.append(row)
      waiting = nil
      isEmpty = false
    }
    try spool.rewind()
    self.spool = spool
    try kinds.settle(cells: file.cellKinds, isEmpty: isEmpty)
  }

  /// Finds out how the values of a file with ids are written that can be read in several ways.
  ///
  /// Most of them are those that were handed out, however a spreadsheet writes them.
  ///
  /// - Throws: `ImportedKindError` if the list does not tell; what reading throws.
  func decideKinds(in list: borrowing CustomerList) throws {
    guard kinds.isUndecided else { return }
    while let row = try peek() {
      advance()
      guard let id = row.id.map(CustomerID.init(rawValue:)), let own = try list.customers([id])[id] else {
        continue
      }
      kinds.compare(row.customer.fields, with: own.fields)
    }
    try kinds.decide()
    _ = try rewind()
  }

  /// Whether all rows must have been read before one is imported, because only all values of a column say what it is.
  ///
  /// - Parameter columns: those that the list has declared.
  /// - Returns: whether that is so.
  func needsAll(_ columns: ColumnKinds) -> Bool {
    let hasKinds =
      options.format.isTable || options.format.hasExactColumns || !columns.isEmpty
    return spool == nil && mayHaveExtraColumns && hasKinds
  }

  /// Whether the file may say what customers are called in every copy of the list, or by another program.
  var haveUIDs: Bool {
    options.format.hasExactColumns || options.keys.map { Name($0).key } == ["uid"]
      || lastPlan?.targets.contains(.uid) == true
  }

  /// The kinds of the own columns, once all rows have been read.
  var foundKinds: [ImportedKind] { kinds.found }

  /// The names of those that the list has declared; of a file that was handed out, of all that it has.
  var declaredColumns: Set<String> {
    let known = plans.flatMap { plan in
      zip(plan.columns, plan.keptNames).filter { _, name in
        matched?.kinds.declared(name) != nil || plan.hasVersion && plan.names.isListed(name)
      }
    }
    return Set(known.map(\.0))
  }

  /// Whether all rows have been read.
  var isKept: Bool { spool != nil }

  /// Goes back to the first row.
  ///
  /// - Returns: false if the file has to be read for that.
  func rewind() throws -> Bool {
    guard spool != nil else { return false }
    try spool?.rewind()
    (waiting, isAtStart) = (nil, true)
    return true
  }

  /// The targets of the columns, of the last rows that were read.
  var lastPlan: ColumnPlan? { plans.last }

  private func match(_ listed: ListedColumns) throws {
    matched = listed
    names = ColumnNames(listed.names, unlikeKnown: listed.unlikeKnown, ofKnown: listed.ofKnown)
    kinds.begin(listed)
    let plans = plans
    (self.plans, places, known, columns) = ([], [:], [], [])
    for plan in plans { _ = try self.plan(plan.columns) }
    guard let row = waiting else { return }
    let plan = try plan(row.record.columns)
    waiting = try setAside(row.number) {
      try ImportedRow(row.record, plan, number: row.number, nulls: options.nullTexts)
    }
    if waiting == nil { headings = row.headings + headings } else { waiting?.headings = row.headings }
  }

  /// The row that is made; nil if it can't be imported, and was rejected.
  private func setAside(_ number: Int, _ make: () throws -> ImportedRow) throws -> ImportedRow? {
    do {
      return try make()
    } catch let problem as ParseError {
      guard let bytes = file.rowBytes else {
        throw TransferError.malformed(
          FilePlace(line: problem.line, column: problem.column, customer: number), reason: problem.message)
      }
      try reject(MalformedRow(problem: problem, bytes: bytes))
      return nil
    }
  }

  /// The place of a row in a message: its line or its number if lines mean little.
  func place(of row: ImportedRow) -> FilePlace {
    FilePlace(line: row.record.line, customer: file.columns == nil ? row.number : nil)
  }

  private func nextKept() throws -> ImportedRow? {
    let start = spool?.position
    let row = try spool?.next(plan)
    row?.convert(by: kinds)
    // The list takes as long as the file.
    if let spool, spool.position != start {
      try file.advance(by: Double(spool.position) / Double(spool.size))
    }
    return row
  }

  private func read() throws -> ImportedRow? {
    while true {
      do {
        guard let record = try file.next() else {
          try checkMapping(against: columns.map(\.name))
          if hasValid { try checkColumns() }
          return nil
        }
        if file.columns == nil, let heading = SectionHeading(record) {
          headings.append(heading)
          continue
        }
        if file.columns == nil, let heading = try ColumnsHeading(record) {
          declared += heading.columns
          kinds.take(heading.columns)
          continue
        }
        count += 1
        if count <= ImportRows.examined, options.nullTexts.isEmpty { noticeNulls(record) }
        let plan = try plan(record.columns)
        let row = try setAside(count) {
          try ImportedRow(record, plan, number: count, nulls: options.nullTexts)
        }
        guard let row else { continue }
        hasValid = true
        // After a bad row that prevents the import, only further bad rows matter.
        if rejected == 0 || options.skipsRejectedRows {
          (row.headings, headings) = (headings, [])
          return row
        }
      } catch let row as MalformedRow {
        try reject(row)
      }
    }
  }

  /// How many customers are examined for values that mean "no value".
  private static let examined = 1000

  private func noticeNulls(_ record: Record) {
    for case .text(let text) in record.values where text.utf8.count <= 4 {
      let isNull = ["NULL", "null", "N/A", "n/a", "#N/A", "None", "\\N"].contains(text)
      if isNull, !nullTexts.contains(text) { nullTexts.append(text) }
    }
  }

  private func reject(_ row: MalformedRow) throws {
    rejected += 1
    let place = FilePlace(line: row.problem.line, column: row.problem.column)
    try onRejectedRow(
      RejectedRow(
        place: place, reason: row.problem.message, bytes: file.encoded(row.bytes), header: file.header,
        isShort: row.isShort, encoding: EncodingGuess.legacy(row.bytes),
        text: row.bytes))
  }

  /// Checks that some column is a text field, unless the columns are mapped.
  private func checkColumns() throws {
    guard options.mapping.isEmpty, !columns.contains(where: \.target.isText) else { return }
    // A first line of which nothing is known may be a customer, who would be lost.
    let mayBeCustomer =
      file.columns != nil && options.hasHeader
      && columns.allSatisfy { $0.target == .extra && ColumnMeaning($0.name) == nil }
    guard !options.acceptsUnmatchedColumns || mayBeCustomer else { return }
    throw TransferError.noMatchingColumn(columns.map(\.name))
  }

  /// Checks that the file has all mapped columns.
  private func checkMapping(against columns: [String]) throws {
    for name in options.mapping.map(\.name)
    where try columnIndex(of: name, in: columns, for: .mapping) == nil {
      throw TransferError.noSuchColumn(name, near: nearest(to: name, among: columns), in: .mapping)
    }
  }

  /// The targets of the columns, which usually equal those of the previous row.
  private func plan(_ columns: [String]) throws -> ColumnPlan {
    if let last = plans.last, last.columns == columns { return last }
    if let index = places[columns] { return plans[index] }
    file.budget.spend(columns.count)
    let plan = try ColumnPlan(
      columns, options.mapping, names, isExact: options.format.hasExactColumns,
      isKeyedByID: options.isKeyedByID, kinds: kinds)
    if plans.count == 100 { (plans, places) = ([], [:]) }
    places[columns] = plans.count
    plans.append(plan)
    for (name, target) in zip(columns, plan.targets) where known.insert(name).inserted {
      self.columns.append(ImportedColumn(name: name, target: target))
    }
    if file.columns != nil { try checkMapping(against: columns) }
    return plan
  }
}

/// The extra columns of a list, and the version that has them.
package struct ListedColumns: Sendable {
  let names: [String]
  let kinds: ColumnKinds
  /// Those with nearly the name of a known column and values of another kind, such as "Birth Day" with 3.
  let unlikeKnown: Set<String>
  /// Those that are known columns by another name, by their titles.
  let ofKnown: [String: String]
  private let version: ListVersion

  /// - Parameters:
  ///   - list: the list.
  ///   - known: those of an earlier version, which are still the same if nothing was edited.
  /// - Throws: `StoreError`.
  /// - Complexity: O(customers), unless they are known.
  init(_ list: borrowing CustomerList, unless known: ListedColumns? = nil) throws {
    version = try list.version()
    kinds = try list.columnKinds()
    ofKnown = try list.namesOfKnownColumns()
    if let known, known.version == version {
      (names, unlikeKnown) = (known.names, known.unlikeKnown)
    } else {
      let used = try list.extraColumns(in: nil, withNulls: true).map(\.name)
      names = used + kinds.names.filter { name in !used.contains { $0.utf8.elementsEqual(name.utf8) } }
      unlikeKnown = try list.columnsUnlikeKnown(among: names)
    }
  }

  /// Whether the list has a column with exactly this name.
  func has(_ name: String) -> Bool { names.contains { $0.utf8.elementsEqual(name.utf8) } }
}
