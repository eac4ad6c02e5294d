internal import CustomerStore

/// Completes the word at the cursor, from the table of commands and the data.
struct Completer {
  private var reader = InvocationReader(commands: Command.shown, globals: GlobalOptions.all)
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
    if let option = reader.pending, !option.isValueOptional { return values(of: option, typed: typed) }
    if let equals = typed.firstIndex(of: "="), reader.isOption(typed) {
      guard let option = reader.options.first(where: { $0.name == typed[..<equals] }) else { return .nothing }
      return values(of: option, typed: String(typed[typed.index(after: equals)...])).prefixed(
        typed[...equals])
    }
    if reader.takesOptions, typed.hasPrefix("-") { return options }
    guard let command = reader.invocation.command else { return commands(typed) }
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

  private func commands(_ typed: String, topics: [HelpTopic] = []) -> Completion {
    var list = CandidateList(typed: typed)
    for command in Command.shown {
      for name in [command.name] + command.aliases { list.offer(name, command.summary) }
    }
    for topic in topics { list.offer(topic.name, topic.summary) }
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
    case .file: return .files
    case .topic: return commands(typed, topics: HelpTopic.all)
    case .field: return words(["name"] + CustomerField.standard.map(\.column) + data.columns(), typed)
    case .extraColumn: return words(data.columns(), typed)
    case .column: return words(ListColumn.all.map(\.name) + data.columns(), typed)
    case .assignment: return assignment(typed, ["name"] + CustomerField.standard.map(\.column), data)
    case .term: return assignment(typed, ["name", "section"] + CustomerField.standard.map(\.column), data)
    case .format:
      return words(reader.invocation.command?.formats.names ?? CommandFormats.manual.map(\.name), typed)
    case .choice(let choices): return words(choices, typed)
    case .list(let kind):
      let start = typed.lastIndex(of: ",").map(typed.index(after:)) ?? typed.startIndex
      return values(kind, typed: String(typed[start...])).prefixed(typed[..<start])
    case .fileColumn: return words(FileColumns(session: session).names, typed)
    case .pair(let left, let right):
      guard let start = typed.lastIndex(of: "=").map(typed.index(after:)) else {
        return values(left, typed: typed).suffixed("=")
      }
      return values(right, typed: String(typed[start...])).prefixed(typed[..<start])
    }
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
    return Completion.words(values).prefixed(typed[..<start])
  }

  private func words(_ words: [String], _ typed: String) -> Completion {
    var list = CandidateList(typed: typed)
    for word in words { list.offer(word) }
    return .words(list.candidates)
  }
}

extension Completion {
  /// The same words, after a prefix in the same word of the line.
  fileprivate func prefixed(_ prefix: Substring) -> Completion {
    guard case .words(let candidates) = self else { return self }
    return .words(candidates.map { Candidate(word: prefix + $0.word, about: $0.about) })
  }

  /// The same words, before a suffix in the same word of the line.
  fileprivate func suffixed(_ suffix: String) -> Completion {
    guard case .words(let candidates) = self else { return self }
    return .words(candidates.map { Candidate(word: $0.word + suffix, about: $0.about) })
  }

  /// Both sets of candidates.
  fileprivate func or(_ other: Completion) -> Completion {
    guard case .words(let left) = self, case .words(let right) = other else { return .files }
    return .words(left + right)
  }
}
