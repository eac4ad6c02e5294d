/// The lasting number of a customer.
///
/// It is given once by the file and never used again.
public struct CustomerID: RawRepresentable, Hashable, Comparable, Sendable {
  /// The number in column `id`, 1 or more.
  public var rawValue: Int64

  /// Takes a number; whether a customer has it is for the list to say.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Whether one id was given before the other.
  public static func < (left: CustomerID, right: CustomerID) -> Bool { left.rawValue < right.rawValue }
}

/// What people write down about a customer.
public struct CustomerFields: Hashable, Sendable {
  /// The given name.
  public var firstName = ""
  /// The family name.
  public var lastName = ""
  /// The firm.
  public var company = ""
  /// The e-mail address.
  public var email = ""
  /// The telephone number, as written.
  public var phone = ""
  /// The postal address, lines separated by line feeds.
  public var address = ""
  /// Anything else.
  public var note = ""
  /// Whether the customer is marked as a favourite.
  public var isFavorite = false
  /// Columns of an imported list that fit no field: a JSON object, in the columns' order.
  public var extra = "{}"

  /// Makes fields; what is left out is empty.
  public init(
    firstName: String = "", lastName: String = "", company: String = "", email: String = "",
    phone: String = "", address: String = "", note: String = "", isFavorite: Bool = false
  ) {
    self.firstName = firstName
    self.lastName = lastName
    self.company = company
    self.email = email
    self.phone = phone
    self.address = address
    self.note = note
    self.isFavorite = isFavorite
  }

  /// First and last name with one space between; the company if both are empty.
  public var name: String {
    if firstName.isEmpty && lastName.isEmpty { return company }
    return firstName.isEmpty || lastName.isEmpty ? firstName + lastName : "\(firstName) \(lastName)"
  }
}

/// A customer, where it stands in the list.
public struct Customer: Hashable, Identifiable, Sendable {
  /// The lasting number.
  public var id: CustomerID
  /// The section and the place in it when the customer was read.
  public var place: Place
  /// What people wrote down.
  public var fields: CustomerFields
  /// Whether the fields may change and the customer may be deleted.
  public var canEdit: Bool
  /// Whether the customer may be moved.
  ///
  /// It still slides when rows around it move.
  public var canMove: Bool

  /// First and last name with one space between; the company if both are empty.
  public var name: String { fields.name }
}
