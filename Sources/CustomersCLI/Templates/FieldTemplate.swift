internal import CustomerStore

/// The fields of a customer as a text for an editor: one `Field: value` a line, and `| …` for each
/// further line of a value.
struct FieldTemplate {
  /// The values that are there; a field without a line has none.
  private(set) var values: [CustomerField: FieldValue] = [:]

  /// The text, with the rules at the top.
  static func text(_ customer: Customer, position: Int) -> String {
    var text = """
      # \(quoted(customer.name)), row \(position), @\(customer.id.rawValue)
      #
      # One field a line; further lines of a value begin with |. Nothing behind the colon empties a field.
      # A field whose line is deleted stays as it is. Save without a change to change nothing.
      # A backslash is written \\\\; \\t is a tab, \\u{A0} the letter with that number.


      """
    for field in CustomerField.standard { text += entry(field.title, customer.fields[field].text) }
    let extra = customer.fields.extraColumns.columns
    if !extra.isEmpty { text += "\n# Kept from an import, not edited here:\n" }
    for (name, value) in extra { text += "#   \(printable(name)): \(printable(value.text))\n" }
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
    var texts: [CustomerField: (text: String, line: Int)] = [:]
    var open: CustomerField?
    var isOpen = false
    for (number, line) in linesOfTemplate(text) {
      do {
        if line.first == "|" {
          let value = try unescapedFromEditor(String(trimmed(line.dropFirst())))
          guard isOpen else { throw Failure.usage("a line that begins with | continues a field") }
          if let open { texts[open]?.text.unicodeScalars.append(contentsOf: "\n\(value)".unicodeScalars) }
        } else {
          // After a mistake, lines that go on belong to it.
          (open, isOpen) = (nil, true)
          let (field, value) = try FieldTemplate.entry(line)
          if let first = texts[field]?.line {
            throw Failure.usage("\(field.title) is there already, in line \(first)")
          }
          texts[field] = (try unescapedFromEditor(value), number)
          open = field
        }
      } catch let failure as Failure {
        mistakes.append("line \(number): \(failure.message)" + (failure.hint.map { "; \($0)" } ?? ""))
      }
    }
    for field in CustomerField.standard {
      guard let (text, line) = texts[field] else { continue }
      do {
        values[field] = try field.value(parsing: text)
      } catch {
        mistakes.append("line \(line): \(field.title) is yes or no, not \(quoted(text))")
      }
    }
    guard mistakes.isEmpty else { throw Failure.mistakes(mistakes) }
  }

  /// The field and its value in a line.
  private static func entry(
    _ line: Substring.UnicodeScalarView
  ) throws -> (field: CustomerField, value: String) {
    guard let colon = line.firstIndex(of: ":") else {
      throw Failure.usage("no field: a line looks like Phone: 555-0100")
    }
    let name = String(trimmed(line[..<colon]))
    guard let field = CustomerField.standard.first(where: { caseFolded($0.title) == caseFolded(name) }) else {
      let near = nearest(to: name, among: CustomerField.standard.map(\.title))
      throw Failure.usage(
        "there is no field \(quoted(name))", hint: near.map { "did you mean \($0)?" })
    }
    return (field, String(trimmed(line[line.index(after: colon)...])))
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
