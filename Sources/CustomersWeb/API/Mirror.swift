internal import CustomerStore
internal import Synchronization

/// Brings a part of a list up to date.
actor Mirror {
  private let limits: PageLimits
  private let edits: PartEdits
  private var made = ListVersion.none
  /// Whether it has so many rows that it may be a little old.
  private var isLarge = false
  /// Until when the part is not brought up to date, so that a busy list does not keep the processor.
  private var rest = ContinuousClock.now
  /// The last one who waits for their turn.
  private var last: Task<Void, Never>?
  /// How many wait for their turn, or have it.
  private var waiting = 0

  /// How urgent it is.
  enum Urgency: Sendable {
    /// A large part that is a little old will do.
    case usual
    /// The caller has time, but wants the latest part.
    case waiting
    /// The caller wants the latest part at once.
    case atOnce
  }

  init(_ limits: PageLimits, _ edits: PartEdits) { (self.limits, self.edits) = (limits, edits) }

  /// A part in which there is nothing yet; its history names no account and no machine.
  nonisolated func emptyPart() throws -> CustomerStore {
    var options = CustomerStore.Options()
    (options.user, options.host, options.person) = ("", "", edits.person.name)
    return try CustomerStore.inMemory(options: options)
  }

  /// Brings the part up to date, if necessary.
  ///
  /// - Parameters:
  ///   - part: the part.
  ///   - whole: the list.
  ///   - urgency: how urgent it is.
  /// - Returns: the version of the part.
  /// - Throws: `StoreError`; `APIError` if the section is gone.
  /// - Complexity: O(1) if nothing has changed; otherwise O(rows that the key shows).
  @discardableResult
  func refresh(
    _ part: ListAPI, from whole: ListAPI, _ urgency: Urgency = .usual
  ) async throws -> ListVersion {
    if isLarge, urgency == .usual, waiting > 0 {
      // A part that is a little old will do, but not of a section that is gone.
      guard try await whole.list.read({ [limits] list in try limits.isThere(in: list) }) else {
        throw Mirror.gone
      }
      return made
    }
    return try await inTurn { try await self.refreshInTurn(part, from: whole, urgency) }
  }

  /// Brings the part up to date, and finds who is editing rows of it.
  ///
  /// - Throws: as `refresh`.
  func look(at part: ListAPI, of whole: ListAPI) async throws -> (
    version: ListVersion, present: [Presence.Entry]
  ) {
    try await inTurn {
      let version = try await self.refreshInTurn(part, from: whole, .waiting)
      let (map, present) = (self.edits.map.withLock(\.self), whole.presence.now)
      return (version, try await part.list.read { try map.shown(present, in: $0) })
    }
  }

  /// Makes an edit in the part as it is now, and in the list.
  ///
  /// - Throws: `PartIsOld` if what the key shows has changed just then; otherwise as `tryToAnswer`.
  func edit(_ part: ListAPI, of whole: ListAPI, _ request: APIRequest) async throws -> APIAnswer {
    try await inTurn {
      try await self.refreshInTurn(part, from: whole, .atOnce)
      return try await part.tryToAnswer(request)
    }
  }

  /// Does one after another: an older state must not follow a newer one, or an edit that it lacks.
  private func inTurn<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    waiting += 1
    defer { waiting -= 1 }
    let before = last
    let turn = Task {
      await before?.value
      return try await body()
    }
    last = Task { _ = try? await turn.value }
    return try await turn.value
  }

  @discardableResult
  private func refreshInTurn(
    _ part: ListAPI, from whole: ListAPI, _ urgency: Urgency
  ) async throws -> ListVersion {
    let (source, history) = edits.map.withLock { ($0.version, $0.history) }
    let (version, hasSection, isOther, isForgotten, isSame) = try await whole.list.read { [limits] list in
      let version = try list.version()
      let hasSection = try limits.isThere(in: list)
      let isForgotten = try source != nil && list.identity().history != history
      guard version != source || isForgotten else { return (version, hasSection, false, false, true) }
      return try (
        version, hasSection, source.map { try !list.has($0) } ?? true, isForgotten,
        !isForgotten && !list.mayHaveChanged(limits, since: source)
      )
    }
    guard hasSection else { throw Mirror.gone }
    guard !isSame else {
      edits.map.withLock { $0.version = version }
      return made
    }
    if !isOther, !isForgotten, rest > .now, urgency != .atOnce {
      guard urgency == .waiting else { return made }
      try await Task.sleep(until: rest)
    }
    let start = ContinuousClock.now
    let (content, now, newHistory) = try await whole.list.readAtLength {
      [limits, addsOnly = edits.addsOnly] list in
      (try PartContent(list, limits, addsOnly: addsOnly), try list.version(), try list.identity().history)
    }
    guard let content else { throw Mirror.gone }
    made = try await onOwnThread { [edits] in
      var map = edits.map.withLock(\.self)
      do {
        // What a backup that was restored does not have was never done.
        guard !isOther, map.hasSameShape(as: content) else { throw PartMap.OtherShape() }
        try part.list.store.write { list in
          try map.apply(content, to: &list)
          guard isForgotten else { return }
          // What was erased in the list is erased here, too.
          try list.eraseHistory()
          map.steps = [:]
        }
      } catch {
        map = PartMap()
        let store = try self.emptyPart()
        try store.write { try map.fill(&$0, with: content) }
        part.list.put(store)
      }
      (map.version, map.history, map.digest) = (now, newHistory, content.digest)
      map.fields = content.fields ?? []
      map.columnNames = Set(try part.list.store.read { try $0.columnsWithKinds().map(\.name) })
      edits.map.withLock { [map] in $0 = map }
      return try part.list.store.read { try $0.version() }
    }
    isLarge = content.sections.reduce(0) { $0 + $1.rows.count } > 1_000
    let work = start.duration(to: .now)
    rest = isLarge && work > .milliseconds(200) ? .now.advanced(by: work * 5) : .now
    return made
  }

  private static let gone = APIError(
    .forbidden, "The section of this key was deleted.", remedy: "Ask for another link.")
}

/// What a key shows of a list.
struct PartContent: Sendable {
  struct Section: Sendable {
    var id: SectionID
    var title: String
    var footer: String
    var rows: [Row] = []
  }

  struct Row: Sendable {
    var id: CustomerID
    var customer: NewCustomer
  }

  /// Of a key that adds, the section of the list that gets the rows, under a name of its own.
  var sections: [Section] = []
  let addsOnly: Bool
  var columns: [DeclaredColumn]
  /// The fields that it shows; nil for all.
  var fields: [CustomerField]?

  /// A digest, in one run of the program.
  var digest: Int {
    var hasher = Hasher()
    for section in sections {
      hasher.combine(section.id)
      hasher.combine(section.title)
      hasher.combine(section.footer)
      for row in section.rows {
        hasher.combine(row.id)
        hasher.combine(row.customer)
      }
    }
    hasher.combine(columns)
    return hasher.finalize()
  }

  /// - Returns: nil if the section is gone.
  init?(_ list: borrowing CustomerList, _ limits: PageLimits, addsOnly: Bool) throws {
    let only = try limits.section.map { try list.section(withUID: $0) }
    if case .some(nil) = only { return nil }
    let fields = try limits.fields(in: list)
    (self.fields, self.addsOnly) = (fields, addsOnly)
    columns = try list.declaredExtraColumns().filter { fields?.contains(.extra($0.name)) ?? true }
    guard !addsOnly else {
      let target = try only ?? list.sections().first?.id
      sections = target.map { [Section(id: $0, title: "Customers", footer: "")] } ?? []
      return
    }
    let logged = fields == nil ? try list.customersWithLog() : []
    for section in try list.sections() where only == nil || only == section.id {
      var shown = Section(id: section.id, title: section.title, footer: section.footer)
      try list.forEach(in: section.id) { customer in
        var row = NewCustomer(
          fields.map(customer.fields.only) ?? customer.fields, canEdit: customer.canEdit,
          canMove: customer.canMove)
        if logged.contains(customer.id) { row.log = try list.log(of: customer.id) }
        shown.rows.append(Row(id: customer.id, customer: row))
        return true
      }
      sections.append(shown)
    }
  }
}

extension CustomerList {
  /// Whether something may have changed since a version that a key shows.
  ///
  /// - Complexity: O(edits since), at most 1,000.
  func mayHaveChanged(_ limits: PageLimits, since version: ListVersion?) throws -> Bool {
    guard let version, let uid = limits.section, let section = try section(withUID: uid),
      let (changes, now) = try changes(after: version), try now == self.version()
    else { return true }
    func isThere(_ place: CustomerPlace?) -> Bool { place?.section == section }
    func isThere(_ id: CustomerID) throws -> Bool {
      // Of one that was deleted since, there is another change.
      do { return isThere(try place(of: id)) } catch ListError.noSuchCustomer { return false }
    }
    return try changes.contains { change in
      switch change {
      case .insert(_, let place), .delete(_, let place), .insertMany(_, _, let place),
        .deleteMany(_, _, let place):
        isThere(place)
      case .move(_, let from, let to): isThere(from) || isThere(to)
      case .update(let id, _), .line(_, let id, _): try isThere(id)
      case .rows(let rows): rows.contains { isThere($0.from) || isThere($0.to) }
      case .arrange(let id, _), .deleteSection(let id, _), .moveSection(let id, _, _), .updateSection(let id):
        id == section
      case .insertSection: false
      case .column, .entry: true
      }
    }
  }
}

extension PartMap {
  fileprivate struct OtherShape: Error {}

  /// Whether the part can be made that of a content by edits.
  fileprivate func hasSameShape(as content: PartContent) -> Bool {
    sections.isEmpty == content.sections.isEmpty && columns == content.columns
  }

  /// Fills a new list.
  fileprivate mutating func fill(_ list: inout CustomerList, with content: PartContent) throws {
    let empty = try list.sections()
    // What was known of an earlier part, before the server was started again, must name nothing in this one.
    try list.continueIDs(after: .random(in: 1 << 32..<1 << 48))
    for section in empty { try list.renameSection(section.id, title: "\(section.id)") }
    for section in content.sections {
      let id = try list.addSection(title: section.title, footer: section.footer).id
      sections.append(section.id)
      ownSections.append(id)
      try insert(section.rows, in: id, of: &list)
    }
    if !content.sections.isEmpty { for section in empty { try list.deleteSection(section.id) } }
    columns = content.columns
    for column in columns {
      try list.declareColumn(column.name, kind: column.kind, choices: column.choices, place: column.place)
    }
    try list.eraseHistory()
  }

  /// Adds rows at the end of a section.
  private mutating func insert(
    _ rows: [PartContent.Row], in section: SectionID, of list: inout CustomerList
  ) throws {
    guard !rows.isEmpty else { return }
    var rest = rows.makeIterator()
    try list.insertCustomers(in: section) { rest.next()?.customer }
    let ids = try list.ids(in: section).suffix(rows.count)
    for (own, row) in zip(ids, rows) { self.rows[own] = row.id }
  }

  /// Changes what differs, and nothing else, so that ids, versions, and what was seen of other rows stay.
  fileprivate mutating func apply(_ content: PartContent, to list: inout CustomerList) throws {
    // That another section gets the rows now is nothing that this key may see.
    if content.addsOnly { sections = content.sections.map(\.id) }
    let titles = Dictionary(uniqueKeysWithValues: content.sections.map { ($0.id, $0.title) })
    // Titles that are exchanged, or that a new section has, must be free.
    for (id, own) in zip(sections, ownSections) where try list.section(own).title != titles[id] {
      try list.renameSection(own, title: "\(own)")
    }
    let known = Dictionary(uniqueKeysWithValues: zip(sections, ownSections))
    let own = try content.sections.map { wanted in
      guard let own = known[wanted.id] else {
        return try list.addSection(title: wanted.title, footer: wanted.footer).id
      }
      let section = try list.section(own)
      if section.title != wanted.title || section.footer != wanted.footer {
        try list.renameSection(own, title: wanted.title, footer: wanted.footer)
      }
      return own
    }
    try apply(content, in: own, to: &list)
    for id in ownSections where !own.contains(id) { try list.deleteSection(id) }
    for (index, id) in own.enumerated() where try list.section(id).order != index + 1 {
      try list.moveSection(id, to: index + 1)
    }
    (sections, ownSections) = (content.sections.map(\.id), own)
  }

  /// Changes the rows, in the sections that the part has now.
  private mutating func apply(
    _ content: PartContent, in sections: [SectionID], to list: inout CustomerList
  ) throws {
    var rows: [Customer] = []
    try list.forEach { customer in
      rows.append(customer)
      return true
    }
    for (section, wanted) in zip(sections, content.sections) { adopt(rows, wanted, in: section) }
    let known = Set(content.sections.flatMap(\.rows).map(\.id))
    var living: [CustomerID: Customer] = [:]
    var gone: [CustomerID] = []
    for row in rows {
      if let id = self.rows[row.id], known.contains(id) {
        living[id] = row
      } else {
        gone.append(row.id)
        if !row.canEdit { try list.protect(row.id, canEdit: true) }
      }
    }
    if !gone.isEmpty { try list.apply(.delete(gone)) }
    let logged = try list.customersWithLog()
    for (section, wanted) in zip(sections, content.sections) {
      for row in wanted.rows {
        guard let own = living[row.id] else { continue }
        if own.place.section != section { try move(own, to: section, in: &list) }
        try update(own, logged.contains(own.id) ? list.log(of: own.id) : [], to: row.customer, in: &list)
      }
      try insert(wanted.rows.filter { living[$0.id] == nil }, in: section, of: &list)
    }
    for (section, wanted) in zip(sections, content.sections) { try arrange(wanted, in: section, of: &list) }
  }

  private func move(_ own: Customer, to section: SectionID, in list: inout CustomerList) throws {
    if !own.canMove { try list.protect(own.id, canMove: true) }
    _ = try list.apply(.move([own.id], to: .last, in: section))
    if !own.canMove { try list.protect(own.id, canMove: false) }
  }

  /// Puts the rows of a section in the order of the list.
  private func arrange(
    _ wanted: PartContent.Section, in section: SectionID, of list: inout CustomerList
  ) throws {
    let ids = try list.ids(in: section)
    let byID = Dictionary(ids.map { (self.rows[$0] ?? $0, $0) }) { first, _ in first }
    let order = wanted.rows.compactMap { byID[$0.id] }
    guard order != ids else { return }
    let fixed = wanted.rows.filter { !$0.customer.canMove }.compactMap { byID[$0.id] }
    for id in fixed { try list.protect(id, canMove: true) }
    _ = try list.arrange(order, in: section)
    for id in fixed { try list.protect(id, canMove: false) }
  }

  /// Finds the rows that an edit has just added in both.
  private mutating func adopt(_ rows: [Customer], _ wanted: PartContent.Section, in section: SectionID) {
    let own = rows.filter { $0.place.section == section && self.rows[$0.id] == nil }
    guard !own.isEmpty else { return }
    let known = Set(rows.compactMap { self.rows[$0.id] })
    var new = wanted.rows.filter { !known.contains($0.id) }[...]
    for row in own {
      guard let index = new.firstIndex(where: { $0.customer.fields == row.fields }) else { continue }
      self.rows[row.id] = new[index].id
      new = new[new.index(after: index)...]
    }
  }

  private func update(
    _ own: Customer, _ log: [LogLine], to wanted: NewCustomer, in list: inout CustomerList
  ) throws {
    let (lack, rest) = (wanted.log.lacking(in: log), log.lacking(in: wanted.log))
    if own.fields != wanted.fields || !lack.isEmpty || !rest.isEmpty {
      if !own.canEdit { try list.protect(own.id, canEdit: true) }
      if own.fields != wanted.fields { try list.update(own.id) { $0 = wanted.fields } }
      for line in rest { try list.deleteLine(line.id) }
      try list.addLines(lack, to: own.id)
      if !own.canEdit { try list.protect(own.id, canEdit: false) }
    }
    if (own.canEdit, own.canMove) != (wanted.canEdit, wanted.canMove) {
      try list.protect(own.id, canEdit: wanted.canEdit, canMove: wanted.canMove)
    }
  }
}

extension [LogLine] {
  /// The lines that another log has not, by what they say: an edit that was made twice has written two.
  fileprivate func lacking(in other: [LogLine]) -> [LogLine] {
    var rest = Dictionary(grouping: other, by: \.text).mapValues(\.count)
    return filter { line in
      guard let count = rest[line.text], count > 0 else { return true }
      rest[line.text] = count - 1
      return false
    }
  }
}

extension CustomerFields {
  /// The fields with nothing but the values of some.
  func only(_ fields: [CustomerField]) -> CustomerFields {
    var kept = CustomerFields()
    for field in fields { kept[field] = self[field] }
    return kept
  }
}
