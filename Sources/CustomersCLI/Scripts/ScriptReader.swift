internal import CustomerStore
internal import CustomersTerminalText

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
/// `end` are special to scripts.
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
    let invocation = try Invocation(
      parsing: line.words.map(resolved), commands: Command.all, globals: GlobalOptions.ofScripts)
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
