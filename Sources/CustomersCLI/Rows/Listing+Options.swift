/// The options of `list`, `find` and, but for the number of rows, `export`.
extension Listing {
  static let section = Option.onlySection()
  static let fields = Option.value(
    "--fields", short: "-f", .columns, "show these columns (a table always shows the name)")
  static let sort = Option.value(
    "--sort", .fields, "sort the output, not the list, by these fields")
  static let reverse = Option.flag("--reverse", "in descending order")
  static let limit = Option.value("--limit", short: "-l", .count(), "at most N rows")
  static let offset = Option.value("--offset", .count(), "skip the first N rows")
  static let count = Option.flag("--count", "print only the number of rows")
  static let noHeader = Option.flag("--no-header", "omit the header line")
  static let ids = Option.flag(
    "--ids",
    "put the id of each customer and the version of the list first, to import the file again (csv, tsv)")

  /// The options that choose rows and columns, also of `export`.
  static let choosing: [OptionGroup] = [
    .optional(section), .optional(RowChoice.option), .optional(fields), .optional(sort), .optional(reverse),
    .optional(limit), .optional(offset),
  ]

  static let groups = choosing + [.optional(count), .optional(noHeader), .optional(ids)]

  // What only a search has.
  static let wordStarts = Option.flag("--word", "match only the beginning of words")
  static let searched = Option.value("--in", .fields, "search only these fields")
}

extension Option where Value == String? {
  /// The option that limits a command to one section.
  static func onlySection() -> Option {
    .value("--section", short: "-s", .section, "only this section: title, number, or @id")
  }
}
