public import CustomerStore

/// A line of a form.
public struct FormField: Identifiable, Sendable {
  /// The subject of a form's line.
  public enum Binding: Hashable, Sendable {
    /// A field of the customer or an extra column.
    case field(CustomerField)
    /// One of the other values of a field with one value per line, from 2.
    case value(CustomerField, Int)
    /// The place in the section, from 1.
    case place
  }

  /// The subject of the line.
  public let id: Binding
  /// The name at its left.
  public var label: String
  /// The text shown while the line is empty; it is never saved.
  public var placeholder: String
  /// The text; nil for a mark.
  public internal(set) var text: FormText?
  /// Whether the mark is set.
  public internal(set) var isSet = false
  /// Why the line can't be saved as it is.
  public internal(set) var problem: String?
  /// The value that someone else has written to the same field since the form was opened.
  public internal(set) var theirs: FieldValue?
  /// Whether the user has seen `theirs`, so that the next save overwrites it.
  var mayOverwrite = false

  /// The placeholder, while it is shown.
  public var shownPlaceholder: String? {
    text?.text.isEmpty == true && !placeholder.isEmpty ? placeholder : nil
  }

  init(_ binding: Binding, _ value: FieldValue, label: String, placeholder: String) {
    (id, self.label, self.placeholder) = (binding, label, placeholder)
    show(value)
  }

  mutating func show(_ value: FieldValue) {
    if case .flag(let isSet) = value { self.isSet = isSet } else { text = FormText(value.text) }
  }

  /// The value of the line, typed over `original`.
  func value(original: FieldValue) -> FieldValue {
    guard let text else { return .flag(isSet) }
    return original.replaced(by: text.text)
  }
}
