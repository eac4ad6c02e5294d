internal import CustomerStore
internal import CustomersTerminalText

extension Command {
  static let delete = Command(
    name: "delete", aliases: ["rm"], summary: "delete customers",
    description: ["Asks for confirmation. `customers undo` restores the customers."],
    forms: RowChoice.forms([]),
    examples: [
      CommandExample("Delete a customer and undo that:", "customers delete 3\ncustomers undo"),
      CommandExample("Delete several without asking:", "customers delete 2,5-7 --yes"),
      CommandExample(
        "Delete everyone without an e-mail address:", "customers delete --where email= --yes"),
    ],
    seeAlso: ["undo", "section", "rows"],
    editing: Editing(question: { question($0.outcome) }, batch: deleteInBatch) { invocation in
      let choice = try RowChoice(invocation)
      return { resolver, list in .delete(try choice.rows(resolver, in: list).map(\.id)) }
    })
}

/// Names the first five, so that no one deletes the wrong customer.
private func question(_ outcome: EditOutcome) -> String? {
  let rows = outcome.rows
  let count = rows.count + outcome.runs.reduce(0) { $0 + $1.count }
  guard count > 0 else { return nil }
  if count == 1, let row = rows.first {
    let position = row.from.map(outcome.before.position) ?? 0
    return "Delete \(CustomerLabel(row.customer, at: position, isByID: false).title)?"
  }
  let names = rows.prefix(5).map { quoted($0.customer.name) }
  let shown = names.isEmpty ? "" : ": " + names.joined(separator: ", ")
  let more = count > names.count && !names.isEmpty ? " and \(count - names.count) more" : ""
  return "Delete \(count) customers\(shown)\(more)?"
}

@Sendable private func deleteInBatch(_ invocation: Invocation) throws -> BatchEdit {
  let choice = try RowChoice(invocation)
  return { resolver, list, batch in
    for row in try choice.rows(resolver, in: list) { batch.delete(.customer(row.id)) }
  }
}
