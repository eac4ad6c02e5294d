internal import Formats
internal import CustomerStore

extension Command {
  static let delete = Command(
    name: "delete", aliases: ["rm"], summary: "delete customers", operands: [.many(.row)],
    editing: Editing(confirm: { try $0.confirmDelete() }, batch: deleteInBatch) { invocation in
      let names = try RowSelectors(invocation.operands)
      return { list in
        let finder = try RowResolver(list)
        let rows = try finder.rows(names, in: list)
        try list.delete(rows.map(\.id))
        return Report(
          lines: rows.map { $0.wasDeleted(finder.outline) },
          json: [
            ("op", .string("delete")), ("deleted", .array(rows.map { Record.json($0, finder.outline) })),
          ])
      }
    })
}

extension Customer {
  /// The line that says so.
  func wasDeleted(_ outline: Outline) -> String {
    "Deleted \(quoted(name)), row \(outline.position(of: place))."
  }
}

extension Session {
  fileprivate func confirmDelete() throws -> Invocation? {
    let names = try RowSelectors(invocation.operands)
    let rows = try read { list in try RowResolver(list).rows(names, in: list) }
    let question = rows.count == 1 ? "Delete \(quoted(rows[0].name))?" : "Delete \(rows.count) customers?"
    guard try confirm(question, to: "delete") else { return nil }
    var agreed = invocation
    agreed.operands = rows.map { "@\($0.id.rawValue)" }
    return agreed
  }
}

@Sendable private func deleteInBatch(_ invocation: Invocation) throws -> BatchEdit {
  let names = try RowSelectors(invocation.operands)
  return { finder, list, batch in
    for row in try finder.rows(names, in: list) { batch.delete(.customer(row.id)) }
  }
}
