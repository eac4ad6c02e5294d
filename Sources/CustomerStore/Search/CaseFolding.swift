/// The text without case differences, for comparing: Unicode's simple case folding, which is the same in
/// every language.
///
/// The standard library has no folding table, but the lowercase form of a letter's uppercase form is its
/// folding; the only exception is the dotless ı, whose uppercase is that of i.
package func caseFolded(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
  var folded = String.UnicodeScalarView()
  for scalar in text.unicodeScalars { folded.append(caseFolded(scalar)) }
  return String(folded)
}

/// The folding of a single letter.
func caseFolded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
  if scalar == "ı" { return scalar }
  let capital = single(scalar.properties.uppercaseMapping) ?? scalar
  return single(capital.properties.lowercaseMapping) ?? scalar
}

/// The text as a single scalar; nil if it has more.
private func single(_ text: String) -> Unicode.Scalar? {
  text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
}
