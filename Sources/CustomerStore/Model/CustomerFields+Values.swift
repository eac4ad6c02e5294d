extension CustomerFields {
  /// The value of a field; an extra column that the customer does not have is empty.
  ///
  /// A string is parsed as by `CustomerField.value(parsing:)`; for a mark, it must be one that this function
  /// accepts.
  public subscript(field: CustomerField) -> FieldValue {
    get {
      switch field.storage {
      case .text(let property): .text(property.value(in: self))
      case .flag(let property): .flag(property.value(in: self))
      case nil: extraColumns[field.column] ?? field.emptyValue
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
      case nil: extraColumns[field.column] = newValue
      }
    }
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
    extra.hasReplacement || FieldDescriptor.texts.contains { $0.value(in: self).hasReplacement }
  }

  /// Whether the customer is empty, apart from the favorite mark.
  package var isBlank: Bool { extra == "{}" && texts.allSatisfy { $0.allSatisfy(\.isWhitespace) } }

  /// The fields whose values differ in `other`, extra columns last.
  public func differences(from other: CustomerFields) -> [CustomerField] {
    let standard = CustomerField.standard.filter { self[$0] != other[$0] }
    return standard + (extra == other.extra ? [] : extraColumns.differences(from: other.extraColumns))
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
