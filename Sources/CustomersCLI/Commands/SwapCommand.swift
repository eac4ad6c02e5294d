internal import CustomerStore

extension Command {
  static let swap = Command(
    name: "swap", summary: "swap two rows",
    description: ["The rows may be in different sections."],
    operands: [.one(.row), .one(.row)],
    examples: [
      CommandExample("Swap the first two rows:", "customers swap 1 2"),
      CommandExample("Swap rows of different sections:", "customers swap \"Jane Eyre\" leads/1"),
    ],
    seeAlso: ["move", "rows"],
    editing: Editing(onlyMoves: { _ in true }) { invocation in
      let names = try invocation.operands.map { try RowSelectors([$0]) }
      return { resolver, list in
        let rows = [try resolver.row(names[0], in: list), try resolver.row(names[1], in: list)]
        return .swap(rows[0].id, rows[1].id)
      }
    })
}
