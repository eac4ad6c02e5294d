internal import CustomerStore
internal import CustomersFormats

/// A way to reach a customer that a file states.
struct StatedContact {
  var line: ContactLine
  var rank = Contacts.Rank.usual
  /// Whether it is the main value, and not just one more.
  var isMain = false
  /// Whether it is an address without a street, which is no reason to replace one that may have it.
  var isOnlyPlace = false

  /// The values in the only column of a field.
  static func all(in text: String, of field: CustomerField, isExact: Bool) -> [StatedContact] {
    guard let kind = field.contactKind, !text.isEmpty else { return [] }
    let values = isExact ? [text] : ContactPlan.values(in: text, of: kind)
    return values.enumerated().map { StatedContact(line: ContactLine(kind, $1), isMain: $0 == 0) }
  }
}

extension ContactPlan {
  /// The ways to reach the customer of a record.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - nulls: the values that mean "no value".
  /// - Returns: each with its label.
  func stated(_ record: Record, nulls: [String]) -> [StatedContact] {
    var stated: [StatedContact] = []
    func text(_ column: Int?) -> String {
      guard let column, column < record.values.count else { return "" }
      let text = record.values[column].plain
      return nulls.contains(text) ? "" : String(text.trimmingBlanks)
    }
    for entry in entries.prefix(while: { $0.column < record.values.count }) {
      let value = entry.kind == .address ? address(entry, text) : text(entry.values.first)
      guard !value.isEmpty else { continue }
      let label = text(entry.labelColumn)
      let rank = label.hasPrefix("*") ? .preferred : entry.rank
      for (index, value) in ContactPlan.values(in: value, of: entry.kind).enumerated() {
        let line =
          label.isEmpty
          ? ContactLine(entry.kind, label: entry.label, value)
          : ContactLine(entry.kind, labeled: label, value)
        stated.append(
          StatedContact(
            line: line, rank: rank,
            isMain: index == 0 && line.label.isEmpty && !entry.isFurther && rank != .secondary,
            isOnlyPlace: entry.kind == .address && entry.printed == nil
              && entry.values.allSatisfy { text($0).isEmpty }))
      }
    }
    return stated
  }

  /// The values in one field, without what other programs write around them.
  ///
  /// Google separates them by `:::`, HubSpot e-mail addresses by semicolons, LinkedIn both by commas.
  static func values(in text: String, of kind: ContactLine.Kind) -> [String] {
    guard kind != .address else {
      return text.split(separator: ":::").map { String(String($0).trimmingBlanks) }
    }
    let pieces = text.split(separator: ":::").map { ContactLine.cleaned(kind, String($0)) }
    guard pieces.count == 1 else { return pieces }
    let parts = text.split { $0 == ";" || $0 == "," }.map { ContactLine.cleaned(kind, String($0)) }
    let areValues =
      kind == .email
      ? parts.allSatisfy { $0.contains("@") && !$0.contains(" ") }
      : parts.allSatisfy { part in
        part.count { $0.isNumber } > 3 && part.allSatisfy { $0.isNumber || " +-()/.".contains($0) }
      }
    return parts.count > 1 && areValues ? parts : pieces
  }

  /// The postal addresses of which the columns have parts.
  ///
  /// - Parameter text: returns the text of a column.
  /// - Returns: the addresses.
  func addresses(_ text: (Int) -> String) -> [PostalAddress] {
    entries.filter { $0.kind == .address && !$0.parts.isEmpty }.compactMap { entry in
      parts(entry) { column in column.map(text) ?? "" }
    }
  }

  private func address(_ entry: Entry, _ text: (Int?) -> String) -> String {
    let printed = text(entry.printed)
    guard printed.isEmpty else { return printed }
    return parts(entry, text)?.text ?? entry.lines(text)
  }

  /// The parts of an address; nil if the first column has all of it, or none says where it is.
  private func parts(_ entry: Entry, _ text: (Int?) -> String) -> PostalAddress? {
    var address = PostalAddress()
    for (part, column) in entry.parts { address[part] = text(column) }
    let lines = entry.lines(text)
    let (city, code) = (address[.city], address[.code])
    if !city.isEmpty, !code.isEmpty, lines.contains(city), lines.contains(code) { return nil }
    let number = text(entry.houseNumber)
    address[.street] = lines.isEmpty || number.isEmpty ? lines : lines + " " + number
    // A country alone is no address.
    return lines.isEmpty && city.isEmpty && code.isEmpty && address[.poBox].isEmpty ? nil : address
  }
}

extension ContactPlan.Entry {
  fileprivate func lines(_ text: (Int?) -> String) -> String {
    values.map { text($0) }.filter { !$0.isEmpty }.joined(separator: "\n")
  }
}
