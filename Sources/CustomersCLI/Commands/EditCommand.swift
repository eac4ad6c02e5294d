internal import CustomerStore

extension Command {
  static let edit = Command(
    name: "edit", summary: "edit fields of customers",
    description: [
      "Several customers get the same values, as a single step. An empty value clears a field: --note ''.",
      "",
      "--email, --phone, and --address change only the main value. --add-email, --remove-email, and their",
      "like add and remove one of several. If you remove the main one, the next takes its place. A label",
      "goes before a colon: --add-email work:b@y.example.",
      "",
      "--set sets any field or extra column and creates the column if there is none. In an extra column,",
      "--set Due=today+7 is a date, and --set 'Due=\"today\"' is the word.",
      "",
      "Without field options, edit opens one customer in $VISUAL or $EDITOR, on a terminal. It never",
      "overwrites changes that another program makes while you are editing.",
    ],
    forms: RowChoice.forms(FieldOptions.changes) + [
      .plain([.one(.row)], [.required(FieldEdit.usesEditor)])
    ],
    examples: [
      CommandExample("Change two fields:", "customers edit 3 --phone 555-0100 --favorite"),
      CommandExample(
        "Add a number and a tag, and remove another tag:",
        "customers edit 3 --add-phone mobile:555-0199 --tag vip --untag lead"),
      CommandExample("Change all fields in a text editor:", "customers edit 3 --editor"),
      CommandExample(
        "Set an extra column for everyone in a section:",
        "customers edit --where section=leads --set City=Bonn"),
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
          "the editor opens one customer at a time", hint: "to edit several: customers edit 2-4 --note VIP")
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
      let changes = try options.changes(in: list)
      try refuseBlank(rows, changes, resolver)
      return .update(rows.map(\.id), changes)
    }
  }

  @Sendable private static func inBatch(_ invocation: Invocation) throws -> BatchEdit {
    let (choice, options) = try parts(invocation)
    return { resolver, list, batch in
      let rows = try choice.rows(resolver, in: list)
      let changes = try options.changes(in: list)
      try refuseBlank(rows, changes, resolver)
      for row in rows { batch.update(.customer(row.id), changes) }
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
    _ rows: [Customer], _ changes: FieldChanges, _ resolver: RowResolver
  ) throws {
    for row in rows {
      var fields = row.fields
      fields.set(changes)
      try fields.refuseBlank(of: row, resolver.label(row))
    }
  }
}
