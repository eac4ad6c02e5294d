/// The merge of two copies of a list that were edited apart: a pure function of their states, of the state that both have
/// in common, and of what their logs tell.
///
/// The rule, in short:
///
/// 1. **Who is in the list.** All that either side added, and all that neither deleted. A deletion loses to a change of values
///    on the other side, but not to a move: otherwise one sort would bring back all that was deleted.
/// 2. **Values.** What one side changed counts; of two changes of one value, the later one. Lines of tags and contacts are
///    merged as sets. A column that one side renamed is one column; of two names, the later one. Where one side said what the
///    values of a column are, those of the other one are brought into that form, and compared by it.
/// 3. **Places.** Rows that neither side moved are the frame, in their order. Each other row goes where the side that moved
///    it put it; of two moves of one row, the later one counts. `PlaceMerge` says how.
/// 4. **Sections** are merged in the same way. One that has rows stays, and two that were added under one title are one.
///
/// The rule is symmetric: nothing depends on who merges, but only on which side is `a`. So two people who merge the same two
/// states get the same list. Nobody is lost or in the list twice, and a merge of a state with itself, or with one that it has
/// grown from, changes nothing.
package struct ListMerge {
  /// The merged state; of customers, it has the records that `a` or `b` have.
  package private(set) var state = ListState()
  /// What both sides changed, and whose change counts.
  package private(set) var conflicts: [Conflict] = []
  /// The values that are not of the kind that their column got on one side.
  package private(set) var misfits: [Misfit] = []
  /// The other uids that sections and entries of `b` have in the merged state.
  package private(set) var names: [UID: UID] = [:]
  /// The other names that extra columns have in the merged state, by those of each side.
  package private(set) var columnNames: (a: [String: String], b: [String: String]) = ([:], [:])

  /// A thing that both sides changed.
  package struct Conflict: Equatable, Sendable {
    /// What both changed.
    package enum Matter: Hashable, Sendable {
      /// A value.
      case value(String)
      /// The name of an extra column that had this one.
      case column(String)
      /// The place of a row or section.
      case place
      /// The order of all rows of a section, or of all sections; then `uid` is 0.
      case order
      /// One deleted what the other changed.
      case deletion
    }

    package var kind: ListState.Kind
    package var uid: UID
    package var matter: Matter
    /// The values, of a conflict about one.
    package var base: MergedValue?
    package var a: MergedValue?
    package var b: MergedValue?
    /// Whose change counts: that of the later one, and not the deletion.
    package var winner: MergeSide
  }

  private var base: ListState
  private var a: ListState
  private var b: ListState
  private let isBaseKnown: Bool
  private let logA: MergeLog
  private var logB: MergeLog
  private let decide: (Conflict) -> MergeSide
  /// The kinds of the extra columns in the merged state.
  private var kinds: [String: ColumnKinds.Column] = [:]

  /// Merges two states.
  ///
  /// - Parameters:
  ///   - base: the state that both have grown from; nil if it is not known.
  ///   - a: the state with the lesser mark.
  ///   - b: the other one.
  ///   - logA: what happened to `a` since.
  ///   - logB: what happened to `b` since.
  ///   - decide: returns whose change counts; `winner` is whose does by the rule.
  /// - Complexity: O(n log n) for n rows.
  package init(
    base: ListState?, a: ListState, b: ListState, _ logA: MergeLog = MergeLog(),
    _ logB: MergeLog = MergeLog(),
    deciding decide: @escaping (Conflict) -> MergeSide = { $0.winner }
  ) {
    (self.base, self.a, self.b, isBaseKnown) = (base ?? .common(a, b), a, b, base != nil)
    (self.logA, self.logB, self.decide) = (logA, logB, decide)
    renameColumns()
    if base == nil { self.base = .common(self.a, self.b) }
    names = ListMerge.namesakes(self.base, self.a, self.b)
    (self.base, self.b, self.logB) = (self.base.renaming(names), self.b.renaming(names), logB.renaming(names))
    merge()
  }

  /// The sections that only `b` has whose titles are those of sections that only `a` has: they get the uids of these.
  ///
  /// So do declared columns, settings, and persons that were added in both under one name.
  package static func namesakes(_ base: ListState, _ a: ListState, _ b: ListState) -> [UID: UID] {
    func own(_ state: ListState, not other: ListState) -> [(title: String, uid: UID)] {
      let others = other[.section]
      return state.sections.filter { others[$0] == nil }.map { (Name.title(state.title(of: $0)), $0) }
    }
    let known = Dictionary(own(a, not: b)) { _, last in last }
    var names: [UID: UID] = [:]
    for (title, uid) in own(b, not: a) {
      guard let name = known[title], base[.section][uid] == nil || base[.section][name] == nil else {
        continue
      }
      names[uid] = name
    }
    let entries = Dictionary(a[.entry].filter { b[.entry][$0.key] == nil }.map { ($1.entryName, $0) }) { $1 }
    for (uid, record) in b[.entry] where a[.entry][uid] == nil && base[.entry][uid] == nil {
      names[uid] = entries[record.entryName].flatMap { base[.entry][$0] == nil ? $0 : nil }
    }
    return names
  }

  private mutating func merge() {
    mergeEntries()
    let newKinds = ListMerge.columnsOfNewKinds(state, a, b)
    let unread = newKinds.map { name, column, sides in bring(name, into: column, sides) }
    kinds = state.columnKinds.filter { !$1.kind.takesAnyText }
    let roster = Roster(base, a, b)
    let (talkedAboutInA, talkedAboutInB) = (customersWithChangedLines(a), customersWithChangedLines(b))
    let isSame = roster.isSame(in: [base, a, b])
    let isThere = roster.rows.enumerated().map { row, uid in
      if isSame[row] { return true }
      let isIn = roster.presence(of: row)
      let isChanged = isIn.a && talkedAboutInA.contains(uid) || isIn.b && talkedAboutInB.contains(uid)
      return merge(uid, .customer, isIn: isIn, isChanged: isChanged)
    }
    for ((name, column, sides), unread) in zip(newKinds, unread) {
      noteMisfits(of: name, column, sides, unread)
    }
    mergeLines(of: roster, isThere)
    let rows = PlaceMerge(
      base: roster.base, isKnown: isBaseKnown, a: roster.side(roster.a, logA), b: roster.side(roster.b, logB),
      isThere: isThere
    ) { contested, later in
      switch contested {
      case .row(let row):
        decided(Conflict(kind: .customer, uid: roster.rows[row], matter: .place, winner: later))
      case .group(let group):
        decided(Conflict(kind: .section, uid: roster.sections[group], matter: .order, winner: later))
      }
    }
    let needed = rows.groups
    let areThere = roster.sections.enumerated().map { merge(section: $1, isNeeded: needed.contains($0)) }
    makeTitlesUnique()
    let sections = PlaceMerge(
      base: roster.sectionOrder(base), isKnown: isBaseKnown, a: roster.sectionSide(a, logA),
      b: roster.sectionSide(b, logB), isThere: areThere
    ) { contested, later in
      switch contested {
      case .row(let section):
        decided(Conflict(kind: .section, uid: roster.sections[section], matter: .place, winner: later))
      case .group: decided(Conflict(kind: .section, uid: 0, matter: .order, winner: later))
      }
    }
    for section in sections.merged[0] {
      state.sections.append(roster.sections[section])
      state.rows[roster.sections[section]] = rows.merged[section].map { roster.rows[$0] }
    }
  }

  /// Notes a conflict and returns whose change counts.
  private mutating func decided(_ conflict: Conflict) -> MergeSide {
    var conflict = conflict
    conflict.winner = decide(conflict)
    conflicts.append(conflict)
    return conflict.winner
  }
}

extension ListMerge {
  /// Merges what is kept under a uid.
  ///
  /// - Parameters:
  ///   - uid: the uid.
  ///   - kind: what it is.
  ///   - isIn: in which of the states it is.
  ///   - isChanged: whether it counts as changed on the side that has it, if the other one deleted it.
  /// - Returns: whether it is in the merged state.
  private mutating func merge(
    _ uid: UID, _ kind: ListState.Kind, isIn: (base: Bool, a: Bool, b: Bool), isChanged: Bool = false
  ) -> Bool {
    let (old, x, y) = (base.records[kind]?[uid], a.records[kind]?[uid], b.records[kind]?[uid])
    if isIn.a, isIn.b {
      if x != nil || y != nil {
        state.records[kind, default: [:]][uid] =
          x == y ? x : merged(uid, kind, old ?? [:], x ?? [:], y ?? [:])
      }
      return true
    }
    guard isIn.a || isIn.b else { return false }
    let side: MergeSide = isIn.a ? .a : .b
    if isIn.base {
      guard (x ?? y) != old || isChanged else { return false }
      guard decided(Conflict(kind: kind, uid: uid, matter: .deletion, winner: side)) == side else {
        return false
      }
    }
    state.records[kind, default: [:]][uid] = x ?? y
    return true
  }

  /// Merges two records, value by value.
  private mutating func merged(
    _ uid: UID, _ kind: ListState.Kind, _ old: ListState.Record, _ x: ListState.Record, _ y: ListState.Record
  ) -> ListState.Record {
    var record = ListState.Record()
    // The parts of an address are those of the one that counts.
    let hasTwoAddresses = kind == .customer && x["address"] != y["address"]
    for field in Set(x.keys).union(y.keys).sorted() where !(hasTwoAddresses && field == "address_parts") {
      record[field] = merged(field, uid, kind, old[field], x[field], y[field])
    }
    if hasTwoAddresses {
      record["address_parts"] = (record["address"] == x["address"] ? x : y)["address_parts"]
    }
    return record
  }

  private mutating func merged(
    _ field: String, _ uid: UID, _ kind: ListState.Kind, _ old: MergedValue?, _ x: MergedValue?,
    _ y: MergedValue?
  ) -> MergedValue? {
    if x == y { return x }
    // If it is not known what both have grown from, a value that one lacks may be new or gone.
    if isBaseKnown {
      if y == old { return x }
      if x == old { return y }
    }
    let lines = [old, x, y].map { value in if case .lines(let lines)? = value { lines } else { [String]() } }
    if lines[1...].contains(where: { !$0.isEmpty }) {
      let kept = lines[0].filter { lines[1].contains($0) && lines[2].contains($0) }
      return .lines(
        (lines[1] + lines[2]).reduce(into: kept) { all, line in
          if !lines[0].contains(line), !all.contains(line) { all.append(line) }
        })
    }
    let times = (logA.time(of: field, uid, kind), logB.time(of: field, uid, kind))
    let isLater = (times.0, x?.text ?? "") >= (times.1, y?.text ?? "")
    // A number that one side wrote as text.
    if let x, let y, x.text == y.text { return isLater ? x : y }
    if kind == .customer, field.hasPrefix(ListState.extra),
      let column = kinds[String(field.dropFirst(ListState.extra.count))]
    {
      func isSame(_ one: MergedValue?, _ other: MergedValue?) -> Bool {
        one.flatMap { column.key($0.text) }.map { $0 == other.flatMap { column.key($0.text) } } ?? false
      }
      if isSame(x, y) { return isLater ? x : y }
      if isSame(y, old) { return x }
      if isSame(x, old) { return y }
    }
    let conflict = Conflict(
      kind: kind, uid: uid, matter: .value(field), base: old, a: x, b: y, winner: isLater ? .a : .b)
    return decided(conflict) == .a ? x : y
  }

  /// Merges a section, which stays if it has rows.
  private mutating func merge(section uid: UID, isNeeded: Bool) -> Bool {
    let isIn = (base: base[.section][uid] != nil, a: a[.section][uid] != nil, b: b[.section][uid] != nil)
    if merge(uid, .section, isIn: isIn, isChanged: isNeeded) { return true }
    if isNeeded { state.records[.section, default: [:]][uid] = a[.section][uid] ?? b[.section][uid] }
    return isNeeded
  }

  /// Of sections with the same title, the one with the least uid keeps it, and the others get a number.
  private mutating func makeTitlesUnique() {
    var known: Set<String> = []
    for uid in state[.section].keys.sorted() {
      let title = state.title(of: uid)
      var (unique, number) = (title, 2)
      while !known.insert(Name.title(unique)).inserted {
        unique = "\(title) (\(number))"
        number += 1
      }
      if unique != title { state.records[.section]?[uid]?["title"] = .text(unique) }
    }
  }

  /// Gives columns that a side renamed the same name in all states: of two names, the one given later.
  ///
  /// One that the other side deleted stays, because a deletion loses to a change. Two columns that got one name, each on
  /// another side, stay two: one gets a number.
  private mutating func renameColumns() {
    var (old, taken) = ([String: String](), Set<String>())
    var restored: [(name: String, side: MergeSide)] = []
    for column in ListMerge.renamedColumns(base, a, b, logA, logB) {
      let known = column.base ?? column.a
      let name: String
      var restoring: MergeSide?
      if let deleting = sideThatDeleted(column) {
        let conflict = Conflict(
          kind: .entry, uid: 0, matter: .column(known), base: .text(known),
          a: deleting == .a ? nil : .text(column.a), b: deleting == .b ? nil : .text(column.b),
          winner: deleting.other)
        if decided(conflict) != deleting { restoring = deleting }
        name = deleting == .a ? column.b : column.a
      } else if let agreed = column.agreedName {
        name = agreed
      } else {
        let isLater =
          (logA.columns[known]?.time ?? "", column.a) >= (logB.columns[known]?.time ?? "", column.b)
        let conflict = Conflict(
          kind: .entry, uid: 0, matter: .column(known), base: column.base.map(MergedValue.text),
          a: .text(column.a),
          b: .text(column.b), winner: isLater ? .a : .b)
        name = decided(conflict) == .a ? column.a : column.b
      }
      var (unique, number) = (name, 2)
      while !taken.insert(unique).inserted { (unique, number) = ("\(name) (\(number))", number + 1) }
      if let base = column.base { old[base] = unique }
      if let restoring { restored.append((unique, restoring)) }
      columnNames.a[column.a] = unique
      columnNames.b[column.b] = unique
    }
    base = base.renamingColumns(old)
    a = a.renamingColumns(columnNames.a)
    b = b.renamingColumns(columnNames.b)
    for (name, side) in restored {
      if side == .a { a.restoreColumn(name, of: base) } else { b.restoreColumn(name, of: base) }
    }
  }

  /// The side that deleted a column that the other one renamed and has.
  private func sideThatDeleted(_ column: Column) -> MergeSide? {
    guard isBaseKnown, let name = column.base else { return nil }
    let isDeletedInA = ListMerge.isDeleted(name, of: base, called: column.a, in: a, logA)
    let isDeletedInB = ListMerge.isDeleted(name, of: base, called: column.b, in: b, logB)
    if isDeletedInA, !isDeletedInB, column.b != name { return .a }
    if isDeletedInB, !isDeletedInA, column.a != name { return .b }
    return nil
  }

  /// Brings the values of a column into the form of its kind, in the states in which it is not of the kind.
  ///
  /// How they are to be read may show in what the side that gave it the kind has made of them. Those that leave it open, or
  /// are something else, stay as they are.
  ///
  /// - Returns: these.
  private mutating func bring(
    _ name: String, into column: ColumnKinds.Column, _ sides: (a: ColumnKinds.Column?, b: ColumnKinds.Column?)
  ) -> Set<String> {
    let field = ListState.extra + name
    var states: [WritableKeyPath<ListMerge, ListState>] = [\.base]
    var read: [(text: String, form: String)] = []
    for (state, side) in [(\ListMerge.a, sides.a), (\ListMerge.b, sides.b)] {
      guard side == column else {
        states.append(state)
        continue
      }
      for (uid, record) in self[keyPath: state][.customer] {
        guard let text = base[.customer][uid]?[field]?.text, let form = record[field]?.text else { continue }
        read.append((text, form))
      }
    }
    let texts = Set(states.flatMap { self[keyPath: $0][.customer].values.compactMap { $0[field]?.text } })
    let forms = column.forms(of: texts.sorted(), read: read)
    for state in states { self[keyPath: state].bring(name, into: forms) }
    return texts.filter { forms[$0] == nil }
  }

  /// Notes the values of a column that are not of its kind, or may be two, but for those that the side that gave it the kind
  /// has, too.
  private mutating func noteMisfits(
    of name: String, _ column: ColumnKinds.Column, _ sides: (a: ColumnKinds.Column?, b: ColumnKinds.Column?),
    _ unread: Set<String>
  ) {
    let field = ListState.extra + name
    for (uid, record) in state[.customer].sorted(by: { $0.key < $1.key }) {
      guard let value = record[field], unread.contains(value.text) || !column.isValue(value.text),
        sides.a != column || a[.customer][uid]?[field] != value,
        sides.b != column || b[.customer][uid]?[field] != value
      else { continue }
      misfits.append(Misfit(customer: uid, column: name, kind: column.kind, value: value.text))
    }
  }

  /// Merges what the list says about itself.
  ///
  /// Of two entries with one name, such as a setting that was made in both copies, that with the least uid stays.
  private mutating func mergeEntries() {
    let (old, x, y) = (base[.entry], a[.entry], b[.entry])
    var known: Set<[String]> = []
    for uid in Set(x.keys).union(y.keys).sorted() {
      guard merge(uid, .entry, isIn: (old[uid] != nil, x[uid] != nil, y[uid] != nil)) else { continue }
      let record = state.records[.entry]?[uid] ?? [:]
      if !known.insert(record.entryName + [uid < 0 ? "" : "field"]).inserted {
        state.records[.entry]?[uid] = nil
      }
    }
  }

  /// The customers with lines that a side added or edited.
  private func customersWithChangedLines(_ side: ListState) -> Set<UID> {
    let old = base[.line]
    return Set(side[.line].filter { $1 != old[$0] }.compactMap { ListState.customer(of: $1) })
  }

  /// Merges the lines of the logs of customers that are in the merged state.
  ///
  /// The lines of a customer whom one side deleted are what the other side has.
  private mutating func mergeLines(of roster: Roster, _ isThere: [Bool]) {
    let (old, x, y) = (base[.line], a[.line], b[.line])
    for uid in Set(x.keys).union(y.keys).sorted() {
      let isIn = (base: old[uid] != nil, a: x[uid] != nil, b: y[uid] != nil)
      let owner = (x[uid] ?? y[uid]).flatMap(ListState.customer).flatMap(roster.number)
      let other = isIn.a ? roster.b : roster.a
      if isIn.base, isIn.a != isIn.b, let owner, !other.has(owner) {
        state.records[.line, default: [:]][uid] = x[uid] ?? y[uid]
      } else {
        _ = merge(uid, .line, isIn: isIn)
      }
      let customer = state.records[.line]?[uid].flatMap(ListState.customer).flatMap(roster.number)
      if customer.map({ !isThere[$0] }) ?? true { state.records[.line]?[uid] = nil }
    }
  }
}

/// The rows and sections of three states, numbered.
private struct Roster {
  private(set) var sections: [UID] = []
  private var numbers: RowNumbers
  private var sectionNumbers: [UID: Int] = [:]
  private(set) var base = PlaceMerge.Order()
  private(set) var a = PlaceMerge.Order()
  private(set) var b = PlaceMerge.Order()

  init(_ base: ListState, _ a: ListState, _ b: ListState) {
    let states = [base, a, b]
    for section in states.flatMap(\.sections) where sectionNumbers[section] == nil {
      sectionNumbers[section] = sections.count
      sections.append(section)
    }
    numbers = RowNumbers(base.sections.flatMap { base.rows[$0] ?? [] })
    let orders = states.map { state in sections.map { numbers.number(state.rows[$0] ?? []) } }
      .map { PlaceMerge.Order($0, count: rows.count) }
    (self.base, self.a, self.b) = (orders[0], orders[1], orders[2])
  }

  var rows: [UID] { numbers.rows }

  func number(of uid: UID) -> Int? { numbers[uid] }

  /// Whether each row is on both sides, with the same values.
  func isSame(in states: [ListState]) -> [Bool] {
    var isSame = rows.indices.map { a.has($0) && b.has($0) }
    for uid in states.lazy.flatMap({ $0[.customer].keys }) {
      if let row = numbers[uid] { isSame[row] = false }
    }
    return isSame
  }

  func presence(of row: Int) -> (base: Bool, a: Bool, b: Bool) { (base.has(row), a.has(row), b.has(row)) }

  /// A side of the merge of the rows.
  func side(_ order: PlaceMerge.Order, _ log: MergeLog) -> PlaceMerge.Side {
    PlaceMerge.Side(
      order: order, touched: log.touched.map { Set($0.compactMap { numbers[$0] }) },
      placed: renumbered(log.placed) { numbers[$0] })
  }

  /// The order of the sections of a state: that of one group.
  func sectionOrder(_ state: ListState) -> PlaceMerge.Order {
    PlaceMerge.Order([state.sections.compactMap { sectionNumbers[$0] }], count: sections.count)
  }

  /// A side of the merge of the sections.
  func sectionSide(_ state: ListState, _ log: MergeLog) -> PlaceMerge.Side {
    PlaceMerge.Side(
      order: sectionOrder(state), touched: nil, placed: renumbered(log.placedSections) { sectionNumbers[$0] })
  }

  private func renumbered(_ times: [UID: String], _ number: (UID) -> Int?) -> [Int: String] {
    times.reduce(into: [:]) { known, time in if let number = number(time.key) { known[number] = time.value } }
  }
}

/// Rows with numbers from 0 on, in the order in which they are met first.
struct RowNumbers {
  private(set) var rows: [UID]
  /// The numbers of the first rows, in the order of the rows' uids: it takes less time and memory than a dictionary of all.
  private let first: [Int]
  /// Those of the others.
  private var others: [UID: Int] = [:]

  init(_ rows: [UID]) {
    self.rows = rows
    first = rows.indices.sorted { rows[$0] < rows[$1] }
  }

  subscript(uid: UID) -> Int? {
    let next = first.partitionIndex { rows[$0] >= uid }
    return next < first.count && rows[first[next]] == uid ? first[next] : others[uid]
  }

  /// The numbers of rows, new ones of those that are unknown.
  mutating func number(_ uids: [UID]) -> [Int] {
    var next = 0
    return uids.map { uid in
      // In another state, most rows follow the same row as in the first.
      if next < rows.count, rows[next] == uid {
        next += 1
        return next - 1
      }
      let number = self[uid] ?? rows.count
      if number == rows.count {
        others[uid] = number
        rows.append(uid)
      }
      next = number + 1
      return number
    }
  }
}

extension ListState.Record {
  /// What no other entry has.
  fileprivate var entryName: [String] { [self["type"]?.text ?? "", self["name"]?.text ?? ""] }
}

extension ListState {
  /// The title of a section.
  func title(of section: UID) -> String { records[.section]?[section]?["title"]?.text ?? "" }

  /// The customer whom a line is about.
  static func customer(of line: Record) -> UID? { line["customer"].flatMap { UID($0.text) } }
}
