internal import CustomerStore

extension Route.Parameter {
  /// Of every request.
  static let zone = Route.Parameter(
    name: "zone", kind: .number(-Moment.mostMinutes...Moment.mostMinutes),
    meaning: "how many minutes the clock of the caller is ahead of Greenwich; by default, it is the server's")
  static let from = Route.Parameter(
    name: "from", kind: .number(1...Int.max), meaning: "the number of the first row, from 1")
  static let before = Route.Parameter(
    name: "before", kind: .number(1...Int.max), meaning: "only steps before this one")
  static let fields = Route.Parameter(
    name: "fields", kind: .text,
    meaning: "the members of a row, with commas or in lines: name,email,extra.City")
  static let sort = Route.Parameter(
    name: "sort", kind: .text,
    meaning: "the order: name, a field, or extra.NAME, with commas or in lines; one after a - is descending")

  static let session = Route.Parameter(
    name: "session", kind: .text,
    meaning:
      "a name of the caller: `text` is searched for 0.1 s, and the next request of the name goes on with what was found"
  )

  /// Those for programs that show the list, and search it while someone types.
  static let view = [
    Route.Parameter(
      name: "around", kind: .number(1...Int.max),
      meaning: "the id of a customer, around whom the rows are instead"),
    Route.Parameter(
      name: "brief", kind: .flag,
      meaning: """
        whether rows are as a table shows them: position, name, subtitle, and what matches; what is not usual of \
        is_favorite, can_edit, and can_move; and those of `fields` that are not empty, as text, cut after 300 characters
        """),
    Route.Parameter(
      name: "outline", kind: .text,
      meaning: "the tag of the sections that the caller has, or nothing: others are answered"),
    Route.Parameter(
      name: "seen", kind: .text,
      meaning: "the version that the caller has seen: `other_list` says whether it was this list"),
    Route.Parameter(
      name: "places", kind: .text,
      meaning: "ids of customers, with commas: `places` has the numbers of their rows in the list"),
    Route.Parameter(
      name: "folded", kind: .text,
      meaning: "ids of sections, with commas, whose rows are left out; `count` and `position` count them"),
    Route.Parameter(
      name: "count_due", kind: .text,
      meaning: "a day such as 2026-12-24, or today: `due` is how many are due, unless the list is long"),
    Route.Parameter(
      name: "steps", kind: .flag, meaning: "whether the steps to undo and to redo are answered"),
    session,
    Route.Parameter(
      name: "only", kind: .flag,
      meaning: "with a session: whether the rows are those that match; without it, true"),
    Route.Parameter(
      name: "above", kind: .number(0...Int.max),
      meaning: "with a session: only the last match above this row of the list"),
    Route.Parameter(
      name: "below", kind: .number(0...Int.max),
      meaning: "with a session: only the first match below this row of the list"),
  ]

  /// Those that choose rows.
  static let rows = [
    Route.Parameter(name: "section", kind: .number(1...Int.max), meaning: "the id of a section"),
    Route.Parameter(name: "where", kind: .text, meaning: "conditions as after --where: City=Berlin note~tea"),
    Route.Parameter(name: "search", kind: .text, meaning: "words that occur"),
    Route.Parameter(
      name: "text", kind: .text,
      meaning: "instead of both: what people type to search, words or conditions"),
    Route.Parameter(name: "due", kind: .text, meaning: RowSelection.dueMeaning),
  ]

  /// Those that choose rows by their numbers.
  static let range = [
    Route.Parameter(
      name: "first", kind: .number(1...Int.max), meaning: "the number of the first row, from 1"),
    Route.Parameter(
      name: "last", kind: .number(1...Int.max), meaning: "with `first`: the number of the last one"),
    Route.Parameter(
      name: "seen", kind: .text, meaning: "a version: the rows that were meant then, unless they are deleted"),
  ]

  /// A place in a file.
  static let piece = [
    Route.Parameter(
      name: "file", kind: .text, meaning: "the name of the file: 32 hexadecimal digits", isNeeded: true),
    Route.Parameter(
      name: "at", kind: .number(0...KeptFiles.largest), meaning: "where the piece begins; without it, at 0"),
  ]

  static func limit(_ range: ClosedRange<Int>) -> Route.Parameter {
    Route.Parameter(name: "limit", kind: .number(range), meaning: "how many at most")
  }
}
