internal import CustomerStore
internal import CustomersFormats
internal import CustomersTerminalText

/// The options for the fields of which a customer may have several values: `--email work:b@y`, `--add-phone`, `--tag`.
struct SeveralValues: Sendable {
  /// A field with a main value and others and its options.
  struct Field: Sendable {
    let field: CustomerField
    let kind: ContactLine.Kind
    /// For a new customer, who may get several.
    let newOption: Option<[String]>
    /// The main value of a customer.
    let mainOption: Option<String?>
    let addOption: Option<[String]>
    let removeOption: Option<[String]>

    fileprivate init?(_ field: CustomerField) {
      guard let kind = field.contactKind else { return nil }
      let (title, name) = (field.title.lowercased(), field.option.dropFirst(2))
      let value = Argument<String>.text("[LABEL:]TEXT")
      (self.field, self.kind) = (field, kind)
      newOption = .values(field.option, value, title + " (repeatable)")
      mainOption = .value(field.option, value, title)
      addOption = .values("--add-\(name)", value, "add another \(title)")
      removeOption = .values("--remove-\(name)", .text(), "remove one \(title) of several")
    }
  }

  static let fields = CustomerField.texts.compactMap(Field.init)
  static let tag = Option.values("--tag", .text("TAG,…"), "add tags")
  private static let untag = Option.values("--untag", .text("TAG,…"), "remove tags")

  /// The options of `edit`, besides those of the main values.
  static let changes: [OptionGroup] = [
    .many("--add-FIELD TEXT", fields.map(\.addOption)),
    .many("--remove-FIELD TEXT", fields.map(\.removeOption)),
    .optional(tag), .optional(untag),
  ]

  /// The main values.
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
        let line = try ContactLine(field.kind, typed: text, option: field.newOption)
        let isMain = index == 0 && line.kind == field.kind
        if isMain { main[field.field] = .text(line.value) }
        if !isMain || !line.label.isEmpty { add(line) }
      }
      for text in invocation[field.addOption] {
        add(try ContactLine(field.kind, typed: text, option: field.addOption))
      }
      for text in invocation[field.removeOption] {
        // A number may be that of a fax or pager.
        let kinds = ContactLine.Kind.allCases.filter {
          $0 == field.kind || $0.isNumber && field.kind.isNumber
        }
        removed[.otherContacts, default: []] += kinds.map { ContactLine($0, text).text }
      }
    }
    added[.tags] = SeveralValues.tags(invocation[SeveralValues.tag])
    removed[.tags] = SeveralValues.tags(invocation[SeveralValues.untag])
  }

  private mutating func add(_ line: ContactLine) { added[.otherContacts, default: []].append(line.text) }

  private static func tags(_ words: [String]) -> [String] {
    words.flatMap { $0.split(separator: ",") }.map { ContactLine.escaped(String($0.trimmingBlanks)) }
      .filter { !$0.isEmpty }
  }
}

extension ContactLine {
  /// A value as it is typed, perhaps after a label and a colon.
  fileprivate init(_ kind: Kind, typed text: String, option: some DeclaredOption) throws {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let label = parts.first, label.first?.isLetter == true, parts[1].first != " ",
      label.allSatisfy({ $0.isLetter || $0.isNumber || " -_".contains($0) })
    else {
      self.init(kind, text)
      return
    }
    guard !parts[1].isEmpty else {
      throw Failure.usage(
        "\(option.name) needs a value after the label \(quoted(String(label)))", offendingArgument: text)
    }
    self.init(kind, labeled: String(label), String(parts[1]))
  }
}
