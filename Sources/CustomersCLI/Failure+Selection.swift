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
        hint: "for example: 3, 2,5-7, 5-, @17, first, leads/2, leads/1-3, or \"Ann Lee\"")
    case .backward(let first, let last):
      .usage("the range \(first)-\(last) is backward", hint: didYouMean("\(last)-\(first)"))
    case .notOne(let count): .usage("expected one row, but \(text) names \(count)")
    case .repeated(let name, let id):
      .usage("\(name.isEmpty ? "customer @\(id.rawValue)" : quoted(name)) is named twice")
    case .emptyList: .notFound("the list is empty")
    case .noCustomer(let id):
      .notFound(
        id.rawValue == .max ? "no customer has so large an id" : "there is no customer @\(id.rawValue)")
    case .noRow(let row, let count, nil):
      .notFound(
        count > 0 ? Invocation.outOfRange("row", row, count) : "the list is empty",
        hint: count > 0 ? nil : "to add a customer: customers add NAME")
    case .noRow(let row, let count, let title?):
      .notFound(
        count > 0
          ? "\(Invocation.outOfRange("row", row, count)) in section \(quoted(title))"
          : "section \(quoted(title)) has no rows")
    case .noName(let near):
      .notFound(
        "no customer matches \(text)", candidates: near.map { [Candidates.json($0)] } ?? [],
        hint: near.map { "did you mean \(quoted($0.name)) (row \($0.position), @\($0.id.rawValue))?" })
    case .severalNames(let matches, let count): severalNames(matches, count, text)
    case .onlyPart(let match):
      .notFound(
        "\(text) matches only part of a word in \(quoted(match.name)) (row \(match.position), @\(match.id.rawValue))",
        hint: "use a whole word, the row number, or @\(match.id.rawValue)")
    case .onlyPartOfTitle(let section):
      .notFound(
        "\(text) matches only part of \(quoted(section.title)) (section \(section.order), @\(section.id.rawValue))",
        hint: "use the full title, the number, or @\(section.id.rawValue)")
    case .noTitle(let near):
      .notFound(
        "no section matches \(text)",
        hint: near.map(didYouMean) ?? "to list the sections: customers section list")
    case .severalTitles(let sections):
      .notFound(
        "\(sections.count) sections match \(text)",
        details: sections.map { "     \($0.order)  @\($0.id.rawValue)  \(printable($0.title))" },
        candidates: sections.map(Candidates.json),
        hint: "use the section number or the id")
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
        hint: "for example: City=Berlin, note~tea, City!=Bonn, Age<30, email=, or favorite=yes")
    case .unknownOperator(let sign, let meant):
      self = .usage(
        "--where: \(word): there is no operator \(sign)",
        hint: (meant.map { "write \($0)" } ?? "the operators are = != < <= > >= ~ !~")
          + "; put a value that begins with such a sign in quotes: note~\"<b>\"")
    case .unknownConjunction(let sign, let meant):
      self = .usage(
        "--where: \(word): \(quoted(sign)) does not join terms",
        hint: meant == "or" ? "write or" : "write a space, as in 'City=Berlin note~tea'")
    case .quote:
      self = .usage(
        "--where: \(word): a quote must be around a whole value",
        hint: "for example: City=\"Paris, Texas\", or note~\"a \"\"quote\"\"\"")
    case .noValue:
      self = .usage(
        "--where: \(word): a value is missing", hint: "an empty value is \"\", as in City=Bonn,\"\"")
    case .severalValues(let sign):
      self = .usage("--where: \(word): \(sign) takes one value", hint: "write a value with a comma in quotes")
    case .noSuchField(let name, let near):
      self = .usage(
        "--where: there is no field or column \(quoted(name))",
        hint: near.map(didYouMean) ?? "to list the extra columns: customers columns"
      )
    case .notYesOrNo(let field, let found):
      self = .usage("--where: \(printable(field)) must be yes or no, not \(quoted(found))")
    }
    offendingArgument = error.word
  }
}
