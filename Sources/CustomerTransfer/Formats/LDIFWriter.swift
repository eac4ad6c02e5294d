internal import CustomerStore
internal import CustomersSystem

/// Writes a customer as an entry of LDIF (RFC 2849), as Thunderbird exports its address book.
///
/// Other e-mail addresses, numbers, and postal addresses become attributes by their labels; of each attribute there may
/// be several. Columns that are no attribute are left out.
///
/// - Parameters:
///   - columns: the values of the fields and the extra columns.
///   - name: the name that people see.
/// - Returns: the entry with the empty line after it.
package func ldifEntry(_ columns: [(name: String, value: String)], name: String) -> String {
  let texts = Dictionary(columns) { first, _ in first }
  func text(_ column: String) -> String { texts[column] ?? "" }
  let email = text("email")
  let known = VCardFields.columns + [VCardFields.otherContacts, VCardFields.tags]
  var lines: [(String, String)] = [
    ("dn", "cn=\(escapedInName(name))" + (email.isEmpty ? "" : ",mail=\(escapedInName(email))"))
  ]
  lines += ["top", "person", "organizationalPerson", "inetOrgPerson", "mozillaAbPersonAlpha"]
    .map { ("objectclass", $0) }
  lines += [
    ("givenName", text("first_name")), ("sn", text("last_name")), ("cn", name), ("o", text("company")),
    ("mail", email), ("telephoneNumber", text("phone")),
    ("postalAddress", inOneLine(text("address"))), ("description", text("note")),
  ]
  var others = text("other_contacts").split(separator: "\n").compactMap { ContactLine(String($0)) }
  others.removeAll { [email, text("phone"), text("address")].contains($0.value) }
  lines += others.map { (attribute($0), $0.kind == .address ? inOneLine($0.value) : $0.value) }
  lines += text("tags").split(separator: "\n").map { ("category", ContactLine.unescaped(String($0))) }
  lines += columns.filter { !known.contains($0.name) && isLDIFAttribute($0.name) }.map { ($0.name, $0.value) }
  return lines.filter { !$0.1.isEmpty }.map { ldifLine($0.0, $0.1) }.joined() + "\n"
}

/// The attribute of one more way to reach the customer.
private func attribute(_ line: ContactLine) -> String {
  switch (line.kind, line.label) {
  case (.email, _): "mozillaSecondEmail"
  case (.phone, "home"): "homePhone"
  case (.phone, "mobile"): "mobile"
  case (.phone, _): "telephoneNumber"
  case (.fax, _): "facsimileTelephoneNumber"
  case (.pager, _): "pager"
  case (.address, "home"): "homePostalAddress"
  case (.address, _): "postalAddress"
  }
}

/// The lines of a postal address, separated by dollar signs (RFC 4517, section 3.3.28).
private func inOneLine(_ address: String) -> String { address.replacing("\n", with: "$") }

/// Whether a name is that of an attribute (RFC 4512, section 1.4) that is read as an extra column; others are left out.
package func isLDIFAttribute(_ name: String) -> Bool {
  guard let first = name.utf8.first, name.utf8.count <= 64 else { return false }
  let isLetter = { (byte: UInt8) in 0x61...0x7a ~= byte | 0x20 }
  return isLetter(first) && name.utf8.allSatisfy { isLetter($0) || 0x30...0x39 ~= $0 || $0 == 0x2d }
    && !LDIFColumns.isKnown(name.lowercased())
}

/// A value in a distinguished name (RFC 4514, section 2.4).
private func escapedInName(_ text: String) -> String {
  var escaped = ""
  for (index, character) in text.enumerated() {
    let isSpecial = ",+\"\\<>;=".contains(character) || index == 0 && (character == "#" || character == " ")
    if isSpecial || character == " " && index == text.count - 1 { escaped.append("\\") }
    escaped.append(character.isNewline ? " " : character)
  }
  return escaped
}

/// An attribute and its value, in base 64 unless it is plain ASCII (RFC 2849, note 4), in pieces of at most 76 bytes.
private func ldifLine(_ name: String, _ value: String) -> String {
  let bytes = Array(value.utf8)
  let isPlain =
    bytes.allSatisfy { 0x20..<0x7f ~= $0 } && bytes.first.map { !" :<".utf8.contains($0) } ?? true
    && bytes.last != 0x20
  let line = isPlain ? "\(name): \(value)" : "\(name):: \(Base64.encode(bytes))"
  var pieces: [Substring] = []
  var rest = line[...]
  while !rest.isEmpty {
    // The space before a further piece counts.
    let piece = rest.prefix(pieces.isEmpty ? 76 : 75)
    pieces.append(piece)
    rest = rest[piece.endIndex...]
  }
  return pieces.joined(separator: "\n ") + "\n"
}
