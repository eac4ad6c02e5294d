internal import Formats
internal import CustomerStore

extension Command {
  static let show = Command(
    name: "show", summary: "show one customer with all fields", operands: [.one(.row)],
    formats: [.table, .json, .ndjson], isPaged: true,
    run: { session in
      let format = try session.format()
      let names = try RowSelectors(session.invocation.operands)
      try session.read { list in
        let finder = try RowResolver(list)
        let customer = try finder.row(names, in: list)
        guard format == .table else {
          try session.output.write(JSONShapes.customer.json((customer, finder.outline)).text + "\n")
          return
        }
        let extra = customer.fields.extraColumns.columns.map { ($0.name, $0.value.text) }
        for (title, text) in try session.lines(customer, finder.outline, list) + extra where !text.isEmpty {
          try session.output.write("\(padded(printable(title) + ":", to: 12)) \(printable(text))\n")
        }
      }
      return .done
    })
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
