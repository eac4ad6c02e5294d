internal import CustomerStore
internal import Formats
internal import Platform

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
      let finder = try RowResolver(list)
      let before = try finder.row(names, in: list)
      let after = try list.update(before.id) { FieldOptions.apply(invocation, to: &$0) }
      return Report(edited: before, after, finder.outline)
    }
  }

  @Sendable private static func inBatch(_ invocation: Invocation) throws -> BatchEdit {
    let names = try RowSelectors(invocation.operands)
    try check(invocation)
    return { finder, list, batch in
      let row = try finder.row(names, in: list)
      batch.update(.customer(row.id)) { FieldOptions.apply(invocation, to: &$0) }
    }
  }

  private static func check(_ invocation: Invocation) throws {
    guard FieldOptions.areGiven(invocation) else {
      throw Failure.usage("nothing to change", hint: "for example: customers edit 3 --phone 555-0100")
    }
  }
}

extension Report {
  /// Which fields of a customer have another value now.
  init(edited before: Customer, _ after: Customer, _ outline: Outline) {
    var changed = Field.all.filter { before.fields[keyPath: $0.path] != after.fields[keyPath: $0.path] }
      .map { $0.title.lowercased() }
    if before.fields.isFavorite != after.fields.isFavorite { changed.append("favourite") }
    let position = outline.position(of: after.place)
    let line = "Edited \(quoted(after.name)), row \(position): \(changed.joined(separator: ", "))."
    remark = changed.isEmpty ? "Nothing changed." : nil
    lines = changed.isEmpty ? [] : [line]
    let edited = changed.isEmpty ? [] : [Record.json(after, outline)]
    json = [("op", .string("edit")), ("edited", .array(edited))]
  }
}
