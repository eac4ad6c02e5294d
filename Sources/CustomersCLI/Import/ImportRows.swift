internal import CustomersFormats
internal import CustomersTerminalText

/// The parsed rows of an imported file; those that can't be imported are set aside.
final class ImportRows {
  /// A customer of the file; a class, so that passing it on copies nothing.
  final class Row {
    let record: FileRecord
    let plan: ColumnPlan
    let customer: ImportedCustomer
    /// The number of the customer in the file, from 1.
    let number: Int

    init(_ record: FileRecord, _ plan: ColumnPlan, number: Int, null: String?) throws {
      self.record = record
      self.plan = plan
      self.number = number
      customer = try ImportedCustomer(record, plan, null: null)
      guard !customer.isEmpty else {
        throw ParseError(line: record.line, message: "an empty customer: no field has a value")
      }
    }
  }

  let file: ImportFile
  private let options: ImportOptions
  private let rejects: Rejects
  private var plans: [ColumnPlan] = []
  private var waiting: Row?
  private var count = 0
  private var known: Set<String> = []
  /// All columns seen so far, and their targets.
  private(set) var columns: [(name: String, target: ColumnTarget)] = []

  /// Starts with the first row.
  ///
  /// - Throws: a `Failure`, including when the file has no customers.
  init(_ source: ImportSource, _ options: ImportOptions, _ rejects: Rejects, _ progress: ProgressBar) throws {
    self.options = options
    self.rejects = rejects
    file = try ImportFile(source, options, progress)
    if let columns = file.columns {
      _ = try plan(columns)
      if !columns.isEmpty { try proveColumns() }
    }
    guard try peek() != nil || rejects.count > 0 else { throw file.emptiness }
  }

  /// The next row, without consuming it; nil at the end.
  func peek() throws -> Row? {
    if waiting == nil { waiting = try read() }
    return waiting
  }

  /// Consumes the row that `peek` returned.
  func advance() { waiting = nil }

  /// The position of a row in a message: its line, or its number if lines mean little.
  func place(of row: Row) -> String {
    "\(file.name)\(file.columns == nil ? ": customer \(row.number)" : ":\(row.record.line)")"
  }

  private func read() throws -> Row? {
    while true {
      do {
        guard let record = try file.next() else {
          try options.map.prove(against: columns.map(\.name))
          if count > 0 { try proveColumns() }
          return nil
        }
        count += 1
        let plan = try plan(record.columns)
        do {
          let row = try Row(record, plan, number: count, null: options.null)
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

  /// Checks that some column is a field, unless the person has mapped the columns.
  private func proveColumns() throws {
    guard !options.isConfirmed, options.map.isEmpty, !columns.contains(where: \.target.isField)
    else { return }
    let shown = columns.prefix(10).map { quoted($0.name) }
    throw Failure(
      code: .refused, message: "\(file.name): no column matches a field",
      details: ["     the columns are \(shown.joined(separator: ", "))\(columns.count > 10 ? ", …" : "")"],
      hint: "say what they are: --map COLUMN=name; --yes imports all of them as extra columns")
  }

  /// The targets of the columns, which usually equal those of the previous row.
  private func plan(_ columns: [String]) throws -> ColumnPlan {
    if let plan = plans.first(where: { $0.columns == columns }) { return plan }
    let plan = try ColumnPlan(columns, options.map)
    if plans.count == 100 { plans.removeLast() }
    plans.insert(plan, at: 0)
    for (name, target) in zip(columns, plan.targets) where known.insert(name).inserted {
      self.columns.append((name, target))
    }
    if file.columns != nil { try options.map.prove(against: columns) }
    return plan
  }
}
