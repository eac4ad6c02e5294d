extension JSONReference {
  /// The reference as a page of help.
  static var text: String {
    let parts = shared.map { object($0, title: $0.name.prefix(1).uppercased() + $0.name.dropFirst()) }
    return ([commands] + parts + answers.compactMap(own) + [shownExamples]).joined(separator: "\n\n")
  }

  /// The objects that several commands print, or that are nested in others.
  private static var shared: [JSONObjectType] {
    [
      JSONShapes.customer.type, JSONShapes.section.type, edit, JSONShapes.change.type, JSONShapes.place.type,
      revert, JSONShapes.step.type, JSONShapes.column.type, group, importedColumn, rejected, violation,
      JSONShapes.command.type, JSONShapes.helpOption.type, JSONShapes.helpExample.type, picture, error,
      Candidates.type, problem,
    ]
  }

  private static var commands: String {
    let rows = answers.map { answer -> (name: String, meaning: String) in
      let name = answer.note ?? (isOwn(answer.type) ? "an object, see below" : answer.type.name)
      return (answer.command, answer.isStream ? "a list, then a \(name) per line" : name)
    }
    return "Commands ([customer] is an array of customers):\n" + HelpText.table(rows)
      + "\n\n" + HelpText.paragraph(promise)
  }

  /// What a program may rely on.
  private static let promise = """
    A name with ? may be missing. Until version 1.0, a key that is listed here keeps its name, its type, and its \
    meaning, unless the changelog says what to do. New keys may be added, so ignore those that you don't know. The \
    order of the keys has no meaning. The result goes to standard output, and an error to standard error, as an \
    object with the member `error`. The exit code says which one there is (customers help exit-codes).
    """

  /// The examples, in lines that fit every terminal.
  private static var shownExamples: String {
    "Examples:\n"
      + examples.map { example in
        let words = example.output.replacing(",", with: ", ").split(separator: " ").map(String.init)
        let lines = filled(words, width: HelpText.width - 4).map { "    \($0)" }
        return "  $ customers \(example.line)\n" + lines.joined(separator: "\n")
      }.joined(separator: "\n")
  }

  /// The output of one command, if it has its own object.
  private static func own(_ answer: Answer) -> String? {
    guard case .object(let type) = answer.type, isOwn(answer.type) else { return nil }
    return object(type, title: "`customers \(answer.command)`")
  }

  private static func isOwn(_ type: JSONType) -> Bool {
    guard case .object(let type) = type else { return false }
    return !shared.contains { $0.name == type.name }
  }

  private static func object(_ type: JSONObjectType, title: String) -> String {
    let meaning = type.meaning.isEmpty ? "" : HelpText.paragraph(type.meaning) + "\n"
    let rows = type.members.map { member -> (name: String, meaning: String) in
      (member.name + (member.isOptional ? "?" : ""), "\(member.type.name): \(member.meaning)")
    }
    return "\(title):\n\(meaning)\(HelpText.table(rows))"
  }
}
