internal import CustomerStore
internal import CustomersText

extension Command {
  static let section = Command(
    name: "section", summary: "add, rename, move, delete, or list sections",
    description: [
      "SECTION is a title (or unambiguous whole words of one), a section number, or an @id. move makes a section",
      "number N, with its rows. delete asks for confirmation and deletes a section that is not empty only with",
      "--with-customers.",
    ],
    forms: [
      .verb("list", isDefault: true),
      .verb(
        "add", [.one(.text("TITLE"))],
        [.optional(SectionEditing.number), .optional(SectionEditing.footer)]),
      .verb("rename", [.one(.section), .one(.text("TITLE"))], [.optional(SectionEditing.footer)]),
      .verb("rename", [.one(.section)], [.required(SectionEditing.footer)]),
      .verb("move", [.one(.section), .one(.number())]),
      .verb("move", [.one(.section)], [.required(SectionEditing.target)]),
      .verb("delete", [.one(.section)], [.optional(SectionEditing.withCustomers)]),
    ],
    examples: [
      CommandExample("Add a section as number 2:", "customers section add Partners --at 2"),
      CommandExample("Rename a section:", "customers section rename leads Prospects"),
      CommandExample("Move a section to the top:", "customers section move archive 1"),
      CommandExample(
        "Delete a section and its customers:", "customers section delete archive --with-customers"),
    ],
    seeAlso: ["list", "move"],
    editing: SectionEditing.editing,
    run: { session in
      let words = session.invocation.operands
      guard words.isEmpty || words == ["list"] else { return try SectionEditing.editing.run(session) }
      try session.listSections()
      return .done
    })
}

extension Session {
  fileprivate func listSections() throws {
    let isJSON = try format() == .json
    let sections = try read { list in try list.outline().sections }
    if isJSON {
      try output.write(JSON.array(sections.map(JSONShapes.section.json)).text + "\n")
    } else {
      let table = table([
        TableColumn(title: "Order", importance: .fixed), TableColumn(title: "Id", importance: .fixed),
        TableColumn(title: "Title", importance: .name), TableColumn(title: "Rows", importance: .fixed),
        TableColumn(title: "Footer", isOptional: true),
      ])
      for section in sections {
        try table.row([
          TableCell(section.order), TableCell("@\(section.id.rawValue)", .detail),
          section.title.isEmpty ? TableCell("(no title)", .detail) : TableCell(section.title, .sectionTitle),
          TableCell(section.count), TableCell(section.footer, .detail),
        ])
      }
      try table.end()
    }
  }
}

private enum SectionEditing {
  static let number = Option.value("--at", .number(), "(add) insert as section N")
  static let footer = Option.value("--footer", .text(), "(add, rename) text shown below the section")
  static let target = Option.value("--to", .number(), "(move) make it section N")
  static let withCustomers = Option.flag("--with-customers", "(delete) also delete its customers")

  static let editing = Editing(createsFile: { $0.operands.first == "add" }, question: question) {
    invocation in
    let words = invocation.operands
    switch words.first {
    case "add": return add(words[1], invocation)
    case "rename":
      let title = words.count > 2 ? words[2] : nil
      let footer = invocation[SectionEditing.footer]
      return edit(words[1]) { .rename($0, title: title, footer: footer) }
    case "move":
      let order =
        try invocation[SectionEditing.target]
        ?? Invocation.number(words.count > 2 ? words[2] : "", for: "section move")
      return edit(words[1]) { .move($0, to: order) }
    case "delete":
      let withCustomers = invocation[SectionEditing.withCustomers]
      return edit(words[1]) { .delete($0, withCustomers: withCustomers) }
    default: throw Failure.usage("section list is not allowed in a script", offendingArgument: "list")
    }
  }

  @Sendable private static func question(_ preview: Preview) -> String? {
    guard case .section(.delete) = preview.edit, let section = preview.outcome.sections.first?.before else {
      return nil
    }
    let rows = section.count > 0 ? " with \(rowCount(section.count))" : ""
    return "Delete section \(quoted(section.title))\(rows)?"
  }

  private static func add(_ title: String, _ invocation: Invocation) -> EditRequest {
    let order = invocation[number]
    let footer = invocation[footer] ?? ""
    return { _, _ in .section(.add(title: title, footer: footer, at: order)) }
  }

  private static func edit(
    _ name: String, _ edit: @escaping @Sendable (SectionID) -> SectionEdit
  ) -> EditRequest {
    { resolver, _ in .section(edit(try resolver.section(titled: name).id)) }
  }
}
