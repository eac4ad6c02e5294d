internal import CustomerStore

extension Route.Parameter {
  /// Of every request.
  static let zone = Route.Parameter(
    "zone", .number(-Moment.mostMinutes...Moment.mostMinutes),
    "how many minutes the clock of the caller is ahead of Greenwich; by default, it is the server's")
  static let from = Route.Parameter("from", .number(1...Int.max), "the number of the first row, from 1")
  static let before = Route.Parameter("before", .number(1...Int.max), "only steps before this one")
  static let fields = Route.Parameter(
    "fields", .text, "the members of a row, with commas or in lines: name,email,extra.City")
  static let sort = Route.Parameter(
    "sort", .text,
    "the order: name, a field, or extra.NAME, with commas or in lines; one after a - is descending")

  static let session = Route.Parameter(
    "session", .text,
    "a name of the caller: `text` is searched for 0.1 s, and the next request of the name goes on with what was found"
  )

  /// Those for programs that show the list, and search it while someone types.
  static let view: [Route.Parameter] = [
    .init("around", .number(1...Int.max), "the id of a customer, around whom the rows are instead"),
    .init(
      "brief", .flag,
      """
      whether rows are as a table shows them: position, name, subtitle, and what matches; is_favorite if it is true, \
      can_edit and can_move if they are false; and those of `fields` that are not empty, as text, cut after 300 characters
      """),
    .init("outline", .text, "the tag of the sections that the caller has, or nothing: others are answered"),
    .init("seen", .text, "the version that the caller has seen: `other_list` says whether it was this list"),
    .init(
      "places", .text, "ids of customers, with commas: `places` has the numbers of their rows in the list"),
    .init(
      "folded", .text,
      "ids of sections, with commas, whose rows are left out; `count` and `position` count them"),
    .init(
      "count_due", .text,
      "a day such as 2026-12-24, or today: `due` is how many are due, unless the list is long"),
    .init("steps", .flag, "whether the steps to undo and to redo are answered"),
    session,
    .init("only", .flag, "with a session: whether the rows are those that match; without it, true"),
    .init("above", .number(0...Int.max), "with a session: only the last match above this row of the list"),
    .init("below", .number(0...Int.max), "with a session: only the first match below this row of the list"),
  ]

  /// Those that choose rows.
  static let rows: [Route.Parameter] = [
    .init("section", .number(1...Int.max), "the id of a section"),
    .init("where", .text, "conditions as after --where: City=Berlin note~tea"),
    .init("search", .text, "words that occur"),
    .init("text", .text, "instead of both: what people type to search, words or conditions"),
    .init("due", .text, RowSelection.dueMeaning),
  ]

  /// Those that choose rows by their numbers.
  static let range: [Route.Parameter] = [
    .init("first", .number(1...Int.max), "the number of the first row, from 1"),
    .init("last", .number(1...Int.max), "with `first`: the number of the last one"),
    .init("seen", .text, "a version: the rows that were meant then, unless they are deleted"),
  ]

  /// A place in a file.
  static let piece: [Route.Parameter] = [
    .init("file", .text, "the name of the file: 32 hexadecimal digits", isNeeded: true),
    .init("at", .number(0...KeptFiles.largest), "where the piece begins; without it, at 0"),
  ]

  static func limit(_ range: ClosedRange<Int>) -> Route.Parameter {
    Route.Parameter("limit", .number(range), "how many at most")
  }
}
