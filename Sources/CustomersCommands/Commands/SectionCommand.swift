internal import CustomerStore
internal import CustomersText

extension Command {
  static let section = Command(
    name: "section", summary: "add, rename, move, delete, or list sections",
    description: [
      "SECTION is a title, a part of one, a section number, or an @id. PLACE is a section number, first,",
      "last, before SECTION, after SECTION, or, for move, -1 or +1. A footer is text below the rows.",
    ],
    forms: [
      .verb("list", isDefault: true),
      .verb(
        "add", [.one(.text("TITLE"))],
        [.optional(SectionEditing.to), .optional(SectionEditing.at), .optional(SectionEditing.footer)]),
      .verb("rename", [.one(.section), .one(.text("TITLE"))], [.optional(SectionEditing.footer)]),
      .verb("footer", [.one(.section), .one(.text())]),
      .verb("move", [.one(.section), .one(.place)]),
      .verb("delete", [.one(.section)], [.optional(SectionEditing.withCustomers)]),
      .verb("rename", [.one(.section)], [.required(SectionEditing.footer)]),
      .verb("move", [.one(.section)], [.required(SectionEditing.moved)]),
    ],
    examples: [
      CommandExample("Add a section as number 2", "customers section add Partners --to 2"),
      CommandExample("To the top", "customers section move archive first"),
    ],
    seeAlso: ["list", "move", "places"],
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
        TableColumn(title: "Number", importance: .fixed), TableColumn(title: "Id", importance: .fixed),
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
  static let to = Option.value("--to", .place, "(add) the place among the sections")
  static let at = Option.spelling("--at", to.value, of: to, "--to PLACE") { $0 }
  /// The same of `move`, whose place needs no option.
  static let moved = Option.value(to.name, .place, earlier: "section move SECTION PLACE")
  static let footer = Option.value("--footer", .text(), earlier: "section footer SECTION TEXT")
  static let withCustomers = Option.flag("--with-customers", "(delete) also delete its customers")

  static let editing = Editing(createsFile: { $0.operands.first == "add" }, question: question) {
    invocation in
    let words = invocation.operands
    switch words.first {
    case "add": return try add(words[1], invocation)
    case "rename":
      let title = words.count > 2 ? words[2] : nil
      let footer = invocation[SectionEditing.footer]
      return edit(words[1]) { .rename($0, title: title, footer: footer) }
    case "footer": return edit(words[1]) { .rename($0, title: nil, footer: words[2]) }
    case "move":
      let place = try invocation[SectionEditing.moved] ?? place(words.count > 2 ? words[2] : "")
      try check(place)
      return { resolver, _ in
        let section = try resolver.section(titled: words[1])
        return .section(.move(section.id, to: try order(of: place, moving: section, resolver)))
      }
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
    let rows = section.count > 0 ? " with \(counted(section.count, "row"))" : ""
    return "Delete section \(quoted(section.title))\(rows)?"
  }

  private static func add(_ title: String, _ invocation: Invocation) throws -> EditRequest {
    let place = invocation[to]
    let footer = invocation[footer] ?? ""
    try place.map(check)
    return { resolver, _ in
      .section(
        .add(title: title, footer: footer, at: try place.map { try order(of: $0, moving: nil, resolver) }))
    }
  }

  private static func place(_ word: String) throws -> PlaceName {
    guard let place = PlaceName(word) else {
      throw Failure.usage(
        "\(quoted(word)) is not a place among the sections",
        hint: "for example: customers section move leads 1",
        offendingArgument: word)
    }
    return place
  }

  private static func check(_ place: PlaceName) throws {
    guard place.section == nil else {
      throw Failure.usage("a section has no place in section \(quoted(place.section ?? ""))")
    }
  }

  /// The section number for a place: that of the section there, once `section`, which moves, is taken away.
  private static func order(
    of place: PlaceName, moving section: CustomerSection?, _ resolver: RowResolver
  ) throws -> Int {
    let others = try resolver.outline.sections.filter { $0.id != section?.id }
    /// A section is already before and after itself.
    func order(_ name: String, after: Bool) throws -> Int {
      let named = try resolver.section(titled: name)
      return others.firstIndex { $0.id == named.id }.map { after ? $0 + 2 : $0 + 1 } ?? named.order
    }
    switch place.spot {
    case .number(let number):
      guard (1...others.count + 1).contains(number) else {
        throw Failure.notFound(Invocation.outOfRange("section number", number, others.count + 1))
      }
      return number
    case .first: return 1
    case .last: return others.count + 1
    case .before(let name): return try order(name, after: false)
    case .after(let name): return try order(name, after: true)
    case .shift(let count):
      guard let section else {
        throw Failure.usage("\(place.word) is a place only for a section that moves")
      }
      let (order, isTooFar) = section.order.addingReportingOverflow(count)
      return isTooFar ? (count < 0 ? 1 : others.count + 1) : min(max(order, 1), others.count + 1)
    }
  }

  private static func edit(
    _ name: String, _ edit: @escaping @Sendable (SectionID) -> SectionEdit
  ) -> EditRequest {
    { resolver, _ in .section(edit(try resolver.section(titled: name).id)) }
  }
}
