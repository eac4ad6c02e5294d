internal import CustomerStore
internal import Formats

extension Command {
  static let list = Command(
    name: "list", aliases: ["ls"], summary: "show the list, in order",
    description: [
      "The columns are id, section, order (in the section), position (in the whole list), name, first_name,",
      "last_name, company, email, phone, address, note, is_favorite, can_edit, can_move and extra, and",
      "the extra columns: customers columns lists them.",
    ],
    options: Listing.groups,
    examples: [
      CommandExample(
        purpose: "everyone in Berlin, by company",
        line: "customers list --where City=Berlin --sort company --fields City,phone")
    ], seeAlso: ["rows", "find"], formats: Format.ofLists, isPaged: true,
    run: { session in try session.write(Listing(session.invocation)) })

  static let find = Command(
    name: "find", summary: "show the rows that have a text in any field",
    description: [
      "Every word of TEXT must be a part of some field, extra columns too; case and accents are",
      "ignored. Rows keep the number that they have in the list. Finding nothing is not an error.",
    ],
    operands: [.many(.text())],
    options: [
      .flag("--word", "only at the beginning of words"),
      .value("--in", .fields, "only in these fields"),
    ] + Listing.groups,
    examples: [CommandExample(purpose: "whom we met at the fair", line: "customers find fair --in note")],
    seeAlso: ["list"], formats: Format.ofLists, isPaged: true,
    run: { session in
      let text = session.invocation.operands.joined(separator: " ")
      guard !TextSearch(text).isEmpty else { throw Failure.usage("find needs a word to look for") }
      return try session.write(Listing(session.invocation, finding: text))
    })
}

extension Session {
  /// Writes the rows, or how many they are.
  fileprivate func write(_ listing: Listing) throws -> ExitCode {
    let format = try format()
    if invocation.has("--count") {
      let count = try read { list in try listing.count(list) }
      if format == .json || format == .ndjson {
        try answer([("count", .int(count))])
      } else {
        try output.write("\(count)\n")
      }
      return .done
    }
    let (count, isEmpty) = try read { list in
      (try listing.write(list, self, format), try list.count() == 0)
    }
    if isEmpty, format.isTable, invocation.command?.name == Command.list.name {
      try sayHowToBegin()
    } else if count == 0, format.isTable, !isQuiet {
      let words = invocation.command?.name == Command.find.name ? invocation.operands : []
      if !words.isEmpty {
        try errors.write("No customer has \(quoted(words.joined(separator: " "))).\n")
      } else if invocation.has(RowChoice.option.name) {
        try errors.write("No customers match.\n")
      }
    }
    return .done
  }
}
