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
      Protection.editing.group, Protection.moving.group,
    ]),
    examples: [
      CommandExample(
        "Protect a customer against editing and moving:", "customers protect 1 --no-edit --no-move"),
      CommandExample("Allow both again:", "customers protect 1 --allow-edit --allow-move"),
    ],
    seeAlso: ["edit", "move", "rows"],
    editing: Editing { invocation in
      let choice = try RowChoice(invocation)
      let canEdit = Protection.editing.isAllowed(invocation)
      let canMove = Protection.moving.isAllowed(invocation)
      guard canEdit != nil || canMove != nil else {
        throw Failure.usage(
          "protect needs --no-edit, --no-move, --allow-edit, or --allow-move",
          hint: "for example: customers protect 3 --no-edit")
      }
      return { resolver, list in
        .protect(try choice.rows(resolver, in: list).map(\.id), canEdit: canEdit, canMove: canMove)
      }
    })
}

/// The two options of one kind of protection.
private struct Protection {
  let forbidden: Option<Bool>
  let allowed: Option<Bool>

  static let editing = Protection(
    forbidden: .flag("--no-edit", "forbid editing and deleting"),
    allowed: .flag("--allow-edit", "allow it again"))
  static let moving = Protection(
    forbidden: .flag("--no-move", "forbid moving"), allowed: .flag("--allow-move", "allow it again"))

  var group: OptionGroup { .oneOf([forbidden, allowed]) }

  /// Whether it is allowed; nil if that stays as it is.
  func isAllowed(_ invocation: Invocation) -> Bool? {
    invocation[allowed] ? true : invocation[forbidden] ? false : nil
  }
}
