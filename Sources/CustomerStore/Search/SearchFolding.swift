/// The text as every search compares it: without the difference between capital and small letters, and
/// without accents, so that `muller` finds Müller.
///
/// A text of ASCII letters stays one, and no other text becomes one that a look at its bytes would miss:
/// what has a byte beyond ASCII is always folded before it is judged.
package func searchFolded(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
  var folded = String.UnicodeScalarView()
  for scalar in text.unicodeScalars where !isAccent(scalar) { folded.append(LetterFolding.folded(scalar)) }
  return String(folded)
}

/// Whether a scalar is an accent that follows its letter.
private func isAccent(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
  default: false
  }
}

/// Letters without their accents, by their names in Unicode: LATIN SMALL LETTER E WITH ACUTE is an e.
private enum LetterFolding {
  static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if ("A"..."Z").contains(scalar) { return Unicode.Scalar(UInt8(scalar.value) + 32) }
    if scalar.isASCII { return scalar }
    // The letters of western languages come in every list, and to look for a name is slow.
    let index = Int(scalar.value)
    return index < known.count ? known[index] : searched(scalar)
  }

  private static let known = (0..<0x250).map { searched(Unicode.Scalar(UInt16($0)) ?? " ") }

  private static func searched(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let small = caseFolded(scalar)
    if let letter = others[small] { return letter }
    guard let name = small.properties.name, let end = name.firstRange(of: " WITH ") else { return small }
    return letters[String(name[..<end.lowerBound])] ?? small
  }

  /// The letters of the scripts that have accents, by name; capital ones too, for those without a small form.
  private static let letters: [String: Unicode.Scalar] = {
    var letters: [String: Unicode.Scalar] = [:]
    for range in ["A"..."Z", "a"..."z", "Α"..."Ω", "α"..."ω", "А"..."Я", "а"..."я"]
      as [ClosedRange<Unicode.Scalar>]
    {
      for value in range.lowerBound.value...range.upperBound.value {
        if let letter = Unicode.Scalar(value), let name = letter.properties.name {
          letters[name] = caseFolded(letter)
        }
      }
    }
    return letters
  }()

  /// Those whose names do not say what they are made of, and signs that are the same as one of ASCII.
  private static let others: [Unicode.Scalar: Unicode.Scalar] = [
    "й": "и", "ё": "е", "ї": "і", "ў": "у", "ѓ": "г", "ќ": "к", "\u{37E}": ";", "\u{1FEF}": "`",
  ]
}
