internal import CustomersSQLite
internal import CustomersSystem

/// What a pull is to write, worked out without a lock.
package struct PullPlan: Sendable {
  /// How the other copy is related to the list.
  let relation: PullSummary.Relation
  /// The version of the list that it is for.
  let version: ListVersion
  let now: ListState
  let merged: ListState
  let conflicts: [MergeConflict]
  /// What the log of the other copy says.
  let theirLog: MergeLog
  /// The name of the merged state.
  let mark: Int64
  /// The state of the other copy.
  let head: Int64
  /// The states that the list does not know yet.
  let taken: [Int64]
  /// The steps of the other copy that the list does not have.
  let steps: [HistoryStep]
  let reader: CopyReader
  /// The rows that leave the list, come, or move.
  let rows: RowChanges
  /// The extra columns of the list that get another name.
  let columns: [String: String]
  /// The values that are not of the kind that their column got in one of the copies.
  let misfits: [PullSummary.Misfit]

  /// Plans to take what another copy has; nil if it has nothing new.
  ///
  /// - Throws: `PullError.otherList`, `StoreError`, `ListError`.
  /// - Complexity: O(n log n) for the rows of the two, O(steps).
  init?(
    _ list: borrowing CustomerList, pulling copy: borrowing CustomerList, reader copyReader: CopyReader?,
    resolving resolution: PullResolution
  ) throws {
    guard try list.identity().list == copy.identity().list else { throw PullError.otherList }
    let (known, others) = try (list.knownStates(), copy.knownStates())
    guard known.step(of: others.head) == nil else { return nil }
    version = try list.version()
    let isA = (known.head.mark, known.head.edit) < (others.head.mark, others.head.edit)
    let common = isA ? CommonState(known, others) : CommonState(others, known)
    let theirReader: CopyReader
    (reader, theirReader) = try CopyReader.agreeing(
      list, known, copy, copyReader, others, areUnrelated: common == nil)
    let since = isA ? common?.since : common.map { ($0.since.b, $0.since.a) }
    let ownLog = try reader.log(since: since?.a, in: list)
    let otherLog = try theirReader.log(since: since?.b, in: copy)
    let differences = reader.differences(from: theirReader)
    head = others.head.mark
    let unreadable = try copy.countUnreadable(differences.customers.compactMap { theirReader.customers[$0] })
    guard unreadable == 0 else { throw PullError.isDamaged(unreadable) }
    let ours = try reader.state(differences, in: list)
    let theirs = try theirReader.state(differences, like: ours, in: copy)
    taken = others.marks.filter { !known.has(mark: $0) || $0 == others.head.mark }
    guard others.step(of: known.head) == nil else {
      (relation, now, merged, conflicts) = (.older, ours, theirs.withoutLinesOfDeleted, [])
      mark = others.head.mark
      theirLog = otherLog
      rows = RowChanges(from: ours, to: theirs)
      (columns, misfits) = (otherLog.columns.mapValues(\.name), [])
      steps = try copy.history(after: since?.b ?? copy.reach())
      return
    }
    let base: ListState?
    if let common {
      let states = StateReader(
        differences: differences, a: isA ? reader : theirReader, b: isA ? theirReader : reader,
        now: isA ? (ours, theirs) : (theirs, ours), isA: isA)
      base = try states.read(common, list, copy)
      relation = .apart
    } else {
      base = nil
      relation = .unrelated
    }
    let (a, b) = isA ? (ours, theirs) : (theirs, ours)
    let merge = ListMerge(
      base: base, a: a, b: b, isA ? ownLog : otherLog, isA ? otherLog : ownLog,
      deciding: { resolution.side(for: $0, isA: isA) })
    let names = merge.names
    // A section of the list that gets the uid of another one makes way for that, so that an undo brings it back.
    now = ours
    theirLog = isA ? otherLog.renaming(names) : otherLog
    merged = merge.state
    rows = RowChanges(from: now, to: merged)
    mark = merge.state.name(from: a, heads: [known.head.mark, others.head.mark])
    columns = isA ? merge.columnNames.a : merge.columnNames.b
    let report = ConflictReport(
      ours: isA ? ours : ours.renaming(names), theirs: isA ? theirs.renaming(names) : theirs, merged: merged,
      logs: (isA ? ownLog : ownLog.renaming(names), theirLog), isA: isA, reader: reader)
    conflicts = try report.describe(merge.conflicts, in: list)
    misfits = try report.describe(merge.misfits, in: list)
    steps = try copy.history(after: since?.b ?? copy.reach())
  }
}

/// The rows to delete, add, and move to get from one state to another; all others keep their order.
struct RowChanges: Sendable {
  /// A row with its new place; the section by its uid, and the number from 1.
  struct Arrival: Sendable {
    var row: UID
    var section: UID
    var order: Int
    var isNew: Bool
  }

  private(set) var deleted: [UID] = []
  private(set) var arrivals: [Arrival] = []

  /// - Complexity: O(n log n) for the rows of sections that differ.
  init(from old: ListState, to new: ListState) {
    let changed = old.rows.filter { $1 != new.rows[$0] }
    let places = changed.flatMap { section, rows in rows.indices.map { (section: section, order: $0 + 1) } }
    var numbers = RowNumbers(changed.flatMap(\.value))
    var isLeft = [Bool](repeating: true, count: places.count)
    for section in new.sections {
      let rows = new.rows[section] ?? []
      guard rows != old.rows[section] else { continue }
      let known = numbers.number(rows)
      let staying = rows.indices.filter { known[$0] < places.count && places[known[$0]].section == section }
      var isKept = [Bool](repeating: false, count: rows.count)
      for index in unmovedRows(staying.map { places[known[$0]].order }, isFixed: { _ in false }) {
        isKept[staying[index]] = true
      }
      for (index, row) in rows.enumerated() {
        let isNew = known[index] >= places.count
        if !isNew { isLeft[known[index]] = false }
        if !isKept[index] {
          arrivals.append(Arrival(row: row, section: section, order: index + 1, isNew: isNew))
        }
      }
    }
    deleted = places.indices.filter { isLeft[$0] }.map { numbers.rows[$0] }.sorted()
  }
}

/// Reads the state that two copies have in common.
private struct StateReader {
  let differences: CopyReader.Differences
  let a: CopyReader
  let b: CopyReader
  let now: (a: ListState, b: ListState)
  /// Whether the list that pulls is `a`.
  let isA: Bool

  func read(
    _ common: CommonState, _ list: borrowing CustomerList, _ copy: borrowing CustomerList
  ) throws -> ListState {
    switch common {
    case .state(let side, let state, _): return try read(side, state, list, copy)
    case .merged(let base, let ofA, let ofB):
      let (x, y) = try (read(.a, ofA, list, copy), read(.b, ofB, list, copy))
      let (logA, logB) = try (log(.a, base.since.a, ofA, list, copy), log(.b, base.since.b, ofB, list, copy))
      return ListMerge(base: try read(base, list, copy), a: x, b: y, logA, logB).state
    }
  }

  private func read(
    _ side: MergeSide, _ state: KnownStates.Own, _ list: borrowing CustomerList,
    _ copy: borrowing CustomerList
  ) throws -> ListState {
    let (reader, now) = side == .a ? (a, now.a) : (b, now.b)
    return (side == .a) == isA
      ? try reader.state(before: now, differences, after: state.edit, in: list)
      : try reader.state(before: now, differences, after: state.edit, in: copy)
  }

  private func log(
    _ side: MergeSide, _ since: Int64?, _ state: KnownStates.Own, _ list: borrowing CustomerList,
    _ copy: borrowing CustomerList
  ) throws -> MergeLog {
    let reader = side == .a ? a : b
    return (side == .a) == isA
      ? try reader.log(since: since, upTo: state.edit, in: list)
      : try reader.log(since: since, upTo: state.edit, in: copy)
  }
}

extension ListState {
  /// The name of a merged state: the same for all who merge the same two states with the same result.
  ///
  /// Any other result has another one. So nobody who merges them again has something new.
  fileprivate func name(from a: ListState, heads: [Int64]) -> Int64 {
    var digest = SHA256()
    func add(_ text: String) { digest.update(Array("\(text.utf8.count):\(text)".utf8)) }
    func add(_ numbers: [Int64]) {
      add("\(numbers.count)")
      digest.update(unsafe numbers.map { $0.littleEndian }.withUnsafeBytes { unsafe Array($0) })
    }
    add(heads.sorted())
    add(sections)
    for section in sections {
      // SHA-256 of many rows takes long.
      add([
        Int64(
          bitPattern: (rows[section] ?? []).reduce(into: UInt64(0)) { hash, row in
            hash = (hash ^ UInt64(bitPattern: row)) &* 0x1e35_7b9d_4f6a_7c15
            hash ^= hash >> 29
          })
      ])
    }
    for kind in Kind.allCases {
      let (records, old) = (self[kind], a[kind])
      let changed = Set(records.keys).union(old.keys).filter { records[$0] != old[$0] }.sorted()
      add(changed)
      for uid in changed {
        for (field, value) in (records[uid] ?? [:]).sorted(by: { $0.key < $1.key }) {
          add(field)
          add(value.kind)
          add(value.text)
        }
      }
    }
    return digest.uid
  }
}

// What people read ----------------------------------------------------------------------------

extension PullPlan {
  /// What it changes.
  package var summary: PullSummary {
    let added = rows.arrivals.count(where: \.isNew)
    let (old, new) = (now[.customer], merged[.customer])
    let isGone = Set(rows.deleted)
    let changed = new.count { old[$0] != nil && old[$0] != $1 && !isGone.contains($0) }
    let (before, after) = (now[.section], merged[.section])
    let order = merged.sections.compactMap { now.sections.firstIndex(of: $0) }
    let staying = unmovedRows(order, isFixed: { _ in false }).map { now.sections[order[$0]] }
    let movedSections = Set(order.map { now.sections[$0] }).subtracting(staying)
    let sections = Set(before.keys).union(after.keys).count {
      before[$0] != after[$0] || movedSections.contains($0)
    }
    let (logged, logs) = (now[.line], merged[.line])
    let present = logged == logs ? [] : Set(merged.rows.values.joined())
    let lines = Set(logged.keys).union(logs.keys).count { uid in
      // Those of a customer who is deleted, or stays so, go with it.
      logged[uid] != logs[uid]
        && (logs[uid] != nil || logged[uid].flatMap(ListState.customer).map(present.contains) == true)
    }
    let (said, says) = (now[.entry], merged[.entry])
    let entries = Set(said.keys).union(says.keys).count { said[$0] != says[$0] }
    return PullSummary(
      relation: relation, steps: steps, added: added, changed: changed, moved: rows.arrivals.count - added,
      deleted: rows.deleted.count, sections: sections, lines: lines, entries: entries,
      count: now.rows.values.reduce(0) { $0 + $1.count },
      conflicts: conflicts, misfits: misfits)
  }
}
