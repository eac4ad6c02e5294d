/// Why a form was not saved, in the words of every form.
extension FormState {
  /// The customer is gone.
  package static let goneMessage = "Another program deleted the customer; saving adds it again."

  /// Another program changed a field, too.
  package static let conflictMessage =
    "Not saved: another program changed the same field. Save again to keep your value."

  /// Some fields can't be saved as they are.
  package static func invalidMessage(_ count: Int) -> String {
    "Not saved: \(count) field\(count == 1 ? " has an error" : "s have errors")."
  }
}
