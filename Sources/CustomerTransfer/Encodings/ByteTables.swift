/// The characters of a one-byte encoding.
enum ByteTable {
  /// The characters of the bytes from 80 on.
  ///
  /// They are as the codecs of Python 3 have them (https://docs.python.org/3/library/codecs.html#standard-encodings); a
  /// byte without a character is the control character of Latin-1. Encodings that are not here are Latin-1.
  private static let tables: [FileEncoding: [UInt16]] = [
    // Windows 1250: Central Europe, from 80 on.
    .windows1250: """
    €\u{81}‚\u{83}„…†‡\u{88}‰Š‹ŚŤŽŹ\u{90}‘’“”•–—\u{98}™š›śťžź\
    \u{a0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{ad}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż\
    ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
    ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
    """,
    // Windows 1251: Cyrillic, from 80 on.
    .windows1251: """
    ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{98}™љ›њќћџ\
    \u{a0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{ad}®Ї°±Ііґµ¶·ё№є»јЅѕї\
    АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ\
    абвгдежзийклмнопрстуфхцчшщъыьэюя
    """,
    // Windows 1252, from 80 on.
    .windows1252: """
    €\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ\
    \u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿\
    ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
    àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ
    """,
    // Windows 1253: Greek, from 80 on.
    .windows1253: """
    €\u{81}‚ƒ„…†‡\u{88}‰\u{8a}‹\u{8c}\u{8d}\u{8e}\u{8f}\u{90}‘’“”•–—\u{98}™\u{9a}›\u{9c}\u{9d}\u{9e}\
    \u{9f}\
    \u{a0}΅Ά£¤¥¦§¨©ª«¬\u{ad}®―°±²³΄µ¶·ΈΉΊ»Ό½ΎΏ\
    ΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡÒΣΤΥΦΧΨΩΪΫάέήί\
    ΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώÿ
    """,
    // Windows 1254: Turkish, from 80 on.
    .windows1254: """
    €\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}\u{8e}\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}\u{9e}Ÿ\
    \u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿\
    ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞß\
    àáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ
    """,
    // ISO 8859-2: Central Europe, from A0 on.
    .iso8859Part2: """
    \u{a0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{ad}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žż\
    ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
    ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
    """,
    // ISO 8859-5: Cyrillic, from A0 on.
    .iso8859Part5: """
    \u{a0}ЁЂЃЄЅІЇЈЉЊЋЌ\u{ad}ЎЏАБВГДЕЖЗИЙКЛМНОП\
    РСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп\
    рстуфхцчшщъыьэюя№ёђѓєѕіїјљњћќ§ўџ
    """,
    // ISO 8859-7: Greek, from A0 on.
    .iso8859Part7: """
    \u{a0}‘’£€₯¦§¨©ͺ«¬\u{ad}®―°±²³΄΅Ά·ΈΉΊ»Ό½ΎΏ\
    ΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡÒΣΤΥΦΧΨΩΪΫάέήί\
    ΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώÿ
    """,
    // ISO 8859-9: Turkish, from A0 on.
    .iso8859Part9: """
    \u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿\
    ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞß\
    àáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ
    """,
    // ISO 8859-15: Western Europe with the euro, from A0 on.
    .iso8859Part15: """
    \u{a0}¡¢£€¥Š§š©ª«¬\u{ad}®¯°±²³Žµ¶·ž¹º»ŒœŸ¿\
    ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
    àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ
    """,
    // KOI8-R: Russian, from 80 on.
    .koi8R: """
    ─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{a0}⌡°²·÷\
    ═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©\
    юабцдефгхийклмнопярстужвьызшэщчъ\
    ЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ
    """,
    // Mac OS Roman, from 80 on.
    .macRoman: """
    ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü\
    †°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
    ¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ\
    ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ
    """,
  ].mapValues { (text: String) in
    let scalars = Array(text.utf16)
    return Array(0x80..<UInt16(0x100 - scalars.count)) + scalars
  }

  /// The bytes as UTF-8.
  static func decode(_ bytes: [UInt8], _ encoding: FileEncoding) -> [UInt8] {
    let table = tables[encoding] ?? []
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 {
        text.append(byte)
      } else {
        let index = Int(byte) - 0x80
        let scalar = Unicode.Scalar(index < table.count ? table[index] : UInt16(byte))
        for unit in String(Character(scalar ?? "?")).utf8 { text.append(unit) }
      }
    }
    return text
  }

  /// The text as bytes; it must come from `decode`.
  static func encode(_ text: String, _ encoding: FileEncoding) -> [UInt8] {
    let table = tables[encoding] ?? []
    return text.unicodeScalars.map { scalar in
      if scalar.value >= 0x80, let index = table.firstIndex(of: UInt16(scalar.value)) {
        return UInt8(index + 0x80)
      }
      return UInt8(scalar.value)
    }
  }
}
