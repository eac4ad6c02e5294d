internal import Formats
internal import CustomerStore

extension Command {
  static let section = Command(
    name: "section", summary: "add, rename, move, delete or list sections",
    usage: "[list | add TITLE | rename SECTION TITLE | move SECTION N | delete SECTION]",
    notes: [
      "SECTION is a title (or a part that only one has), a number among the sections, or @id. move puts",
      "the section, with its rows, at place N. delete asks, and deletes rows only with --with-customers.",
    ],
    operands: 0...3,
    options: [
      .value("--at", "N", "add: as section N"),
      .value("--footer", "TEXT", "add, rename: the line below the rows"),
      .flag("--with-customers", "delete: with all rows"),
    ],
    run: { session in
      let words = session.invocation.operands
      switch (words.first ?? "list", words.count) {
      case ("list", 0...1): try session.listSections()
      case ("add", 2): try session.addSection(words[1])
      case ("rename", 3): try session.renameSection(words[1], words[2])
      case ("rename", 2) where session.invocation.has("--footer"): try session.renameSection(words[1], nil)
      case ("move", 3): try session.moveSection(words[1], Invocation.number(words[2], for: "section move"))
      case ("delete", 2): return try session.deleteSection(words[1])
      case ("list", _), ("add", _), ("rename", _), ("move", _), ("delete", _):
        throw Failure.usage("section \(words[0]) takes other words", hint: "customers help section")
      default:
        let near = nearest(to: words[0], among: ["list", "add", "rename", "move", "delete"])
        throw Failure.usage(
          "unknown section command '\(printable(words[0]))'", hint: near.map { "did you mean '\($0)'?" })
      }
      return .done
    })
}

extension Session {
  fileprivate func listSections() throws {
    let isJSON = try format() == .json
    let sections = try read { list in try list.sections() }
    if isJSON {
      try output.write(JSON.array(sections.map(Record.json)).text + "\n")
    } else {
      for section in sections {
        let id = padded("@\(section.id.rawValue)", to: 4)
        try output.write(
          "  \(section.order)  \(id) \(printable(section.title)) (\(rowCount(section.count)))\n")
      }
    }
  }

  fileprivate func addSection(_ title: String) throws {
    let place = try invocation.number("--at")
    let footer = invocation.value("--footer") ?? ""
    try edit(creating: true) { list in
      let section = try list.addSection(title: title, footer: footer, at: place)
      return Report(section, "add", "Added section \(quoted(title)) → \(section.order).")
    }
  }

  fileprivate func renameSection(_ name: String, _ title: String?) throws {
    let footer = invocation.value("--footer")
    try edit(creating: false) { list in
      let before = try list.outline().section(titled: name)
      try list.renameSection(before.id, title: title, footer: footer)
      let after = try list.section(before.id)
      return Report(after, "rename", "Renamed section \(quoted(before.title)) → \(quoted(after.title)).")
    }
  }

  fileprivate func moveSection(_ name: String, _ order: Int) throws {
    try edit(creating: false) { list in
      let before = try list.outline().section(titled: name)
      try list.moveSection(before.id, to: order)
      let after = try list.section(before.id)
      return Report(after, "move", "Moved section \(quoted(after.title)) \(before.order) → \(after.order).")
    }
  }

  fileprivate func deleteSection(_ name: String) throws -> ExitCode {
    let section = try read { list in try list.outline().section(titled: name) }
    let withCustomers = invocation.has("--with-customers")
    if !isDryRun {
      let rows = withCustomers && section.count > 0 ? " with \(rowCount(section.count))" : ""
      guard try confirm("Delete section \(quoted(section.title))\(rows)?", to: "section delete") else {
        return .declined
      }
    }
    try edit(creating: false) { list in
      let now = try list.section(section.id)
      try list.deleteSection(section.id, withCustomers: withCustomers)
      let rows = now.count > 0 ? " with \(rowCount(now.count))" : ""
      return Report(now, "delete", "Deleted section \(quoted(now.title))\(rows).")
    }
    return .done
  }
}

extension Report {
  fileprivate init(_ section: Section, _ verb: String, _ line: String) {
    lines = [line]
    json = [("op", .string("section \(verb)")), ("section", Record.json(section))]
  }
}

extension Record {
  /// A section, with the columns of the view `sections`.
  static func json(_ section: Section) -> JSON {
    .object([
      ("id", .int(Int(section.id.rawValue))), ("title", .string(section.title)),
      ("footer", .string(section.footer)), ("order", .int(section.order)), ("count", .int(section.count)),
    ])
  }
}
