package import CustomerStore
package import CustomersFormats

/// A column with one of several ways to reach a customer or with a part of one: `Business Phone`,
/// `E-mail 2 - Label`, `Home City`.
///
/// The first value of an e-mail address, a phone number, and a postal address becomes the field; the others, fax
/// and pager numbers, and labels become lines of `CustomerField.otherContacts`.
public struct ContactColumn: Hashable, Sendable {
  /// What a column has.
  package enum Role: Hashable, Sendable {
    /// Values.
    case value
    /// Labels for the values of another column.
    case label
    /// A part of a postal address; it is an extra column, too.
    case part
  }

  package let kind: ContactLine.Kind
  package let label: String
  package let role: Role

  package init(_ kind: ContactLine.Kind, label: String = "", _ role: Role = .value) {
    self.kind = kind
    self.label = label
    self.role = role
  }

  /// The field of the main value; nil if the values are only lines of other contacts.
  package var field: CustomerField? { kind.field }
}

extension ContactColumn: CustomStringConvertible {
  /// What the column becomes, as in `phone (mobile)`.
  public var description: String {
    switch role {
    case .value:
      let name = field?.column ?? "\(CustomerField.otherContacts.column) (\(kind.rawValue))"
      return label.isEmpty ? name : field == nil ? "\(name.dropLast()) \(label))" : "\(name) (\(label))"
    case .label: return "its label"
    case .part: return "part of the address, and extra column"
    }
  }
}
