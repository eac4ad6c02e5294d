internal import CustomerStore
internal import CustomersSystem
internal import CustomersText
internal import CustomersWeb

/// A parsed line of a script.
enum ScriptStatement {
  case begin
  case end
  /// An edit or a check, the question to confirm, and the name for the row that it adds.
  case edit(EditRequest, question: (@Sendable (Preview) -> String?)?, name: String?, onlyMoves: Bool)
  /// An edit of a batch, and the name for the row that it adds.
  case batchEdit(BatchEdit, name: String?)
}

/// Reads the statements of a script, with memory for one line.
///
/// A line is a command line without the program's name and is parsed by the same parser; only `begin` and
/// `end` are special to scripts. A line that begins with a brace is an edit in JSON.
struct ScriptReader {
  private var words: WordReader
  /// The rows named so far.
  private var rows: [String: CustomerID] = [:]
  /// The names given inside the open batch.
  private var pending: Set<String> = []
  /// The line of the open `begin`.
  private var begin: ScriptLine?
  /// Whether a line so far would create a missing file.
  private(set) var createsFile = false
  /// Whether a line so far is `done`.
  private(set) var finishesRows = false
  /// The day that `today` means in all lines.
  private let today = CalendarDay.today
  /// The line read last.
  private(set) var line = ScriptLine(number: 0, sources: [])

  init(readChunk: @escaping () throws -> [UInt8]) {
    words = WordReader(LineReader(readChunk: readChunk))
  }

  /// Assigns the row of a name in the script.
  mutating func set(_ name: String, to row: CustomerID) { rows[name] = row }

  /// The next statement; nil at the end.
  ///
  /// - Throws: a `ScriptDiagnostic`; the next call goes on with the line after it.
  mutating func next() throws -> ScriptStatement? {
    guard let next = try words.next() else {
      guard let open = begin else { return nil }
      begin = nil
      line = open
      throw problem(.usage("\"begin\" without \"end\"", offendingArgument: "begin"))
    }
    line = next
    // As a hint or a shell has it.
    if line.words.count > 1, line.words[0].text == "customers" { line.words.removeFirst() }
    do {
      return try statement()
    } catch let error where error is Failure || error is SelectionError || error is FilterError {
      // Later lines may use the name that this one would have given.
      for (word, name) in zip(line.words, line.words.dropFirst()) where word.text == Editing.rowName.name {
        rows[name.text] = rows[name.text] ?? CustomerID(rawValue: 0)
      }
      throw problem(Failure(error, file: ""))
    }
  }

  /// A failure of a line, by default the last one, with the offending word.
  func problem(_ failure: Failure, in line: ScriptLine? = nil) -> ScriptDiagnostic {
    let line = line ?? self.line
    let offendingArgument = failure.offendingArgument.flatMap { offendingArgument in
      line.words.first { word in
        let text = (try? resolved(word)) ?? word.text
        return text == offendingArgument || text.hasPrefix(offendingArgument + "=")
          || text.hasSuffix("=" + offendingArgument)
      }
    }
    let number = offendingArgument?.line ?? line.number
    return ScriptDiagnostic(
      code: failure.code, message: failure.message, details: failure.details, candidates: failure.candidates,
      hint: failure.hint,
      line: number,
      source: line.sources[number - line.number], range: offendingArgument?.range)
  }

  private mutating func statement() throws -> ScriptStatement {
    if line.isJSON { return try jsonStatement() }
    if line.words.count == 1, line.words[0].text == "begin" {
      guard begin == nil else { throw Failure.usage("\"begin\" inside a batch", offendingArgument: "begin") }
      begin = line
      return .begin
    }
    if line.words.count == 1, line.words[0].text == "end" {
      guard begin != nil else { throw Failure.usage("\"end\" without \"begin\"", offendingArgument: "end") }
      begin = nil
      pending = []
      return .end
    }
    var invocation = try Invocation(
      parsing: line.words.map(resolved), commands: Command.all, globals: GlobalOptions.ofScripts)
    invocation.today = today
    guard let command = invocation.command, let editing = command.editing else {
      let name = invocation.command?.name ?? ""
      throw Failure.usage(
        "\(name) is not allowed in a script",
        hint: "to list the commands of a script: customers help scripts",
        offendingArgument: name)
    }
    try command.check(invocation)
    let name = try newName(invocation)
    createsFile = createsFile || editing.createsFile(invocation)
    finishesRows = finishesRows || command.name == Command.done.name
    if begin == nil {
      return .edit(
        try editing.prepare(invocation), question: editing.asksInScripts ? editing.question : nil, name: name,
        onlyMoves: editing.onlyMoves(invocation))
    }
    guard let batch = editing.batch else {
      throw Failure.usage(
        "\(command.name) is not allowed in a batch", hint: "a batch may contain add, delete, edit, and move",
        offendingArgument: line.words[0].text)
    }
    return .batchEdit(try batch(invocation), name: name)
  }

  private mutating func jsonStatement() throws -> ScriptStatement {
    guard begin == nil else {
      throw Failure.usage("JSON is not allowed in a batch", hint: "JSON has an edit of its own: batch")
    }
    let asked: RequestedEdit
    do { asked = try RequestedEdit(JSON(reading: Array(line.sources[0].utf8))) } catch {
      throw Failure.usage("\(error)", hint: "the edits in JSON: customers help api")
    }
    let edit = asked.edit
    if case .insert = edit { createsFile = true }
    if case .done = edit { finishesRows = true }
    guard case .merge(let ids) = edit else {
      let request: EditRequest = { resolver, list in
        let edit = try asked.resolved(in: list, noting: resolver.skipped).naming(columnsOf: list)
        try edit.refuseOtherSection(in: list)
        return edit
      }
      return .edit(request, question: nil, name: nil, onlyMoves: false)
    }
    let rows = try RowSelectors(ids.map { "@\($0.rawValue)" })
    let request: EditRequest = { resolver, list in
      // The question is about who they are.
      _ = try resolver.rows(rows, in: list)
      return edit
    }
    return .edit(request, question: Command.merge.editing?.question, name: nil, onlyMoves: false)
  }

  /// The word with `$name` replaced by its row.
  private func resolved(_ word: Word) throws -> String {
    guard let name = word.variable else { return word.text }
    guard let row = rows[name], !pending.contains(name) else {
      let isPending = pending.contains(name)
      let near =
        isPending ? nil : nearest(to: name, among: rows.keys.sorted()).map { didYouMean("$\($0)") }
      throw ScriptDiagnostic(
        message: isPending
          ? "$\(printable(name)) is added at the end of this batch"
          : "$\(printable(name)) is not defined",
        hint: near
          ?? (isPending ? "use it after \"end\"" : "to name a row: add \"Ann Lee\" --as \(printable(name))"),
        line: word.line, source: line.sources[word.line - line.number], range: word.range)
    }
    return word.text + "@\(row.rawValue)"
  }

  /// The name that the line gives to its row; until the row exists, any id is a placeholder.
  private mutating func newName(_ invocation: Invocation) throws -> String? {
    guard let name = invocation[Editing.rowName] else { return nil }
    guard isRowVariable(name) else {
      throw Failure.usage(
        "a name for --as must start with a letter, followed by letters, digits, _, or -",
        offendingArgument: name)
    }
    guard rows.updateValue(CustomerID(rawValue: 0), forKey: name) == nil else {
      throw Failure.usage("there is already a row named \(name)", offendingArgument: name)
    }
    if begin != nil { pending.insert(name) }
    return name
  }
}

/// A word of a script and its position.
struct Word: Sendable {
  /// The word without its quotes.
  var text = ""
  /// The row named by `$name` after `text`, if any.
  var variable: String?
  /// The physical line (from 1) that it starts in.
  var line: Int
  /// The offset there, in Unicode scalars from 0.
  var range: Range<Int>
}

/// A command of a script: one line or several that end in a backslash.
struct ScriptLine: Sendable {
  /// The number of the first physical line, from 1.
  var number: Int
  /// The physical lines as in the file.
  var sources: [String]
  /// None if the line is JSON.
  var words: [Word] = []

  /// Whether it is an edit in JSON.
  var isJSON: Bool { sources[0].first { $0 != " " && $0 != "\t" } == "{" }
}

/// A script that can be read twice; `-` is standard input, which is copied to an unnamed file.
final class ScriptFile {
  private let input: InputFile

  init(_ path: String, _ context: Context) throws {
    let input = try context.files.open(path)
    var limit = LineLimit()
    do { self.input = try input.kept { try limit.take($0) } } catch var problem as ScriptDiagnostic {
      problem.file = input.name
      throw ScriptCheck.failure([problem])
    }
  }

  /// Its name in messages.
  var name: String { input.name }

  /// The number of bytes read and the total.
  var progress: (done: Int, total: Int) { (input.position, input.size) }

  /// Its statements, from the start.
  func read() throws -> ScriptReader {
    try input.rewind()
    let input = input
    return ScriptReader { try input.read() }
  }
}

/// Reads a script line by line from a stream of bytes, with memory for one line.
///
/// Lines end in LF or CR LF; a byte order mark at the start is skipped.
struct LineReader {
  /// The longest line, in bytes, with those that continue it: no string of a customer is longer than 16,000,000.
  static let limit = 1 << 24

  private let readChunk: () throws -> [UInt8]
  private var piece: ArraySlice<UInt8> = []
  private var isEndless = false
  private(set) var number = 0

  init(readChunk: @escaping () throws -> [UInt8]) { self.readChunk = readChunk }

  /// The next line without its end; nil at the end of the file.
  ///
  /// - Throws: a `ScriptDiagnostic` if the line is too long, which ends the script, not UTF-8, or contains a NUL.
  mutating func next() throws -> String? {
    guard !isEndless else { return nil }
    number += 1
    guard var bytes = try nextBytes() else {
      number -= 1
      return nil
    }
    if number == 1, bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes.removeFirst(3) }
    if bytes.last == 0x0d { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw problem("the line is not UTF-8") }
    guard !bytes.contains(0) else { throw problem("the line has a NUL character") }
    return text
  }

  private mutating func nextBytes() throws -> [UInt8]? {
    var line: [UInt8] = []
    var isFirst = true
    while true {
      if piece.isEmpty {
        piece = try readChunk()[...]
        if piece.isEmpty { return isFirst ? nil : line }
      }
      isFirst = false
      let end = piece.firstIndex(of: 0x0a)
      line += piece[..<(end ?? piece.endIndex)]
      guard line.count <= Self.limit else { throw endless() }
      guard let end else {
        piece = []
        continue
      }
      piece = piece[(end + 1)...]
      return line
    }
  }

  /// The problem with a line that is too long; the next line is not looked for.
  mutating func endless() -> ScriptDiagnostic {
    isEndless = true
    return LineReader.tooLong(number)
  }

  fileprivate static func tooLong(_ line: Int) -> ScriptDiagnostic {
    ScriptDiagnostic(message: "a line of more than \(limit >> 20) MiB begins here", line: line, source: "")
  }

  private func problem(_ message: String) -> ScriptDiagnostic {
    ScriptDiagnostic(message: message, line: max(1, number), source: "")
  }
}

/// Notices a line that is too long while a pipe is copied, which may never end.
struct LineLimit {
  private var number = 1
  private var count = 0
  private var last: UInt8 = 0

  /// Takes the next bytes.
  ///
  /// - Throws: a `ScriptDiagnostic`.
  mutating func take(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 0x0a) {
      // A backslash continues the line.
      let before = end > 0 ? bytes[end - 1] : last
      count = before == UInt8(ascii: "\\") ? count + end - rest.startIndex : 0
      if count == 0 { number += 1 }
      rest = rest[(end + 1)...]
    }
    count += rest.count
    last = bytes.last ?? last
    guard count <= LineReader.limit else { throw LineReader.tooLong(number) }
  }
}

/// An error in a line of a script and its position.
struct ScriptDiagnostic: Error {
  var code = ExitCode.usage
  var message: String
  var details: [String] = []
  /// The rows or sections that may have been meant, for a program.
  var candidates: [JSON] = []
  var hint: String?
  /// The name of the script, as given.
  var file = ""
  /// The physical line, from 1.
  var line: Int
  /// That line's text.
  var source: String
  /// The offending part, in Unicode scalars from 0; nil for all of it.
  var range: Range<Int>?
}

extension ScriptDiagnostic {
  /// The maximum width of an excerpt.
  private static let width = 120

  /// The line with the offending part marked below, as compilers do; for a long line, only its surroundings.
  var excerpt: [String] {
    let scalars = Array(source.unicodeScalars)
    let first = scalars.firstIndex { !$0.properties.isWhitespace } ?? 0
    let range = (range ?? first..<scalars.count).clamped(to: 0..<scalars.count)
    let start = range.lowerBound > Self.width / 2 ? range.lowerBound - Self.width / 3 : 0
    let before = (start > 0 ? "…" : "") + printable(Self.text(scalars[start..<range.lowerBound]))
    let marked = cut(printable(Self.text(scalars[range].prefix(Self.width))), to: Self.width)
    let after = printable(Self.text(scalars[range.upperBound...].prefix(Self.width)))
    let number = padded("", to: max(0, 5 - String(line).count)) + "\(line) | "
    let margin = String(repeating: " ", count: number.count + displayWidth(before))
    return [
      number + cut(before + marked + after, to: Self.width),
      margin + "^" + String(repeating: "~", count: max(0, displayWidth(marked) - 1)),
    ]
  }

  private static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}
