import CustomerFixtures
@testable import CustomerStore
import CustomersTestSupport
import Foundation
import Testing

/// The rule by which two copies of a list become one, on plain arrays: what must hold of every merge.
@Suite(.onThreads) struct ListMergeTests {
  /// How many random pairs of copies: `$CUSTOMERS_MERGES`, or a few.
  private static let pairs =
    ProcessInfo.processInfo.environment["CUSTOMERS_MERGES"].flatMap { Int($0) } ?? 300

  @Test func `random copies`() {
    var random = SplitMix64(seed: 57)
    for _ in 0..<Self.pairs {
      let counts = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        Int.random(in: 0...[3, 8, 20].randomElement(using: &random)!, using: &random)
      }
      let base = EditedCopy.list(counts)
      let sides = [UID(-1000), -2000].map { uids in
        var copy = EditedCopy(base, clock: Int.random(in: 0...5, using: &random), uids: uids)
        for _ in 0..<[1, 2, 3, 6, 12].randomElement(using: &random)! { copy.edit(&random) }
        return copy
      }
      let isKnown = Bool.random(using: &random)
      let checked = CheckedMerge(base, sides[0], sides[1], withLogs: isKnown)
      #expect(checked.faults.isEmpty, "\(checked)")
    }
  }

  @Test func `every edit of one copy with every edit of the other, in short lists`() {
    let most = isLong ? 5 : 2
    for total in 0...most {
      for first in 0...total {
        let base = EditedCopy.list([first, total - first])
        let (ones, others) = (everyEdit(of: base, uids: -1000), everyEdit(of: base, clock: 1, uids: -2000))
        for one in ones {
          for other in others {
            let checked = CheckedMerge(base, one, other)
            #expect(checked.faults.isEmpty, "\(checked)")
          }
        }
      }
    }
  }

  /// Each edit of a list: additions, deletions, moves of one row and of two, changed values, a sort, and moved sections.
  private func everyEdit(of base: ListState, clock: Int = 0, uids: UID) -> [EditedCopy] {
    let start = EditedCopy(base, clock: clock, uids: uids)
    var copies: [EditedCopy] = []
    func add(_ edit: (inout EditedCopy) -> Void) {
      var copy = start
      edit(&copy)
      if copy.state != base { copies.append(copy) }
    }
    for section in base.sections {
      let rows = base.rows[section] ?? []
      for index in 0...rows.count { add { $0.insert(in: section, at: index) } }
      add { $0.arrange(section, rows.reversed()) }
      add { $0.moveSection(section, to: 0) }
      for target in base.sections {
        let blocks = rows.indices.flatMap { [[rows[$0]], Array(rows[$0...].prefix(2))] }
        for block in Set(blocks) {
          for index in 0...(base.rows[target] ?? []).count(where: { !block.contains($0) }) {
            add { $0.move(block, to: target, at: index) }
          }
        }
      }
    }
    for row in start.rows {
      add { $0.delete(row) }
      add { $0.set(.text("\(uids)"), "phone", row) }
      add { $0.addLine(to: row) }
    }
    return copies
  }

  @Test func `a column is one column, whatever the sides call it`() {
    var random = SplitMix64(seed: 7)
    let names = ["A", "B", "C", "D", "E", "F"]
    for number in 0..<(isLong ? 20_000 : 400) {
      // Three columns, of which each side renames some; values say which column they are in.
      var base = EditedCopy.list([3])
      for row in base.rows[1] ?? [] {
        base.records[.customer]?[row] = [:]
        for column in 0..<3 where row == 1 || random.oneIn(2) {
          base.records[.customer]?[row]?["extra.\(names[column])"] = .text("\(column)")
        }
      }
      let sides = (0...1).map { side -> (state: ListState, log: MergeLog, names: [String]) in
        // Some swap names, or give the name that the other side gives to another column.
        let fresh =
          random.oneIn(3) ? names[..<3].shuffled(using: &random) : names[3...].shuffled(using: &random)
        let renames = random.oneIn(3) ? 3 : random.below(2)
        let called = (0..<3).map {
          $0 < renames || fresh.contains("A") && renames > 0 ? fresh[$0] : names[$0]
        }
        var (state, log) = (base, MergeLog())
        for column in 0..<3 where called[column] != names[column] {
          log.columns[names[column]] = (called[column], "\(side)")
        }
        for (row, old) in base[.customer] {
          state.records[.customer]?[row] = [:]
          for column in 0..<3 {
            var value = old["extra.\(names[column])"]
            if random.oneIn(4) { value = random.oneIn(3) ? nil : .text("\(column) \(side)") }
            state.records[.customer]?[row]?["extra.\(called[column])"] = value
          }
        }
        return (state, log, called)
      }
      let merge = ListMerge(base: base, a: sides[0].state, b: sides[1].state, sides[0].log, sides[1].log)
      for (row, old) in base[.customer] {
        var expected: Set<String> = []
        for column in 0..<3 {
          let was = old["extra.\(names[column])"]
          let values = sides.map { $0.state[.customer][row]?["extra.\($0.names[column])"] }
          let kept =
            values[1] == was
            ? values[0]
            : values[0] == was
              ? values[1] : (values[0]?.text ?? "") > (values[1]?.text ?? "") ? values[0] : values[1]
          if let kept { expected.insert(kept.text) }
        }
        let found = Set((merge.state[.customer][row] ?? [:]).map(\.value.text))
        #expect(expected == found, "\(number)")
      }
    }
  }

  @Test func `what the rule says`() {
    // Values by hand, as they are written in the documentation of `ListMerge`.
    let base = EditedCopy.list([5])
    func copies(_ one: (inout EditedCopy) -> Void, _ other: (inout EditedCopy) -> Void) -> ListMerge {
      var (a, b) = (EditedCopy(base, uids: -10), EditedCopy(base, clock: 1, uids: -20))
      one(&a)
      other(&b)
      return ListMerge(base: base, a: a.state, b: b.state, a.log, b.log)
    }
    // A deletion loses to a change, not to a move.
    var merge = copies({ $0.delete(2) }, { $0.set(.text("1"), "phone", 2) })
    #expect(merge.state.rows[1] == [1, 2, 3, 4, 5])
    #expect(merge.conflicts.map(\.matter) == [.deletion])
    merge = copies({ $0.delete(2) }, { $0.move([2], to: 1, at: 4) })
    #expect(merge.state.rows[1] == [1, 3, 4, 5])
    #expect(merge.conflicts.isEmpty)
    // A line added to the log of a deleted customer is a change, and the customer keeps the other lines.
    merge = copies({ $0.delete(2) }, { $0.addLine(to: 2) })
    #expect(merge.state.rows[1] == [1, 2, 3, 4, 5])
    #expect(merge.state[.line].count == 1)
    // But not one that whoever deleted the customer had added before.
    merge = copies({ $0.move([2], to: 1, at: 0) }) {
      $0.addLine(to: 2)
      $0.delete(2)
    }
    #expect(merge.state.rows[1] == [1, 3, 4, 5])
    // The later of two values.
    merge = copies({ $0.set(.text("1"), "phone", 2) }, { $0.set(.text("2"), "phone", 2) })
    #expect(merge.state[.customer][2]?["phone"] == .text("2"))
    #expect(merge.conflicts.map(\.winner) == [.b])
    // Tags are a set.
    merge = copies({ $0.set(.lines(["t", "u"]), "tags", 2) }, { $0.set(.lines(["v"]), "tags", 2) })
    #expect(merge.state[.customer][2]?["tags"] == .lines(["u", "v"]))
    #expect(merge.conflicts.isEmpty)
    // The later place.
    merge = copies({ $0.move([5], to: 1, at: 0) }, { $0.move([5], to: 1, at: 2) })
    #expect(merge.state.rows[1] == [1, 2, 5, 3, 4])
    #expect(merge.conflicts.map(\.matter) == [.place])
    // A row between two that the other side moved goes with them.
    merge = copies({ $0.insert(in: 1, at: 4) }, { $0.move([4, 5], to: 1, at: 0) })
    #expect(merge.state.rows[1] == [4, -11, 5, 1, 2, 3])
    // Two blocks in one gap are not mixed; at the top the later one is first.
    merge = copies({ $0.insert(2, in: 1, at: 3) }, { $0.insert(2, in: 1, at: 3) })
    #expect(merge.state.rows[1] == [1, 2, 3, -11, -12, -21, -22, 4, 5])
    merge = copies({ $0.insert(2, in: 1, at: 0) }, { $0.insert(2, in: 1, at: 0) })
    #expect(merge.state.rows[1] == [-21, -22, -11, -12, 1, 2, 3, 4, 5])
    // Two sorts are not mixed.
    merge = copies({ $0.arrange(1, [5, 4, 3, 2, 1]) }, { $0.arrange(1, [4, 2, 1, 5, 3]) })
    #expect(merge.state.rows[1] == [4, 2, 1, 5, 3])
    // A section of one title is one; a section that rows were moved to stays.
    merge = copies({
      $0.addSection(at: 1); $0.set(.text("New"), "title", -11, .section)
    }) {
      $0.addSection(at: 1)
      $0.set(.text("new "), "title", -21, .section)
      $0.move([1], to: -21, at: 0)
    }
    #expect(merge.state.sections == [1, -11])
    #expect(merge.state.rows[-11] == [1])
    // The later name of a column, and the values under it.
    merge = copies({ $0.renameColumn("City", to: "Town") }) {
      $0.renameColumn("City", to: "Ort")
      $0.set(.text("y"), "extra.Ort", 2)
    }
    #expect(merge.state[.customer].values.allSatisfy { $0["extra.City"] == nil && $0["extra.Town"] == nil })
    #expect(merge.state[.customer][1]?["extra.Ort"] == .text("x"))
    #expect(merge.state[.customer][2]?["extra.Ort"] == .text("y"))
    #expect(merge.conflicts.map(\.matter) == [.column("City")])
    // The kind that one side gave a column.
    merge = copies({ $0.declare("City", "date") }, { $0.set(.text("24.12.2026"), "extra.City", 2) })
    #expect(merge.state[.customer][2]?["extra.City"] == .text("2026-12-24"))
    #expect(merge.state[.customer][1]?["extra.City"] == .text("x"))
    #expect(merge.misfits.isEmpty && merge.conflicts.isEmpty)
    merge = copies({ $0.declare("City", "number") }, { $0.set(.text("soon"), "extra.City", 2) })
    #expect(merge.misfits.map(\.value) == ["soon"])
    // Whoever decides may decide otherwise.
    var (a, b) = (EditedCopy(base, uids: -10), EditedCopy(base, clock: 1, uids: -20))
    a.delete(2)
    a.set(.text("1"), "phone", 3)
    b.set(.text("2"), "phone", 2)
    b.set(.text("2"), "phone", 3)
    merge = ListMerge(base: base, a: a.state, b: b.state, a.log, b.log) { _ in .a }
    #expect(merge.state.rows[1] == [1, 3, 4, 5])
    #expect(merge.state[.customer][3]?["phone"] == .text("1"))
  }
}

/// A merge, and what is wrong with it.
private struct CheckedMerge: CustomStringConvertible {
  private(set) var faults: [String] = []
  private let base: ListState
  private let a: EditedCopy
  private let b: EditedCopy
  private let merge: ListMerge

  init(_ base: ListState, _ a: EditedCopy, _ b: EditedCopy, withLogs isKnown: Bool = true) {
    (self.base, self.a, self.b) = (base, a, b)
    func log(_ copy: EditedCopy) -> MergeLog {
      var log = copy.log
      if !isKnown { log.touched = nil }
      return log
    }
    let (logA, logB) = (log(a), log(b))
    merge = ListMerge(base: base, a: a.state, b: b.state, logA, logB)
    checkPeople()
    if isKnown { checkOrder() }
    func expect(_ merge: ListMerge, _ state: ListState, _ fault: String) {
      if merge.state.whole != state.whole { faults.append(fault) }
    }
    expect(ListMerge(base: base, a: a.state, b: a.state, logA, logA), a.state.unique, "the same edits twice")
    expect(ListMerge(base: base, a: base, b: b.state, MergeLog(), logB), b.state.unique, "only b")
    expect(ListMerge(base: base, a: a.state, b: base, logA, MergeLog()), a.state.unique, "only a")
    expect(
      ListMerge(base: b.state, a: merge.state, b: b.state, MergeLog(touched: nil), MergeLog()), merge.state,
      "on top of b")
    expect(ListMerge(base: base, a: a.state, b: b.state, logA, logB), merge.state, "not deterministic")
  }

  /// Nobody is lost or there twice, and who was deleted stays so.
  private mutating func checkPeople() {
    let merged = merge.state.sections.flatMap { merge.state.rows[$0] ?? [] }
    if Set(merged).count < merged.count { faults.append("someone is there twice") }
    let old = base.places
    let (inA, inB) = (a.state.places, b.state.places)
    let expected = Set(old.keys).union(inA.keys).union(inB.keys).filter { row in
      if inA[row] != nil, inB[row] != nil || old[row] == nil { return true }
      guard old[row] != nil else { return inB[row] != nil }
      return [a.state, b.state].contains { side in
        guard side.places[row] != nil else { return false }
        return side[.customer][row].map { $0 != base[.customer][row] } ?? false
          || side[.line].contains { ListState.customer(of: $1) == row && base[.line][$0] != $1 }
      }
    }
    if Set(merged) != expected { faults.append("someone is lost or back") }
    if Set(merge.state[.customer].keys) != expected { faults.append("values of others") }
    let sections = Set(merge.state.sections)
    if sections != Set(merge.state.rows.keys) || sections != Set(merge.state[.section].keys) {
      faults.append("sections without rows or titles")
    }
    let titles = sections.map { Name.title(merge.state.title(of: $0)) }
    if Set(titles).count < titles.count { faults.append("a title twice") }
    for (line, record) in merge.state[.line] {
      if a.state[.line][line] != record, b.state[.line][line] != record { faults.append("another line") }
    }
  }

  /// Rows that no log names stay in their order, and no row changes its section unless someone moved it.
  private mutating func checkOrder() {
    let names = ListMerge.namesakes(base, a.state, b.state)
    let (base, other) = (base.renaming(names), b.state.renaming(names))
    let (old, places) = (base.places, merge.state.places)
    let touched = (a.log.touched ?? []).union(b.log.touched ?? [])
    for (section, rows) in base.rows {
      let still = rows.filter { places[$0] != nil && !touched.contains($0) }
      if merge.state.rows[section]?.filter(Set(still).contains) ?? [] != still {
        faults.append("rows that no one moved")
      }
    }
    for (side, own, others) in [(a.state, a.log, b.log), (other, b.log, a.log)] {
      for (row, place) in side.places where places[row] != nil {
        guard own.touched?.contains(row) == true, others.touched?.contains(row) != true else { continue }
        if places[row]?.section != place.section, place.section != old[row]?.section {
          faults.append("in another section than the one it was moved to")
        }
      }
    }
  }

  var description: String {
    "\(faults)\nbase \(base.rows)\na \(a.state.rows)\nb \(b.state.rows)\nmerged \(merge.state.rows)"
  }
}

extension ListState {
  /// The state with titles as a merge makes them: two sections of one title get different ones.
  fileprivate var unique: ListState {
    var (unique, known) = (self, Set<String>())
    for uid in self[.section].keys.sorted() {
      var (title, number) = (title(of: uid), 2)
      while !known.insert(Name.title(title)).inserted {
        title = "\(self.title(of: uid)) (\(number))"
        number += 1
      }
      unique.records[.section]?[uid]?["title"] = .text(title)
    }
    return unique
  }
}
