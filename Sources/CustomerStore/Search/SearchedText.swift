/// The values of a customer as a search compares them, kept to compare them again.
struct SearchedText: Sendable {
  /// The values of all fields, folded, one per line.
  let folded: String
  /// The phone numbers, as entered, one per line.
  let phones: String
}
