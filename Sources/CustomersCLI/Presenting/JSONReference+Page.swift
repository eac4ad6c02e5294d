extension JSONReference {
  /// The reference as a page of help.
  static var text: String {
    let parts = shared.map { object($0, title: $0.name.prefix(1).uppercased() + $0.name.dropFirst()) }
    return ([commands] + parts + answers.compactMap(own)).joined(separator: "\n\n")
  }

  /// The objects that several commands print, or that are nested in others.
  private static var shared: [JSONObjectType] {
    [
      JSONShapes.customer.type, JSONShapes.section.type, edit, JSONShapes.change.type, JSONShapes.place.type,
      revert, JSONShapes.step.type, JSONShapes.column.type, group, rejected, picture, error,
      Candidates.type, problem,
    ]
  }

  private static var commands: String {
    let rows = answers.map { answer -> (name: String, meaning: String) in
      let name = isOwn(answer.type) ? "an object, see below" : answer.type.name
      return (answer.command, answer.isStream ? "a list, then a \(name) per line" : name)
    }
    return "Commands ([customer] is an array of customers):\n" + HelpText.table(rows)
      + "\n\nA name with ? may be missing."
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
