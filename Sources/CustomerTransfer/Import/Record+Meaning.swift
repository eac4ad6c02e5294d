internal import CustomerStore
internal import CustomersFormats

extension String {
  /// The tags in a column of another program, one per line.
  var writtenTags: String {
    let pieces: [String]
    if contains(":::") {
      pieces = split(separator: ":::").map(String.init)
    } else if let separator = ["\n", ";", ","].first(where: contains) {
      pieces = split(separator: separator).map(String.init)
    } else {
      pieces = [self]
    }
    return pieces.map { piece in
      // Mailchimp quotes each, Google marks its own groups with an asterisk.
      String(piece.trimmingBlanks).trimming("\"").trimming("* ")
    }.filter { !$0.isEmpty && $0 != "myContacts" && $0 != "My Contacts" }
      .map(ContactLine.escaped).joined(separator: "\n")
  }

  /// The text without a mark at its start and its end.
  private func trimming(_ mark: String) -> String {
    let start = hasPrefix(mark) ? String(dropFirst(mark.count)) : self
    return start.hasSuffix(mark) ? String(start.dropLast(mark.count)) : start
  }
}

extension Record.Value {
  /// Whether it is certainly one value of a field, with nothing around it.
  func isOneValue(of field: CustomerField) -> Bool {
    guard case .text(let text) = self, field != .address else { return true }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: ">"): false
      case UInt8(ascii: " "): field == .phone
      default: true
      }
    }
  }

  /// The text without the formula by which programs keep Excel from changing a string: `="0301"`.
  var withoutFormula: Record.Value {
    guard case .text(let text) = self, text.utf8.first == UInt8(ascii: "="), text.hasPrefix("=\""),
      text.hasSuffix("\""), text.utf8.count > 3
    else { return self }
    return .text(String(text.dropFirst(2).dropLast()).replacing("\"\"", with: "\""))
  }

  /// The value of a card, with addresses and numbers as dialed.
  func cleaned(for target: ColumnTarget) -> Record.Value {
    guard case .text(let text) = self, case .field(let field) = target else { return self }
    if let kind = field.contactKind { return .text(ContactLine.cleaned(kind, text)) }
    guard field == .otherContacts else { return self }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      ContactLine(String(line)).map {
        ContactLine($0.kind, label: $0.label, ContactLine.cleaned($0.kind, $0.value)).text
      } ?? String(line)
    }
    return .text(lines.joined(separator: "\n"))
  }

  /// The id of a customer, as spreadsheets may write it: `1`, `1.0`, `1,0` or `@1`; nil for a new customer.
  func id(_ record: Record, _ index: Int) throws -> Int64? {
    var text = plain.trimmingBlanks
    guard !text.isEmpty else { return nil }
    if text.first == "@" { text = text.dropFirst() }
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard let id = Int64(parts[0]), parts.dropFirst().allSatisfy({ $0.allSatisfy { $0 == "0" } }) else {
      throw ParseError(
        line: record.line,
        message:
          "column \(index + 1) is not the id of a customer; restore it or leave it empty for a new customer")
    }
    return id
  }

  /// The text, or the JSON as it is written.
  var plain: String {
    switch self {
    case .text(let text), .json(let text): text
    }
  }

  /// Yes or no or nil for neither.
  func flag(_ target: ColumnTarget, _ record: Record, _ index: Int) throws -> Bool? {
    switch plain.lowercased() {
    case "1", "true", "yes": return true
    case "0", "false", "no": return false
    case "": return nil
    default:
      throw ParseError(
        line: record.line,
        message: "column \(index + 1) is imported as \(target), which must be yes, no, true, false, 1, or 0")
    }
  }

  /// The members of a JSON object.
  func members(mayBeText: Bool) -> [(name: String, value: Record.Value)]? {
    if case .text = self, !mayBeText { return nil }
    return try? JSON.columns(ofObject: plain)
  }
}
