internal import CustomerStore
internal import CustomersTerminalText
internal import CustomersWording

/// The fields of a customer as a string for an editor: `Field: value` lines, and `| …` for each further line of
/// a value.
struct FieldTemplate {
  /// The values in the text; a field without a line has none.
  private(set) var values: [CustomerField: FieldValue] = [:]

  /// The text, with the rules at the top.
  static func text(_ customer: Customer, position: Int) -> String {
    var text = """
      # \(quoted(customer.name)), row \(position), @\(customer.id.rawValue)
      #
      # One field per line; continue a value on a line that starts with "|".
      # Leave a value empty to clear the field. Fields you remove are left unchanged.
      # To cancel, quit without changes. A backslash is written \\\\; \\t is a tab,
      # \\u{A0} the character with that code.


      """
    for field in CustomerField.standard { text += entry(field.title, customer.fields[field].text) }
    let extra = labels(of: customer).dropFirst(CustomerField.standard.count)
    if !extra.isEmpty { text += "\n# Extra columns:\n" }
    for (label, field) in extra { text += entry(label, customer.fields[field].text) }
    return text
  }

  /// The labels of the fields in the text: titles and names of extra columns.
  ///
  /// One
  /// that could be mistaken for something else is marked.
  private static func labels(of customer: Customer) -> [(label: String, field: CustomerField)] {
    let standard = CustomerField.standard.map { ($0.title, $0) }
    let titles = CustomerField.standard.map { caseFolded($0.title) }
    return standard
      + customer.fields.extraColumns.shown.map(\.name).map { name in
        let label = escapedForEditor(name).replacing(":", with: "\\u{3A}")
        let isPlain = !titles.contains(caseFolded(name)) && label.first.map { !"#|".contains($0) } ?? false
        return (isPlain ? label : "extra.\(label)", .extra(name))
      }
  }

  private static func entry(_ title: String, _ value: String) -> String {
    let lines = value.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { escapedForEditor(String($0)) }
    let marked = [title + ":"] + lines.dropFirst().map { _ in "  |" }
    return zip(marked, lines).map { $1.isEmpty ? "\($0)\n" : "\($0) \($1)\n" }.joined()
  }

  /// Parses the edited text of a customer.
  ///
  /// - Throws: a `Failure` with code `usage` that lists every error with its line.
  init(_ text: String, of customer: Customer) throws {
    let labels = FieldTemplate.labels(of: customer)
    var mistakes: [String] = []
    var texts: [CustomerField: (text: String, line: Int)] = [:]
    var open: CustomerField?
    var isOpen = false
    for (number, line) in linesOfTemplate(text) {
      do {
        if line.first == "|" {
          let value = try unescapedFromEditor(String(trimmed(line.dropFirst())))
          guard isOpen else { throw Failure.usage("a line that starts with | must follow a field") }
          if let open { texts[open]?.text.unicodeScalars.append(contentsOf: "\n\(value)".unicodeScalars) }
        } else {
          // After an error, continuation lines belong to it.
          (open, isOpen) = (nil, true)
          let (field, value) = try FieldTemplate.entry(line, labels)
          if let first = texts[field]?.line {
            throw Failure.usage("\(field.title) is already on line \(first)")
          }
          texts[field] = (try unescapedFromEditor(value), number)
          open = field
        }
      } catch let failure as Failure {
        mistakes.append("line \(number): \(failure.message)" + (failure.hint.map { "; \($0)" } ?? ""))
      }
    }
    for (_, field) in labels {
      guard let (text, line) = texts[field], text != customer.fields[field].text else { continue }
      do {
        let isFlag = field.kind == .flag
        values[field] = try isFlag ? field.value(parsing: text) : customer.fields[field].replaced(by: text)
      } catch {
        mistakes.append("line \(line): \(field.title) must be yes or no, not \(quoted(text))")
      }
    }
    guard mistakes.isEmpty else { throw Failure.mistakes(mistakes) }
  }

  /// The field and its value in a line.
  private static func entry(
    _ line: Substring.UnicodeScalarView, _ labels: [(label: String, field: CustomerField)]
  ) throws -> (field: CustomerField, value: String) {
    guard let colon = line.firstIndex(of: ":") else {
      throw Failure.usage("not a field; a line looks like this: Phone: 555-0100")
    }
    let name = String(trimmed(line[..<colon]))
    guard let found = Name(name).best(of: labels, by: { [$0.label] }) else {
      let near = nearest(to: name, among: labels.map(\.label))
      throw Failure.usage(
        "there is no field \(quoted(name))", hint: near.map(didYouMean))
    }
    guard found.elements.count == 1 else {
      throw Failure.usage(
        "\(quoted(name)) may be \(listed(found.elements.map { quoted($0.label) }))",
        hint: "write the name exactly")
    }
    return (found.elements[0].field, String(trimmed(line[line.index(after: colon)...])))
  }
}

extension Failure {
  /// The errors of an edited text, one per line.
  static func mistakes(_ lines: [String]) -> Failure {
    Failure(
      code: .usage,
      message: (lines.count == 1 ? "1 error" : "\(lines.count) errors")
        + " in the edited text; nothing was changed",
      details: shown(lines.map { "     \($0)" }))
  }

  /// The first lines, up to what a user reads.
  static func shown(_ lines: [String]) -> [String] {
    lines.count <= 20 ? lines : lines.prefix(19) + ["     … and \(lines.count - 19) more"]
  }
}
