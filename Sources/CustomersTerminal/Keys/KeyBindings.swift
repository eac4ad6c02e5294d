internal import CustomerTable

/// The table of the keys, from which their commands, the help, the bottom line, and the reference are derived.
enum KeyBindings {
  static let all =
    moving + changing + arranging + marking + searching + viewing + form + text + answers + program

  private static let lists = KeyMode.lists
  private static let withHand = KeyMode.lists.union([.inHand])

  private static let moving = [
    KeyBinding(
      "j k ↓ ↑ Ctrl-N Ctrl-P", .go(.by(1)), .go(.by(-1)), meaning: "next row, previous row", topic: .moving,
      modes: withHand, bar: [.inHand: .init("place", keys: 2)]),
    KeyBinding(
      "Ctrl-D Ctrl-U PgDn PgUp", .go(.halfPages(1)), .go(.halfPages(-1)), .go(.pages(1)), .go(.pages(-1)),
      meaning: "half a page, a page", topic: .moving, modes: withHand),
    KeyBinding(
      "g G Home End", .go(.first), .go(.last), meaning: "first row, last row", topic: .moving,
      modes: withHand),
    KeyBinding(
      "[ ]", .go(.sections(-1)), .go(.sections(1)), meaning: "previous section, next section",
      topic: .moving, modes: withHand),
    KeyBinding(
      "1 2 3 4 5 6 7 8 9 0", .digit(1), .digit(2), .digit(3), .digit(4), .digit(5), .digit(6), .digit(7),
      .digit(8), .digit(9), .digit(0), meaning: "go to row 7, as 7G; or repeat a key: 3J",
      topic: .moving, modes: withHand, label: "7 Enter"),
  ]

  private static let changing = [
    KeyBinding(
      "Enter e", .open, meaning: "open the row", topic: .changing, modes: lists,
      bar: [.list: "open", .editing: "open/add"]),
    KeyBinding(
      "a", .add(.last), meaning: "add a customer at the end of the section", topic: .changing, modes: lists,
      bar: [.list: "add"]),
    KeyBinding(
      "o O", .add(.below), .add(.above), meaning: "add one below, above", topic: .changing, modes: lists),
    KeyBinding(
      "d Delete", .delete, meaning: "show the Delete button; then Enter deletes", topic: .changing,
      modes: lists, bar: [.list: "delete", .editing: "delete"]),
    KeyBinding(
      "f", .toggleFavorite, meaning: "check or clear Favorite", topic: .changing, modes: lists),
  ]

  private static let arranging = [
    KeyBinding(
      "J K Alt-↓ Alt-↑", .shift(1), .shift(-1), meaning: "move the row down, up; or all marked rows",
      topic: .arranging, modes: lists, bar: [.editing: .init("move", keys: 2)]),
    KeyBinding(
      "m", .pickUp, meaning: "pick up; then go to the new place", topic: .arranging, modes: lists,
      bar: [.list: "move", .editing: "pick up"]),
    KeyBinding(
      "Enter", .drop, meaning: "drop what was picked up", topic: .arranging, modes: [.inHand],
      bar: [.inHand: "drop"]),
    KeyBinding(
      "x p P", .cut, .put(above: false), .put(above: true), meaning: "cut; paste below, paste above",
      topic: .arranging, modes: lists),
    KeyBinding(
      "", .drop, meaning: "drag ≡ in edit mode, or the row itself", topic: .arranging, modes: [],
      label: "mouse"),
  ]

  private static let marking = [
    KeyBinding(
      "Space", .mark, meaning: "mark or unmark, then go down", topic: .marking, modes: lists,
      bar: [.editing: "mark"]),
    KeyBinding(
      "v Shift-↓ Shift-↑", .markRange, .extend(1), .extend(-1), meaning: "mark a range", topic: .marking,
      modes: lists),
    KeyBinding(
      "*", .invertMarks, meaning: "mark the rows that are not marked", topic: .marking, modes: lists),
    KeyBinding(
      "y", .copy, meaning: "copy as text", topic: .marking, modes: lists, bar: [.viewing: "copy"]),
  ]

  private static let viewing = [
    KeyBinding(
      "c", .openColumns, meaning: "choose the columns, by name", topic: .viewing, modes: lists),
    KeyBinding(
      "s S", .openOrder, .reverseOrder,
      meaning: "sort the view by fields, reverse it",
      topic: .viewing, modes: lists),
    KeyBinding(
      "", .openOrder, meaning: "click on a title to sort the view", topic: .viewing, modes: [],
      label: "mouse"),
  ]

  private static let searching = [
    KeyBinding(
      "/", .search, meaning: "search in all fields", topic: .searching, modes: lists,
      bar: [.list: "search", .viewing: "search"]),
    KeyBinding(
      "n N", .nextHit, .previousHit, meaning: "next match, previous match", topic: .searching, modes: lists),
    KeyBinding(
      "&", .filter, meaning: "show only matches or all rows again", topic: .searching, modes: lists),
    KeyBinding(
      "Enter", .acceptSearch, meaning: "stay at the match", topic: .searching, modes: [.searching],
      bar: [.searching: "stay"]),
    KeyBinding(
      "↑ ↓", .previousHit, .nextHit, meaning: "previous, next match, while typing", topic: .searching,
      modes: [.searching], bar: [.searching: .init("other matches", keys: 2)]),
    KeyBinding(
      "Tab", .filter, meaning: "show only matches, while typing", topic: .searching, modes: [.searching],
      bar: [.searching: "only matches"]),
    KeyBinding(
      "Esc", .escape, meaning: "back to where the search began", topic: .searching, modes: [.searching],
      bar: [.searching: "back"]),
  ]
}
