import CustomerFixtures
@testable import CustomerStore
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Random histories, with reverts of any step: undone to the start and redone to the end, the list is the same after
/// each step both ways.
@Suite(.onThreads) struct RandomHistoryTests {
  @Test(arguments: sampled(1...(isLong ? 300 : 12), oneIn: 12))
  func `whatever was done is undone to the start and redone to the end`(seed: Int) throws {
    var history = try RandomHistory(seed: seed)
    var edits = 0
    while edits < 25 { if try history.act() { edits += 1 } }
    try history.walk()
  }
}

/// A list on which random commands, statements of another client, and edits of an app leave a history.
private struct RandomHistory {
  private let sandbox: CLISandbox
  private let store: CustomerStore
  private var random: SplitMix64
  private let seed: Int
  /// Whether the history forgets the oldest steps.
  private let isTrimmed: Bool
  /// The list as each step left it, by the number of the step; 0 is before the first.
  private var contents: [Int64: String] = [:]
  /// What was done, to report.
  private var log: [String] = []
  private var names = 0

  init(seed: Int) throws {
    (self.seed, random, isTrimmed) = (seed, SplitMix64(seed: 9_000 + seed), seed % 4 == 0)
    sandbox = try CLISandbox()
    #expect(try sandbox.run("demo", "-q").code == 0)
    store = try CustomerStore(path: sandbox.file)
    if isTrimmed { _ = try sandbox.sqlite("UPDATE history_limit SET steps = 9") }
    try note()
  }

  // MARK: The history

  /// The last step that is in effect; 0 if there is none.
  private func top() throws -> Int64 { try store.read { try $0.undoable()?.id ?? 0 } }

  private func now() throws -> String {
    try store.read { list in
      let lines = try list.connection.fetchAll(
        """
        SELECT uid || type || name || value || place || choices FROM present_entry
        UNION ALL SELECT id || other_contacts || tags || next || address_parts FROM customers ORDER BY 1
        """
      ) { $0.text(0) }
      return try list.connection.contents() + lines.joined(separator: "\n")
    }
  }

  /// Compares the list with what the last step left, or remembers it.
  private mutating func note() throws {
    try expectSound()
    let (top, now) = (try top(), try now())
    // What comes before the oldest step that is kept depends on what was forgotten.
    guard top != 0 || !isTrimmed else { return }
    if let known = contents[top] {
      try #require(known == now, report)
    } else {
      contents[top] = now
    }
  }

  private mutating func undo() throws -> Bool { try revert("undo") { try $0.undo() != nil } }

  private mutating func redo() throws -> Bool { try revert("redo") { try $0.redo() != nil } }

  private mutating func revert(
    _ word: String, _ body: (inout CustomerList) throws -> Bool
  ) throws -> Bool {
    log.append(word)
    do {
      guard try store.write(body) else { return false }
    } catch {
      Issue.record("seed \(seed): \(error)\n\(log.joined(separator: "\n"))")
      throw error
    }
    try note()
    return true
  }

  /// Redoes what can be redone, undoes everything, and redoes it.
  mutating func walk() throws {
    try expectSound()
    while try redo() {}
    let end = try now()
    var count = 0
    while try undo() { count += 1 }
    try #require(count > 0)
    let start = try now()
    if !isTrimmed { try #require(try store.read { try $0.count() } == 0) }
    while try redo() { count -= 1 }
    let again = try now()
    try #require(count == 0 && again == end, report)
    while try undo() {}
    let last = try now()
    try #require(last == start, report)
    try expectSound()
  }

  private func expectSound() throws {
    let violations = try store.read { try $0.check() }
    try #require(violations == [], report)
  }

  private var report: Comment { "seed \(seed):\n\(log.joined(separator: "\n"))" }

  // MARK: What happens

  /// Does something, mostly by a command, and remembers what each step left.
  ///
  /// - Returns: whether it changed the list.
  mutating func act() throws -> Bool {
    let before = try store.read { try $0.lastEdit() }
    switch random.below(20) {
    case 0: _ = try undo()
    case 1: _ = try redo()
    case 2..<7: try run(["revert", "\(anyStep())", "--yes"])
    case 7..<9: try other(statement())
    case 9, 10: try app()
    default: try run(command())
    }
    try note()
    return try store.read { try $0.lastEdit() } > before
  }

  /// A command, whose edits may be refused.
  private mutating func run(_ words: [String]) throws {
    let result = try sandbox.run(words: words + ["-q"])
    log.append("\(result.code)  customers \(words.joined(separator: " "))  \(result.errors)")
    try #require([0, 2, 3, 4].contains(result.code), report)
    try #require(!result.errors.contains("left it"), report)
  }

  /// A statement of another client.
  private mutating func other(_ sql: String) throws {
    log.append(sql)
    // A refused statement changes nothing.
    _ = try? sandbox.sqlite(sql)
  }

  /// Edits of an app, as one step.
  private mutating func app() throws {
    let ids = try store.read { list in try list.sections().flatMap { try list.ids(in: $0.id) } }
    let (some, section) = (ids.filter { _ in random.oneIn(3) }, ids.isEmpty ? nil : anySection())
    let kind = random.below(4)
    log.append("app \(kind): \(some)")
    try store.write { list in
      do {
        switch kind {
        case 0: try list.delete(some)
        case 1:
          if let section { try list.move(some, to: .first, in: SectionID(rawValue: section)) }
        case 2:
          for id in some { try list.update(id) { $0.note += "!" } }
        default:
          var left = 120
          try list.insert(at: .last) {
            left -= 1
            return left < 0 ? nil : CustomerFields(lastName: "Run")
          }
          try list.delete(list.ids(in: list.sections()[0].id).suffix(110))
        }
      } catch is ListError {}
    }
  }

  private mutating func anyStep() -> Int {
    let last = (try? store.read { try $0.history(limit: 1).first?.id }) ?? 1
    return max(1, Int(last) - random.below(random.oneIn(3) ? 30 : 6))
  }

  private mutating func anySection() -> Int64 {
    let ids = (try? store.read { try $0.sections().map(\.id.rawValue) }) ?? []
    return ids.isEmpty ? 1 : ids[random.below(ids.count)]
  }

  private mutating func row() -> String {
    "\(1 + random.below(max(1, (try? store.read { try $0.count() }) ?? 1)))"
  }

  private mutating func rows() -> String {
    let first = Int(row()) ?? 1
    return random.oneIn(3) ? "\(first)" : "\(first)-\(first + random.below(6))"
  }

  private mutating func section() -> String { ["Customers", "Leads", "Archive"][random.below(3)] }

  private mutating func name() -> String {
    names += 1
    return "N\(names % 12) Lee"
  }

  private mutating func command() throws -> [String] {
    switch random.below(24) {
    case 0..<3: return ["add", name(), "--first"]
    case 3: return ["add", name(), "--note", "x", "--set", "Club=Bonn"]
    case 4..<6: return ["delete", rows(), "--yes"]
    case 6..<8: return ["move", rows(), row()]
    case 8: return ["move", rows(), "--last", "--section", section()]
    case 9: return ["sort", "--by", "name", "--yes"] + (random.oneIn(2) ? ["--section", section()] : [])
    case 10: return ["edit", rows(), "--phone", "\(random.below(9))", "--yes"]
    case 11:
      return ["protect", row(), ["--no-edit", "--allow-edit", "--no-move", "--allow-move"][random.below(4)]]
    case 12: return ["merge", row(), row(), "--yes"]
    case 13: return ["section", "add", section()]
    case 14: return ["section", "delete", section(), "--with-customers", "--yes"]
    case 15: return ["section", "move", section(), "1"]
    case 16: return ["section", "rename", section(), "--footer", "\(random.below(9))"]
    case 17: return ["columns", "rename", "Club", "Guild", "--yes"]
    case 18: return ["columns", "drop", "Guild", "--yes"]
    case 19: return ["swap", row(), row()]
    case 20: return ["columns", "choices", "Club", "Ulm,Bonn", random.oneIn(2) ? "--keep-text" : "--yes"]
    case 21: return ["columns", "kind", "Guild", random.oneIn(2) ? "text" : "date", "--keep-text"]
    case 22:
      var lines = "Name,Email,Club\n"
      for _ in 0...(random.oneIn(3) ? 120 : 4) { lines += "\(name()),a\(names)@b.example,Ulm\n" }
      try sandbox.write(lines, to: "import.csv")
      return ["import", "import.csv", "--yes", "--on-duplicate", random.oneIn(2) ? "update" : "add"]
    default:
      let lines = [
        "add \"\(name())\"", "delete \(row())", "begin", "delete \(row())",
        "add \"\(name())\" --at 1 --section Customers",
        "end",
      ]
      try sandbox.write(lines.joined(separator: "\n"), to: "script")
      return ["apply", "script", "--yes"]
    }
  }

  private mutating func statement() -> String {
    switch random.below(10) {
    case 0: "DELETE FROM customers WHERE id % \(2 + random.below(5)) = 0"
    case 1: "INSERT INTO customers (first_name, \"order\") VALUES ('\(name())', 1)"
    case 2: "UPDATE customers SET \"order\" = 1 WHERE id = \(1 + random.below(20))"
    case 3: "UPDATE customers SET section = \(anySection()) WHERE id % 3 = \(random.below(3))"
    case 4: "UPDATE customers SET note = 'o' || id WHERE id % 2 = 0"
    case 5: "DELETE FROM sections WHERE count = 0"
    case 6: "INSERT INTO settings VALUES ('s\(random.below(3))', '\(random.below(9))')"
    case 7: "UPDATE settings SET value = value || '\(random.below(9))'"
    case 8: "DELETE FROM settings WHERE name = 's\(random.below(3))'"
    default: "UPDATE sections SET \"order\" = 1 WHERE id = \(anySection())"
    }
  }
}
