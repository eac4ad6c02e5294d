internal import CustomerStore

extension Command {
  static let protect = Command(
    name: "protect", summary: "protect customers against editing or moving",
    earlier: "edit ROW… --protect edit", forms: RowChoice.forms(Protection.groups), editing: Protection.edit)
}

/// The options that protect rows against edits, moves, or both, or end that.
enum Protection {
  private enum Act: String, CaseIterable { case edit, move }

  private static let forbidden = Option.values(
    "--protect", Argument<Act>.choices("edit,move"), "protect against editing (and deleting), moving, or both"
  )
  private static let allowed = Option.values(
    "--allow", Argument<Act>.choices("edit,move"), "allow it again")

  static let groups: [OptionGroup] =
    [.optional(forbidden), .optional(allowed)]
    + Act.allCases.flatMap { act in
      [("--no-\(act)", forbidden), ("--allow-\(act)", allowed)].map { name, option in
        .optional(Option.spelling(name, of: option, "\(option.name) \(act)") { _ in act.rawValue })
      }
    }

  /// Whether an option of either is given.
  static func isGiven(_ invocation: Invocation) -> Bool {
    invocation.has(forbidden) || invocation.has(allowed)
  }

  /// The edit that protects rows.
  static let edit = Editing { invocation in
    let choice = try RowChoice(invocation)
    let (canEdit, canMove) = (try isAllowed(.edit, invocation), try isAllowed(.move, invocation))
    guard canEdit != nil || canMove != nil else {
      throw Failure.usage(
        "protect needs \(forbidden.name) or \(allowed.name)",
        hint: "for example: customers edit 3 \(forbidden.name) edit")
    }
    return { resolver, list in
      .protect(try choice.rows(resolver, in: list).map(\.id), canEdit: canEdit, canMove: canMove)
    }
  }

  /// Whether it is allowed; nil if that stays as it is.
  private static func isAllowed(_ act: Act, _ invocation: Invocation) throws -> Bool? {
    let (no, yes) = (
      invocation[forbidden].joined().contains(act), invocation[allowed].joined().contains(act)
    )
    guard !no || !yes else {
      throw Failure.contradictory("\(forbidden.name) \(act)", "\(allowed.name) \(act)")
    }
    return no || yes ? yes : nil
  }
}
