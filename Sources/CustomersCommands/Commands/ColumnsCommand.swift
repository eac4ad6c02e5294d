internal import CustomerStore
internal import CustomerTransfer
internal import CustomersText

extension Command {
  static let columns = Command(
    name: "columns", summary: "list, rename, or drop extra columns, and say what they are",
    description: [
      "An extra column comes from an imported file or from --set. Case, accents, spaces, -, and _ in its",
      "name make no difference. join puts the values of one into another, a field, or a part of the address",
      "such as City; customers whose values differ keep both. drop deletes the values of all customers,",
      "after you confirm. kind says what the values are, or, as in day-first, how they are written; a unit",
      "of all, such as €, is left out. If a value does not fit, nothing is changed; --keep-text lets it",
      "stay. choices names the values in order; put one with a comma in quotes.",
    ],
    forms: [
      .verb("list", isDefault: true),
      .verb("rename", [.one(.extraColumn), .one(.text("NAME"))]),
      .verb("join", [.one(.extraColumn), .optional(.text("COLUMN"))]),
      .verb("drop", [.one(.extraColumn)]),
      .verb("add", [.one(.text("NAME"))], [.optional(ColumnEditing.kind)]),
      .verb(
        "kind", [.one(.extraColumn), .one(ColumnEditing.kindWord)], [.optional(ColumnEditing.keepsText)]),
      .verb(
        "choices", [.one(.extraColumn), .one(.text("CHOICE,…"))], [.optional(ColumnEditing.keepsText)]),
    ],
    examples: [
      CommandExample(
        "Put a column into another one",
        "customers edit 1 --set Mobile=555-0100 --yes\ncustomers columns join Mobile Phone")
    ], seeAlso: ["list", "edit"], rewritesMuch: true,
    editing: ColumnEditing.editing,
    run: { session in
      let words = session.invocation.operands
      if words.first == "join" { return try session.joinColumns() }
      guard words.isEmpty || words == ["list"] else { return try ColumnEditing.editing.run(session) }
      try session.listColumns()
      return .done
    })
}

extension Session {
  fileprivate func listColumns() throws {
    let isJSON = try format() == .json
    let (columns, proposals) = try readAtLength { list in
      (try list.columnsWithKinds(), isJSON ? [] : try list.openProposals())
    }
    guard !isJSON else {
      return try output.write(JSON.array(columns.map(JSONShapes.column.json)).text + "\n")
    }
    for column in columns {
      let kind = column.declared.map { declared in
        let choices =
          declared.choices.isEmpty ? "" : " of \(listed(declared.choices.map { printable($0.asChoice) }))"
        return ": \(declared.kind.rawValue)\(choices)"
      }
      try output.write("\(printable(column.name)) (\(counted(column.count, "customer")))\(kind ?? "")\n")
    }
    guard !isQuiet else { return }
    if columns.isEmpty { try errors.write("There are no extra columns.\n") }
    for proposal in proposals { try errors.write("note: \(printable(proposal.note))\n") }
  }

  /// Joins a column, and names the customers who keep both values.
  fileprivate func joinColumns() throws -> ExitCode {
    let (name, reason, different) = try read { list -> (String, String, [String]) in
      guard case .column(.join(let name, let field)) = try ColumnEditing.join(invocation.operands, in: list)
      else {
        return ("", "", [])
      }
      let outline = try list.outline()
      let noun = try list.columnKinds(with: [field.column])[field].kind.noun
      var reasons: Set<String> = []
      let lines = try list.joinedValues(of: name, into: field).different.map { customer in
        var values = [(name, customer.fields[.extra(name)].text)]
        let own = customer.fields[field].text
        if own.isEmpty, case .part = field {
          // It may be in an address that is not known in parts.
          values.append((CustomerField.address.title, customer.fields.address))
        } else if !own.isEmpty {
          values.append((field.title, own))
        }
        reasons.insert(values.count > 1 ? "\(quoted(field.title)) has another value" : "it is not \(noun)")
        return outline.line(customer) + ": "
          + values.map { "\(printable($0)) \(quoted($1))" }.joined(separator: ", ")
      }
      return (name, listed(reasons.sorted()), lines)
    }
    let code = try ColumnEditing.editing.run(self)
    guard code == .done, !different.isEmpty, !isQuiet else { return code }
    let who = counted(different.count, "customer")
    let verb = isDryRun ? "would keep" : different.count == 1 ? "keeps" : "keep"
    try errors.write("note: \(who) \(verb) \(quoted(name)), because \(reason):\n")
    for line in Failure.shown(different) { try errors.write(line + "\n") }
    return code
  }
}

extension ColumnProposal {
  /// The proposal, and how to accept it.
  var note: String {
    switch self {
    case .kind(let kind, let column, _, _, let ways):
      "\(sentence); to say so: " + kindCommand(column, ways, or: kind)
    case .join(let column, let known):
      "\(sentence); \(known.part == nil ? "to join them" : "to put it there"): customers columns join \(typed(column))"
        + (column == known.title ? "" : " \(typed(known.title))")
    }
  }
}

/// The command that says what the values of a column are, or in which of several ways they are written.
private func kindCommand(_ column: String, _ ways: [String], or kind: ColumnKind) -> String {
  let words = ways.isEmpty ? [kind.rawValue] : ways.map { $0.replacing(" ", with: "-") }
  return "customers columns kind \(typed(column)) \(words[0])"
    + words.dropFirst().map { ", or \($0)" }.joined()
}

extension ColumnKindChoice {
  /// What a word says of a column.
  ///
  /// - Throws: a `Failure` with code `usage` for an unknown word.
  init(word: String, named name: String, _ column: String = "") throws {
    guard let choice = ColumnKindChoice(column: column, word: word) else {
      throw Failure.usage(
        "\(name): there is no kind \(quoted(word))",
        hint: nearest(to: word, among: ColumnKindChoice.words).map(didYouMean)
          ?? "the kinds are \(listed(ColumnKindChoice.words))", offendingArgument: word)
    }
    self = choice
  }
}

extension ListEdit {
  /// A note that a column has got the name of what every customer has.
  var noteOnColumn: String? {
    guard case .column(.rename(_, let name)) = self, let field = KnownNames.field(name) else { return nil }
    let (place, target): (String, String)
    switch field {
    case .extra: return nil
    case .part: (place, target) = ("the \(field.title.lowercased()) in the address", field.title)
    default: (place, target) = ("the \(field.title.lowercased())", field.column)
    }
    return "\(quoted(name)) is a column beside \(place); to put its values there: "
      + "customers columns join \(typed(name)) \(typed(target))"
  }
}

/// The edits of extra columns.
private enum ColumnEditing {
  static let editing = Editing(question: question) { invocation in
    let words = invocation.operands
    switch words.first {
    case "rename":
      let newName = words[2]
      try checkName(newName)
      return edit(words[1]) { column, list in
        // The exact name joins the two columns.
        if let like = try list.extraColumns(like: newName), like.fit != .exact,
          let taken = like.elements.first(where: { $0 != column })
        {
          throw Failure.refused(
            "there is already a column \(quoted(taken))", hint: "to join the two, write its name exactly",
            offendingArgument: newName)
        }
        try refuseSame(newName, as: column, in: list)
        try refuseOverlap(column, newName, in: list)
        return .rename(column, to: newName)
      }
    case "join": return { _, list in try join(words, in: list) }
    case "drop": return edit(words[1]) { column, _ in .drop(column) }
    case "add":
      let name = words[1]
      try checkName(name)
      let kind =
        invocation[kind] ?? KnownColumn.allCases.first { $0.field == KnownNames.field(name) }?.values.kind
        ?? .text
      return { _, list in
        if let like = try list.extraColumns(like: name)?.elements.first {
          throw Failure.refused(
            "there is already a column \(quoted(like))",
            hint: "to say what its values are: customers columns kind \(quoted(like)) \(kind.rawValue)",
            offendingArgument: name)
        }
        try refuseSame(name, in: list)
        try refuseKnown(name)
        return .column(.setKind(name, kind))
      }
    case "kind":
      let choice = try kindWord.parse(words[2], kindWord.type.label)
      guard choice.kind != .choice else {
        throw Failure.usage(
          "a choice needs some values",
          hint: "for example: customers columns choices \(quoted(words[1])) open,done")
      }
      return setKind(of: words[1], choice, [], keepingText: invocation[keepsText])
    case "choices":
      let choices = try choices(words[2])
      guard !choices.isEmpty, Set(choices).count == choices.count else {
        throw Failure.usage(
          "a choice needs some values, each once", hint: "for example: open,waiting,done",
          offendingArgument: words[2])
      }
      let choice = try kindWord.parse(ColumnKind.choice.rawValue, kindWord.type.label)
      return setKind(of: words[1], choice, choices, keepingText: invocation[keepsText])
    default: throw Failure.usage("columns list is not allowed in a script", offendingArgument: "list")
    }
  }

  /// The edit that joins two columns, or one with what has its name.
  static func join(_ words: [String], in list: borrowing CustomerList) throws -> ListEdit {
    let name = try list.extraColumn(named: words[1])
    let target = words.count > 2 ? words[2] : name
    let own = try list.extraColumns(like: target)?.elements.first
    let field =
      if let own, own != name { CustomerField.extra(own) } else {
        CustomerField(named: target) ?? KnownNames.field(target)
      }
    guard let field, field != .extra(name), field.kind != .flag, field.kind != .lines else {
      let isUnknown = field == nil && words.count > 2
      throw Failure(
        code: .notFound,
        message: isUnknown
          ? "there is no column \(quoted(target)) that could take the values of \(quoted(name))"
          : words.count > 2
            ? "\(quoted(target)) can't take the values of \(quoted(name))"
            : "\(quoted(name)) is not the name of a field, so it is not known where its values belong",
        hint: words.count > 2
          ? "to list the columns: customers columns"
          : "name the column that gets them: customers columns join \(typed(name)) COLUMN",
        offendingArgument: target)
    }
    return .column(.join(name, into: field))
  }

  static let kindWord = Argument<ColumnKindChoice>(type: .choice(ColumnKindChoice.words, "KIND")) {
    word, name in
    try ColumnKindChoice(word: word, named: name)
  }
  static let kind = Option.value("--kind", Argument<ColumnKind>.choice("KIND"), "what the values are")
  static let keepsText = Option.flag("--keep-text", "let values stay that are not of the kind")

  private static func setKind(
    of name: String, _ choice: ColumnKindChoice, _ choices: [String], keepingText: Bool
  ) -> EditRequest {
    { _, list in
      let column = try list.extraColumn(named: name)
      var kind = choice.expected
      // How dates are written says nothing of times, unless some values have one.
      if choice.kind == nil, kind == .time {
        var others: Set<Int> = []
        for kind in [ColumnKind.date, .time] {
          let found = try list.customers(
            withValuesOtherThan: kind, choices: [], ofColumn: column, written: choice.reading)
          others.insert(found.customers.count)
        }
        if others.count == 1 { kind = .date }
      }
      try refuseOthers(than: kind, choice.reading, choices, column, in: list, keepingText: keepingText)
      return .column(
        .setKind(column, kind, choices: choices, written: choice.reading, keepingText: keepingText))
    }
  }

  /// Refuses a kind that values are not of, and names the customers and the values.
  private static func refuseOthers(
    than kind: ColumnKind, _ written: String?, _ choices: [String], _ column: String,
    in list: borrowing CustomerList, keepingText: Bool
  ) throws {
    let (others, ways) = try list.customers(
      withValuesOtherThan: kind, choices: choices, ofColumn: column, written: written)
    guard !others.isEmpty, !keepingText || kind == .number && !ways.isEmpty else { return }
    let outline = try list.outline()
    let details = others.map { customer in
      let value = customer.fields.extraColumns[column]?.text ?? ""
      return "\(outline.line(customer)): \(quoted(value))"
    }
    let command =
      kind == .choice
      ? "customers columns choices \(typed(column)) \(typed(word(choices)))"
      : kindCommand(column, written.map { [$0] } ?? [], or: kind)
    throw Failure.refused(
      ListError.valuesOfOtherKind(column, in: others.map(\.id)).description,
      details: Failure.shown(details),
      hint: ways.isEmpty
        ? "to let these values stay as they are: \(command) \(keepsText.name)"
        : "they can be read in \(ways.count) ways; to say which: \(kindCommand(column, ways, or: kind))")
  }

  /// The choices in a word, as in a line of CSV: one in quotes may have commas.
  private static func choices(_ word: String) throws -> [String] {
    guard !word.contains(where: \.isNewline) else {
      throw Failure.usage(
        "a choice is one line", hint: "for example: open,waiting,done", offendingArgument: word)
    }
    var reader = CSVReader(readChunk: onePiece(Array(word.utf8)))
    do {
      let fields = try reader.next()?.fields ?? []
      return fields.map { String($0.trimmingBlanks) }.filter { !$0.isEmpty }
    } catch {
      throw Failure.usage(
        "a quote must be around a whole choice", hint: "for example: high,\"low, very\"",
        offendingArgument: word)
    }
  }

  /// The word for some choices.
  private static func word(_ choices: [String]) -> String {
    var bytes: [UInt8] = []
    _ = CSVWriter().append(choices, to: &bytes)
    return String(String(decoding: bytes, as: UTF8.self).trimmingBlanks)
  }

  /// Refuses to join columns that a customer has both of, and names the customers.
  private static func refuseOverlap(
    _ column: String, _ other: String, in list: borrowing CustomerList
  ) throws {
    let both = column == other ? [] : try list.customers(withColumns: column, other)
    guard !both.isEmpty else { return }
    let outline = try list.outline()
    throw Failure.refused(
      ListError.columnsOverlap(column, other, in: both.map(\.id)).description,
      details: Failure.shown(both.map(outline.line)),
      hint: "to clear a value: customers edit ROW --set \(quoted(column + "="))")
  }

  @Sendable private static func question(_ preview: Preview) -> String? {
    guard case .column(.drop(let name)) = preview.edit else { return nil }
    return "Drop column \(quoted(name)) and all its values?"
  }

  /// Refuses a name that means the same as another column of the list.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - column: the column that would get it; nil for a new one.
  ///   - list: the list.
  /// - Throws: a `Failure` with code `refused`.
  private static func refuseSame(
    _ name: String, as column: String? = nil, in list: borrowing CustomerList
  ) throws {
    guard case .extra? = KnownNames.field(name), try list.extraColumns(like: name) == nil,
      let other = try list.columnsWithKinds().map(\.name).first(where: {
        $0 != column && KnownNames.field($0) == KnownNames.field(name)
      })
    else { return }
    throw Failure.refused(
      "\(quoted(name)) means the same as the column \(quoted(other))",
      hint: column.map { "to join the two: customers columns join \(typed($0)) \(typed(other))" },
      offendingArgument: name)
  }

  /// Refuses a column beside what every customer has by another name.
  private static func refuseKnown(_ name: String) throws {
    guard let field = KnownNames.field(name) else { return }
    switch field {
    case .extra: return
    case .part:
      throw Failure.refused(
        "\(quoted(name)) is the \(field.title.lowercased()) in the address of every customer",
        hint: "to set it: customers edit ROW --set \(typed("\(name)=VALUE"))", offendingArgument: name)
    default:
      throw Failure.refused(
        "\(quoted(name)) means \(field.column), which every customer has",
        hint: "to set it: customers edit ROW --set \(typed("\(field.column)=VALUE"))", offendingArgument: name
      )
    }
  }

  private static func checkName(_ name: String) throws {
    guard !name.allSatisfy(\.isWhitespace) else {
      throw Failure.usage("a column needs a name", offendingArgument: name)
    }
    guard CustomerField(named: name) == nil else {
      throw Failure.usage("\(quoted(name)) is a field of every customer", offendingArgument: name)
    }
    guard !ListColumn.isTaken(name) else {
      throw Failure.usage(
        "no extra column can be called \(quoted(name)), which every customer has", offendingArgument: name)
    }
  }

  private static func edit(
    _ name: String, _ edit: @escaping @Sendable (String, borrowing CustomerList) throws -> ColumnEdit
  ) -> EditRequest {
    { _, list in .column(try edit(list.extraColumn(named: name), list)) }
  }
}

extension ListOutline {
  /// A customer in the details of a message.
  fileprivate func line(_ customer: Customer) -> String {
    "     \(position(of: customer.place))  @\(customer.id.rawValue)  \(printable(customer.name))"
  }
}

extension CustomerList {
  /// The exact name of the extra column.
  fileprivate func extraColumn(named name: String) throws -> String {
    // A field has this name perhaps, too, but only the column can be meant.
    if let found = try extraColumns(like: name), found.fit == .exact { return found.elements[0] }
    if case .extra(let column)? = try field(named: name) { return column }
    if let field = CustomerField(named: name) {
      throw Failure.usage(
        "\(field.column) is a field of every customer, not an extra column", offendingArgument: name)
    }
    throw Failure(
      code: .notFound, message: "there is no column \(quoted(name))",
      hint: knownColumns(try extraColumns().map(\.name), instead: name),
      offendingArgument: name)
  }
}
