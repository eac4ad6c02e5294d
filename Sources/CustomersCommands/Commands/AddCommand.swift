@_spi(Tools) internal import CustomerStore

extension Command {
  static let add = Command(
    name: "add", summary: "add a customer",
    description: [
      "NAME is split into first and last name: \"Ann Lee\", \"Lee, Ann\", \"Carla de la Cruz\". An e-mail address",
      "alone is that. The customer goes to the end of --section, else of the section that `customers config",
      "section` names, else of the first one. Repeat the option for more than one email, phone, or address:",
      "the first is the main one. A label goes before a colon.",
    ],
    operands: [.optional(.text("NAME"))],
    options: FieldOptions.groups + Placement.groups + [.optional(Editing.rowName)],
    examples: [
      CommandExample("Also a tag", "customers add \"Ann Lee\" --phone mobile:555-0199 --tag vip"),
      CommandExample("At the top of a section", "customers add \"Ann Lee\" --to leads/first"),
    ],
    seeAlso: ["edit", "import", "section"],
    editing: Editing(createsFile: { _ in true }, batch: addToBatch) {
      invocation in
      let request = try NewRow(invocation)
      let placement = try Placement(invocation)
      return { resolver, list in
        let target = try placement.target(resolver, in: list)
        let section =
          try placement.isInDefaultSection
          ? ListConfig.section(for: invocation, resolver, in: list) : target?.section
        let fields = try request.fields(in: list)
        return .insert([NewCustomer(fields)], at: target?.destination ?? .last, in: section)
      }
    })
}

/// The fields and protection of a new customer.
private struct NewRow: Sendable {
  private let options: FieldOptions

  init(_ invocation: Invocation) throws {
    let name = invocation.operands.first
    options = try FieldOptions(invocation, name: name, nameWord: "NAME")
    guard name?.isEmpty == false || FieldOptions.areGiven(invocation) else { throw NewRow.nothing }
  }

  func fields(in list: borrowing CustomerList) throws -> CustomerFields {
    var fields = CustomerFields()
    fields.set(try options.changes(in: list))
    // Tags and marks do not say who it is.
    var described = fields
    described.tags = ""
    guard !described.isBlank else { throw NewRow.nothing }
    return fields
  }

  /// The fields by which a customer is known.
  private static let named = CustomerField.texts.filter { $0.kind != .lines }

  private static let nothing = Failure.usage(
    "nothing to add: a customer needs \(listed(named.map { $0.title.lowercased() }, "or"))",
    hint: "for example: customers add \"Ann Lee\" --phone 555-0100")
}

@Sendable private func addToBatch(_ invocation: Invocation) throws -> BatchEdit {
  let request = try NewRow(invocation)
  let placement = try Placement(invocation)
  let target = try placement.batchTarget()
  return { resolver, list, batch in
    let home =
      try placement.isInDefaultSection ? ListConfig.section(for: invocation, resolver, in: list) : nil
    let place = try target(resolver, home ?? resolver.outline.sections.first?.id)(0)
    batch.insert(try request.fields(in: list), at: place)
  }
}
