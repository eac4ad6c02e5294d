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

  /// Where the values of the text fields are kept.
  static let texts = storages.compactMap { storage in
    if case .text(let property) = storage { property } else { nil }
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
