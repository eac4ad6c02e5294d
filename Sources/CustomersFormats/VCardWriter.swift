/// Writes a customer as a vCard 4.0 (RFC 6350).
///
/// ``VCardReader`` restores every string: what has no property of its own, or does not fit one exactly, is
/// written as JSON to `X-CUSTOMERS-EXTRA`. Columns of fields without text, and `is_favorite` if false, are
/// omitted.
///
/// - Parameters:
///   - columns: unique names and values; see ``VCardReader`` for the names.
///   - addresses: the parts of postal addresses, as far as known; those that fit none are ignored.
/// - Returns: the card with its last line end.
public func vCard(
  _ columns: [(name: String, value: Record.Value)], addresses: [PostalAddress] = []
) -> String {
  VCardLayout(columns, addresses: addresses).lines.map(folded).joined()
}

/// The line of a card in pieces of at most 75 bytes, split between characters, with its line end.
func folded(_ line: String) -> String {
  var folded = ""
  var length = 0
  for scalar in line.unicodeScalars {
    let size = UTF8.width(scalar)
    if length + size > 75 {
      folded += "\r\n "
      length = 1
    }
    folded.unicodeScalars.append(scalar)
    length += size
  }
  return folded + "\r\n"
}
