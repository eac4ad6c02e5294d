internal import CustomerStore
internal import CustomersTerminalText
internal import CustomersWording

extension Failure {
  /// The failure when words name no row or section, with candidates and a hint.
  init(_ error: SelectionError) {
    self = Failure.selection(error.reason, quoted(error.text))
    offendingArgument = error.word
  }

  private static func selection(_ reason: SelectionError.Reason, _ text: String) -> Failure {
    switch reason {
    case .empty: .usage("the name of a row is empty")
    case .malformed:
      .usage(
        "\(text) is not a valid row",
        hint: "examples: 3   2,5-7   5-   @17   first   leads/2   leads/1-3   \"Ann Lee\"")
    case .notOne(let count): .usage("expected one row, but \(text) names \(count)")
    case .repeated(let name): .usage("\(quoted(name)) is named twice")
    case .emptyList: .notFound("the list is empty")
    case .noCustomer(let id):
      .notFound(
        id.rawValue == .max ? "no customer has so large an id" : "there is no customer @\(id.rawValue)")
    case .noRow(let row, let count, nil):
      .notFound(
        "there is no row \(Invocation.spelled(row)): the list has \(rowCount(count))",
        hint: count > 0 ? "rows are numbered from 1 to \(count)" : "to add the first: customers add NAME")
    case .noRow(let row, let count, let title?):
      .notFound(
        "there is no row \(Invocation.spelled(row)) in section \(quoted(title)): it has \(rowCount(count))")
    case .noName(let near):
      .notFound(
        "no customer matches \(text)", candidates: near.map { [Candidates.json($0)] } ?? [],
        hint: near.map { "close: \(quoted($0.name)) (\($0.position), @\($0.id.rawValue))" })
    case .severalNames(let matches, let count): severalNames(matches, count, text)
    case .onlyPart(let match):
      .notFound(
        "\(text) is only a part of a name: \(quoted(match.name)) (row \(match.position), @\(match.id.rawValue))",
        hint: "to skip the confirmation, use the full name, the row number or @\(match.id.rawValue)")
    case .onlyPartOfTitle(let section):
      .notFound(
        "\(text) is only a part of a title: \(quoted(section.title)) (section \(section.order), @\(section.id.rawValue))",
        hint: "use the full title, the number or @\(section.id.rawValue)")
    case .noTitle(let near):
      .notFound(
        "no section matches \(text)",
        hint: near.map { "close: \(quoted($0))" } ?? "to list them: customers section list")
    case .severalTitles(let sections):
      .notFound(
        "\(sections.count) sections match \(text)",
        details: sections.map { "     \($0.order)  @\($0.id.rawValue)  \(printable($0.title))" },
        candidates: sections.map(Candidates.json),
        hint: "use its id")
    }
  }

  private static func severalNames(
    _ matches: [SelectionError.Match], _ count: Int, _ text: String
  ) -> Failure {
    var details = matches.map { match in
      let digits = String(match.position)
      let position = String(repeating: " ", count: max(0, 6 - digits.count)) + digits
      return "\(position)  \(padded("@\(match.id.rawValue)", to: 4)) \(printable(match.name))"
    }
    if count > matches.count { details.append("     … and \(count - matches.count) more") }
    return .notFound(
      "\(count) customers match \(text)", details: details, candidates: matches.map(Candidates.json),
      hint: "use the row number or the id")
  }
}

extension Failure {
  /// The failure for an invalid question of `--where`.
  init(_ error: FilterError) {
    let word = quoted(error.word)
    switch error.reason {
    case .malformed:
      self = .usage(
        "--where: \(word) is not a valid term",
        hint: "examples: City=Berlin   note~tea   City!=Bonn   note!~tea   Age<30   email=   favorite=yes")
    case .unknownOperator(let sign, let meant):
      self = .usage(
        "--where: \(word): there is no operator \(sign)",
        hint: (meant.map { "write \($0)" } ?? "the operators are = != < <= > >= ~ !~")
          + "; a value that begins with such a sign needs quotes: note~\"<b>\"")
    case .unknownConjunction(let sign, let meant):
      self = .usage("--where: \(word): there is no \(printable(sign)) between terms", hint: "write \(meant)")
    case .quote:
      self = .usage(
        "--where: \(word): a quote must be around a whole value",
        hint: "examples: City=\"Paris, Texas\"   note~\"a \"\"quote\"\"\"")
    case .noValue:
      self = .usage(
        "--where: \(word): a value is missing", hint: "an empty value is \"\", as in City=Bonn,\"\"")
    case .severalValues(let sign):
      self = .usage("--where: \(word): \(sign) takes one value", hint: "write a value with a comma in quotes")
    case .noSuchField(_, let near):
      self = .usage(
        "--where: there is no field in \(word)",
        hint: near.map(didYouMean) ?? "customers columns lists the extra columns"
      )
    case .notAMark:
      self = .usage("--where: \(word): this field must be yes or no")
    }
    offendingArgument = error.word
  }
}
