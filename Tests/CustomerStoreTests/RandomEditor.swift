@testable import CustomerStore
import CustomersSQLite
import CustomerFixtures
import CustomersTestSupport

/// Makes random edits, and predicts the result of each.
struct RandomEditor {
  var model = ListModel()
  var generator: SplitMix64
  let capacity: Capacity
  private let limit: Int
  private var grows = true
  /// How many edits have been made.
  private var steps = 0

  init(seed: Int) {
    generator = SplitMix64(seed: 1_000 + seed)
    capacity = [.small, .real, .least][seed % 3]
    let usual = capacity == .real ? 200 : 20 + generator.below(60)
    limit = usual
  }

  /// Makes a random edit and compares the list with the model.
  mutating func step(_ list: inout CustomerList) throws {
    if model.count >= limit { grows = false }
    if model.count == 0 { grows = true }
    let before = model
    let edit = try randomEdit(&list)
    let found = try list.connection.listNumbers()
    guard found == model.numbers else {
      throw Mismatch(text: "\(edit): \(before.numbers) became \(found), not \(model.numbers)")
    }
    steps += 1
    guard isLong || steps.isMultiple(of: 4) else { return }
    let broken = try list.connection.brokenInvariants()
    guard broken.isEmpty else {
      throw Mismatch(text: "\(edit), or one of the last edits before it: \(broken)")
    }
  }

  private mutating func randomEdit(_ list: inout CustomerList) throws -> String {
    switch generator.below(40) {
    case 0..<(grows ? 11 : 3): try insert(&list)
    case 11..<(grows ? 13 : 12): try insertMany(&list)
    case 13..<(grows ? 15 : 20): try deleteSome(&list, most: 1)
    case 20..<(grows ? 21 : 22): try deleteSome(&list, most: 8)
    case 22, 23: try editSections(&list)
    case 24: try rename(&list)
    case 25: try arrange(&list)
    case 26, 27: try swap(&list)
    case 28, 29: try moveBy(&list)
    case 30: try update(&list)
    case 31: try protect(&list)
    case 32..<36: try move(&list, most: 5)
    default: try move(&list, most: 1)
    }
  }

  /// Runs an edit that must throw exactly this error, or none.
  func expect<Result>(
    _ error: ListError?, _ edit: String, _ body: () throws -> Result
  ) throws -> Result? {
    do {
      let result = try body()
      guard let error else { return result }
      throw Mismatch(text: "\(edit) should have met \(error)")
    } catch let met as ListError {
      guard met == error else {
        throw Mismatch(text: "\(edit) met \(met), not \(error.map { "\($0)" } ?? "-")")
      }
      return nil
    }
  }

  // Random choices.

  mutating func anySection() -> Int? {
    model.sections.isEmpty ? nil : generator.below(model.sections.count)
  }

  mutating func anyRow() -> ListModel.Row? {
    let rows = model.rows
    return rows.isEmpty ? nil : rows[generator.below(rows.count)]
  }

  /// Up to `most` different rows in no order.
  mutating func someRows(_ most: Int) -> [ListModel.Row] {
    var found: [ListModel.Row] = []
    for _ in 0..<1 + generator.below(most) {
      if let row = anyRow(), !found.contains(row) { found.append(row) }
    }
    return found
  }

  /// A destination that means an index of a section, where `rows` are those that are there already.
  mutating func destination(for index: Int, among rows: [ListModel.Row]) -> Destination {
    switch generator.below(4) {
    case 0 where index == 0: .first
    case 0 where index == rows.count: .last
    case 1 where index < rows.count: .before(CustomerID(rawValue: rows[index].id))
    case 2 where index > 0: .after(CustomerID(rawValue: rows[index - 1].id))
    default: .place(index + 1)
    }
  }
}
