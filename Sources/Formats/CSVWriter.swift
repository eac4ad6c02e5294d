/// One record of CSV (RFC 4180) with its line end; fields are quoted only where they must be.
///
/// Between the fields stands `separator`, a comma or a tab.
public func csvRecord(_ fields: [String], separator: Character = ",") -> String {
  fields.map { quote($0, separator) }.joined(separator: String(separator)) + "\r\n"
}

private func quote(_ field: String, _ separator: Character) -> String {
  let mustQuote = field.unicodeScalars.contains {
    $0 == "\"" || $0 == "\n" || $0 == "\r" || Character($0) == separator
  }
  guard mustQuote else { return field }
  var quoted = "\""
  for scalar in field.unicodeScalars {
    if scalar == "\"" { quoted += "\"" }
    quoted.unicodeScalars.append(scalar)
  }
  return quoted + "\""
}
