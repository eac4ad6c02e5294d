internal import CustomerStore
internal import CustomersText

extension Command {
  static let show = Command(
    name: "show", summary: "show all fields of customers", earlier: "list ROW", forms: RowChoice.forms([]),
    formats: .printed([.table, .json, .ndjson]), isPaged: true,
    run: { session in try session.show(RowChoice(session.invocation)) })
}

extension Session {
  /// Writes all fields of customers.
  func show(_ choice: RowChoice) throws -> ExitCode {
    let format = try format()
    try readAtLength(rows: choice.rowsRead) { list in
      let resolver = try RowResolver(list)
      let customers = try choice.rows(resolver, in: list)
      let outline = try resolver.outline
      switch format {
      case .table:
        let pages = try customers.map { page($0, outline, try list.log(of: $0.id)) }
        try output.write(pages.joined(separator: "\n"))
      case .json where customers.count != 1:
        var json = JSONWriter(output)
        try json.beginArray()
        for customer in customers {
          try json.element(JSONShapes.shown.json((customer, outline, try list.log(of: customer.id))))
        }
        try json.endArray()
        try output.write("\n")
      default:
        for customer in customers {
          let json = JSONShapes.shown.json((customer, outline, try list.log(of: customer.id)))
          try output.write(json.text + "\n")
        }
      }
      try tell(resolver.skipped)
      if customers.isEmpty, !isQuiet { try errors.write("No customers match.\n") }
    }
    return .done
  }
}

extension Command {
  static let next = Command(
    name: "next", summary: "show the first customer that is due",
    description: [
      "It is shown with all fields and the last three lines of the log. A customer is due if the next date",
      "is today or earlier, or if there is neither a next date nor a line of the log.",
    ],
    options: [.optional(Listing.section), .optional(RowChoice.option)],
    examples: [
      CommandExample("Then look again", "customers log 1 \"left a message\" --next +1w")
    ],
    seeAlso: ["log", "done", "list"],
    isPaged: true,
    run: { session in
      let format = try session.format()
      let (listing, today) = (try Listing(session.invocation), session.invocation.today)
      try session.readAtLength(
        rows: { list in try list.rowsRead(toFirstDueOn: today, matching: listing.allRows(list).filter) }
      ) { list in
        let outline = try list.outline()
        let (customer, skipped) = try list.firstDue(on: today, matching: listing.allRows(list).filter)
        let log = try customer.map { try list.log(of: $0.id, limit: 3) } ?? []
        switch (format, customer) {
        case (.table, let customer?): try session.output.write(session.page(customer, outline, log))
        case (.table, nil): if !session.isQuiet { try session.output.write("No one is due.\n") }
        case (_, let customer):
          let json = customer.map { JSONShapes.shown.json(($0, outline, log)) } ?? .null
          try session.output.write(json.text + "\n")
        }
        try session.tell(skipped)
      }
      return .done
    })
}

extension Session {
  /// One line per nonempty field; further lines of a string are below its first.
  fileprivate func page(_ customer: Customer, _ outline: ListOutline, _ log: [LogLine]) -> String {
    let lines = log.map { line in
      [localTime(line.time), line.author].filter { !$0.isEmpty }.joined(separator: " ") + ": \(line.text)"
    }
    let fields =
      (fields(customer, outline)
      + [("Next date", customer.fields.next), ("Log", lines.joined(separator: "\n"))])
      .filter { !$0.text.isEmpty }
    let widest = fields.map { displayWidth(printable($0.title)) + 1 }.max() ?? 0
    let width = max(12, min(widest, 24))
    let margin = "\n" + String(repeating: " ", count: width + 1)
    return fields.map { title, text in
      let label = padded(printable(title) + ":", to: width)
      let lines = printableLines(text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      return styled(label, .detail, if: hasColor(output)) + " " + lines.joined(separator: margin) + "\n"
    }.joined()
  }

  private func fields(_ customer: Customer, _ outline: ListOutline) -> [(title: String, text: String)] {
    let position = outline.position(of: customer.place)
    let section = outline.sections.first { $0.id == customer.place.section }
    let inSection = outline.sections.count > 1 ? ", \(section?.title ?? "") \(customer.place.order)" : ""
    return [("Row", "\(position)\(inSection)"), ("Id", "@\(customer.id.rawValue)")]
      + CustomerField.texts.flatMap { fields($0, of: customer.fields) }
      + [
        ("Favorite", customer.fields.isFavorite ? "yes" : ""),
        ("Protected", customer.prohibitions.isEmpty ? "" : customer.protection),
      ]
      + customer.fields.extraColumns.shown.map { ($0.name, $0.value.text) }
  }

  /// A field as lines: each address and number has its own, with its label.
  private func fields(_ field: CustomerField, of fields: CustomerFields) -> [(title: String, text: String)] {
    if let kind = field.contactKind {
      return fields.contacts.filter { $0.kind == kind || $0.kind.isNumber && kind.isNumber }
        .map { ($0.title, $0.value) }
    }
    switch field {
    case .otherContacts: return [(field.title, fields.otherLines.joined(separator: "\n"))]
    case .tags: return [(field.title, fields.values(of: field).joined(separator: ", "))]
    default: return [(field.title, fields[field].text)]
    }
  }
}

extension ContactLine {
  /// What it is, and its label, as in `Phone (work)`.
  fileprivate var title: String {
    let title = kind.field?.title ?? kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
    return label.isEmpty ? title : "\(title) (\(label))"
  }
}
