internal import CustomerStore

extension Command {
  static let delete = Command(
    name: "delete", aliases: ["rm"], summary: "delete customers", operands: [.many(.row)],
    examples: [
      CommandExample("Delete a customer, and take that back:", "customers delete 3\ncustomers undo"),
      CommandExample("Delete several without a question:", "customers delete 2,5-7 --yes"),
    ],
    seeAlso: ["undo", "section", "rows"],
    editing: Editing(question: { question($1.rows) }, batch: deleteInBatch) { invocation in
      let names = try RowSelectors(invocation.operands)
      return { list in .delete(try RowResolver(list).rows(names, in: list).map(\.id)) }
    })
}

private func question(_ rows: [EditOutcome.Row]) -> String {
  rows.count == 1 ? "Delete \(quoted(rows[0].customer.name))?" : "Delete \(rows.count) customers?"
}

@Sendable private func deleteInBatch(_ invocation: Invocation) throws -> BatchEdit {
  let names = try RowSelectors(invocation.operands)
  return { finder, list, batch in
    for row in try finder.rows(names, in: list) { batch.delete(.customer(row.id)) }
  }
}
