internal import CustomerStore
internal import CustomersFormats
internal import CustomersWording

extension Command {
  static let duplicates = Command(
    name: "duplicates", summary: "list customers that may be the same",
    description: [
      "Lists groups of customers that have the name, an e-mail address, or the digits of a phone number in",
      "common. In a name, case, accents, and spaces make no difference. To make one customer of a group,",
      "name its customers by id, as in `customers merge @2 @4`, because the row numbers below a merged row",
      "change.",
    ],
    examples: [
      CommandExample("List possible duplicates:", "customers duplicates"),
      CommandExample("Print the groups for another program:", "customers duplicates --json"),
    ],
    seeAlso: ["merge", "import"], isPaged: true,
    run: { session in
      let isJSON = try session.format() == .json
      try session.readAtLength { list in
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
          try table.title("Same \(listed(group.reasons.map(\.title), "and"))")
          for id in group.customers { try table.row(customers.cells(try list.customer(id))) }
        }
        try table.end()
      }
      return .done
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
