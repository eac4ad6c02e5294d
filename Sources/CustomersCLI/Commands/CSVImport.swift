internal import Formats
internal import CustomerStore

/// The customers of a CSV file, one after another.
struct CSVImport {
  private var reader: CSVReader
  private let header: [String]
  private let targets: [ColumnTarget]
  private var ragged: [String] = []

  /// Opens the file and matches its columns.
  init(_ input: InputFile, map: String?) throws {
    reader = CSVReader { try input.read() }
    guard let first = try reader.next() else { throw Failure(code: .failed, message: "the file is empty") }
    header = first.fields
    targets = try ColumnTarget.match(header, map: map)
  }

  /// The columns that fit no field and are kept.
  var kept: [String] { zip(header, targets).filter { $1 == .extra }.map(\.0) }

  /// Where each column goes, for a person.
  var columns: [String] { zip(header, targets).map { "\(printable($0)) → \($1.description)" } }

  /// The next customer; nil at the end.
  ///
  /// - Throws: at the end, a `Failure` that names every line with more or fewer fields than the header.
  mutating func next() throws -> CustomerFields? {
    while let record = try reader.next() {
      if record.fields == [""] { continue }
      if record.fields.count == header.count, ragged.isEmpty { return customer(record.fields) }
      guard record.fields.count != header.count else { continue }
      ragged.append("line \(record.line): \(record.fields.count) fields")
    }
    guard ragged.isEmpty else {
      let shown = ragged.prefix(20).map { "     \($0)" }
      throw Failure(
        code: .failed,
        message:
          "\(ragged.count) line\(ragged.count == 1 ? " has" : "s have") not \(header.count) fields as the header has",
        details: shown + (ragged.count > 20 ? ["     … and \(ragged.count - 20) more"] : []),
        hint: "is a comma not quoted? nothing was imported")
    }
    return nil
  }

  private func customer(_ values: [String]) -> CustomerFields {
    var fields = CustomerFields()
    var extra: [(String, JSON)] = []
    for (index, target) in targets.enumerated() {
      switch target {
      case .field(let field): fields[keyPath: field.path] = values[index]
      case .name: fields.setName(values[index])
      case .favorite: fields.isFavorite = ["1", "true", "yes"].contains(values[index].lowercased())
      case .extra: if !values[index].isEmpty { extra.append((header[index], .string(values[index]))) }
      case .ignored: break
      }
    }
    fields.extra = JSON.object(extra).text
    return fields
  }

  /// Runs `body` and tells what is wrong with the file, by name and line.
  static func naming<Result>(_ file: String, _ body: () throws -> Result) throws -> Result {
    let file = file == "-" ? "standard input" : printable(file)
    do {
      return try body()
    } catch let problem as CSVReader.Problem {
      throw Failure(code: .failed, message: "\(file):\(problem.text)", hint: "nothing was imported")
    } catch var failure as Failure {
      if failure.code == .failed { failure.message = "\(file): \(failure.message)" }
      throw failure
    }
  }
}

extension CSVReader.Problem {
  fileprivate var text: String {
    switch self {
    case .unclosedQuote(let line): "\(line): a quoted field begins here and never ends"
    case .textAfterQuote(let line): "\(line): text after a closing quote; a quote inside a field is doubled"
    case .invalidText(let line): "\(line): not UTF-8"
    }
  }
}
