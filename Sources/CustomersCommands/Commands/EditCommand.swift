@_spi(Tools) internal import CustomerStore
internal import CustomersText

extension Command {
  static let edit = Command(
    name: "edit", summary: "edit fields of customers, or protect them",
    description: [
      "Several customers get the same values, as one step. An empty value clears a field. --phone and the",
      "like change the main value; --add and --remove, the others. --set creates an extra column",
      "that is new; there, Due=today+7 is a date, and 'Due=\"today\"' the word.",
      "",
      "Without options, one customer opens in $VISUAL or $EDITOR; what another program changes by then",
      "stays. Who is protected against editing can't be deleted either; who is protected against moving",
      "still shifts with the rows around.",
    ],
    forms: RowChoice.forms(FieldOptions.changes) + [
      .plain([.one(.row)], [.required(FieldEdit.usesEditor)])
    ] + RowChoice.forms(Protection.groups),
    examples: [
      CommandExample("Add a tag", "customers edit 3 --phone 555-0100 --favorite --tag vip"),
      CommandExample("A second number", "customers edit 3 --add phone=mobile:555-0199"),
      CommandExample("All in a section", "customers edit --where section=leads --set Source=fair"),
    ],
    seeAlso: ["columns", "list", "undo", "rows"],
    editing: FieldEdit.editing,
    run: { session in
      let invocation = session.invocation
      guard
        invocation[FieldEdit.usesEditor]
          || !Protection.isGiven(invocation) && !FieldOptions.areGiven(invocation) && session.canAsk
      else { return try FieldEdit.editing.run(session) }
      guard invocation[RowChoice.option].isEmpty, invocation.operands.count == 1 else {
        throw Failure.usage(
          "the editor opens one customer at a time", hint: "to edit several: customers edit 2-4 --note VIP")
      }
      return try session.editInEditor()
    })
}

/// The edit of the fields given as options.
enum FieldEdit {
  static let usesEditor = Option.flag("--editor", "change the fields in a text editor")

  static let editing = Editing(batch: inBatch) { invocation in
    guard !Protection.isGiven(invocation) else { return try Protection.edit.prepare(invocation) }
    let (choice, options) = try parts(invocation)
    return { resolver, list in
      let changes = try options.changes(in: list)
      let ids = try choice.ids(resolver, in: list) { try refuseBlank($0, changes, resolver) }
      return .update(ids, changes)
    }
  }

  @Sendable private static func inBatch(_ invocation: Invocation) throws -> BatchEdit {
    guard !Protection.isGiven(invocation) else { throw Failure.usage("a batch protects no rows") }
    let (choice, options) = try parts(invocation)
    return { resolver, list, batch in
      let changes = try options.changes(in: list)
      let ids = try choice.ids(resolver, in: list) { try refuseBlank($0, changes, resolver) }
      for id in ids { batch.update(.customer(id), changes) }
    }
  }

  private static func parts(_ invocation: Invocation) throws -> (RowChoice, FieldOptions) {
    let choice = try RowChoice(invocation)
    guard FieldOptions.areGiven(invocation) else {
      throw Failure.usage(
        "nothing to change",
        hint: "for example: customers edit 3 --phone 555-0100; any other field: --set FIELD=TEXT; "
          + "one customer in $EDITOR: --editor")
    }
    return (choice, try FieldOptions(invocation))
  }

  /// Refuses to clear every field of a customer.
  private static func refuseBlank(
    _ row: Customer, _ changes: FieldChanges, _ resolver: RowResolver
  ) throws {
    var fields = row.fields
    fields.set(changes)
    try fields.refuseBlank(of: row, resolver.label(row))
  }
}

extension Session {
  /// Opens the fields of the named customer in a text editor.
  func editInEditor() throws -> ExitCode {
    let selectors = try RowSelectors(invocation.operands)
    let (customer, label, text, version) = try read { list in
      let resolver = try RowResolver(list)
      let customer = try resolver.row(selectors, in: list)
      let label = try resolver.label(customer)
      guard customer.canEdit else { throw Failure(refusal: .editForbidden(customer.id), label) }
      let position = try resolver.outline.position(of: customer.place)
      return (customer, label, FieldTemplate.text(customer, position: position), try list.version())
    }
    var known = customer.fields
    let instead = "to give the fields as options: customers edit 3 --phone 555-0100"
    return try inEditor(text, of: "edit", instead: instead) { text in
      var fields = known
      fields.set(try FieldTemplate(text, of: customer).changes)
      try fields.refuseBlank(of: customer, label)
      do {
        try edit(creating: false) { [known] _, list in
          guard try list.has(version) else { throw StaleConfirmation.otherHistory }
          let edit = ListEdit.save(customer.id, from: known, to: fields)
          try edit.refuseOpenNumbers(in: list)
          return edit
        }
      } catch let conflict as FieldConflict {
        // After seeing the other program's values, the user may replace them.
        for field in conflict.fields { known[field] = conflict.theirs[field] }
        throw conflict
      }
      return .done
    }
  }
}

/// The fields of a customer as a string for an editor.
///
/// Each has a line `Field: value`, and `| …` for each further line of the value. A main value has its label before it, as
/// options take it.
struct FieldTemplate {
  /// What the text changes; a field without a line stays.
  private(set) var changes: FieldChanges = [:]

  /// The text, with the rules at the top.
  static func text(_ customer: Customer, position: Int) -> String {
    var text = """
      # \(quoted(customer.name)), row \(position), @\(customer.id.rawValue)
      #
      # One field per line; continue a value on a line that starts with "|".
      # Leave a value empty to clear the field. Fields you remove are left unchanged.
      # To cancel, quit without changes. A backslash is written \\\\; \\t is a tab,
      # \\u{A0} the character with that code.


      """
    for field in CustomerField.edited { text += entry(field.title, customer.fields.inEditor(field)) }
    let extra = labels(of: customer).dropFirst(CustomerField.edited.count)
    if !extra.isEmpty { text += "\n# Extra columns:\n" }
    for (label, field) in extra { text += entry(label, customer.fields[field].text) }
    return text
  }

  /// The labels of the fields in the text: titles and names of extra columns.
  ///
  /// One
  /// that could be mistaken for something else is marked.
  private static func labels(of customer: Customer) -> [(label: String, field: CustomerField)] {
    let standard = CustomerField.edited.map { ($0.title, $0) }
    let titles = CustomerField.edited.map { caseFolded($0.title) }
    return standard
      + customer.fields.extraColumns.shown.map(\.name).map { name in
        let label = escapedForEditor(name).replacing(":", with: "\\u{3A}")
        let isPlain = !titles.contains(caseFolded(name)) && label.first.map { !"#|".contains($0) } ?? false
        return (isPlain ? label : "extra.\(label)", .extra(name))
      }
  }

  private static func entry(_ title: String, _ value: String) -> String {
    let lines = value.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { escapedForEditor(String($0)) }
    let marked = [title + ":"] + lines.dropFirst().map { _ in "  |" }
    return zip(marked, lines).map { $1.isEmpty ? "\($0)\n" : "\($0) \($1)\n" }.joined()
  }

  /// Parses the edited text of a customer.
  ///
  /// - Throws: a `Failure` with code `usage` that lists every error with its line.
  init(_ text: String, of customer: Customer) throws {
    let labels = FieldTemplate.labels(of: customer)
    var mistakes: [String] = []
    var texts: [CustomerField: (text: String, line: Int)] = [:]
    var current: CustomerField?
    var isOpen = false
    for (number, line) in linesOfTemplate(text) {
      do {
        if line.first == "|" {
          let value = try unescapedFromEditor(String(trimmed(line.dropFirst())))
          guard isOpen else { throw Failure.usage("a line that starts with | must follow a field") }
          if let current {
            texts[current]?.text.unicodeScalars.append(contentsOf: "\n\(value)".unicodeScalars)
          }
        } else {
          // After an error, continuation lines belong to it.
          (current, isOpen) = (nil, true)
          let (field, value) = try FieldTemplate.entry(line, labels)
          if let first = texts[field]?.line {
            throw Failure.usage("\(field.title) is already on line \(first)")
          }
          texts[field] = (try unescapedFromEditor(value), number)
          current = field
        }
      } catch let failure as Failure {
        mistakes.append("line \(number): \(failure.message)" + (failure.hint.map { "; \($0)" } ?? ""))
      }
    }
    let fields = customer.fields
    var kept = fields.labelsInEditor
    for (_, field) in labels where field != .otherContacts {
      guard let (text, line) = texts[field], text != fields.inEditor(field) else { continue }
      do {
        if let kind = field.contactKind {
          let new = try ContactLine(kind, typed: text, as: field.title)
          changes.values[field] = .text(new.kind == kind ? new.value : "")
          guard !kept.contains(ContactLine(kind, label: new.label, "")) else { continue }
          kept.removeAll { $0.kind == kind }
          if new.kind != kind || !new.label.isEmpty {
            changes.added[.otherContacts, default: []].append(new.text)
          }
        } else if field == .tags {
          changes.values[field] = .text(SeveralValues.tagLines(text, of: fields))
        } else if field.kind == .flag {
          changes.values[field] = try field.value(parsing: text)
        } else {
          changes.values[field] = .text(text)
        }
      } catch let failure as Failure {
        mistakes.append("line \(line): \(failure.message)")
      } catch {
        mistakes.append("line \(line): \(field.title) must be yes or no, not \(quoted(text))")
      }
    }
    let (others, shown) = (texts[.otherContacts]?.text, fields.inEditor(.otherContacts))
    if others ?? shown != shown || kept != fields.labelsInEditor {
      changes.values[.otherContacts] = .text(
        (kept.map(\.text) + [others ?? shown]).filter { !$0.isEmpty }.joined(separator: "\n"))
    }
    guard mistakes.isEmpty else { throw Failure.mistakes(mistakes) }
  }

  private static func entry(
    _ line: Substring.UnicodeScalarView, _ labels: [(label: String, field: CustomerField)]
  ) throws -> (field: CustomerField, value: String) {
    guard let colon = line.firstIndex(of: ":") else {
      throw Failure.usage("not a field; a line looks like this: Phone: 555-0100")
    }
    let name = String(trimmed(line[..<colon]))
    guard let found = Name(name).best(of: labels, by: { [$0.label] }) else {
      let near = nearest(to: name, among: labels.map(\.label))
      throw Failure.usage(
        "there is no field \(quoted(name))", hint: near.map(didYouMean))
    }
    guard found.elements.count == 1 else {
      throw Failure.usage(
        "\(quoted(name)) may be \(listed(found.elements.map { quoted($0.label) }))",
        hint: "write the name exactly")
    }
    return (found.elements[0].field, String(trimmed(line[line.index(after: colon)...])))
  }
}

extension CustomerFields {
  /// A field in the text: the main value of several after its label, which no line of other contacts has there.
  fileprivate func inEditor(_ field: CustomerField) -> String {
    let labels = labelsInEditor
    if field == .otherContacts {
      return otherContacts.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
        !labels.contains { $0.text == line }
      }.joined(separator: "\n")
    }
    if field == .tags { return SeveralValues.typedTags(of: self).joined(separator: "\n") }
    let label = labels.first { $0.kind == field.contactKind }?.label
    return (label.map { "\($0):" } ?? "") + self[field].text
  }

  /// The labels of main values that can be typed before them, as lines of other contacts.
  fileprivate var labelsInEditor: [ContactLine] {
    otherContacts.split(separator: "\n").compactMap { ContactLine(String($0)) }.filter { line in
      guard line.isLabel, let value = line.kind.field.map({ self[$0].text }), !value.isEmpty else {
        return false
      }
      let typed = try? ContactLine(line.kind, typed: "\(line.label):\(value)", as: "")
      return typed == ContactLine(line.kind, label: line.label, value)
    }
  }
}

extension Failure {
  /// The errors of an edited text, one per line.
  static func mistakes(_ lines: [String]) -> Failure {
    Failure(
      code: .usage,
      message: counted(lines.count, "error")
        + " in the edited text; nothing was changed",
      details: shown(lines.map { "     \($0)" }))
  }

  /// The first lines, up to what a user reads.
  static func shown(_ lines: [String]) -> [String] {
    lines.count <= 20 ? lines : lines.prefix(19) + ["     … and \(lines.count - 19) more"]
  }
}
