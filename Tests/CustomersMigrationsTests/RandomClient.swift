import CustomersSQLite
import CustomerFixtures
import CustomersTestSupport

/// A client that writes random statements and knows what each must do.
struct RandomClient {
  /// The expected result of a statement.
  enum Outcome {
    /// The list is this one then.
    case becomes(ListModel)
    /// The triggers refuse with this kind, and nothing changes.
    case refused(String)
    /// The list is one of those that this accepts; SQLite does not promise which.
    case accepted((ListModel) -> Bool)
  }

  /// A statement and its expected result.
  struct Edit {
    var sql: String
    var values: [SQLiteValue] = []
    var outcome: Outcome
  }

  let connection: Connection
  var model = ListModel()
  var generator: SplitMix64
  let limit: Int
  private let settings: String
  private var grows = true
  /// The number of statements run so far.
  private var statements = 0
  /// The model as it was at the `BEGIN` of an open transaction.
  private var committed: ListModel?

  init(seed: Int, limit: Int? = nil, capacity: Capacity? = nil) throws {
    generator = SplitMix64(seed: seed)
    let capacity = capacity ?? [.small, .real, .least][seed % 3]
    settings =
      "recursive_triggers = \(seed / 3 % 2), foreign_keys = \(seed / 6 % 2), capacity \(capacity)"
    connection = try Connection.newList(capacity)
    try connection.execute("PRAGMA recursive_triggers = \(seed / 3 % 2)")
    try connection.execute("PRAGMA foreign_keys = \(seed / 6 % 2)")
    let usual = capacity == .real ? 200 : 20 + generator.below(60)
    self.limit = limit ?? usual
  }

  /// Runs a random statement.
  ///
  /// - Returns: the difference from the expected list or nil.
  mutating func step() throws -> String? {
    try beginOrEnd()
    return try runOne()
  }

  /// Runs a random statement where it is: in the open transaction, or as one of its own.
  mutating func runOne() throws -> String? {
    if model.count >= limit { grows = false }
    if model.count == 0 { grows = true }
    return try run(randomEdit())
  }

  mutating func run(_ edit: Edit) throws -> String? {
    let before = model
    var refusal: String?
    do {
      try connection.execute(edit.sql, edit.values)
    } catch let error as SQLiteError where error.code == .constraintTrigger {
      refusal = String(error.message.prefix { $0 != ":" })
    }
    let statement = "\(edit.sql) \(edit.values) (\(settings))"
    switch (edit.outcome, refusal) {
    case (.becomes(let after), nil): model = after
    case (.refused(let kind), let refusal) where kind == refusal: break
    case (.accepted(let accepts), nil):
      try model.reload(from: connection)
      guard accepts(model) else { return "\(statement): \(before.numbers) became \(model.numbers)" }
    case (let outcome, let refusal):
      return "\(statement): expected \(outcome), met \(refusal ?? "no refusal")"
    }
    let found = try connection.listNumbers()
    guard found == model.numbers else {
      return "\(statement): \(before.numbers) became \(found), not \(model.numbers)"
    }
    statements += 1
    guard isLong || statements.isMultiple(of: 4) else { return nil }
    let broken = try connection.brokenInvariants()
    return broken.isEmpty ? nil : "\(statement), or one of the last before it: broken: \(broken)"
  }

  /// Some statements run one by one, some in a transaction that is committed or rolled back.
  mutating func beginOrEnd() throws {
    if let before = committed {
      guard generator.oneIn(12) else { return }
      if generator.oneIn(3) {
        try connection.execute("ROLLBACK")
        model = before
      } else {
        try connection.execute("COMMIT")
      }
      committed = nil
    } else if generator.oneIn(12) {
      try connection.execute("BEGIN")
      committed = model
    }
  }

  private mutating func randomEdit() -> Edit {
    switch generator.below(40) {
    case 0..<(grows ? 10 : 3): insertOne()
    case 10..<(grows ? 14 : 11): insertMany(5)
    case 14..<(grows ? 15 : 21): deleteOne()
    case 21..<(grows ? 22 : 23): deleteSome()
    case 23: deleteRange(of: 6)
    case 24: protect()
    case 25: outOfRange()
    case 26: pullUp()
    case 27: gather()
    case 28: change()
    case 29: writeBack()
    case 30...32: editSections()
    case 33: moveToEnd()
    case 34, 35: moveAcross()
    default: move()
    }
  }

  /// The start of an INSERT or UPDATE with a random conflict clause.
  mutating func verb(_ name: String) -> String {
    let clauses = ["", " OR IGNORE", " OR REPLACE", " OR FAIL", " OR ABORT", " OR ROLLBACK"]
    return name + clauses[generator.below(clauses.count)]
  }

  /// The model with a change made to it.
  func changed(_ change: (inout ListModel) -> Void) -> ListModel {
    var copy = model
    change(&copy)
    return copy
  }
}
