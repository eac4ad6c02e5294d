extension CustomerFields {
  /// The value of a field; an extra column that the customer does not have is empty.
  ///
  /// A text is parsed as by `CustomerField.value(parsing:)`; for a mark, it must be one that this function
  /// accepts.
  public subscript(field: CustomerField) -> FieldValue {
    get {
      switch field.definition.path {
      case .text(let path): .text(self[keyPath: path])
      case .flag(let path): .flag(self[keyPath: path])
      case .extra(let name): extraColumns[name] ?? field.emptyValue
      }
    }
    set {
      switch field.definition.path {
      case .text(let path): self[keyPath: path] = newValue.text
      case .flag(let path):
        guard case .flag(let isSet)? = try? field.value(parsing: newValue.text) else {
          preconditionFailure("\(field.title) is a mark and can't have this text")
        }
        self[keyPath: path] = isSet
      case .extra(let name): extraColumns[name] = newValue
      }
    }
  }

  /// Sets the text of a field that every customer has.
  ///
  /// It does not use the key paths: each of them copies all fields, which is slow in an import.
  package mutating func setText(_ text: String, of field: CustomerField) {
    switch field {
    case .firstName: firstName = text
    case .lastName: lastName = text
    case .company: company = text
    case .email: email = text
    case .phone: phone = text
    case .address: address = text
    case .note: note = text
    case .isFavorite, .extra: self[field] = .text(text)
    }
  }

  /// The texts of `CustomerField.texts`, in that order.
  ///
  /// It does not use the key paths: each of them copies all fields, which is slow in an export.
  package var texts: [String] { [firstName, lastName, company, email, phone, address, note] }

  /// Whether the customer is empty, apart from the favorite mark.
  package var isBlank: Bool { extra == "{}" && texts.allSatisfy { $0.allSatisfy(\.isWhitespace) } }

  /// The fields whose values differ in `other`, extra columns last.
  public func differences(from other: CustomerFields) -> [CustomerField] {
    var fields = CustomerField.standard
    if extra != other.extra {
      let names = extraColumns.names
      let known = Set(names.map { Array($0.utf8) })
      fields += (names + other.extraColumns.names.filter { !known.contains(Array($0.utf8)) })
        .map(CustomerField.extra)
    }
    return fields.filter { self[$0] != other[$0] }
  }
}
