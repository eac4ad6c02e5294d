internal import CustomerStore
internal import CustomersFormats

extension Command {
  static let duplicates = Command(
    name: "duplicates", summary: "list customers that may be the same",
    description: [
      "Lists groups of customers with the same name, e-mail address or phone digits; case is ignored.",
      "`customers merge` makes one customer of a group.",
    ],
    examples: [
      CommandExample("List possible duplicates:", "customers duplicates"),
      CommandExample("Print the groups for another program:", "customers duplicates --json"),
    ],
    seeAlso: ["merge", "import"], isPaged: true,
    run: { session in
      let isJSON = try session.format() == .json
      try session.read { list in
        let groups = try list.duplicates()
        let outline = try list.outline()
        guard !isJSON else {
          let objects = try groups.map { group in
            JSON.object([
              ("same", .array(group.reasons.map { .string($0.rawValue) })),
              (
                "customers",
                .array(try group.customers.map { OutputRecord.json(try list.customer($0), outline) })
              ),
            ])
          }
          let members: [(String, JSON)] = [("op", .string("duplicates")), ("groups", .array(objects))]
          return try session.output.write(JSON.object(members).text + "\n")
        }
        guard !groups.isEmpty else {
          if !session.isQuiet { try session.errors.write("No duplicates.\n") }
          return
        }
        let customers = CustomerColumns(outline, largestID: try list.largestID())
        let table = session.table(customers.tableColumns)
        for group in groups {
          try table.title("Same \(group.reasons.map(\.title).joined(separator: ", "))")
          for id in group.customers { try table.row(customers.cells(try list.customer(id))) }
        }
        try table.end()
      }
      return .done
    })

  static let merge = Command(
    name: "merge", summary: "merge several customers into one",
    description: [
      "The first ROW stays where it is. Its empty fields are filled from the others, in the order given; a",
      "value that differs is kept as an extra column, such as \"email 2\". The others are deleted. It is a",
      "single undo step.",
    ],
    operands: [.many(.row)],
    examples: [
      CommandExample("Merge row 4 into row 2:", "customers merge 2 4"),
      CommandExample("Preview merging three:", "customers merge \"Jane Eyre\" 4 5 --dry-run"),
    ],
    seeAlso: ["duplicates", "undo"],
    editing: Editing { invocation in
      let names = try RowSelectors(invocation.operands)
      return { resolver, list in
        let rows = try resolver.rows(names, in: list)
        guard rows.count > 1 else {
          throw Failure.usage("merge needs at least two rows", hint: "for example: customers merge 2 7")
        }
        return .merge(rows.map(\.id))
      }
    })
}

extension DuplicateGroup.Reason {
  fileprivate var title: String {
    switch self {
    case .name: "name"
    case .email: "e-mail"
    case .phone: "phone"
    }
  }
}
