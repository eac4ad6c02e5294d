internal import CustomerTransfer

/// The options of `import`.
enum ImportWords {
  static let mapping = Option.values("--map", .columnMap, "import a column as a field")
  static let noHeader = Option.flag(
    "--no-header",
    "(csv, tsv) take the first line for a customer, and recognize columns by their values or name them 1, 2, …"
  )
  static let encoding = Option.value(
    "--encoding", Argument<FileEncoding>.choice("NAME"), "file encoding (default: recognized)")
  static let delimiter = Option.value(
    "--delimiter", .text("CHARACTER"), "csv field separator, such as ';' or tab (default: detected)")
  static let null = Option.values("--null", .text(), "text that means \"no value\", such as NULL")
  static let onDuplicate = Option.value(
    "--on-duplicate", Argument<ImportOptions.DuplicateHandling>.choice("WHAT"),
    "what to do with customers already in the list")
  static let key = Option.value(
    "--key", .fileColumns, "recognize customers by these columns together (default: any e-mail address)")
  static let onConflict = Option.value(
    "--on-conflict", Argument<ConflictSide>.choice("SIDE"),
    "where the list and the file both changed: ours keeps the list, theirs takes the file")
  static let order = Option.flag("--order", "move the rows that have another place in the file")
  static let deleteMissing = Option.flag(
    "--delete-missing", "delete the customers that are missing in the file")
  static let rejects = Option.value(
    "--rejects", .file(.write), "import the valid rows and write the rejected ones to FILE")
  /// The place of the customers.
  static let number = Option.value("--at", .place, "from row N on or from leads/2 on")

  static let groups: [OptionGroup] =
    [
      .optional(mapping), .optional(noHeader), .optional(encoding), .optional(delimiter), .optional(null),
      .optional(onDuplicate), .optional(key), .optional(onConflict), .optional(order),
      .optional(deleteMissing), .optional(rejects),
    ] + Placement.groups(number)
}
