internal import CustomerStore

extension Command {
  static let add = Command(
    name: "add", summary: "append or insert a customer",
    description: [
      "NAME is split into first and last name. Without a place the customer goes to the end of the",
      "section, without a section to the first one.",
    ],
    operands: [.optional(.text("NAME"))],
    options: FieldOptions.groups + Placement.groups(.value("--at", .number(), "as row N")) + [
      .value("--as", .text("NAME"), "in a script: what the row is called there, for $NAME")
    ],
    examples: [
      CommandExample(
        "Add a customer to the end of the first section:", "customers add \"Ann Lee\" --phone 555-0100"),
      CommandExample("Add one as row 3:", "customers add \"Ann Lee\" --at 3"),
      CommandExample(
        "Add one to the top of another section:", "customers add \"Ann Lee\" --section leads --first"),
    ],
    seeAlso: ["edit", "import", "section"],
    editing: Editing(createsFile: { _ in true }, batch: addToBatch) { invocation in
      let fields = try newFields(invocation)
      let placement = try Placement(invocation, number: invocation.number("--at"))
      return { list in
        let target = try placement.target(RowResolver(list), in: list)
        return .insert([NewCustomer(fields)], at: target?.destination ?? .last, in: target?.section)
      }
    })
}

private func newFields(_ invocation: Invocation) throws -> CustomerFields {
  var fields = CustomerFields(name: invocation.operands.first ?? "")
  for (field, value) in FieldOptions.values(invocation) { fields[field] = value }
  guard fields != CustomerFields() else {
    throw Failure.usage("nothing to add", hint: "customers add \"Ann Lee\" --phone 555-0100")
  }
  return fields
}

@Sendable private func addToBatch(_ invocation: Invocation) throws -> BatchEdit {
  let fields = try newFields(invocation)
  let target = try Placement(invocation, number: invocation.number("--at")).batchTarget()
  return { finder, _, batch in
    batch.insert(fields, at: try target(finder, finder.outline.sections.first?.id)(0))
  }
}
