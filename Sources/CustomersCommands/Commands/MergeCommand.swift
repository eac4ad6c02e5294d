internal import CustomerStore
internal import CustomersText

extension Command {
  static let merge = Command(
    name: "merge", summary: "list customers that may be the same, or merge some into one",
    description: [
      "Without ROW, it lists groups that have the name, an e-mail address, or the digits of a phone number",
      "in common. The first ROW stays, with its main values. It gets the others' e-mail addresses, numbers,",
      "addresses, tags, and logs, fills its empty fields, and keeps any other value as an extra column, such",
      "as \"note 2\". merge asks if the customers have nothing in common. Use ids: rows below one shift.",
    ],
    forms: [.plain([.many(.row)]), .plain([], [.required(MergeRequest.all)]), .plain([])],
    examples: [
      CommandExample("Merge the fourth into the second", "customers merge @2 @4 --yes")
    ],
    seeAlso: ["undo", "rows"], isPaged: true, editing: MergeRequest.editing,
    run: { session in
      let invocation = session.invocation
      let mayMerge =
        !invocation.operands.isEmpty || invocation.hasPipedRows || invocation[MergeRequest.all]
      return try mayMerge ? MergeRequest.editing.run(session) : session.listDuplicates()
    })

  static let duplicates = Command(
    name: "duplicates", summary: "list customers that may be the same", earlier: "merge", isPaged: true,
    run: { session in try session.listDuplicates() })
}

private enum MergeRequest {
  static let all = Option.flag("--all", "merge all exact duplicates")

  static let editing = Editing(question: question, asksInScripts: true) { invocation in
    let names = try RowSelectors(invocation.operands)
    let mergesAll = invocation[MergeRequest.all]
    return { resolver, list in
      guard !mergesAll else { return .delete(try list.exactDuplicates()) }
      let rows = try resolver.rows(names, in: list)
      guard rows.count > 1 else {
        throw Failure.usage("merge needs at least two rows", hint: "for example: customers merge 2 7")
      }
      return .merge(rows.map(\.id))
    }
  }

  @Sendable static func question(_ preview: Preview) -> String? {
    switch preview.edit {
    case .merge(let ids): question(ids.compactMap { preview.found.customers[$0] }, preview.outcome.before)
    case .delete(let ids, _) where !ids.isEmpty:
      "Merge \(counted(ids.count, "customer")) into others that are exactly the same?"
    default: nil
    }
  }

  /// The question before customers are merged that seem to be different people; nil if there are none.
  private static func question(_ customers: [Customer], _ outline: ListOutline) -> String? {
    guard let first = customers.first else { return nil }
    let others = customers.dropFirst().filter { other in
      !customers.contains { $0.id != other.id && $0.fields.mayBeSamePerson(as: other.fields) }
    }
    guard !others.isEmpty else { return nil }
    func name(_ customer: Customer) -> String {
      CustomerLabel(customer, at: outline.position(of: customer.place), isByID: false).title
    }
    let shown = others.prefix(5).map(name) + (others.count > 5 ? ["\(others.count - 5) more"] : [])
    return "Merge \(listed(shown, "and")) into \(name(first))? They have no name, e-mail, or phone in common."
  }
}

extension Session {
  /// Writes groups of customers that may be the same.
  fileprivate func listDuplicates() throws -> ExitCode {
    let isJSON = try format() == .json
    try readAtLength { list in
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
        return try output.write(JSON.object(members).text + "\n")
      }
      guard !groups.isEmpty else {
        if !isQuiet { try errors.write("No duplicates.\n") }
        return
      }
      let customers = CustomerColumns(outline, largestID: try list.largestID())
      let table = self.table(customers.tableColumns)
      for group in groups {
        try table.title("Same \(listed(group.reasons.map(\.title), "and"))")
        for id in group.customers { try table.row(customers.cells(try list.customer(id))) }
      }
      try table.end()
    }
    return .done
  }
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
