/// Why a form was not saved, in the words of every form.
extension FormState {
  /// The customer is gone.
  package static let goneMessage = "The customer was deleted in the meantime; saving adds it again."

  /// A field was changed by someone else, too.
  package static let conflictMessage =
    "Not saved: someone else has changed the same field. Save again to keep yours."

  /// Some fields can't be saved as they are.
  package static func invalidMessage(_ count: Int) -> String {
    "Not saved: \(count) field\(count == 1 ? "" : "s") to correct."
  }
}
