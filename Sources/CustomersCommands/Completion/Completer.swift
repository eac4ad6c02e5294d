internal import CustomerStore
internal import CustomerTransfer
internal import CustomersSystem
internal import CustomersText

/// Completes the word at the cursor, from the table of commands and the data.
struct Completer {
  private var reader = InvocationReader(commands: Command.forPeople, globals: GlobalOptions.all)
  private let typed: String
  private var session: Session

  /// `typed` is the word at the cursor so far.
  init(typed: String, session: Session) {
    self.typed = typed
    self.session = session
  }

  /// Returns the completions after `words`, the complete words so far; none after an invalid line.
  mutating func complete(after words: [String]) -> Completion {
    for word in words {
      let isOption = reader.isOption(word)
      // An unknown option may belong to a newer version.
      do { try reader.take(word) } catch { if !isOption { return .nothing } }
    }
    session.take(reader.invocation)
    if reader.awaitsNeighbor { return neighbors }
    if let option = reader.pending, !option.isValueOptional { return values(of: option, typed: typed) }
    if let equals = typed.firstIndex(of: "="), reader.isOption(typed) {
      guard let option = reader.options.first(where: { $0.name == typed[..<equals] }) else { return .nothing }
      return values(of: option, typed: String(typed[typed.index(after: equals)...])).between(
        typed[...equals])
    }
    if reader.takesOptions, typed.hasPrefix("-") { return options }
    guard let command = reader.invocation.command else { return commands(Command.shown, typed) }
    let operands = reader.invocation.operands
    let expected = command.expected(after: operands)
    if expected.isEmpty, reader.takesOptions, typed.isEmpty { return options }
    return expected.map { values($0.kind, typed: typed) }.reduce(.nothing) { $0.or($1) }
  }

  /// The options that have not been given and can be combined with the words.
  private var options: Completion {
    var list = CandidateList(typed: typed)
    let invocation = reader.invocation
    let own = invocation.command?.options(after: invocation.operands) ?? []
    for option in own + reader.globals where !invocation.has(option) {
      list.offer(option.name, option.summary)
    }
    return .words(list.candidates)
  }

  private func commands(_ commands: [Command], _ typed: String, topics: [Page] = []) -> Completion {
    var list = CandidateList(typed: typed)
    for command in commands {
      for name in [command.name] + command.aliases { list.offer(name, command.summary) }
    }
    for topic in topics { list.offer(topic.name, topic.summary) }
    return .words(list.candidates)
  }

  /// The parts of the page that the word before names.
  private func parts(_ typed: String) -> Completion {
    var list = CandidateList(typed: typed)
    let page = try? Help.page(Array(reader.invocation.operands.prefix(1)))
    for part in page?.parts() ?? [] { list.offer(String(part.word), part.summary) }
    return .words(list.candidates)
  }

  private func values(of option: any DeclaredOption, typed: String) -> Completion {
    option.value.map { values($0.kind, typed: typed) } ?? .nothing
  }

  /// Returns the candidates for a word of this kind.
  private func values(_ kind: ArgumentType.Kind, typed: String) -> Completion {
    let data = DataWords(session: session)
    switch kind {
    case .text, .number, .count, .duration: return .nothing
    case .row: return .words(data.rows(typed: typed))
    case .section: return .words(data.sections(typed: typed))
    case .place: return place(typed, data)
    case .file: return .files
    case .topic: return commands(Command.documented, typed, topics: Manual.topics)
    case .part: return parts(typed)
    case .field: return words(["name"] + CustomerField.edited.map(\.column) + data.columns(), typed)
    case .extraColumn: return words(data.columns(), typed)
    case .column: return words(ListColumn.all.map(\.name) + data.columns(), typed)
    case .assignment: return assignment(typed, ["name"] + CustomerField.edited.map(\.column), data)
    case .term: return assignment(typed, ["name", "section"] + CustomerField.edited.map(\.column), data)
    case .format:
      return words(reader.invocation.command?.formats.names ?? CommandFormats.manual.map(\.name), typed)
    case .choice(let choices): return words(choices, typed)
    case .list(let kind):
      let start = typed.lastIndex(of: ",").map(typed.index(after:)) ?? typed.startIndex
      return values(kind, typed: String(typed[start...])).between(typed[..<start])
    case .fileColumn: return words(FileColumns(session: session).names, typed)
    case .pair(let left, let right):
      guard let start = typed.lastIndex(of: "=").map(typed.index(after:)) else {
        return values(left, typed: typed).between("", "=")
      }
      return values(right, typed: String(typed[start...])).between(typed[..<start])
    }
  }

  /// Whether places are those of sections.
  private var isOfSections: Bool { reader.invocation.command?.name == Command.section.name }

  /// What a place may be before or after.
  private var neighbors: Completion {
    let data = DataWords(session: session)
    return .words(isOfSections ? data.sections(typed: typed) : data.rows(typed: typed))
  }

  /// A place among the rows, or among the sections.
  private func place(_ typed: String, _ data: DataWords) -> Completion {
    let ends = isOfSections ? [] : data.sections(typed: typed).map { "\($0.word)/last" }
    return words(PlaceName.words + ends, typed)
  }

  /// A field and `=`, and then what customers have in it.
  private func assignment(_ typed: String, _ fields: [String], _ data: DataWords) -> Completion {
    guard let start = typed.firstIndex(where: { "=~<>".contains($0) }).map(typed.index(after:)) else {
      return words((fields + data.columns()).map { $0 + "=" }, typed)
    }
    let name = typed[..<typed.index(before: start)].filter { $0 != "!" }
    let value = String(typed[start...])
    let values =
      Name(name).only(of: ["section"], by: \.self) != nil
      ? data.sections(typed: value) : data.values(of: name, typed: value)
    return Completion.words(values).between(typed[..<start])
  }

  private func words(_ words: [String], _ typed: String) -> Completion {
    var list = CandidateList(typed: typed)
    for word in words { list.offer(word) }
    return .words(list.candidates)
  }
}

extension Completer {
  /// A line of a command with the word at its end completed, and what that may become, if it is not certain.
  static func completed(_ line: String, _ session: Session) -> (line: String, words: [String]) {
    guard let parts = BashLine(line, breaks: "") else { return (line, []) }
    var completer = Completer(typed: parts.typed, session: session)
    guard
      case .words(let candidates) = completer.complete(
        after: parts.words.first == "customers" ? Array(parts.words.dropFirst()) : parts.words),
      let first = candidates.first?.word
    else { return (line, []) }
    let before = line[..<parts.start]
    guard candidates.count > 1 else { return ("\(before)\(CustomersCommands.typed(first)) ", []) }
    let common = candidates.dropFirst().reduce(first) { common, candidate in
      String(zip(common, candidate.word).prefix { caseFolded(String($0)) == caseFolded(String($1)) }.map(\.0))
    }
    // What needs quotes is only completed as a whole.
    let isMore = common.count > parts.typed.count && CustomersCommands.typed(common) == common
    return (isMore ? "\(before)\(common)" : line, candidates.map(\.word))
  }
}

extension Completion {
  /// The same words, between a prefix and a suffix in the same word of the line.
  fileprivate func between(_ prefix: Substring, _ suffix: String = "") -> Completion {
    guard case .words(let candidates) = self else { return self }
    return .words(candidates.map { Candidate(word: "\(prefix)\($0.word)\(suffix)", about: $0.about) })
  }

  /// Both sets of candidates.
  fileprivate func or(_ other: Completion) -> Completion {
    guard case .words(let left) = self, case .words(let right) = other else { return .files }
    return .words(left + right)
  }
}

/// A word that a shell may offer.
struct Candidate: Sendable {
  /// The whole word, without quotes.
  var word: String
  /// Its meaning, in a few printable words.
  var about = ""
}

/// The completions that a shell offers at the cursor.
enum Completion: Sendable {
  case words([Candidate])
  /// The names of files, which shells know best.
  case files

  static let nothing = Completion.words([])
}

/// Collects a limited number of words that start with what was typed, ignoring case.
struct CandidateList: Sendable {
  private let typed: String
  private(set) var candidates: [Candidate] = []
  private var words: Set<String> = []

  /// A person does not read more.
  private static let limit = 200

  init(typed: String) { self.typed = caseFolded(typed) }

  var isFull: Bool { candidates.count >= CandidateList.limit }

  /// Adds a matching word; words that could control a terminal are omitted.
  mutating func offer(_ word: String, _ about: @autoclosure () -> String = "") {
    guard !isFull, !word.isEmpty, caseFolded(word).hasPrefix(typed), printable(word) == word,
      words.insert(word).inserted
    else { return }
    candidates.append(Candidate(word: word, about: printable(about())))
  }
}

/// A command line up to the cursor, parsed as in bash, but without running or expanding anything.
///
/// readline replaces only a part of the word at the cursor: what comes after an open quote or after the last
/// unquoted letter of `COMP_WORDBREAKS`. Letters are Unicode scalars here, because a quote with an accent is
/// still a quote to bash.
struct BashLine {
  /// The whole words, without quotes.
  private(set) var words: [String] = []
  private var word = String.UnicodeScalarView()
  /// The quote that is open at the cursor.
  private var quote: Unicode.Scalar?
  /// The number of letters of `word` before the part that is replaced.
  private var kept = 0
  private var hasQuotes = false
  /// Whether `word` has only literal letters and quotes only at its end.
  private var isPlain = true

  /// Where the word at the cursor starts in the line, with its quotes.
  private(set) var start: String.Index

  /// The word at the cursor so far, without quotes.
  var typed: String { String(word) }

  /// Nil if the word at the cursor is not plain text or has closed quotes.
  init?(_ line: String, breaks: String) {
    var rest = line.unicodeScalars[...]
    start = rest.startIndex
    while let letter = rest.popFirst() {
      if let quote {
        take(letter, in: quote, &rest)
      } else {
        take(letter, breaks, &rest)
      }
    }
    guard isPlain, !hasQuotes || quote != nil else { return nil }
  }

  private mutating func take(
    _ letter: Unicode.Scalar, _ breaks: String, _ rest: inout Substring.UnicodeScalarView
  ) {
    switch letter {
    case " ", "\t", "\n":
      if !word.isEmpty || hasQuotes { words.append(typed) }
      start = rest.startIndex
      (word, kept, hasQuotes, isPlain) = ("".unicodeScalars, 0, false, true)
    case "'", "\"":
      isPlain = isPlain && !hasQuotes
      (quote, hasQuotes, kept) = (letter, true, word.count)
    case "\\":
      if let next = rest.popFirst() { word.append(next) } else { isPlain = false }
    default:
      isPlain = isPlain && !"$`<>()|&;".unicodeScalars.contains(letter)
      word.append(letter)
      // bash includes this break in the replaced part, because of its own completions.
      if breaks.unicodeScalars.contains(letter) { kept = letter == "@" ? word.count - 1 : word.count }
    }
  }

  private mutating func take(
    _ letter: Unicode.Scalar, in open: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView
  ) {
    if letter == open {
      quote = nil
    } else if open == "\"", letter == "\\", let next = rest.first, BashLine.special.contains(next) {
      word.append(rest.removeFirst())
    } else {
      isPlain = isPlain && (open == "'" || !"$`".unicodeScalars.contains(letter))
      word.append(letter)
    }
  }

  /// The characters with a meaning between double quotes.
  private static let special = "\"\\$`".unicodeScalars
}

extension BashLine {
  /// What readline inserts for a candidate, quoted so that bash does not run or expand anything; nil if
  /// impossible.
  func inserted(_ candidate: Candidate) -> String? {
    let letters = candidate.word.unicodeScalars
    guard String(letters.prefix(kept)).lowercased() == String(word.prefix(kept)).lowercased() else {
      return nil
    }
    let rest = letters.dropFirst(kept)
    // Between quotes, ! can't be escaped from history expansion.
    if quote == "\"", rest.contains("!") { return nil }
    switch quote {
    case "'": return rest.contains("'") ? nil : String(rest)
    case nil: return escaped(rest) { !BashLine.isHarmless($0) }
    default:
      // readline closes the quote, unless it takes the last letter for the closing one.
      return escaped(rest) { BashLine.special.contains($0) } + (rest.last == "\"" ? "\"" : "")
    }
  }

  private static func isHarmless(_ letter: Unicode.Scalar) -> Bool {
    !letter.isASCII || letter.properties.isAlphabetic || letter.properties.numericType != nil
      || "_./:=@%+,-".unicodeScalars.contains(letter)
  }

  private func escaped(
    _ letters: Substring.UnicodeScalarView, _ needsIt: (Unicode.Scalar) -> Bool
  ) -> String {
    var text = String.UnicodeScalarView()
    for letter in letters {
      if needsIt(letter) { text.append("\\") }
      text.append(letter)
    }
    return String(text)
  }
}

/// The columns of the file that an `import` on the command line reads.
///
/// A file that is missing, special, or unreadable has none, and no error is shown while a user types. For a
/// line that is typed on another machine, the program there reads the file.
struct FileColumns {
  let session: Session

  var names: [String] {
    guard session.context.offer == nil, session.invocation.command?.name == Command.importCommand.name,
      let word = session.invocation.operands.first, word != "-"
    else { return [] }
    return (try? read(pathByShell(word, session.environment))) ?? []
  }

  /// Reads no more than the names and the first customer.
  private func read(_ path: String) throws -> [String] {
    guard FileIdentity(path)?.isRegular == true else { return [] }
    return try CustomerImporter(InputFile(path), ImportOptions(session)).columnNames()
  }
}

/// A path as the shell would give it to the command.
func pathByShell(_ path: String, _ environment: [String: String]) -> String {
  guard path.hasPrefix("~/"), let home = environment["HOME"] else { return path }
  return home + path.dropFirst()
}
