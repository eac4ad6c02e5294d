internal import CustomerStore

extension Command {
  static let list = Command(
    name: "list", aliases: ["ls"], summary: "show the list, in order",
    description: [
      "The columns are id, section, order (in the section), position (in the whole list), name, first_name,",
      "last_name, company, email, phone, address, note, is_favorite, can_edit, can_move and extra.",
    ],
    options: Listing.groups,
    examples: [
      CommandExample("Show the first ten rows of a section:", "customers list --section leads --limit 10"),
      CommandExample("Choose the columns after the name:", "customers list --fields phone,email"),
      CommandExample("Make a page of it:", "customers list --format markdown > customers.md"),
    ],
    seeAlso: ["find", "show", "section", "formats"],
    formats: Format.ofLists, isPaged: true,
    run: { session in
      let format = try session.format()
      let listing = try Listing(session.invocation)
      let isEmpty = try session.read { list in
        try listing.write(list, session, format)
        return try list.count() == 0
      }
      if isEmpty, format.isTable { try session.sayHowToBegin() }
      return .done
    })

  static let find = Command(
    name: "find", summary: "show the rows that have a text in any field",
    description: [
      "Every word of TEXT must be a part of some field, or of a column kept from an import; capital",
      "letters are no matter. Rows keep the number that they have in the list. That nothing is found is no",
      "error: the exit code is 0, and standard output has no row.",
    ],
    operands: [.many(.text())], options: Listing.groups,
    examples: [
      CommandExample("Find customers by any of their fields:", "customers find müller"),
      CommandExample("Find those that have both words:", "customers find jane school"),
      CommandExample(
        "Give what is found to another program:", "customers find holmes --format csv --fields name,email"),
    ],
    seeAlso: ["list", "show"],
    formats: Format.ofLists, isPaged: true,
    run: { session in
      let format = try session.format()
      let words = session.invocation.operands
      let search = TextSearch(words.joined(separator: " "))
      guard !search.isEmpty else { throw Failure.usage("find needs a word to look for") }
      let listing = try Listing(session.invocation, search: search)
      let count = try session.read { list in try listing.write(list, session, format) }
      if count == 0, format.isTable, !session.isQuiet {
        try session.errors.write("No customer has \(quoted(words.joined(separator: " "))).\n")
      }
      return .done
    })
}
