internal import CustomerStore

extension Command {
  static let protect = Command(
    name: "protect", summary: "forbid or allow to edit, or to move, customers",
    description: [
      "A customer that is not to be edited is not deleted either. One that is not to be moved still slides",
      "when rows around it come and go. Every program that uses the file obeys.",
    ],
    forms: RowChoice.forms([
      .oneOf([.flag("--no-edit", "forbid to edit and delete"), .flag("--allow-edit", "allow it again")]),
      .oneOf([.flag("--no-move", "forbid to move"), .flag("--allow-move", "allow it again")]),
    ]),
    examples: [
      CommandExample("Keep a customer as it is and where it is:", "customers protect 1 --no-edit --no-move"),
      CommandExample("Allow both again:", "customers protect 1 --allow-edit --allow-move"),
    ],
    seeAlso: ["edit", "move", "rows"],
    editing: Editing { invocation in
      let choice = try RowChoice(invocation)
      let canEdit = invocation.permission("edit")
      let canMove = invocation.permission("move")
      guard canEdit != nil || canMove != nil else {
        throw Failure.usage("protect against what?", hint: "for example: customers protect 3 --no-edit")
      }
      return { resolver, list in
        .protect(try choice.rows(resolver, in: list).map(\.id), canEdit: canEdit, canMove: canMove)
      }
    })
}

extension Invocation {
  /// What `--no-…` and `--allow-…` say; nil if nothing.
  fileprivate func permission(_ what: String) -> Bool? {
    has("--allow-\(what)") ? true : has("--no-\(what)") ? false : nil
  }
}
