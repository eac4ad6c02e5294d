/// Defuses values that spreadsheets would take for formulas
/// (https://owasp.org/www-community/attacks/CSV_Injection) with an apostrophe in front, which can be removed
/// again.
public enum SpreadsheetText {
  /// The text, with an apostrophe in front if it could start a formula or has been defused already.
  public static func defused(_ text: String) -> String { isFormula(text.utf8[...]) ? "'" + text : text }

  /// The text before it was defused.
  public static func original(_ text: String) -> String {
    text.utf8.first == 0x27 && isFormula(text.utf8.dropFirst())
      ? String(text.unicodeScalars.dropFirst()) : text
  }

  /// Whether the text starts, perhaps after apostrophes, with = + - @, a tab, a CR, or an LF.
  private static func isFormula(_ text: Substring.UTF8View) -> Bool {
    switch text.first(where: { $0 != 0x27 }) {
    case 0x3d, 0x2b, 0x2d, 0x40, 0x09, 0x0d, 0x0a: true
    default: false
    }
  }
}
