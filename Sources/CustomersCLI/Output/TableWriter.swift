internal import CustomerStore

/// Writes the list for a person: a line a customer with position, id, name and a subtitle, section
/// headers where there are several sections.
struct TableWriter {
  private let output: Stream
  private let outline: Outline
  private let hasColor: Bool
  private let positionWidth: Int
  private let idWidth: Int
  private let lineWidth: Int?
  private let columns: [Column]?
  /// What was looked for: the fields in which it was found are shown, and the words marked.
  private let search: TextSearch?

  /// Behind the name stand the columns, or what tells customers of one name apart.
  init(
    _ session: Session, _ outline: Outline, largestID: Int64, columns: [Column]? = nil,
    search: TextSearch? = nil
  ) {
    self.search = search
    output = session.output
    self.outline = outline
    hasColor = session.hasColor(session.output)
    positionWidth = max(3, String(outline.count).count)
    idWidth = String(largestID).count + 1
    lineWidth = session.output.isTerminal ? session.screen.columns : nil
    // These are there already.
    self.columns = columns?.filter { !["id", "position", "name"].contains($0.name) }
  }

  /// The line above the rows of a section, and its footer's below, if there is more than one section.
  func header(_ section: CustomerSection) throws {
    guard outline.sections.count > 1 else { return }
    let title = section.title.isEmpty ? "(no title)" : printable(section.title)
    try output.write(styled(fitted(title), .bold, if: hasColor) + "\n")
  }

  func footer(_ section: CustomerSection) throws {
    guard outline.sections.count > 1, !section.footer.isEmpty else { return }
    try output.write(styled(fitted(printable(section.footer)), .dim, if: hasColor) + "\n")
  }

  func row(_ customer: Customer) throws {
    let position = String(outline.position(of: customer.place))
    let number = String(repeating: " ", count: positionWidth - position.count) + position
    let id = padded("@\(customer.id.rawValue)", to: idWidth)
    let mark = customer.fields.isFavorite ? "★ " : ""
    let title = fitted(mark + printable(customer.name), after: positionWidth + idWidth + 4)
    let used = positionWidth + idWidth + 4 + displayWidth(title)
    let subtitle = fitted(subtitle(customer), after: used + 2)
    let line = "\(number)  \(styled(id, .dim, if: hasColor))  \(marked(title))"
    try output.write(subtitle.isEmpty ? line + "\n" : "\(line)  \(marked(subtitle, .dim))\n")
  }

  private func subtitle(_ customer: Customer) -> String {
    let texts =
      (columns?.map { $0.value(customer, outline).plain } ?? distinctions(customer)) + otherMatches(customer)
    return texts.filter { !$0.isEmpty }.map(printable).joined(separator: " · ")
  }

  /// What tells customers of one name apart.
  private func distinctions(_ customer: Customer) -> [String] {
    let fields = customer.fields
    let company = fields.company == customer.name ? "" : fields.company
    return [company, fields.email, fields.phone, fields.note]
  }

  /// The fields in which the search found something and that are not shown anyway, with their titles.
  private func otherMatches(_ customer: Customer) -> [String] {
    let shown: [CustomerField] = [.firstName, .lastName, .company, .email, .phone, .note]
    let fields = search?.matchingFields(of: customer) ?? []
    return fields.filter { field in
      columns.map { $0.contains { $0.name == field.column } } ?? shown.contains(field)
        ? false : ![.firstName, .lastName].contains(field)
    }.map { "\($0.title): \(customer.fields[$0].text)" }
  }

  /// The text with the words that were found set off.
  private func marked(_ text: String, _ style: Style? = nil) -> String {
    func plain(_ part: Substring) -> String {
      style.map { styled(String(part), $0, if: hasColor) } ?? String(part)
    }
    guard hasColor, let search else { return plain(text[...]) }
    var result = ""
    var index = text.startIndex
    for range in search.ranges(in: text) {
      result += plain(text[index..<range.lowerBound]) + styled(String(text[range]), .bold, if: true)
      index = range.upperBound
    }
    return result + plain(text[index...])
  }

  private func fitted(_ text: String, after used: Int = 0) -> String {
    guard let lineWidth else { return text }
    return cut(text, to: max(0, lineWidth - used))
  }
}
