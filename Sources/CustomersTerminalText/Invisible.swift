/// Whether a scalar takes no room and shows nothing, as zero-width spaces, tags, and fillers do.
///
/// These are the default ignorable code points (https://www.unicode.org/reports/tr44/) but the soft hyphen,
/// which is seen, and the controls of annotations.
func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x34f: false
  case 0x34f, 0x61c, 0x115f...0x1160, 0x17b4...0x17b5, 0x180b...0x180f, 0x200b...0x200f, 0x202a...0x202e,
    0x2060...0x206f, 0x3164, 0xfe00...0xfe0f, 0xfeff, 0xffa0, 0xfff0...0xfffb, 0x1bca0...0x1bca3,
    0x1d173...0x1d17a, 0xe0000...0xe0fff:
    true
  default: false
  }
}

/// Whether such a scalar changes how its neighbors look: a joiner in emoji and in words of scripts that join
/// their letters, a variation selector after what has variants, a tag of a flag.
func hasEffect(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
  // The consonant of a Hangul syllable that has none.
  if scalars[index].value == 0x115f {
    return index + 1 < scalars.count && (0x1160...0x11a7).contains(scalars[index + 1].value)
  }
  guard index > 0 else { return false }
  let before = scalars[index - 1]
  switch scalars[index].value {
  case 0x200c: return Joining.separates(index, scalars)
  case 0x200d: return joinsEmoji(index, scalars) || Joining.isAfterVirama(index, scalars)
  // The vowel of one that has none.
  case 0x1160: return (0x1100...0x115f).contains(before.value)
  case 0x180b...0x180d, 0x180f: return (0x1820...0x18aa).contains(before.value)
  case 0xfe0e...0xfe0f: return before.properties.isEmoji
  case 0xfe00...0xfe0d:
    return before.properties.isIdeographic || before.properties.generalCategory == .mathSymbol
  case 0xe0020...0xe007f: return isInFlag(index, scalars)
  case 0xe0100...0xe01ef: return before.properties.isIdeographic
  default: return false
  }
}

/// Whether a joiner is between two emoji, of which the first may have a color or a skin tone.
private func joinsEmoji(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
  guard index + 1 < scalars.count, isPicture(scalars[index + 1]) else { return false }
  let before = scalars[index - 1]
  return isPicture(before) || before.value == 0xfe0f && index > 1 && isPicture(scalars[index - 2])
}

/// Whether a scalar is an emoji, and no digit.
private func isPicture(_ scalar: Unicode.Scalar) -> Bool { scalar.value > 0xff && scalar.properties.isEmoji }

/// Whether a tag is one of a flag that is shown as one: England, Scotland, or Wales.
///
/// Other regions may be written so too, but are shown as a black flag, and letters could hide in them
/// (https://www.unicode.org/reports/tr51/#valid-emoji-tag-sequences).
private func isInFlag(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
  guard let flag = scalars[max(0, index - 6)..<index].lastIndex(of: "\u{1f3f4}") else { return false }
  let tags = scalars[(flag + 1)...].prefix(6).map { $0.value &- 0xe0000 }
  return ["gbeng", "gbsct", "gbwls"].contains { tags == $0.unicodeScalars.map(\.value) + [0x7f] }
}
