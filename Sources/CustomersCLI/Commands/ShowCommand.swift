internal import Formats
internal import CustomerStore

extension Command {
  static let show = Command(
    name: "show", summary: "show customers with all fields", forms: RowChoice.forms([]),
    seeAlso: ["rows", "list"], formats: [.table, .json, .ndjson], isPaged: true,
    run: { session in
      let format = try session.format()
      let choice = try RowChoice(session.invocation)
      try session.read { list in
        let resolver = try RowResolver(list)
        let rows = try choice.rows(resolver, in: list)
        for (index, customer) in rows.enumerated() {
          if index > 0, format == .table { try session.output.write("\n") }
          try session.show(customer, resolver.outline, list, format)
        }
        if rows.isEmpty, !session.isQuiet { try session.errors.write("No customers match.\n") }
      }
      return .done
    })
}

extension Session {
  fileprivate func show(
    _ customer: Customer, _ outline: Outline, _ list: borrowing CustomerList, _ format: Format
  ) throws {
    guard format == .table else {
      return try output.write(Record.json(customer, outline).text + "\n")
    }
    let extra = customer.fields.extraColumns.columns.map { ($0.name, $0.value.text) }
    for (title, text) in try lines(customer, outline, list) + extra where !text.isEmpty {
      try output.write("\(padded(printable(title) + ":", to: 12)) \(printable(text))\n")
    }
  }
}

extension Session {
  fileprivate func lines(
    _ customer: Customer, _ outline: Outline, _ list: borrowing CustomerList
  ) throws -> [(String, String)] {
    let position = outline.position(of: customer.place)
    let section = outline.sections.first { $0.id == customer.place.section }
    let inSection = outline.sections.count > 1 ? ", \(section?.title ?? "") \(customer.place.order)" : ""
    let marks = (customer.fields.isFavorite ? ["favorite"] : []) + customer.prohibitions
    return [("Row", "\(position)\(inSection)"), ("Id", "@\(customer.id.rawValue)")]
      + CustomerField.texts.map { ($0.title, customer.fields[$0].text) }
      + [("Marks", marks.joined(separator: ", "))]
  }
}

extension Customer {
  /// What must not be done with the customer, in words.
  var prohibitions: [String] {
    [canEdit ? nil : "not to be edited or deleted", canMove ? nil : "not to be moved"].compactMap { $0 }
  }
}
