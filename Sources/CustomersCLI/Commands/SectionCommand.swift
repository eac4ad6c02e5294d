internal import Formats
internal import CustomerStore

extension Command {
  static let section = Command(
    name: "section", summary: "add, rename, move, delete or list sections",
    description: [
      "SECTION is a title, a number among the sections, @id, or a part of a title that only one has. move",
      "puts the section, with its rows, at place N. delete asks, and deletes rows only with",
      "--with-customers.",
    ],
    forms: [
      .verb("list", isDefault: true),
      .verb(
        "add", [.one(.text("TITLE"))], [.value("--at", .number(), "add: as section N"), .optional(footer)]),
      .verb("rename", [.one(.section), .one(.text("TITLE"))], [.optional(footer)]),
      .verb("rename", [.one(.section)], [.required(footer)]),
      .verb("move", [.one(.section), .one(.number())]),
      .verb("delete", [.one(.section)], [.flag("--with-customers", "delete: with all rows")]),
    ],
    editing: SectionEdit.editing,
    run: { session in
      let words = session.invocation.operands
      guard words.isEmpty || words == ["list"] else { return try SectionEdit.editing.run(session) }
      try session.listSections()
      return .done
    })

  private static let footer = Option.value("--footer", .text(), "add, rename: the line below the rows")
}

extension Session {
  fileprivate func listSections() throws {
    let isJSON = try format() == .json
    let sections = try read { list in try list.sections() }
    if isJSON {
      try output.write(JSON.array(sections.map(Record.json)).text + "\n")
    } else {
      let width = String(sections.count).count
      for section in sections {
        let order = String(repeating: " ", count: width - String(section.order).count) + "\(section.order)"
        let id = padded("@\(section.id.rawValue)", to: 4)
        try output.write(
          "  \(order)  \(id) \(printable(section.title)) (\(rowCount(section.count)))\n")
      }
    }
  }

  fileprivate func confirmSection() throws -> Invocation? {
    let words = invocation.operands
    guard words[0] == "delete" else { return invocation }
    let section = try read { list in try list.outline().section(titled: words[1]) }
    // Nobody is asked about what is refused whatever the answer.
    guard section.count == 0 || invocation.has("--with-customers") else {
      throw ListError.sectionNotEmpty(section.id, count: section.count)
    }
    let rows = section.count > 0 ? " with \(rowCount(section.count))" : ""
    guard try confirm("Delete section \(quoted(section.title))\(rows)?", to: "section delete") else {
      return nil
    }
    var agreed = invocation
    agreed.operands[1] = "@\(section.id.rawValue)"
    return agreed
  }
}

/// The edits of sections.
private enum SectionEdit {
  static let editing = Editing(
    createsFile: { $0.operands.first == "add" }, confirm: { try $0.confirmSection() }
  ) {
    invocation in
    let words = invocation.operands
    return switch words.first {
    case "add": try add(words[1], invocation)
    case "rename": rename(words[1], title: words.count > 2 ? words[2] : nil, invocation)
    case "move": move(words[1], to: try Invocation.number(words[2], for: "section move"))
    case "delete": delete(words[1], withCustomers: invocation.has("--with-customers"))
    default: throw Failure.usage("section list can't stand in a script", offendingArgument: "list")
    }
  }

  private static func add(_ title: String, _ invocation: Invocation) throws -> Edit {
    let place = try invocation.number("--at")
    let footer = invocation.value("--footer") ?? ""
    return { list in
      let section = try list.addSection(title: title, footer: footer, at: place)
      return Report(section, "add", "Added section \(quoted(title)) → \(section.order).")
    }
  }

  private static func rename(_ name: String, title: String?, _ invocation: Invocation) -> Edit {
    let footer = invocation.value("--footer")
    return { list in
      let before = try list.outline().section(titled: name)
      try list.renameSection(before.id, title: title, footer: footer)
      let after = try list.section(before.id)
      return Report(after, "rename", "Renamed section \(quoted(before.title)) → \(quoted(after.title)).")
    }
  }

  private static func move(_ name: String, to order: Int) -> Edit {
    { list in
      let before = try list.outline().section(titled: name)
      try list.moveSection(before.id, to: order)
      let after = try list.section(before.id)
      return Report(after, "move", "Moved section \(quoted(after.title)) \(before.order) → \(after.order).")
    }
  }

  private static func delete(_ name: String, withCustomers: Bool) -> Edit {
    { list in
      let section = try list.outline().section(titled: name)
      try list.deleteSection(section.id, withCustomers: withCustomers)
      let rows = section.count > 0 ? " with \(rowCount(section.count))" : ""
      return Report(section, "delete", "Deleted section \(quoted(section.title))\(rows).")
    }
  }
}

extension Report {
  fileprivate init(_ section: CustomerSection, _ verb: String, _ line: String) {
    lines = [line]
    json = [("op", .string("section \(verb)")), ("section", Record.json(section))]
  }
}

extension Record {
  /// A section, with the columns of the view `sections`.
  static func json(_ section: CustomerSection) -> JSON {
    .object([
      ("id", .int(Int(section.id.rawValue))), ("title", .string(section.title)),
      ("footer", .string(section.footer)), ("order", .int(section.order)), ("count", .int(section.count)),
    ])
  }
}
