/// The text as searches compare it: without case differences and accents, so that `muller` finds Müller.
///
/// An ASCII text stays ASCII. Any string with a byte beyond ASCII is folded before it is compared, so comparing
/// bytes never misses one.
package func searchFolded(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
  var folded = String.UnicodeScalarView()
  for scalar in text.unicodeScalars where !isAccent(scalar) { folded.append(AccentFolding.folded(scalar)) }
  return String(folded)
}

/// Whether a scalar is a combining accent.
private func isAccent(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
  default: false
  }
}

/// Letters without their accents, by their names in Unicode: LATIN SMALL LETTER E WITH ACUTE is an e.
private enum AccentFolding {
  static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if ("A"..."Z").contains(scalar) { return Unicode.Scalar(UInt8(scalar.value) + 32) }
    if scalar.isASCII { return scalar }
    // Letters of western languages are in every list, and looking up their names is slow.
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

  /// The letters of the scripts that have accents, by name; uppercase ones, too, for those without a
  /// lowercase form.
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

  /// Letters whose names do not show their base letter, and symbols equivalent to an ASCII one.
  private static let others: [Unicode.Scalar: Unicode.Scalar] = [
    "й": "и", "ё": "е", "ї": "і", "ў": "у", "ѓ": "г", "ќ": "к", "\u{37E}": ";", "\u{1FEF}": "`",
  ]
}
