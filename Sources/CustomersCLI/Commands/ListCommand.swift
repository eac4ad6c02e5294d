internal import CustomerStore
internal import CustomersFormats
internal import CustomersTerminalText

extension Command {
  static let list = Command(
    name: "list", aliases: ["ls"], summary: "show the list, in order",
    description: [
      "The columns for --fields, csv, and JSON are id, section (its id), section_title, order (the number in the",
      "section), position (the row number), name,",
      CustomerField.standard.map(\.column).joined(separator: ", ") + ",",
      "can_edit, can_move, and extra (the extra columns), and the name of each extra column, which",
      "`customers columns` lists. csv and tsv are as `customers export` writes them: section is its title, and each",
      "extra column is a column.",
    ],
    options: Listing.groups,
    examples: [
      CommandExample("Show the first ten rows of a section:", "customers list --section leads --limit 10"),
      CommandExample("Choose the columns after the name:", "customers list --fields phone,email"),
      CommandExample("Write a Markdown page:", "customers list --format markdown > customers.md"),
      CommandExample(
        "Show everyone at a bookshop, by last name:",
        "customers list --where company~books --sort last_name"),
    ],
    seeAlso: ["find", "show", "section", "formats"],
    formats: .printed(OutputFormat.ofLists), isPaged: true,
    run: { session in try session.write(Listing(session.invocation)) })

  static let find = Command(
    name: "find", summary: "search the customers",
    description: [
      "Shows the customers in which every word of TEXT occurs, in any field or extra column. Case",
      "and accents make no difference. Row numbers are those in the whole list. Finding nothing is not an error.",
    ],
    operands: [.many(.text())],
    options: [.optional(Listing.wordStarts), .optional(Listing.searched)] + Listing.groups,
    examples: [
      CommandExample("Search all fields:", "customers find müller"),
      CommandExample(
        "Move the matches to the top:", "customers find holmes --format ids | customers move - --first"),
      CommandExample(
        "Search one field, at the beginning of words:", "customers find ho --in last_name --word"),
      CommandExample(
        "Make address cards of the matches:", "customers find holmes --format vcard > holmes.vcf"),
    ],
    seeAlso: ["list", "show"],
    formats: .printed(OutputFormat.ofLists), isPaged: true,
    run: { session in
      let text = session.invocation.operands.joined(separator: " ")
      guard !TextSearch(text).isEmpty else { throw Failure.usage("find needs a word to search for") }
      return try session.write(Listing(session.invocation, finding: text))
    })
}

extension Session {
  /// Writes the rows or their number.
  fileprivate func write(_ listing: Listing) throws -> ExitCode {
    let format = try format()
    if case .file(let format) = format { try refuse(format) } else { try refuse([Listing.ids]) }
    if listing.isCount {
      let count = try readAtLength(rows: listing.rowsRead) { list in try listing.count(list) }
      if format == .json || format == .ndjson {
        try answer([("count", .int(count))])
      } else {
        try output.write("\(count)\n")
      }
      return .done
    }
    let (count, isEmpty) = try readAtLength(rows: listing.rowsRead) { list in
      (try listing.write(list, self, format), try list.count() == 0)
    }
    if isEmpty, format.isForPeople, listing.words == nil {
      try sayHowToBegin()
    } else if count == 0, invocation[Listing.limit] != 0, format.isForPeople, !isQuiet {
      if let words = listing.words {
        try errors.write("No customers match \(quoted(words.text)).\n")
      } else if listing.hasQuestions {
        try errors.write("No customers match.\n")
      }
    }
    return .done
  }
}
