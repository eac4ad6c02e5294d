import CustomerFixtures
@testable import CustomerStore

/// A copy of a list of names that is edited, on plain arrays, and what its log would tell.
struct EditedCopy {
  private(set) var state: ListState
  private(set) var log = MergeLog()
  private var clock: Int
  private var nextUID: UID
  private var earlier: [ListState] = []

  /// - Parameters:
  ///   - state: the list that was copied.
  ///   - clock: how much later its first edit is than that of a copy with 0.
  ///   - uids: the uids of what it adds are less than this.
  init(_ state: ListState, clock: Int = 0, uids: UID) {
    (self.state, self.clock, nextUID) = (state, clock, uids)
  }

  /// A list with sections of some sizes.
  static func list(_ counts: [Int]) -> ListState {
    var (state, row) = (ListState(records: [.customer: [:], .section: [:]]), UID(0))
    for (index, count) in counts.enumerated() {
      let section = UID(index + 1)
      state.sections.append(section)
      state.records[.section]?[section] = ["title": .text("S\(index)")]
      state.rows[section] = (0..<count).map { _ in
        row += 1
        state.records[.customer]?[row] = [
          "first_name": .text("r\(row)"), "phone": .text("0"), "extra.City": .text("x"),
          "tags": .lines(["t"]),
        ]
        return row
      }
    }
    return state
  }

  var rows: [UID] { state.sections.flatMap { state.rows[$0] ?? [] } }

  private var time: String { "\(100 + clock)" }

  private mutating func uid() -> UID {
    nextUID -= 1
    return nextUID
  }

  private mutating func place(_ rows: [UID]) {
    for row in rows {
      log.touched?.insert(row)
      log.placed[row] = time
    }
  }

  mutating func insert(_ count: Int = 1, in section: UID, at index: Int) {
    let rows = (0..<count).map { _ in uid() }
    state.rows[section]?.insert(contentsOf: rows, at: index)
    for row in rows {
      state.records[.customer]?[row] = ["first_name": .text("\(row)"), "phone": .text("0")]
    }
    place(rows)
  }

  /// Deletes a row; the lines of its log stay, as in a file.
  mutating func delete(_ row: UID) {
    guard let section = state.places[row]?.section else { return }
    state.rows[section]?.removeAll { $0 == row }
    state.records[.customer]?[row] = nil
  }

  /// Moves rows; `index` is among those that stay.
  mutating func move(_ rows: [UID], to section: UID, at index: Int) {
    for section in state.sections { state.rows[section]?.removeAll(where: rows.contains) }
    state.rows[section]?.insert(contentsOf: rows, at: index)
    place(rows)
  }

  mutating func set(_ value: MergedValue, _ field: String, _ uid: UID, _ kind: ListState.Kind = .customer) {
    state.records[kind]?[uid]?[field] = value
    log.changed[kind, default: [:]][uid, default: [:]][field] = time
  }

  mutating func renameColumn(_ name: String, to newName: String) {
    for row in rows {
      guard let value = state.records[.customer]?[row]?.removeValue(forKey: "extra.\(name)") else { continue }
      state.records[.customer]?[row]?["extra.\(newName)"] = value
    }
    log.columns[name] = (newName, time)
  }

  mutating func declare(_ column: String, _ kind: String) {
    state.records[.entry, default: [:]][uid()] = [
      "type": .text("column"), "name": .text(column), "value": .text(kind),
    ]
  }

  mutating func addLine(to row: UID) {
    state.records[.line, default: [:]][uid()] = ["customer": .text("\(row)"), "text": .text(time)]
  }

  mutating func arrange(_ section: UID, _ rows: [UID]) {
    place(zip(rows, state.rows[section] ?? []).filter { $0 != $1 }.map(\.0))
    state.rows[section] = rows
  }

  mutating func addSection(at index: Int) {
    let section = uid()
    state.sections.insert(section, at: index)
    state.rows[section] = []
    state.records[.section]?[section] = ["title": .text("\(section)")]
    log.placedSections[section] = time
  }

  mutating func moveSection(_ section: UID, to index: Int) {
    state.sections.removeAll { $0 == section }
    state.sections.insert(section, at: index)
    log.placedSections[section] = time
  }

  /// Deletes a section, and its rows or moves them.
  private mutating func drop(_ section: UID, _ random: inout SplitMix64) {
    for row in state.rows[section] ?? [] {
      let others = state.sections.filter { $0 != section }
      if Bool.random(using: &random) {
        delete(row)
      } else {
        move([row], to: others.randomElement(using: &random) ?? 0, at: 0)
      }
    }
    state.sections.removeAll { $0 == section }
    state.rows[section] = nil
    state.records[.section]?[section] = nil
  }

  /// Goes back to an earlier state, by edits.
  private mutating func undo() {
    guard let old = earlier.popLast() else { return }
    let (before, after) = (state.places, old.places)
    for (section, rows) in old.rows where state.rows[section] != rows {
      let staying = rows.filter { before[$0]?.section == section }
      let numbers = staying.map { before[$0]?.index ?? 0 }
      let kept = Set(unmovedRows(numbers) { _ in false }.map { staying[$0] })
      place(rows.filter { !kept.contains($0) })
    }
    for (row, values) in old[.customer] where after[row] != nil {
      let now = state[.customer][row] ?? [:]
      for field in Set(values.keys).union(now.keys) where now[field] != values[field] {
        log.changed[.customer, default: [:]][row, default: [:]][field] = time
      }
    }
    state = old
  }

  /// Makes some edit.
  mutating func edit(_ random: inout SplitMix64) {
    clock += 1
    let before = state
    guard let section = state.sections.randomElement(using: &random) else { return addSection(at: 0) }
    let (rows, here) = (rows, state.rows[section] ?? [])
    func index(without leaving: [UID]) -> Int {
      Int.random(in: 0...here.count { !leaving.contains($0) }, using: &random)
    }
    let row = rows.randomElement(using: &random)
    switch (Int.random(in: 0..<18, using: &random), row) {
    case (0...1, _): insert(in: section, at: index(without: []))
    case (2, _): insert(Int.random(in: 2...4, using: &random), in: section, at: index(without: []))
    case (3, let row?): delete(row)
    case (4...6, let row?): move([row], to: section, at: index(without: [row]))
    case (7...8, _):
      let source = state.rows[state.sections.randomElement(using: &random) ?? section] ?? []
      guard let first = source.indices.randomElement(using: &random) else { break }
      let block = Array(source[first...].prefix(Int.random(in: 2...4, using: &random)))
      move(block, to: section, at: index(without: block))
    case (9...10, let row?):
      let field = ["first_name", "phone", "extra.City"][Int.random(in: 0..<3, using: &random)]
      set(.text("\(Int.random(in: 1...3, using: &random))"), field, row)
    case (11, let row?):
      guard case .lines(let tags)? = state[.customer][row]?["tags"] ?? .lines([]) else { break }
      let tag = ["t", "u", "v"][Int.random(in: 0..<3, using: &random)]
      set(.lines(tags.contains(tag) ? tags.filter { $0 != tag } : tags + [tag]), "tags", row)
    case (12, _) where Bool.random(using: &random): arrange(section, here.sorted())
    case (13, _): addSection(at: Int.random(in: 0...state.sections.count, using: &random))
    case (14, _): set(.text("T\(Int.random(in: 1...9, using: &random))"), "title", section, .section)
    case (15, _) where state.sections.count > 1:
      if Bool.random(using: &random) {
        moveSection(section, to: Int.random(in: 0..<state.sections.count, using: &random))
      } else {
        drop(section, &random)
      }
    case (16, let row?): addLine(to: row)
    case (17, _): return undo()
    default: break
    }
    earlier.append(before)
  }
}

extension ListState {
  /// The section and the index of each row.
  var places: [UID: (section: UID, index: Int)] {
    var places: [UID: (section: UID, index: Int)] = [:]
    for (section, rows) in rows { for (index, row) in rows.enumerated() { places[row] = (section, index) } }
    return places
  }

  /// The state without what is not in it.
  var whole: ListState {
    var whole = withoutLinesOfDeleted
    for kind in Kind.allCases { whole[kind] = whole[kind].filter { !$1.isEmpty } }
    return whole
  }
}
