internal import CustomerStore

extension CustomerField {
  /// The option that sets the field, `--first-name` for `first_name`.
  var option: String {
    // Every run makes these, and going from letter to letter of a `String` is dear.
    "--"
      + String(decoding: column.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
  }
}

/// What options say about the fields of a customer.
enum FieldOptions {
  static let groups: [OptionGroup] = [texts, .optional(favorite)]

  /// Those of `edit`, which changes what is there already.
  static let changes: [OptionGroup] = [
    .value("--name", .text("NAME"), "first and last name, split at the last blank"), texts,
    .oneOf([favorite, .flag("--no-favorite", "take the mark off")]),
  ]

  private static let texts = OptionGroup.many(
    "--FIELD TEXT", CustomerField.texts.map { .value($0.option, .text(), $0.title.lowercased()) })
  private static let favorite = Option.flag("--favorite", "mark as a favorite")

  /// Whether an option says something about a field.
  static func areGiven(_ invocation: Invocation) -> Bool {
    changes.contains { $0.options.contains { invocation.has($0.name) } }
  }

  /// The values that were given.
  static func values(_ invocation: Invocation) -> [CustomerField: FieldValue] {
    var values: [CustomerField: FieldValue] = [:]
    if let name = invocation.value("--name") { values = CustomerFields(name: name).nameValues }
    for field in CustomerField.texts {
      if let text = invocation.value(field.option) { values[field] = .text(text) }
    }
    if invocation.has("--favorite") { values[.isFavorite] = .flag(true) }
    if invocation.has("--no-favorite") { values[.isFavorite] = .flag(false) }
    return values
  }
}

extension CustomerFields {
  /// First and last name as values, also where they are empty.
  var nameValues: [CustomerField: FieldValue] {
    [.firstName: self[.firstName], .lastName: self[.lastName]]
  }
}
