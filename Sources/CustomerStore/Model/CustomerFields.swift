internal import CustomersSQLite
package import CustomersText

/// A field of a customer: one of those that every customer has or an extra column.
public enum CustomerField: Hashable, Codable, Sendable {
  case firstName, lastName, company, email, phone, address, note, otherContacts, tags
  case isFavorite
  /// When to be in touch again. It belongs to the log, so it is in none of the lists of fields; an extra column of this
  /// name is another field.
  case next
  /// The parts of the addresses, as JSON.
  case addressParts
  /// A part of the main address, which is in its text, too.
  case part(AddressPart)
  /// An imported column that matches no other field, by its name.
  case extra(String)

  /// The text fields that every customer has, in display order.
  package static let texts = standard.filter { $0.kind != .flag }

  /// The text fields with any number of values, in display order; they are the last of `texts`.
  package static let lists = texts.filter { $0.kind == .lines }

  /// The fields that every customer has, in display order.
  package static let standard = stored.filter { $0 != .next && $0 != .addressParts }

  /// The fields of every customer that people see and edit, in display order: the standard ones and the next date.
  package static let edited = standard + [.next]

  /// The fields that have a column of the view `customers`, in the order in which they are read and written.
  static let stored = FieldDescriptor.all.map(\.field)
}

extension CustomerField: CustomStringConvertible {
  /// The column of the view `customers`; the name of an extra column.
  package var column: String {
    switch self {
    case .extra(let name): name
    case .part(let part): part.rawValue
    default: descriptor?.column ?? ""
    }
  }

  /// The name that people see.
  package var title: String {
    switch self {
    case .extra(let name): name
    case .part(let part): part.title
    default: descriptor?.title ?? ""
    }
  }

  /// The title.
  public var description: String { title }

  /// The value of a new, empty customer.
  package var emptyValue: FieldValue { kind == .flag ? .flag(false) : .text("") }

  /// The field for a column of the view `customers`; nil for any other name.
  package init?(column: String) {
    guard let field = CustomerField.byColumn[column] else { return nil }
    self = field
  }

  private static let byColumn = Dictionary(uniqueKeysWithValues: standard.map { ($0.column, $0) })

  /// The field with this name; nil for any other name, which may be an extra column.
  ///
  /// Matches its column or title, ignoring case, accents, spaces, `-`, and `_`: `last-name` and `Last name` are
  /// the same field.
  package init?(named name: String) {
    guard let found = Name(name).best(of: CustomerField.standard, by: { [$0.column, $0.title] }) else {
      return nil
    }
    self = found.elements[0]
  }

  /// Whether a name means what every customer has besides the standard fields: the next date or the log.
  package static func isTaken(_ name: String) -> Bool { ["next", "log"].contains(Name(name).key) }

  /// Parses a string as a value of this field.
  ///
  /// A mark is set by `yes`, `true`, or `1` and removed by `no`, `false`, `0`, or an empty text; case is
  /// ignored.
  ///
  /// - Throws: `FieldError` for any other text.
  package func value(parsing text: String) throws(FieldError) -> FieldValue {
    guard kind == .flag else { return .text(text) }
    guard let isSet = text.isEmpty ? false : Bool(typed: text) else { throw FieldError(field: self) }
    return .flag(isSet)
  }
}

extension CustomerField {
  /// What a field holds.
  package enum Kind: Hashable, Codable, Sendable {
    /// A string of one line.
    case text
    /// A string that may have several lines, separated by line feeds.
    case multilineText
    /// A string with one value per line, such as tags; a file leaves the field out if it is empty.
    case lines
    /// A mark.
    case flag
  }

  /// What the field holds; an extra column holds a string.
  package var kind: Kind { descriptor?.kind ?? .text }

  /// The descriptor of a field that every customer has; nil for an extra column and a part of the address.
  var descriptor: FieldDescriptor? { index.map { FieldDescriptor.all[$0] } }

  /// Where the field is kept; nil for an extra column.
  var storage: FieldDescriptor.Storage? { index.map { FieldDescriptor.storages[$0] } }

  /// Its place in `stored`; to look it up there would be slow for each value of each row.
  private var index: Int? {
    switch self {
    case .firstName: 0
    case .lastName: 1
    case .company: 2
    case .email: 3
    case .phone: 4
    case .address: 5
    case .note: 6
    case .otherContacts: 7
    case .tags: 8
    case .isFavorite: 9
    case .next: 10
    case .addressParts: 11
    case .extra, .part: nil
    }
  }
}

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
  /// When to be in touch again: a day such as `2026-12-24`; empty for none.
  package var next = ""
  /// The parts of the address, such as `{"street": "1 Main St", "city": "Bonn"}`: a JSON object; empty if they are not known.
  ///
  /// An edit of the address alone removes them. The member `others` has those of the addresses in `otherContacts`.
  package var addressParts = ""
  /// Imported columns that match no field: a JSON object, in column order.
  ///
  /// `extraColumns` reads and writes it column by column.
  package var extra = "{}"

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
  package mutating func setName(_ name: String) {
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

extension CustomerFields {
  /// The value of a field; an extra column that the customer does not have is empty.
  ///
  /// The text of a mark is yes, true, or 1, or else no, false, 0, or empty, in any case: another one is a programming error.
  /// `ListEdit.update` throws an error for that.
  public subscript(field: CustomerField) -> FieldValue {
    get {
      switch field.storage {
      case .text(let property): .text(property.value(in: self))
      case .flag(let property): .flag(property.value(in: self))
      case nil: if case .part(let part) = field { .text(text(of: part)) } else { ownValue(of: field) }
      }
    }
    set {
      switch field.storage {
      case .text(let property): property.set(newValue.text, in: &self)
      case .flag(let property):
        guard case .flag(let isSet)? = try? field.value(parsing: newValue.text) else {
          preconditionFailure("\(field.title) is a mark and can't have this text")
        }
        property.set(isSet, in: &self)
      case nil:
        if case .part(let part) = field {
          setText(newValue.text, of: part)
        } else {
          extraColumns[field.column] = newValue
        }
      }
    }
  }

  private func ownValue(of field: CustomerField) -> FieldValue {
    extraColumns[field.column] ?? field.emptyValue
  }

  /// Sets the text of a field; the same as the subscript and faster for a text field.
  package mutating func setText(_ text: String, of field: CustomerField) {
    guard case .text(let property)? = field.storage else { return self[field] = .text(text) }
    property.set(text, in: &self)
  }

  /// The values of `CustomerField.texts`, in that order.
  package var texts: [String] { FieldDescriptor.texts.map { $0.value(in: self) } }

  /// Appends the values of `CustomerField.texts`, in that order.
  package func appendTexts(to values: inout [String]) {
    for property in FieldDescriptor.texts { values.append(property.value(in: self)) }
  }

  /// Whether a string has the replacement character, which marks unreadable bytes.
  package var hasReplacement: Bool {
    extra.hasReplacement || next.hasReplacement || addressParts.hasReplacement
      || FieldDescriptor.texts.contains { $0.value(in: self).hasReplacement }
  }

  /// Whether the customer is empty, apart from the favorite mark.
  package var isBlank: Bool {
    extra == "{}" && next.isEmpty && texts.allSatisfy { $0.allSatisfy(\.isWhitespace) }
  }

  /// The parts of the address as a program reads them: a string, if another program wrote anything but an object.
  package var addressPartsJSON: JSON {
    JSONObject(addressParts) == nil ? .string(addressParts) : .raw(addressParts)
  }

  /// The fields whose values differ in `other`, extra columns last.
  package func differences(from other: CustomerFields) -> [CustomerField] {
    let stored = CustomerField.stored.filter { self[$0] != other[$0] }
    return stored + (extra == other.extra ? [] : extraColumns.differences(from: other.extraColumns))
  }
}

extension String {
  /// Whether it has U+FFFD.
  fileprivate var hasReplacement: Bool {
    let bytes = utf8.span
    for index in bytes.indices where bytes[index] == 0xef {
      if bytes[index + 1] == 0xbf, bytes[index + 2] == 0xbd { return true }
    }
    return false
  }
}

/// The fields as columns: those of the descriptors, then `extra`.
extension CustomerFields {
  static let columnNames = FieldDescriptor.all.map(\.column) + ["extra"]

  static let columns = columnNames.joined(separator: ", ")

  /// The values of `columns`.
  var values: [SQLiteValue] {
    FieldDescriptor.storages.map { storage in
      switch storage {
      case .text(let property): .text(property.value(in: self))
      case .flag(let property): .bool(property.value(in: self))
      }
    } + [.text(extra)]
  }
}

/// What there is to know about a field that every customer has: all that has to do with fields loops over
/// these.
///
/// To add a text field, add its case, its stored property and a line here, and its column in `Migrations`.
struct FieldDescriptor: Sendable {
  /// Where a value is kept.
  enum Storage: Sendable {
    case text(StoredProperty<String>)
    case flag(StoredProperty<Bool>)
  }

  let field: CustomerField
  /// The column of the view `customers`, of the table `customer_record`, and of the log.
  let column: String
  let title: String
  let kind: CustomerField.Kind
  let storage: Storage

  /// The fields, in display order.
  static let all = [
    text(.firstName, "first_name", "First name", \.firstName),
    text(.lastName, "last_name", "Last name", \.lastName),
    text(.company, "company", "Company", \.company),
    text(.email, "email", "E-mail", \.email),
    text(.phone, "phone", "Phone", \.phone),
    text(.address, "address", "Address", \.address, kind: .multilineText),
    text(.note, "note", "Note", \.note, kind: .multilineText),
    text(.otherContacts, "other_contacts", "Other contacts", \.otherContacts, kind: .lines),
    text(.tags, "tags", "Tags", \.tags, kind: .lines),
    flag(.isFavorite, "is_favorite", "Favorite", \.isFavorite),
    text(.next, "next", "Next date", \.next),
    text(.addressParts, "address_parts", "Parts of the address", \.addressParts),
  ]

  private static func text(
    _ field: CustomerField, _ column: String, _ title: String,
    _ path: WritableKeyPath<CustomerFields, String>, kind: CustomerField.Kind = .text
  ) -> FieldDescriptor {
    FieldDescriptor(
      field: field, column: column, title: title, kind: kind, storage: .text(StoredProperty(path)))
  }

  private static func flag(
    _ field: CustomerField, _ column: String, _ title: String, _ path: WritableKeyPath<CustomerFields, Bool>
  ) -> FieldDescriptor {
    FieldDescriptor(
      field: field, column: column, title: title, kind: .flag, storage: .flag(StoredProperty(path)))
  }

  /// Where the values of all fields are kept; copying a descriptor for each row would be slow.
  static let storages = all.map(\.storage)

  /// Where the values of `CustomerField.texts` are kept.
  static let texts = CustomerField.texts.compactMap { field in
    if case .text(let property)? = field.storage { property } else { nil }
  }
}

/// A stored property of `CustomerFields`, by its place in memory.
///
/// Reading through a key path copies all fields, which made an import several times slower.
struct StoredProperty<Value: Sendable>: Sendable {
  private let offset: Int

  init(_ path: WritableKeyPath<CustomerFields, Value>) {
    guard let offset = MemoryLayout<CustomerFields>.offset(of: path) else {
      preconditionFailure("\(path) is not a stored property")
    }
    self.offset = offset
  }

  func value(in fields: borrowing CustomerFields) -> Value {
    unsafe withUnsafeBytes(of: fields) { unsafe $0.load(fromByteOffset: offset, as: Value.self) }
  }

  func set(_ value: Value, in fields: inout CustomerFields) {
    unsafe withUnsafeMutableBytes(of: &fields) { bytes in
      unsafe bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: Value.self).pointee = value
    }
  }
}
