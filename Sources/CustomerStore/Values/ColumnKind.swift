/// What the values of a column are, by which they are read, compared, and sorted.
public enum ColumnKind: String, CaseIterable, Codable, Sendable {
  /// Any text, which has no order but that of the alphabet.
  case text
  /// Several texts, each a line of its own.
  case lines
  /// A decimal number, of any number of digits.
  case number
  /// A day.
  case date
  /// A moment: a day and a time of day.
  case time
  /// Yes or no.
  case yesNo = "yes/no"
  /// One of the texts that were declared, in their order.
  case choice
  /// An address on the web.
  case link
}
