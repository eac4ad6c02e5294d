public import CustomerStore

/// Two lists that differ, side by side.
package struct ListDifference: CustomStringConvertible, Sendable {
  /// The fields to compare.
  package enum Aspect: Sendable {
    /// The name.
    case name
    /// All fields.
    case fields
  }

  private let lines: [(expected: String, found: String, differs: Bool)]

  /// Compares two lists; nil if they are the same.
  ///
  /// A nil title matches any title.
  package init?(expected: SampleList, found: SampleList, comparing aspect: Aspect = .name) {
    var lines: [(String, String, Bool)] = []
    for index in 0..<max(expected.sections.count, found.sections.count) {
      let sections = [expected, found].map { index < $0.sections.count ? $0.sections[index] : nil }
      let titles = sections.map { $0.map { "[\($0.title ?? "")]" } ?? "" }
      let isOtherTitle =
        if let one = sections[0], let other = sections[1] {
          one.title != nil && other.title != nil && one.title != other.title
        } else {
          true
        }
      lines.append((titles[0], titles[1], isOtherTitle))
      let rows = sections.map { $0?.customers ?? [] }
      for row in 0..<max(rows[0].count, rows[1].count) {
        let pair = rows.map { row < $0.count ? $0[row] : nil }
        let texts = pair.map { ListDifference.text($0, aspect) }
        lines.append((texts[0], texts[1], texts[0] != texts[1] || (pair[0] == nil) != (pair[1] == nil)))
      }
    }
    guard lines.contains(where: \.2) else { return nil }
    self.lines = lines
  }

  private static func text(_ customer: CustomerFields?, _ aspect: Aspect) -> String {
    guard let customer else { return "" }
    guard aspect == .fields else { return customer.name.debugDescription }
    let texts = CustomerField.standard.map { field in
      field.kind != .flag ? customer[field].text : customer[field] == true ? field.title.lowercased() : ""
    }
    return (texts + [customer.extra]).map(\.debugDescription).joined(separator: " ")
  }

  /// The lists row by row, with `≠` between rows that differ; long runs of equal rows are omitted.
  package var description: String {
    let width = max(8, min(60, lines.map(\.expected.count).max() ?? 0))
    func line(_ left: String, _ sign: String, _ right: String) -> String {
      left + String(repeating: " ", count: max(0, width - left.count)) + " \(sign) " + right
    }
    var text = line("expected", " ", "found") + "\n"
    var skipped = 0
    for index in lines.indices {
      let isNear = lines[max(0, index - 2)...min(lines.count - 1, index + 2)].contains { $0.differs }
      if isNear || lines[index].expected.hasPrefix("[") {
        if skipped > 0 { text += line("… \(skipped) equal", " ", "") + "\n" }
        skipped = 0
        text += line(lines[index].expected, lines[index].differs ? "≠" : "=", lines[index].found) + "\n"
      } else {
        skipped += 1
      }
    }
    return skipped > 0 ? text + line("… \(skipped) equal", " ", "") + "\n" : text
  }
}

extension CustomerStore {
  /// How the list differs from what a test expects; nil if it does not.
  ///
  ///     #expect(
  ///       try store.difference(from: "Bob, Ann | Leads: Cid") == nil)
  public func difference(from expected: SampleList) throws -> (any CustomStringConvertible)? {
    try difference(from: expected, comparing: .name)
  }

  /// The same, in names or in all fields.
  package func difference(
    from expected: SampleList, comparing aspect: ListDifference.Aspect
  ) throws -> ListDifference? {
    ListDifference(expected: expected, found: try read { list in try SampleList(list) }, comparing: aspect)
  }
}
