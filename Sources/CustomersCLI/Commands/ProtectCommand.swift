internal import CustomerStore

extension Command {
  static let protect = Command(
    name: "protect", summary: "forbid or allow to edit, or to move, customers",
    usage: "ROW… [--no-edit | --allow-edit] [--no-move | --allow-move]",
    notes: [
      "A customer that is not to be edited is not deleted either. One that is not to be moved still slides",
      "when rows around it come and go. Every program that uses the file obeys.",
    ],
    operands: 1...Int.max,
    options: [
      .bool("--no-edit", "forbid to edit and delete"), .bool("--allow-edit", "allow it again"),
      .bool("--no-move", "forbid to move"), .bool("--allow-move", "allow it again"),
    ],
    editing: Editing { invocation in
      let names = try RowSelectors(invocation.operands)
      let canEdit = try invocation.permission("edit")
      let canMove = try invocation.permission("move")
      guard canEdit != nil || canMove != nil else {
        throw Failure.usage("protect against what?", hint: "for example: customers protect 3 --no-edit")
      }
      return { list in
        .protect(try RowResolver(list).rows(names, in: list).map(\.id), canEdit: canEdit, canMove: canMove)
      }
    })
}

extension Invocation {
  /// What `--no-…` and `--allow-…` say; nil if nothing.
  fileprivate func permission(_ what: String) throws -> Bool? {
    switch (has("--no-\(what)"), has("--allow-\(what)")) {
    case (true, true): throw Failure.usage("--no-\(what) and --allow-\(what) exclude each other")
    case (false, false): nil
    case (_, let isAllowed): isAllowed
    }
  }
}
