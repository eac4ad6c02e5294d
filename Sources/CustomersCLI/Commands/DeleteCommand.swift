internal import Formats
internal import CustomerStore

extension Command {
  static let delete = Command(
    name: "delete", aliases: ["rm"], summary: "delete customers", usage: "ROW…", operands: 1...Int.max,
    run: { session in
      let operands = session.invocation.operands
      // Looked up before the question, deleted by id after it: rows may slide while a person thinks.
      let asked = try session.read { list in try RowFinder(list).rows(operands, in: list) }
      if !session.isDryRun {
        let question =
          asked.count == 1 ? "Delete \(quoted(asked[0].name))?" : "Delete \(asked.count) customers?"
        guard try session.confirm(question, to: "delete") else { return .declined }
      }
      try session.edit(creating: false) { list in
        let outline = try list.outline()
        let rows = try asked.map { try list.customer($0.id) }
        try list.delete(rows.map(\.id))
        return Report(
          lines: rows.map { "Deleted \(quoted($0.name)), row \(outline.position(of: $0.place))." },
          json: [("op", .string("delete")), ("deleted", .array(rows.map { Record.json($0, outline) }))])
      }
      return .done
    })
}
