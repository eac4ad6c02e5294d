internal import CustomerStore

extension Command {
  static let edit = Command(
    name: "edit", summary: "change the fields of a customer",
    description: [
      "An empty value empties a field: --note ''. Without fields the customer is opened in $VISUAL or",
      "$EDITOR, if there is a terminal. A field that another program changes meanwhile is not overwritten.",
    ],
    forms: [
      .plain([.one(.row)], FieldOptions.changes),
      .plain([.one(.row)], [.required(.flag("--editor", "change the fields in a text editor"))]),
    ],
    examples: [
      CommandExample("Change two fields:", "customers edit 3 --phone 555-0100 --favorite"),
      CommandExample("Clear a field:", "customers edit \"Sherlock Holmes\" --note ''"),
      CommandExample("Change all fields in a text editor:", "customers edit 3 --editor"),
    ],
    seeAlso: ["show", "protect", "undo", "rows"],
    editing: FieldEdit.editing,
    run: { session in
      let invocation = session.invocation
      let isOfFields = FieldOptions.areGiven(invocation) || !session.canAsk
      return try isOfFields && !invocation.has("--editor")
        ? FieldEdit.editing.run(session) : session.editInEditor()
    })
}

/// The edit of fields that options give.
private enum FieldEdit {
  static let editing = Editing(batch: inBatch) { invocation in
    let names = try RowSelectors(invocation.operands)
    try check(invocation)
    return { list in
      .update(try RowResolver(list).row(names, in: list).id, FieldOptions.values(invocation))
    }
  }

  @Sendable private static func inBatch(_ invocation: Invocation) throws -> BatchEdit {
    let names = try RowSelectors(invocation.operands)
    try check(invocation)
    return { finder, list, batch in
      let row = try finder.row(names, in: list)
      batch.update(.customer(row.id), FieldOptions.values(invocation))
    }
  }

  private static func check(_ invocation: Invocation) throws {
    guard FieldOptions.areGiven(invocation) else {
      throw Failure.usage("nothing to change", hint: "for example: customers edit 3 --phone 555-0100")
    }
  }
}
