internal import CustomerStore

extension Command {
  static let protect = Command(
    name: "protect", summary: "protect customers against editing or moving", earlier: "edit ROW… --no-edit",
    forms: RowChoice.forms(Protection.groups), editing: Protection.edit)
}

/// The two options of one kind of protection.
struct Protection {
  let forbidden: Option<Bool>
  let allowed: Option<Bool>

  static let editing = Protection(
    forbidden: .flag("--no-edit", "protect against editing and deleting"),
    allowed: .flag("--allow-edit", "allow it again"))
  static let moving = Protection(
    forbidden: .flag("--no-move", "protect against moving"), allowed: .flag("--allow-move", "allow it again"))

  static let groups = [editing, moving].map {
    OptionGroup.oneOf([$0.forbidden, $0.allowed], help: "\($0.forbidden.help), or \($0.allowed.help)")
  }

  /// Whether an option of either is given.
  static func isGiven(_ invocation: Invocation) -> Bool {
    groups.contains { $0.options.contains { invocation.has($0) } }
  }

  /// The edit that protects rows.
  static let edit = Editing { invocation in
    let choice = try RowChoice(invocation)
    let (canEdit, canMove) = (editing.isAllowed(invocation), moving.isAllowed(invocation))
    guard canEdit != nil || canMove != nil else {
      throw Failure.usage(
        "protect needs --no-edit, --no-move, --allow-edit, or --allow-move",
        hint: "for example: customers edit 3 --no-edit")
    }
    return { resolver, list in
      .protect(try choice.rows(resolver, in: list).map(\.id), canEdit: canEdit, canMove: canMove)
    }
  }

  /// Whether it is allowed; nil if that stays as it is.
  func isAllowed(_ invocation: Invocation) -> Bool? {
    invocation[allowed] ? true : invocation[forbidden] ? false : nil
  }
}
