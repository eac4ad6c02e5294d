internal import CustomerStore

extension Command {
  static let edit = Command(
    name: "edit", summary: "edit fields of customers",
    description: [
      "An empty value clears a field: --note ''. Several customers get the same values, as a single",
      "undo step. With no field options, opens one customer in $VISUAL or $EDITOR (needs a terminal).",
      "Changes made by another program while you edit are never overwritten.",
      "In an extra column, --set Due=today+7 is a date; --set 'Due=\"today\"' is the word.",
      "Other contacts and tags have one value per line.",
    ],
    forms: RowChoice.forms(FieldOptions.changes) + [
      .plain([.one(.row)], [.required(FieldEdit.usesEditor)])
    ],
    examples: [
      CommandExample("Change two fields:", "customers edit 3 --phone 555-0100 --favorite"),
      CommandExample("Clear a field:", "customers edit \"Sherlock Holmes\" --note ''"),
      CommandExample("Change all fields in a text editor:", "customers edit 3 --editor"),
      CommandExample(
        "Set a column for everyone in a section:", "customers edit --where section=leads --set City=Bonn"),
    ],
    seeAlso: ["columns", "show", "protect", "undo", "rows"],
    editing: FieldEdit.editing,
    run: { session in
      let invocation = session.invocation
      guard invocation[FieldEdit.usesEditor] || !FieldOptions.areGiven(invocation) && session.canAsk else {
        return try FieldEdit.editing.run(session)
      }
      guard invocation[RowChoice.option].isEmpty, invocation.operands.count == 1 else {
        throw Failure.usage(
          "the editor opens one customer at a time", hint: "for several: customers edit 2-4 --note VIP")
      }
      return try session.editInEditor()
    })
}

/// The edit of the fields given as options.
enum FieldEdit {
  static let usesEditor = Option.flag("--editor", "change the fields in a text editor")

  static let editing = Editing(batch: inBatch) { invocation in
    let (choice, options) = try parts(invocation)
    return { resolver, list in
      let rows = try choice.rows(resolver, in: list)
      let values = try options.values(in: list)
      try refuseBlank(rows, values, resolver)
      return .update(rows.map(\.id), values)
    }
  }

  @Sendable private static func inBatch(_ invocation: Invocation) throws -> BatchEdit {
    let (choice, options) = try parts(invocation)
    return { resolver, list, batch in
      let rows = try choice.rows(resolver, in: list)
      let values = try options.values(in: list)
      try refuseBlank(rows, values, resolver)
      for row in rows { batch.update(.customer(row.id), values) }
    }
  }

  private static func parts(_ invocation: Invocation) throws -> (RowChoice, FieldOptions) {
    let choice = try RowChoice(invocation)
    guard FieldOptions.areGiven(invocation) else {
      throw Failure.usage("nothing to change", hint: "for example: customers edit 3 --phone 555-0100")
    }
    return (choice, try FieldOptions(invocation))
  }

  /// Refuses to clear every field of a customer.
  private static func refuseBlank(
    _ rows: [Customer], _ values: [CustomerField: FieldValue], _ resolver: RowResolver
  ) throws {
    for row in rows {
      var fields = row.fields
      for (field, value) in values { fields[field] = value }
      try fields.refuseBlank(of: row, resolver.label(row))
    }
  }
}
