internal import CustomerStore

/// The lines between `begin` and `end`, which take effect at once.
struct ScriptBatch {
  private let finder: RowResolver
  private var updates = BatchUpdates()
  /// The line of each operation.
  private var lines: [ScriptLine] = []
  /// The names of new rows, with the index of their operation.
  private var names: [(name: String, operation: Int)] = []
  /// The number of its lines.
  private(set) var count = 0

  /// Starts a batch; rows are found in the list as it is now.
  init(_ list: borrowing CustomerList) throws { finder = try RowResolver(list, takesParts: false) }

  mutating func add(
    _ edit: BatchEdit, _ name: String?, _ line: ScriptLine, _ list: borrowing CustomerList
  ) throws {
    try edit(finder, list, &updates)
    while lines.count < updates.operations.count { lines.append(line) }
    if let name { names.append((name, lines.count - 1)) }
    count += 1
  }

  /// Runs all of them.
  ///
  /// - Returns: the named rows.
  /// - Throws: a `ScriptDiagnostic` of the line that fails; if two lines conflict, of the second one.
  func perform(_ list: inout CustomerList, _ reader: ScriptReader) throws -> [(name: String, row: CustomerID)]
  {
    let result: BatchResult
    do {
      result = try list.performBatchUpdates(updates)
    } catch let error as BatchError {
      throw problem(error, reader, list)
    }
    let inserts = updates.operations.indices.filter {
      if case .insert = updates.operations[$0] { true } else { false }
    }
    let rows = Dictionary(uniqueKeysWithValues: zip(inserts, result.inserted))
    return names.compactMap { name, operation in rows[operation].map { (name, $0) } }
  }

  private func problem(
    _ error: BatchError, _ reader: ScriptReader, _ list: borrowing CustomerList
  ) -> ScriptDiagnostic {
    switch error {
    case .sameRow(_, let first, let second):
      return contradiction(first, second, "changes the same row", reader)
    case .samePlace(let place, let first, let second):
      return contradiction(first, second, "also puts a row at place \(place.order)", reader)
    case .noSuchRow(let operation, let asked, let allowed):
      let failure = Failure(ListError.placeOutOfRange(asked: asked.order, allowed: allowed), file: "")
      return reader.problem(failure, in: lines[operation])
    case .noSuchPlace(let operation, let asked, let allowed):
      var failure = Failure(ListError.placeOutOfRange(asked: asked.order, allowed: allowed), file: "")
      failure.message += " after the batch"
      failure.offendingArgument = String(asked.order)
      return reader.problem(failure, in: lines[operation])
    case .refused(let operation, let error):
      return reader.problem(Failure(finder.naming(error, in: list), file: ""), in: lines[operation])
    case .countDiffers, .rowDiffers: return reader.problem(Failure(error, file: ""))
    }
  }

  private func contradiction(
    _ first: Int, _ second: Int, _ message: String, _ reader: ScriptReader
  ) -> ScriptDiagnostic {
    let (first, second) = (lines[first], lines[second])
    let problem = reader.problem(
      Failure(code: .usage, message: "this line conflicts with line \(first.number), which \(message)"),
      in: second)
    let other = reader.problem(Failure(code: .usage, message: ""), in: first)
    return ScriptDiagnostic(
      code: problem.code, message: problem.message, details: other.excerpt, line: problem.line,
      source: problem.source)
  }
}
