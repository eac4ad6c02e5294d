internal import CustomerStore
internal import CustomersText

extension Command {
  static let expect = Command(
    name: "expect", summary: "assert something about the list, mostly in scripts",
    description: [
      "If the check fails, so does the command, with exit code 4, and the script that contains it."
    ],
    forms: [
      .plain(
        [.one(.row)],
        [.optional(Expectation.name)] + FieldOptions.expected + [
          .optional(Expectation.number), .optional(Placement.section),
        ]),
      .verb("count", [.one(.number())], [.optional(Placement.section)]),
    ],
    common: GlobalOptions.ofReading,
    examples: [
      CommandExample("Check the number of rows", "customers expect count 10"),
      CommandExample("Check who is first", "customers expect 1 --name \"Elizabeth Bennet\""),
    ],
    seeAlso: ["apply", "check", "scripts"],
    editing: Editing { invocation in
      let expectation = try Expectation(invocation)
      return { resolver, list in
        try expectation.check(resolver, list)
        return nil
      }
    },
    run: { session in
      let expectation = try Expectation(session.invocation)
      try session.readAtLength(rows: expectation.rowsRead) { list in
        try expectation.check(RowResolver(list), list)
      }
      try session.answer("expect", [("ok", .bool(true))])
      return .done
    })
}

/// The condition that `expect` checks.
private struct Expectation {
  static let name = Option.value("--name", .text(), "first and last name")
  static let number = Option.value("--at", .number(), "the expected row number")

  private enum Subject {
    case count(Int, typed: String)
    case row(RowSelectors)
  }

  private let subject: Subject
  private let section: String?
  private let place: (number: Int, typed: String)?
  private let name: String?
  private let isFavorite: Bool
  private let texts: [(field: CustomerField, text: String)]

  init(_ invocation: Invocation) throws {
    let words = invocation.operands
    section = invocation[Placement.section]
    place = invocation[Expectation.number].map { ($0, invocation.word(of: Expectation.number) ?? "") }
    name = invocation[Expectation.name]
    isFavorite = invocation[FieldOptions.isFavorite]
    texts = FieldOptions.texts(in: invocation)
    let asksForFields = name != nil || isFavorite || place != nil || !texts.isEmpty
    if words.count == 2 {
      subject = .count(try Invocation.number(words[1], for: "expect count"), typed: words[1])
    } else {
      guard asksForFields || section != nil || words[0] != "count" else {
        throw Failure.usage("expect count needs a number", offendingArgument: "count")
      }
      subject = .row(try RowSelectors(words))
    }
  }

  /// How many rows are read at most.
  func rowsRead(_ list: borrowing CustomerList) throws -> Int {
    if case .row(let names) = subject { try names.rowsRead(list) } else { 0 }
  }

  func check(_ finder: RowResolver, _ list: borrowing CustomerList) throws {
    let section = try section.map { title throws in try finder.section(titled: title) }
    switch subject {
    case .count(let expected, let typed):
      let found = try section?.count ?? finder.outline.count
      let place = section.map { "section \(quoted($0.title))" } ?? "the list"
      try refuse(found != expected, "\(place) has \(counted(found, "row")), not \(typed)", typed)
    case .row(let names): try check(finder.row(names, in: list), finder.outline, section)
    }
  }

  private func check(_ row: Customer, _ outline: ListOutline, _ section: CustomerSection?) throws {
    let who = "@\(row.id.rawValue)"
    if let name { try refuse(row.name != name, "\(who) is \(quoted(row.name)), not \(quoted(name))", name) }
    for (field, text) in texts {
      let found = row.fields[field].text
      try refuse(
        found != text, "\(field.title.lowercased()) of \(who) is \(quoted(found)), not \(quoted(text))", text)
    }
    try refuse(isFavorite && !row.fields.isFavorite, "\(who) is not a favorite", FieldOptions.isFavorite.name)
    if let section {
      try refuse(
        row.place.section != section.id, "\(who) is not in section \(quoted(section.title))", self.section)
    }
    if let place {
      let found = section == nil ? outline.position(of: row.place) : row.place.order
      try refuse(found != place.number, "\(who) is at \(found), not at \(place.typed)", place.typed)
    }
  }

  private func refuse(_ differs: Bool, _ message: String, _ word: String?) throws {
    guard differs else { return }
    throw Failure.refused(message, offendingArgument: word)
  }
}
