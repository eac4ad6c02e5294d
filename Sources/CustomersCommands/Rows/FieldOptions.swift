internal import CustomerStore
internal import CustomerTransfer
internal import CustomersText

extension CustomerField {
  /// The option that sets the field, `--first-name` for `first_name`.
  var option: String {
    // Every run creates these, and iterating over the characters of a `String` is expensive.
    "--"
      + String(decoding: column.utf8.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
  }
}

struct FieldOptions: Sendable {
  static let groups: [OptionGroup] =
    [.many("--FIELD TEXT", help: fieldNames, options { $0.newOption })] + [
      .optional(SeveralValues.tag), .optional(favorite), .optional(set),
    ]

  static let expected: [OptionGroup] = [
    .many("--FIELD TEXT", help: fieldNames, texts.map(\.option)), .optional(isFavorite),
  ]

  /// The options of `edit`, which changes an existing customer.
  static let changes: [OptionGroup] =
    [.many("--FIELD TEXT", help: "name, or " + fieldNames, [name] + options { $0.mainOption })]
    + SeveralValues.changes + [.optional(favorite), .optional(noFavorite), .optional(set)]

  /// The option of `expect` that checks the yes/no field.
  static let isFavorite = Option.flag("--favorite", "expect the customer to be a favorite")

  /// The help on the options of the text fields.
  private static let fieldNames =
    texts.map { String($0.option.name.dropFirst(2)) }.joined(separator: ", ") + ": --phone 555-0100"

  private static let name = Option.value(
    "--name", .text("NAME"), "full name, such as \"Ann Lee\" or \"Lee, Ann\"")
  private static let texts = CustomerField.texts.map { field in
    let help =
      field.title.lowercased()
      + (field == .tags ? ", separated by commas" : field.kind == .lines ? ", one per line" : "")
    return (field: field, option: Option.value(field.option, .text(), help))
  }
  /// The options of the text fields, of which those with several values have an option of their own.
  private static func options(
    _ own: (SeveralValues.Field) -> any DeclaredOption
  ) -> [any DeclaredOption] {
    texts.map { field, option in SeveralValues.fields.first { $0.field == field }.map(own) ?? option }
  }
  private static let favorite = Option.flag("--favorite", "set Favorite to yes")
  private static let noFavorite = Option.spelling("--no-favorite", of: set, "--set favorite=no") { _ in
    "\(CustomerField.isFavorite.column)=no"
  }
  static let set = Option.values(
    "--set", .assignment, "set any field or extra column (City= clears it)")

  private let values: [CustomerField: FieldValue]
  private let several: SeveralValues
  /// The assignments of `--set`, before the columns of the list are known.
  private let assignments: [(name: String, text: String)]
  private let today: CalendarDay
  /// Whether a column may be new though its name is similar to that of another one.
  private let isSure: Bool
  /// Whether they are those of a new customer.
  private let isNew: Bool

  /// Whether any option sets a field.
  static func areGiven(_ invocation: Invocation) -> Bool {
    changes.contains { $0.options.contains { invocation.has($0) } }
  }

  static func texts(in invocation: Invocation) -> [(field: CustomerField, text: String)] {
    texts.compactMap { field, option in
      invocation[option].map { (field, field == .tags ? SeveralValues.tagLines($0) : $0) }
    }
  }

  /// Parses the options; `name` is a full name that was given as `nameWord`.
  ///
  /// - Throws: a `Failure` with code `usage` if a field is given twice.
  init(_ invocation: Invocation, name: String? = nil, nameWord: String = FieldOptions.name.name) throws {
    var values: [CustomerField: FieldValue] = [:]
    let name = name ?? invocation[FieldOptions.name]
    let isAddress = name.map { $0.isMailAddress && nameWord != FieldOptions.name.name } ?? false
    if let name, !isAddress { values = CustomerFields(written: name).nameValues }
    several = try SeveralValues(invocation)
    for (field, text) in FieldOptions.texts(in: invocation) where field.contactKind == nil {
      guard values[field] == nil else { throw Failure.contradictory(nameWord, field.option) }
      values[field] = .text(text)
    }
    values.merge(several.main) { $1 }
    if isAddress, let name {
      guard values[.email] == nil else { throw Failure.contradictory(nameWord, CustomerField.email.option) }
      values[.email] = .text(name)
    }
    if invocation[FieldOptions.favorite] { values[.isFavorite] = .flag(true) }
    assignments = try invocation[FieldOptions.set].map { word in
      guard let sign = word.firstIndex(of: "="), sign > word.startIndex else {
        throw Failure.usage(
          "--set must be FIELD=TEXT, not \(quoted(word))", hint: "for example: --set City=Bonn",
          offendingArgument: word)
      }
      return (String(word[..<sign].trimmingBlanks), String(word[word.index(after: sign)...]))
    }
    (self.values, today) = (values, invocation.today)
    isSure = invocation[GlobalOptions.yes]
    isNew = invocation.command?.name == Command.add.name
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
    var tags = several.added
    let known = assignments.compactMap { KnownNames.field($0.name)?.column }
    let kinds = assignments.isEmpty ? ColumnKinds() : try list.columnKinds(with: known)
    for (name, text) in assignments {
      if try isTag(name, in: list) {
        tags[.tags, default: []] += SeveralValues.tags([text])
        continue
      }
      let fields =
        try list.column(named: name, or: [("name", [CustomerField.firstName, .lastName])]) { [$0] }
        ?? [newColumn(name, besides: values.keys, in: list)]
      guard fields.allSatisfy({ values[$0] == nil }) else { throw FieldOptions.repeated(name) }
      do {
        values.merge(
          try fields.count > 1
            ? CustomerFields(written: text).nameValues : [fields[0]: value(text, of: fields[0], kinds)]
        ) { $1 }
      } catch {
        throw Failure.usage("--set: \(error)", offendingArgument: "\(name)=\(text)")
      }
    }
    return FieldChanges(values, adding: tags, removing: several.removed)
  }

  /// The value of a field, by the kind of its column; in one of any text, a word such as `today+7` is a date, unless it
  /// is quoted.
  private func value(_ text: String, of field: CustomerField, _ kinds: ColumnKinds) throws -> FieldValue {
    if field == .tags { return .text(SeveralValues.tagLines(text)) }
    guard field.isParsed else { return try field.value(parsing: text) }
    var isFree = kinds[field].kind == .text
    if case .extra(let name) = field, kinds.declared(name) != nil { isFree = false }
    guard isFree else {
      return .text(try kinds[field].stored(typed: text, in: field.column, today: today))
    }
    let quotes = text.prefix { $0 == "\"" }.count
    guard let day = TypedDay.relative(String(text.dropFirst(quotes).dropLast(quotes)), from: today),
      text.suffix(quotes).allSatisfy({ $0 == "\"" })
    else { return .text(text) }
    return .text(quotes == 0 ? day.description : String(text.dropFirst().dropLast()))
  }

  /// Whether a name means tags that are added, as with `--tag`: "tag" does, unless the list has a column of this name.
  private func isTag(_ name: String, in list: borrowing CustomerList) throws -> Bool {
    guard Name(name).key == "tag" else { return false }
    return try list.extraColumns(like: name) == nil
  }

  private func newColumn(
    _ name: String, besides given: some Sequence<CustomerField>, in list: borrowing CustomerList
  ) throws -> CustomerField {
    guard !Name(name).key.isEmpty else { throw Failure.usage("--set needs the name of a field") }
    if let known = KnownNames.field(name) { return known }
    // Other words for it are known everywhere, but this one is a place in the list, too.
    if Name(name).key == ListColumn.position.name { return KnownColumn.jobTitle.field }
    if !isSure, let near = try list.fieldName(near: name, or: KnownColumn.allCases.map(\.title)) {
      var failure = Failure.noField(name, of: FieldOptions.set, near: near)
      failure.hint = "\(didYouMean(near)) For a new column, add \(GlobalOptions.yes.name)"
      throw failure
    }
    if !isSure, let (field, label, isPart) = contactColumn(name) {
      throw Failure.usage(
        "--set: \(quoted(name)) is \(isPart ? "a part of the address with a" : "the") label"
          + (isPart ? " here" : " of \(field.title.lowercased()) here"),
        hint: "to add one: "
          + (isNew
            ? "\(field.option) \(typed(label + ":TEXT"))" : "--add \(typed("\(field.column)=\(label):TEXT"))")
          + "; for a new column, add \(GlobalOptions.yes.name)",
        offendingArgument: name)
    }
    guard !ListColumn.isTaken(name) else {
      throw Failure.usage("--set: \(quoted(name)) can't be set", offendingArgument: name)
    }
    // Another one may be the same but for what is ignored.
    return given.first { Name($0.column).key == Name(name).key } ?? .extra(name)
  }
}

extension String {
  /// Whether it is an e-mail address and nothing else.
  fileprivate var isMailAddress: Bool {
    let parts = split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".") && !contains(where: \.isWhitespace)
  }
}

extension CustomerFields {
  /// A name as one types it.
  fileprivate init(written name: String) {
    self.init()
    setWrittenName(name, hasParticles: true)
  }

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

/// Names of fields in options, separated by commas.
///
/// Each throws a `Failure` with code `usage` for an unknown or repeated name.
extension CustomerList {
  /// The fields named by an option; `field` looks up each.
  func named<Field: Equatable>(
    _ names: String, by option: some DeclaredOption, _ field: (String) throws -> Field?
  ) throws -> [Field] {
    try explaining(option) { try named(names, field) }
  }

  func columns(named names: String, by option: some DeclaredOption) throws -> [ListColumn] {
    try explaining(option) { try columns(named: names) }
  }

  func column(named name: String, by option: some DeclaredOption) throws -> ListColumn {
    try explaining(option) { try column(named: name) }
  }

  /// The sort order for the fields named by an option.
  func sortOrder(by names: String, isDescending: Bool, option: some DeclaredOption) throws -> SortOrder {
    try explaining(option) { try sortOrder(by: names, isDescending: isDescending) }
  }

  private func explaining<Result>(_ option: some DeclaredOption, _ body: () throws -> Result) throws -> Result
  {
    do {
      return try body()
    } catch let error as FieldNamesError {
      guard error.isRepeated else {
        // A column that can be shown, and nothing else.
        guard error.near == nil, ListColumn.isNamed(error.name) else {
          throw Failure.noField(error.name, of: option, near: error.near)
        }
        throw Failure.usage(
          "\(option.name): can't use \(quoted(error.name)) here",
          hint: "the fields are name, \(CustomerField.standard.map(\.column).joined(separator: ", "))",
          offendingArgument: error.name)
      }
      throw Failure.usage("\(option.name): \(quoted(error.name)) was given twice")
    }
  }
}

extension CustomerFields {
  /// Refuses to clear every field of a customer and names the fields.
  ///
  /// - Parameters:
  ///   - row: the current customer.
  ///   - label: how the user named it.
  /// - Throws: a `Failure` with code `refused`.
  func refuseBlank(of row: Customer, _ label: CustomerLabel) throws {
    guard isBlank, !row.fields.isBlank else { return }
    let known = CustomerField.texts + row.fields.extraColumns.names.map(CustomerField.extra)
    let cleared = known.filter { !row.fields[$0].text.isEmpty }
    throw Failure.refused(
      "this would leave \(label.title) empty: it clears "
        + listed(
          cleared.map { CustomerField.texts.contains($0) ? $0.title.lowercased() : quoted($0.title) }, "and"),
      hint: "to delete the customer: customers delete \(label.word)")
  }
}

/// The options for the fields of which a customer may have several values: `--email work:b@y`, `--tag`, `--add phone=1`.
struct SeveralValues: Sendable {
  /// A field with a main value and others and its options.
  struct Field: Sendable {
    let field: CustomerField
    let kind: ContactLine.Kind
    /// For a new customer, who may get several.
    let newOption: Option<[String]>
    /// The main value of a customer.
    let mainOption: Option<String?>

    fileprivate init?(_ field: CustomerField) {
      guard let kind = field.contactKind else { return nil }
      let title = field.title.lowercased()
      let value = Argument<String>.text("[LABEL:]TEXT")
      (self.field, self.kind) = (field, kind)
      newOption = .values(field.option, value, title + " (repeatable)")
      mainOption = .value(field.option, value, title)
    }
  }

  static let fields = CustomerField.texts.compactMap(Field.init)
  static let tag = Option.values("--tag", .text("TAG,…"), "add tags")
  private static let names = fields.map(\.field.column) + ["tag"]
  private static let add = Option.values(
    "--add", .oneOfSeveral(names), "add another \(listed(names))")
  private static let remove = Option.values(
    "--remove", .oneOfSeveral(names), "remove one \(listed(names)) of several")

  /// The options of `edit`, besides those of the main values.
  static let changes: [OptionGroup] =
    [.optional(add), .optional(remove), .optional(tag)] + earlier.map { .optional($0) }

  private static let earlier: [any DeclaredOption] =
    [("--add-", add), ("--remove-", remove)].flatMap { start, option in
      fields.map { field in
        let name = field.field.column
        return Option.spelling(start + name, Argument.text().type, of: option, "\(option.name) \(name)=TEXT")
        {
          "\(name)=\($0)"
        }
      }
    } + [
      Option.spelling("--untag", Argument.text("TAG,…").type, of: remove, "--remove tag=TAG") { "tag=\($0)" }
    ]

  private(set) var main: [CustomerField: FieldValue] = [:]
  /// Lines to add to fields and to remove from them.
  private(set) var added: [CustomerField: [String]] = [:]
  private(set) var removed: [CustomerField: [String]] = [:]

  /// Parses the options.
  ///
  /// - Throws: a `Failure` with code `usage` for a label without a value.
  init(_ invocation: Invocation) throws {
    for field in SeveralValues.fields {
      let given = invocation[field.newOption]
      for (index, text) in given.enumerated() {
        let line = try ContactLine(field.kind, typed: text, as: field.newOption.name)
        let isMain = index == 0 && line.kind == field.kind
        if isMain { main[field.field] = .text(line.value) }
        if !isMain || !line.label.isEmpty { add(line) }
      }
    }
    var (tags, others) = (invocation[SeveralValues.tag], [String]())
    for word in invocation[SeveralValues.add] {
      let (field, text) = try SeveralValues.parts(of: word, SeveralValues.add)
      guard let field else {
        tags.append(text)
        continue
      }
      add(try ContactLine(field.kind, typed: text, as: SeveralValues.add.name))
    }
    for word in invocation[SeveralValues.remove] {
      let (field, text) = try SeveralValues.parts(of: word, SeveralValues.remove)
      guard let field else {
        others.append(text)
        continue
      }
      // A number may be that of a fax or pager; a label makes no difference.
      let kinds = ContactLine.Kind.allCases.filter { $0 == field.kind || $0.isNumber && field.kind.isNumber }
      let value = try ContactLine(field.kind, typed: text, as: SeveralValues.remove.name).value
      removed[.otherContacts, default: []] += kinds.flatMap { kind in
        (value == text ? [text] : [text, value]).map { ContactLine(kind, $0).text }
      }
    }
    (added[.tags], removed[.tags]) = (SeveralValues.tags(tags), SeveralValues.tags(others))
  }

  /// The field that a word such as `phone=555` names, and the text; no field for a tag.
  ///
  /// - Throws: a `Failure` with code `usage` for any other field.
  private static func parts(of word: String, _ option: some DeclaredOption) throws -> (Field?, String) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = Name(parts[0]).only(of: names + [CustomerField.tags.column], by: \.self)
    guard parts.count == 2, let name else {
      throw Failure.usage(
        "\(option.name) takes \(listed(names)), as in \(option.name) phone=555-0100, not \(quoted(word))",
        hint: "for any other field: --set FIELD=TEXT", offendingArgument: word)
    }
    guard !parts[1].allSatisfy(\.isWhitespace) else {
      throw Failure.usage("\(option.name) needs a value after \(quoted("\(name)="))", offendingArgument: word)
    }
    return (fields.first { $0.field.column == name }, parts[1])
  }

  private mutating func add(_ line: ContactLine) { added[.otherContacts, default: []].append(line.text) }

  /// The tags in words, separated by commas; quotes keep a comma in one.
  fileprivate static func tags(_ words: [String]) -> [String] {
    words.flatMap(parts).map(ContactLine.escaped)
  }

  /// The same, one per line, of a text that may have lines already.
  fileprivate static func tagLines(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).flatMap { parts(String($0)) }.joined(separator: "\n")
  }

  /// The tags of a customer as they are typed: one with a comma is in quotes.
  static func typedTags(of fields: CustomerFields) -> [String] {
    fields.tags.split(separator: "\n", omittingEmptySubsequences: false).map { tag in
      tag.contains(",") && !tag.contains("\"") ? "\"\(tag)\"" : String(tag)
    }
  }

  /// The tags of a text, one per line; a line that a customer has already stays as it is.
  static func tagLines(_ text: String, of fields: CustomerFields) -> String {
    let own = fields.tags.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let known = Dictionary(zip(typedTags(of: fields), own)) { first, _ in first }
    return text.split(separator: "\n").map { known[String($0)] ?? tagLines(String($0)) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private static func parts(_ word: String) -> [String] {
    var (parts, isQuoted) = ([""], false)
    for letter in word {
      switch letter {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: parts.append("")
      default: parts[parts.count - 1].append(letter)
      }
    }
    return parts.map { String($0.trimmingBlanks) }.filter { !$0.isEmpty }
  }
}

extension ContactLine {
  /// A value as it is typed, perhaps after a label and a colon.
  ///
  /// - Throws: a `Failure` with code `usage` for a label without a value, which names what was typed.
  init(_ kind: Kind, typed text: String, as name: String) throws {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let label = parts.first, label.first?.isLetter == true, parts[1].first != " ",
      kind == .address
        ? label.allSatisfy({ $0.isLetter || $0.isNumber || " -_".contains($0) }) : !label.contains("@")
    else {
      self.init(kind, text)
      return
    }
    guard !parts[1].isEmpty else {
      throw Failure.usage(
        "\(name) needs a value after the label \(quoted(String(label)))", offendingArgument: text)
    }
    self.init(kind, labeled: String(label), String(parts[1]))
  }
}
