import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Foundation
import Testing

/// Random names of columns through every command that names one, against a model: no command touches a value of
/// another column.
@Suite(.onThreads) struct RandomColumnsTests {
  @Test(arguments: 1...(isLong ? 300 : 2))
  func `a command touches only the column that it names`(seed: Int) throws {
    var run = try ColumnRun(seed: seed)
    for _ in 0..<25 { try run.step() }
  }
}

/// A list and the columns that its customers should have.
private struct ColumnRun {
  private typealias Row = [(name: String, value: String)]

  private let sandbox: CLISandbox
  private let store: CustomerStore
  private var random: SplitMix64
  private var rows: [Row] = []
  private var log: [String] = []

  /// Names of which many are the same but for case, accents, spaces, `-`, and `_`.
  private static let names = [
    "Club", "club", "CLUB", "Cl-ub", "cl ub", "Clúb", "Guild", "guild", "gu_ild", "Age", "Größe", "größe",
    "Gro ße",
  ]

  init(seed: Int) throws {
    random = SplitMix64(seed: seed)
    sandbox = try CLISandbox()
    #expect(try sandbox.run("section", "add", "Two", "-q") == .done())
    store = try CustomerStore(path: sandbox.file)
    for _ in 0..<2 { try importFile() }
  }

  mutating func step() throws {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: try importFile()
    case 1, 2: try set()
    case 3: try rename()
    case 4: try drop()
    case 5: try sort()
    default: try select()
    }
    let found = try store.read { list in
      var found: [String] = []
      try list.forEach { customer in
        found.append(
          customer.fields.extraColumns.columns.map { "\($0.name)=\($0.value.text)" }.joined(separator: " "))
        return true
      }
      return found
    }
    let expected = rows.map { $0.map { "\($0.name)=\($0.value)" }.joined(separator: " ") }
    try #require(found == expected, "\(log.joined(separator: "\n"))")
  }

  // MARK: The rule

  private enum Meaning: Equatable {
    case column(String)
    case several, none
  }

  private static func key(_ name: String) -> String {
    name.filter { !" -_".contains($0) }.folding(
      options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  private static func has(_ row: Row, _ name: String) -> Bool {
    row.contains { $0.name.utf8.elementsEqual(name.utf8) }
  }

  private func meaning(of name: String) -> Meaning {
    var known: [String] = []
    for column in rows.joined() where !known.contains(where: { $0.utf8.elementsEqual(column.name.utf8) }) {
      known.append(column.name)
    }
    if known.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { return .column(name) }
    let alike = known.filter { ColumnRun.key($0) == ColumnRun.key(name) }
    return alike.count > 1 ? .several : alike.first.map { .column($0) } ?? .none
  }

  private mutating func anyName() -> String { ColumnRun.names.randomElement(using: &random) ?? "" }
  private mutating func anyValue() -> String { "v\(Int.random(in: 1...3, using: &random))" }

  // MARK: Commands

  private mutating func run(_ words: [String], stdin: String = "") throws -> ProcessResult {
    let result = try sandbox.run(words: words, stdin: stdin)
    log.append("\(words) \(stdin) -> \(result)")
    return result
  }

  private mutating func importFile() throws {
    let names = Array(Set((0..<Int.random(in: 1...3, using: &random)).map { _ in anyName() })).sorted()
    let values = names.map { _ in anyValue() }
    let meanings = names.map { meaning(of: $0) }
    let file = "name,\(names.joined(separator: ","))\nAnn,\(values.joined(separator: ","))\n"
    let result = try run(["import", "-", "-q", "-y"], stdin: file)
    guard !meanings.contains(.several) else { return #expect(result.code == 3, "\(log)") }
    #expect(result.code == 0, "\(log)")
    var taken = Set(names)
    let kept = zip(names, meanings).map { name, meaning in
      if case .column(let known) = meaning, known == name || taken.insert(known).inserted {
        known
      } else {
        name
      }
    }
    rows.insert(Array(zip(kept, values)).map { ($0, $1) }, at: firstSectionCount)
  }

  /// All customers are in the first section.
  private var firstSectionCount: Int { rows.count }

  private mutating func set() throws {
    let (name, value, row) = (anyName(), anyValue(), Int.random(in: 0..<rows.count, using: &random))
    let meaning = meaning(of: name)
    let result = try run(["edit", "\(row + 1)", "--set", "\(name)=\(value)", "-q"])
    guard case .column(let column) = meaning == .none ? .column(name) : meaning, result.code == 0 else {
      // A name that is similar to another one is refused, too.
      return #expect(meaning == .several ? result.code == 3 : meaning == .none && result.code == 2, "\(log)")
    }
    if let index = rows[row].firstIndex(where: { $0.name.utf8.elementsEqual(column.utf8) }) {
      rows[row][index].value = value
    } else {
      rows[row].append((column, value))
    }
  }

  private mutating func rename() throws {
    let (name, newName) = (anyName(), anyName())
    let result = try run(["columns", "rename", name, newName, "-q"])
    guard case .column(let column) = meaning(of: name) else { return #expect(result.code == 3, "\(log)") }
    let isFree =
      switch meaning(of: newName) {
      case .none: true
      case .column(let taken): taken.utf8.elementsEqual(newName.utf8) || taken.utf8.elementsEqual(column.utf8)
      case .several: false
      }
    let overlaps = rows.contains { ColumnRun.has($0, column) && ColumnRun.has($0, newName) }
    let isSame = column.utf8.elementsEqual(newName.utf8)
    guard isSame || isFree && !overlaps else { return #expect(result.code == 4, "\(log)") }
    #expect(result.code == 0, "\(log)")
    for row in rows.indices {
      for index in rows[row].indices where rows[row][index].name.utf8.elementsEqual(column.utf8) {
        rows[row][index].name = newName
      }
    }
  }

  private mutating func drop() throws {
    let name = anyName()
    let result = try run(["columns", "drop", name, "-y", "-q"])
    guard case .column(let column) = meaning(of: name) else { return #expect(result.code == 3, "\(log)") }
    #expect(result.code == 0, "\(log)")
    for row in rows.indices { rows[row].removeAll { $0.name.utf8.elementsEqual(column.utf8) } }
  }

  private mutating func sort() throws {
    let name = anyName()
    let result = try run(["sort", "--by", name, "-y", "-q"])
    guard case .column(let column) = meaning(of: name) else {
      return #expect(result.code == (meaning(of: name) == .several ? 3 : 2), "\(log)")
    }
    #expect(result.code == 0, "\(log)")
    let values = rows.map { row in row.first { $0.name.utf8.elementsEqual(column.utf8) }?.value ?? "w" }
    rows = rows.indices.sorted { (values[$0], $0) < (values[$1], $1) }.map { rows[$0] }
  }

  /// The rows that have a value in a column, in `list`, `find`, and `--fields`.
  private mutating func select() throws {
    let (name, value) = (anyName(), anyValue())
    let listed = try run([
      "list", "--where", "\"\(name)\"=\(value)", "--fields", "position", "--format", "csv", "--no-header",
    ])
    let found = try run([
      "find", value, "--in", name, "--fields", "position", "--format", "csv", "--no-header",
    ])
    let shown = try run(["list", "--fields", name, "--format", "csv", "--no-header"])
    guard case .column(let column) = meaning(of: name) else {
      let code: Int32 = meaning(of: name) == .several ? 3 : 2
      return #expect([listed, found, shown].allSatisfy { $0.code == code }, "\(log)")
    }
    let values = rows.map { row in row.first { $0.name.utf8.elementsEqual(column.utf8) }?.value ?? "" }
    let expected = values.indices.filter { values[$0] == value }.map { "\($0 + 1)\n" }.joined()
    #expect(listed.output == expected && found.output == expected, "\(log)")
    #expect(shown.output == values.map { $0.isEmpty ? "\"\"\n" : $0 + "\n" }.joined(), "\(log)")
  }
}
