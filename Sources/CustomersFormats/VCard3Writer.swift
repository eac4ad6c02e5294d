/// Writes a customer as a vCard 3.0 (RFC 2426), for programs that don't read 4.0.
///
/// It has the lines of ``vCard(_:)`` in the form of that version, and ``VCardReader`` restores the same from it.
///
/// - Parameters:
///   - columns: unique names and values; see ``VCardReader`` for the names.
///   - addresses: the parts of postal addresses, as far as known; those that fit none are ignored.
/// - Returns: the card with its last line end.
public func vCard3(
  _ columns: [(name: String, value: Record.Value)], addresses: [PostalAddress] = []
) -> String {
  var lines = VCardLayout(columns, addresses: addresses).lines.map(inVersion3)
  // In 3.0, every card has a name in parts.
  if !lines.contains(where: { VCardProperty($0)?.name == "N" }), let index = lines.firstIndex(where: isName) {
    lines.insert("N:;;;;", at: index + 1)
  }
  return lines.map(folded).joined()
}

private func isName(_ line: String) -> Bool { line.hasPrefix("FN:") }

/// A line as version 3.0 has it: the main value has a type instead of a number, and a photo is base 64, not a URI.
private func inVersion3(_ line: String) -> String {
  if line == "VERSION:4.0" { return "VERSION:3.0" }
  guard let property = VCardProperty(line), property.name != "X-CUSTOMERS-EXTRA" else { return line }
  var parts = property.head.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
  parts.removeAll { $0.uppercased().hasPrefix("PREF=") }
  if parts.count < property.head.split(separator: ";", omittingEmptySubsequences: false).count {
    parts.append("TYPE=pref")
  }
  var value = property.value
  if value.hasPrefix("data:"), let comma = value.firstIndex(of: ","),
    value[..<comma].lowercased().hasSuffix(";base64")
  {
    let media = value[..<comma].dropFirst("data:".count).prefix { $0 != ";" }
    let subtype = media.split(separator: "/").last.map(String.init) ?? ""
    parts.append("ENCODING=b")
    if !subtype.isEmpty { parts.append("TYPE=\(subtype.uppercased())") }
    value = String(value[value.index(after: comma)...])
  }
  return parts.joined(separator: ";") + ":" + value
}
