internal import CustomerStore

/// The fields of a customer as a text for an editor: one `Field: value` a line, and `| …` for each
/// further line of a value.
struct FieldTemplate {
  /// The values by the title of their field; those without a line are not there.
  private(set) var values: [String: String] = [:]

  static let favorite = "Favorite"
  private static let titles = Field.all.map(\.title) + [favorite]

  static func value(_ title: String, of fields: CustomerFields) -> String {
    if let field = Field.all.first(where: { $0.title == title }) { return fields[keyPath: field.path] }
    return fields.isFavorite ? "yes" : "no"
  }

  /// The text, with the rules at the top.
  static func text(_ customer: Customer, position: Int, extra: [(name: String, value: String)]) -> String {
    var text = """
      # \(quoted(customer.name)), row \(position), @\(customer.id.rawValue)
      #
      # One field a line; further lines of a value begin with |. Nothing behind the colon empties a field.
      # A field whose line is deleted stays as it is. Save without a change to change nothing.
      # A backslash is written \\\\; \\t is a tab, \\u{A0} the letter with that number.


      """
    for title in titles {
      text += entry(title, value(title, of: customer.fields))
    }
    if !extra.isEmpty { text += "\n# Kept from an import, not edited here:\n" }
    for (name, value) in extra { text += "#   \(printable(name)): \(printable(value))\n" }
    return text
  }

  private static func entry(_ title: String, _ value: String) -> String {
    let lines = value.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { escapedForEditor(String($0)) }
    let marked = [title + ":"] + lines.dropFirst().map { _ in "  |" }
    return zip(marked, lines).map { $1.isEmpty ? "\($0)\n" : "\($0) \($1)\n" }.joined()
  }

  /// Reads the text back.
  ///
  /// - Throws: a `Failure` with code `usage` that has every mistake with its line.
  init(_ text: String) throws {
    var mistakes: [String] = []
    var places: [String: Int] = [:]
    var title: String?
    for (number, line) in linesOfTemplate(text) {
      do {
        if line.first == "|" {
          let value = try unescapedFromEditor(String(trimmed(line.dropFirst())))
          guard let title else { throw Failure.usage("a line that begins with | continues a field") }
          values[title, default: ""].unicodeScalars.append(contentsOf: "\n\(value)".unicodeScalars)
        } else {
          // After a mistake, lines that go on belong to it.
          title = ""
          let (found, value) = try FieldTemplate.entry(line)
          if let first = places[found] {
            throw Failure.usage("\(found) is there already, in line \(first)")
          }
          places[found] = number
          values[found] = try unescapedFromEditor(value)
          title = found
        }
      } catch let failure as Failure {
        mistakes.append("line \(number): \(failure.message)" + (failure.hint.map { "; \($0)" } ?? ""))
      }
    }
    if let value = values[FieldTemplate.favorite] {
      values[FieldTemplate.favorite] = folded(value)
      if !["yes", "no"].contains(folded(value)) {
        let number = places[FieldTemplate.favorite] ?? 0
        mistakes.append("line \(number): \(FieldTemplate.favorite) is yes or no, not \(quoted(value))")
      }
    }
    guard mistakes.isEmpty else { throw Failure.mistakes(mistakes) }
  }

  /// The field's title and its value, as they stand in a line.
  private static func entry(_ line: Substring.UnicodeScalarView) throws -> (title: String, value: String) {
    guard let colon = line.firstIndex(of: ":") else {
      throw Failure.usage("no field: a line looks like Phone: 555-0100")
    }
    let name = String(trimmed(line[..<colon]))
    guard let title = titles.first(where: { folded($0) == folded(name) }) else {
      let near = nearest(to: name, among: titles)
      throw Failure.usage(
        "there is no field \(quoted(name))", hint: near.map { "did you mean \($0)?" })
    }
    return (title, String(trimmed(line[line.index(after: colon)...])))
  }
}

extension Failure {
  /// What is wrong with an edited text, a line each.
  static func mistakes(_ lines: [String]) -> Failure {
    Failure(
      code: .usage,
      message: lines.count == 1 ? "the text has a mistake" : "the text has \(lines.count) mistakes",
      details: shown(lines.map { "     \($0)" }), hint: "nothing was changed")
  }

  /// As many lines as a person reads.
  static func shown(_ lines: [String]) -> [String] {
    lines.count <= 20 ? lines : lines.prefix(19) + ["     … and \(lines.count - 19) more"]
  }
}
