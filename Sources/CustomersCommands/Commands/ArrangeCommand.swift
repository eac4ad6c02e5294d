@_spi(Tools) internal import CustomerStore
internal import CustomersText

extension Command {
  static let arrange = Command(
    name: "arrange", summary: "reorder and delete rows in a text editor", earlier: "sort --editor",
    options: [.optional(ArrangeTemplate.section)], common: GlobalOptions.ofEditing, rewritesMuch: true,
    run: { session in try session.arrange(as: "arrange") })
}

extension Session {
  /// Opens the list in an editor, and makes the order that it is left in.
  func arrange(as command: String) throws -> ExitCode {
    let instead = "to move rows by number: customers move 5 2"
    if !isDryRun, context.hasChosenEditor || !options.mayAsk { try checkConsent(to: command) }
    try checkEditor(of: command, instead: instead)
    let name = invocation[ArrangeTemplate.section]
    var template = try readAtLength { list in
      // The editor shows which section it is.
      let limit: Name.Fit = mayGuess ? .part : .words
      return try ArrangeTemplate(
        list, only: name.map { try list.outline().section(titled: $0, upTo: limit).id })
    }
    return try inEditor(template.text, of: command, instead: instead) { text in
      let (wanted, deleted) = try template.read(text)
      do {
        return try arrange { _, list in
          let present = try ArrangeTemplate(list, only: template.only)
          guard try list.has(template.version) else { throw StaleConfirmation.otherHistory }
          guard present.known == template.known else { throw ChangedOrder(present: present) }
          if let id = deleted.first(where: { !present.shows($0, like: template) }) {
            throw ListError.contentChanged(id)
          }
          return .batch(BatchUpdates(wanted, deleting: deleted, template))
        }
      } catch let conflict as ChangedOrder {
        defer { template = conflict.present }
        throw conflict.failure(since: template)
      }
    }
  }
}

extension Session {
  /// Shows the changes, asks, and makes them.
  fileprivate func arrange(_ request: EditRequest) throws -> ExitCode {
    guard !isDryRun, !options.saysYes, let shown = try preview(request)?.confirmed else {
      try edit(creating: false, isSure: true, request)
      return .done
    }
    let lines = TextPresenter(shown.outcome, isDryRun: true).lines
    for line in Failure.shown(lines) { try errors.write(line + "\n") }
    guard try lines.isEmpty || confirm("Apply these changes?", to: "arrange") else { return .declined }
    try edit(shown, creating: false, ifAllowedBy: request)
    return .done
  }
}

/// Another program changed the order while it was edited here.
private struct ChangedOrder: Error {
  var present: ArrangeTemplate

  func failure(since template: ArrangeTemplate) -> Failure {
    let before = Set(template.known.rows)
    let now = Set(present.known.rows)
    let added = now.subtracting(before).sorted().map { "     @\($0.rawValue) is new" }
    let deleted = before.subtracting(now).sorted().map { "     @\($0.rawValue) is deleted" }
    let differences = added + deleted
    return Failure.refused(
      "another program changed the order while you were editing; nothing was changed",
      details: Failure.shown(differences.isEmpty ? ["     rows were moved"] : differences))
  }
}

extension BatchUpdates {
  /// The edits that lead to an arrangement, with as few moves as possible.
  fileprivate init(_ wanted: ListArrangement, deleting: [CustomerID], _ template: ArrangeTemplate) {
    self.init()
    for id in deleting { delete(.customer(id)) }
    for (id, place) in wanted.moves(from: template.known, keeping: template.fixed) {
      move(.customer(id), to: .place(place.order, in: place.section))
    }
  }
}

/// The list as a string for an editor: one line per customer, and one per section if there are several.
struct ArrangeTemplate {
  static let section = Option.onlySection()

  /// The rows as read.
  private(set) var known = ListArrangement()
  /// The list in which they were read.
  let version: ListVersion
  /// The rows that must not be moved.
  private(set) var fixed: Set<CustomerID> = []
  /// The section, if there is only one.
  let only: SectionID?
  private var titles: [SectionID: String] = [:]
  private var lines: [CustomerID: String] = [:]

  init(_ list: borrowing CustomerList, only: SectionID?) throws {
    self.only = only
    version = try list.version()
    let sections = try list.outline().sections.filter { only == nil || only == $0.id }
    for section in sections {
      if sections.count > 1 { titles[section.id] = "== @\(section.id.rawValue) \(printable(section.title))" }
      var part = ListArrangement.Part(section: section.id)
      try list.forEach(in: section.id) { customer in
        let fields = customer.fields
        let distinctions = [fields.company == customer.name ? "" : fields.company, fields.email]
        let words = [customer.name] + distinctions.filter { !$0.isEmpty }
        lines[customer.id] = "@\(customer.id.rawValue) \(words.map(printable).joined(separator: " · "))"
        if !customer.canMove { fixed.insert(customer.id) }
        part.rows.append(customer.id)
        return true
      }
      known.parts.append(part)
    }
  }

  /// Whether a row has the same line here as in another template.
  func shows(_ id: CustomerID, like other: ArrangeTemplate) -> Bool { lines[id] == other.lines[id] }

  /// The text, with the rules at the top.
  var text: String {
    var text = """
      # Reorder the lines. To delete a customer, put "d" in front of its line; simply
      # removing a line is an error. Text after the @id is ignored.

      """
    if !titles.isEmpty {
      text += "# Lines may move between sections; leave the == lines where they are.\n"
    }
    text += "# To cancel, quit without changes or save an empty file.\n"
    for part in known.parts {
      if let title = titles[part.section] { text += "\n\(title)\n" } else { text += "\n" }
      for row in part.rows { text += lines[row, default: ""] + "\n" }
    }
    return text
  }

  /// Parses the edited text: the new order of the rows and those to delete.
  ///
  /// - Throws: a `Failure` with code `usage` that lists every error with its line.
  func read(_ text: String) throws -> (wanted: ListArrangement, deleted: [CustomerID]) {
    let all = linesOfTemplate(text)
    guard !all.isEmpty else { return (known, []) }
    var reading = Reading(parts: titles.isEmpty ? known.parts.map { .init(section: $0.section) } : [])
    for (number, line) in all {
      do {
        try read(line.split { $0 == " " || $0 == "\t" }.map(String.init), number, &reading)
      } catch let failure as Failure {
        reading.mistakes.append("line \(number): \(failure.message)")
      }
    }
    let lost = known.parts.filter { titles[$0.section] != nil && reading.sections[$0.section] == nil }
      .map { "missing: \(titles[$0.section, default: ""])" }
    let lostRows = known.rows.filter { reading.rows[$0] == nil }.map { "missing: \(lines[$0, default: ""])" }
    reading.mistakes += lost + lostRows
    if reading.mistakes.isEmpty, reading.parts.map(\.section) != known.parts.map(\.section) {
      reading.mistakes.append("the == lines must keep their order; to move a section: customers section move")
    }
    guard reading.mistakes.isEmpty else { throw Failure.mistakes(reading.mistakes) }
    return (ListArrangement(parts: reading.parts), reading.deleted)
  }

  /// The result so far.
  private struct Reading {
    var parts: [ListArrangement.Part]
    var deleted: [CustomerID] = []
    var mistakes: [String] = []
    /// The lines of rows and sections.
    var rows: [CustomerID: Int] = [:]
    var sections: [SectionID: Int] = [:]
  }

  private func read(_ words: [String], _ number: Int, _ reading: inout Reading) throws {
    let mark = words[0].hasPrefix("@") ? "" : words[0]
    guard ["", "d", "=="].contains(mark), let word = words.dropFirst(mark.isEmpty ? 0 : 1).first,
      word.hasPrefix("@"), !word.hasPrefix("@-"), Invocation.isNumber(String(word.dropFirst())),
      mark != "==" || !titles.isEmpty
    else { throw Failure.usage("a line must start with the @id of a row, or with d and the @id") }
    let id = Int64(word.dropFirst()) ?? -1
    if mark == "==" {
      let section = SectionID(rawValue: id)
      guard titles[section] != nil else { throw Failure.usage("there is no section \(word)") }
      try once(section, word, number, &reading.sections)
      return reading.parts.append(.init(section: section))
    }
    let row = CustomerID(rawValue: id)
    guard lines[row] != nil else { throw Failure.usage("\(word) is not in the list") }
    try once(row, word, number, &reading.rows)
    if mark == "d" { return reading.deleted.append(row) }
    guard !reading.parts.isEmpty else { throw Failure.usage("\(word) is in no section") }
    reading.parts[reading.parts.count - 1].rows.append(row)
  }

  private func once<ID: Hashable>(_ id: ID, _ word: String, _ number: Int, _ seen: inout [ID: Int]) throws {
    if let first = seen[id] { throw Failure.usage("\(word) is listed twice (also on line \(first))") }
    seen[id] = number
  }
}
