/// The data that people enter about a customer.
public struct CustomerFields: Hashable, Codable, Sendable {
  /// The given name.
  public var firstName = ""
  /// The family name.
  public var lastName = ""
  /// The company.
  public var company = ""
  /// The e-mail address.
  public var email = ""
  /// The phone number, as entered.
  public var phone = ""
  /// The postal address, lines separated by line feeds.
  public var address = ""
  /// Anything else.
  public var note = ""
  /// Other ways to reach the customer, one per line, such as `email work: b@y` or `phone mobile: +1-555-0100`.
  ///
  /// In a value, `\n` is a line break, and `\\` a backslash.
  public var otherContacts = ""
  /// Words to group customers by, one per line.
  public var tags = ""
  /// Whether the customer is marked as a favorite.
  public var isFavorite = false
  /// Imported columns that match no field: a JSON object, in column order.
  ///
  /// `extraColumns` reads and writes it column by column.
  public var extra = "{}"

  /// Creates fields; by default each is empty.
  public init(
    firstName: String = "", lastName: String = "", company: String = "", email: String = "",
    phone: String = "", address: String = "", note: String = "", otherContacts: String = "",
    tags: String = "", isFavorite: Bool = false
  ) {
    self.firstName = firstName
    self.lastName = lastName
    self.company = company
    self.email = email
    self.phone = phone
    self.address = address
    self.note = note
    self.otherContacts = otherContacts
    self.tags = tags
    self.isFavorite = isFavorite
  }
}

extension CustomerFields {
  /// Creates fields with only a name, split as by `setName`.
  public init(name: String) {
    self.init()
    setName(name)
  }

  /// First and last name with one space between; the company if both are empty.
  public var name: String {
    if firstName.isEmpty && lastName.isEmpty { return company }
    return firstName.isEmpty || lastName.isEmpty ? firstName + lastName : firstName + " " + lastName
  }

  /// Splits a full name: the last word becomes the last name, the words before it the first name.
  ///
  /// A single word is a first name.
  public mutating func setName(_ name: String) {
    guard name.utf8.contains(0x20) else { return (firstName, lastName) = (name, "") }
    // To find characters takes most of the time of an import.
    let words = name.utf8.split(separator: 0x20).map { String(Substring($0)) }
    (firstName, lastName) =
      switch words.count {
      case 0, 1: (words.first ?? "", "")
      case 2: (words[0], words[1])
      default: (words.dropLast().joined(separator: " "), words[words.count - 1])
      }
  }
}
