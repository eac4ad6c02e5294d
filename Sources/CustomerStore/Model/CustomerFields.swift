/// What people write down about a customer.
public struct CustomerFields: Hashable, Codable, Sendable {
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
  /// Whether the customer is marked as a favorite.
  public var isFavorite = false
  /// Columns of an imported list that fit no field: a JSON object, in the columns' order.
  ///
  /// `extraColumns` reads and writes it column by column.
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
}

extension CustomerFields {
  /// Makes fields with nothing but a name, as `setName` takes it apart.
  public init(name: String) {
    self.init()
    setName(name)
  }

  /// First and last name with one space between; the company if both are empty.
  public var name: String {
    if firstName.isEmpty && lastName.isEmpty { return company }
    return firstName.isEmpty || lastName.isEmpty ? firstName + lastName : "\(firstName) \(lastName)"
  }

  /// Takes a whole name apart: the last word is the last name, the words before it the first.
  ///
  /// A single word is a first name.
  public mutating func setName(_ name: String) {
    guard name.utf8.contains(0x20) else { return (firstName, lastName) = (name, "") }
    let words = name.split(separator: " ")
    firstName = words.count > 1 ? words.dropLast().joined(separator: " ") : words.first.map(String.init) ?? ""
    lastName = words.count > 1 ? words.last.map(String.init) ?? "" : ""
  }
}
