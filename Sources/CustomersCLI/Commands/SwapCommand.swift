internal import CustomerStore

extension Command {
  static let swap = Command(
    name: "swap", summary: "let two rows change places",
    description: ["The rows may be in different sections."],
    operands: [.one(.row), .one(.row)],
    editing: Editing(onlyMoves: true) { invocation in
      let names = try invocation.operands.map { try RowSelectors([$0]) }
      return { list in
        let finder = try RowResolver(list)
        var rows: [Customer] = []
        for name in names { rows.append(try finder.row(name, in: list)) }
        let moves = try list.swap(rows[0].id, rows[1].id)
        return try Report(moves, of: rows, "swap", before: finder.outline, after: list.outline())
      }
    })
}
