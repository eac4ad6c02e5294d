internal import Formats

/// The rows of an imported file with what they mean; those that are none are set aside.
final class ImportRows {
  /// A customer of the file; a class, so that handing it on copies nothing.
  final class Row {
    let record: FileRecord
    let plan: ColumnPlan
    let customer: ImportedCustomer

    init(_ record: FileRecord, _ plan: ColumnPlan, null: String?) throws {
      self.record = record
      self.plan = plan
      customer = try ImportedCustomer(record, plan, null: null)
    }
  }

  let file: ImportFile
  private let options: ImportOptions
  private let rejects: Rejects
  private var plans: [ColumnPlan] = []
  private var waiting: Row?
  /// Every column that was seen, and where it goes.
  private(set) var columns: [(name: String, target: ColumnTarget)] = []

  /// Opens the file and reads the first row.
  ///
  /// - Throws: a `Failure`, also if there is no customer in the file.
  init(_ options: ImportOptions, _ rejects: Rejects, _ progress: ProgressBar) throws {
    self.options = options
    self.rejects = rejects
    file = try ImportFile(options.path, options, progress)
    if let columns = file.columns { _ = try plan(columns) }
    guard try peek() != nil || rejects.count > 0 else { throw file.emptiness }
  }

  /// The next row, which stays; nil at the end.
  func peek() throws -> Row? {
    if waiting == nil { waiting = try read() }
    return waiting
  }

  /// Steps over the row that `peek` gave.
  func advance() { waiting = nil }

  private func read() throws -> Row? {
    while true {
      do {
        guard let record = try file.next() else {
          try options.map.prove(against: columns.map(\.name))
          return nil
        }
        let plan = try plan(record.columns)
        do {
          let row = try Row(record, plan, null: options.null)
          if rejects.letsOthersIn { return row }
        } catch let problem as ParseError {
          guard let bytes = file.rowBytes else { throw problem }
          throw MalformedRow(problem: problem, bytes: bytes)
        }
      } catch let row as MalformedRow {
        try rejects.add(row, of: file)
      }
    }
  }

  /// Where the columns go; mostly they are those of the row before.
  private func plan(_ columns: [String]) throws -> ColumnPlan {
    if let plan = plans.first(where: { $0.columns == columns }) { return plan }
    let plan = ColumnPlan(columns, options.map)
    if plans.count == 100 { plans.removeLast() }
    plans.insert(plan, at: 0)
    let known = Set(self.columns.map(\.name))
    self.columns += zip(columns, plan.targets).filter { !known.contains($0.0) }
    if file.columns != nil { try options.map.prove(against: columns) }
    return plan
  }
}
