internal import CustomerStore
internal import CustomersTerminalText

extension CustomerField {
  /// The option that sets the field, `--first-name` for `first_name`.
  var option: String {
    // Every run creates these, and iterating over the characters of a `String` is expensive.
    "--"
      + String(decoding: column.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
  }
}

/// The options for the fields of a customer.
struct FieldOptions: Sendable {
  static let groups: [OptionGroup] =
    [.many("--FIELD TEXT", options { $0.newOption })] + [
      .optional(SeveralValues.tag), .optional(favorite), .optional(set),
    ]

  /// The options of `expect`.
  static let expected: [OptionGroup] = [
    .many("--FIELD TEXT", texts.map(\.option)), .optional(isFavorite),
  ]

  /// The options of `edit`, which changes an existing customer.
  static let changes: [OptionGroup] =
    [.optional(name), .many("--FIELD TEXT", options { $0.mainOption })] + SeveralValues.changes
    + [.oneOf([favorite, noFavorite]), .optional(set)]

  /// The option of `expect` that checks the yes/no field.
  static let isFavorite = Option.flag("--favorite", "expect the customer to be a favorite")

  private static let name = Option.value(
    "--name", .text("NAME"), "full name, whose last word is the last name")
  private static let texts = CustomerField.texts.map { field in
    let help = field.title.lowercased() + (field.kind == .lines ? ", one per line" : "")
    return (field: field, option: Option.value(field.option, .text(), help))
  }
  /// The options of the text fields, of which those with several values have an option of their own.
  private static func options(
    _ own: (SeveralValues.Field) -> any DeclaredOption
  ) -> [any DeclaredOption] {
    texts.map { field, option in SeveralValues.fields.first { $0.field == field }.map(own) ?? option }
  }
  private static let favorite = Option.flag("--favorite", "set Favorite to yes")
  private static let noFavorite = Option.flag("--no-favorite", "set Favorite to no")
  static let set = Option.values(
    "--set", .assignment, "set any field or extra column, such as City=Bonn (--set City= clears it)")

  private let values: [CustomerField: FieldValue]
  private let several: SeveralValues
  /// The assignments of `--set`, before the columns of the list are known.
  private let assignments: [(name: String, text: String)]

  /// Whether any option sets a field.
  static func areGiven(_ invocation: Invocation) -> Bool {
    changes.contains { $0.options.contains { invocation.has($0) } }
  }

  /// The strings of the fields that are given.
  static func texts(in invocation: Invocation) -> [(field: CustomerField, text: String)] {
    texts.compactMap { field, option in invocation[option].map { (field, $0) } }
  }

  /// Parses the options; `name` is a full name that was given as `nameWord`.
  ///
  /// - Throws: a `Failure` with code `usage` if a field is given twice.
  init(_ invocation: Invocation, name: String? = nil, nameWord: String = FieldOptions.name.name) throws {
    var values: [CustomerField: FieldValue] = [:]
    let name = name ?? invocation[FieldOptions.name]
    if let name { values = CustomerFields(name: name).nameValues }
    several = try SeveralValues(invocation)
    for (field, text) in FieldOptions.texts(in: invocation) where field.contactKind == nil {
      guard values[field] == nil else { throw Failure.contradictory(nameWord, field.option) }
      values[field] = .text(text)
    }
    values.merge(several.main) { $1 }
    if invocation[FieldOptions.favorite] { values[.isFavorite] = .flag(true) }
    if invocation[FieldOptions.noFavorite] { values[.isFavorite] = .flag(false) }
    assignments = try invocation[FieldOptions.set].map { word in
      guard let sign = word.firstIndex(of: "="), sign > word.startIndex else {
        throw Failure.usage(
          "--set must be FIELD=TEXT, not \(quoted(word))", hint: "for example: --set City=Bonn",
          offendingArgument: word)
      }
      return (String(word[..<sign].trimmingBlanks), String(word[word.index(after: sign)...]))
    }
    self.values = values
    try refuseRepeated()
  }

  /// Refuses what is given twice under one name; two names of one field are known with the list.
  private func refuseRepeated() throws {
    var known = Set(values.keys.map(\.column))
    if known.contains("first_name"), known.contains("last_name") { known.insert("name") }
    for (name, _) in assignments where !known.insert(name).inserted { throw FieldOptions.repeated(name) }
  }

  private static func repeated(_ name: String) -> Failure {
    .usage("--set: \(quoted(name)) was given twice", offendingArgument: name)
  }

  /// The changes, in a list with these extra columns.
  ///
  /// A column that no customer has yet is new, unless its name is similar to another field's.
  func changes(in list: borrowing CustomerList) throws -> FieldChanges {
    var values = values
    for (name, text) in assignments {
      let fields =
        try list.column(named: name, or: [("name", [CustomerField.firstName, .lastName])]) { [$0] }
        ?? [newColumn(name, in: list)]
      guard fields.allSatisfy({ values[$0] == nil }) else { throw FieldOptions.repeated(name) }
      do {
        values.merge(
          try fields.count > 1
            ? CustomerFields(name: text).nameValues : [fields[0]: value(text, of: fields[0])]
        ) { $1 }
      } catch {
        throw Failure.usage("--set: \(error)", offendingArgument: "\(name)=\(text)")
      }
    }
    return FieldChanges(values, adding: several.added, removing: several.removed)
  }

  /// The value of a field; in an extra column, a word such as `today+7` is a date, unless it is quoted.
  private func value(_ text: String, of field: CustomerField) throws(FieldError) -> FieldValue {
    guard case .extra = field else { return try field.value(parsing: text) }
    let quotes = text.prefix { $0 == "\"" }.count
    guard let day = CalendarDay(String(text.dropFirst(quotes).dropLast(quotes)), from: .today),
      text.suffix(quotes).allSatisfy({ $0 == "\"" })
    else { return .text(text) }
    return .text(quotes == 0 ? day.description : String(text.dropFirst().dropLast()))
  }

  private func newColumn(_ name: String, in list: borrowing CustomerList) throws -> CustomerField {
    guard !Name(name).key.isEmpty else { throw Failure.usage("--set needs the name of a field") }
    if let near = try list.fieldName(near: name) {
      throw Failure.noField(name, of: FieldOptions.set, near: near)
    }
    guard !ListColumn.isNamed(name) else {
      throw Failure.usage("--set: \(quoted(name)) can't be set", offendingArgument: name)
    }
    return .extra(name)
  }
}

extension CustomerFields {
  /// First and last name as values, even if empty.
  var nameValues: [CustomerField: FieldValue] {
    [.firstName: self[.firstName], .lastName: self[.lastName]]
  }
}

extension Failure {
  /// The failure for an unknown field.
  static func noField(_ name: String, of option: some DeclaredOption, near: String?) -> Failure {
    .usage(
      "\(option.name): there is no field \(quoted(name))",
      hint: near.map(didYouMean) ?? "to list the extra columns: customers columns",
      offendingArgument: name)
  }
}
