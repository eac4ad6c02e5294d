/// Why a form was not saved, in the words of every form.
extension FormState {
  /// The customer is gone.
  package static let goneMessage = "The customer was deleted by another program; saving adds it again."

  /// A field was changed by someone else, too.
  package static let conflictMessage =
    "Not saved: another program changed the same field. Save again to keep your value."

  /// Some fields can't be saved as they are.
  package static func invalidMessage(_ count: Int) -> String {
    "Not saved: \(count) field\(count == 1 ? " has an error" : "s have errors")."
  }
}
