package import CustomerStore

/// `a, b or c`.
package func listed(_ words: [String], _ conjunction: String = "or") -> String {
  words.count < 2
    ? words.joined()
    : "\(words.dropLast().joined(separator: ", ")) \(conjunction) \(words[words.count - 1])"
}

extension Customer {
  /// The actions that the customer is protected from.
  package var prohibitions: [String] {
    (canEdit ? [] : ["editing", "deleting"]) + (canMove ? [] : ["moving"])
  }

  /// As in "protected against editing, deleting and moving".
  package var protection: String { "against \(listed(prohibitions, "and"))" }
}
