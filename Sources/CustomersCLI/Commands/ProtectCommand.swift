internal import CustomerStore

extension Command {
  static let protect = Command(
    name: "protect", summary: "protect customers against editing or moving",
    description: [
      "A customer protected against editing can't be deleted either. One protected against moving still",
      "shifts when rows around it are added or removed. The protection applies to every program that",
      "uses the file.",
    ],
    forms: RowChoice.forms([
      .oneOf([.flag("--no-edit", "forbid editing and deleting"), .flag("--allow-edit", "allow it again")]),
      .oneOf([.flag("--no-move", "forbid moving"), .flag("--allow-move", "allow it again")]),
    ]),
    examples: [
      CommandExample(
        "Protect a customer against editing and moving:", "customers protect 1 --no-edit --no-move"),
      CommandExample("Allow both again:", "customers protect 1 --allow-edit --allow-move"),
    ],
    seeAlso: ["edit", "move", "rows"],
    editing: Editing { invocation in
      let choice = try RowChoice(invocation)
      let canEdit = invocation.permission("edit")
      let canMove = invocation.permission("move")
      guard canEdit != nil || canMove != nil else {
        throw Failure.usage(
          "protect needs --no-edit, --no-move, --allow-edit or --allow-move",
          hint: "for example: customers protect 3 --no-edit")
      }
      return { resolver, list in
        .protect(try choice.rows(resolver, in: list).map(\.id), canEdit: canEdit, canMove: canMove)
      }
    })
}

extension Invocation {
  /// The right given by `--no-…` or `--allow-…`, if any.
  fileprivate func permission(_ what: String) -> Bool? {
    has("--allow-\(what)") ? true : has("--no-\(what)") ? false : nil
  }
}
