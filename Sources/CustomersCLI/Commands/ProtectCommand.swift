internal import CustomerStore
internal import Formats

extension Command {
  static let protect = Command(
    name: "protect", summary: "forbid or allow to edit, or to move, customers",
    description: [
      "A customer that is not to be edited is not deleted either. One that is not to be moved still slides",
      "when rows around it come and go. Every program that uses the file obeys.",
    ],
    operands: [.many(.row)],
    options: [
      .oneOf([.flag("--no-edit", "forbid to edit and delete"), .flag("--allow-edit", "allow it again")]),
      .oneOf([.flag("--no-move", "forbid to move"), .flag("--allow-move", "allow it again")]),
    ],
    editing: Editing { invocation in
      let names = try RowSelectors(invocation.operands)
      let canEdit = invocation.permission("edit")
      let canMove = invocation.permission("move")
      guard canEdit != nil || canMove != nil else {
        throw Failure.usage("protect against what?", hint: "for example: customers protect 3 --no-edit")
      }
      return { list in
        let finder = try RowResolver(list)
        var rows = try finder.rows(names, in: list)
        for index in rows.indices {
          let before = rows[index]
          rows[index].canEdit = canEdit ?? before.canEdit
          rows[index].canMove = canMove ?? before.canMove
          if rows[index] != before { try list.protect(before.id, canEdit: canEdit, canMove: canMove) }
        }
        return Report(
          lines: rows.map { $0.permissions(finder.outline) },
          json: [
            ("op", .string("protect")), ("protected", .array(rows.map { Record.json($0, finder.outline) })),
          ])
      }
    })
}

extension Invocation {
  /// What `--no-…` and `--allow-…` say; nil if nothing.
  fileprivate func permission(_ what: String) -> Bool? {
    has("--allow-\(what)") ? true : has("--no-\(what)") ? false : nil
  }
}

extension Customer {
  fileprivate func permissions(_ outline: Outline) -> String {
    let words = prohibitions.isEmpty ? "may be edited and moved" : prohibitions.joined(separator: ", ")
    return "\(quoted(name)), row \(outline.position(of: place)): \(words)."
  }
}
