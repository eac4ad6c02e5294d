internal import CustomerTable

/// Some keys, their commands, and their strings in the help and the bottom line.
struct KeyBinding {
  /// Their group in the help.
  enum Topic: String, CaseIterable {
    case moving = "Go to a row"
    case changing = "Change the list"
    case arranging = "Move rows"
    case marking = "Mark rows"
    case searching = "Search"
    case calling = "Who is next, and the log"
    case viewing = "Columns and order of the view"
    case program = "Undo, help, quit"
    case form = "In the form"
    case text = "While typing"
    case waiting = "Answer a question"
    case trouble = "When the list can't be read"
  }

  /// The names of the keys, separated by spaces, for `KeyPress(named:)`.
  let keys: String
  /// The commands of the first key, the second key, and so on, repeating from the first.
  let commands: [KeyCommand]
  /// The keys as shown in the help, if not by name.
  let label: String
  /// The text in the help.
  let meaning: String
  let topic: Topic
  /// The modes in which they apply.
  let modes: Set<KeyMode>
  /// The text in the bottom line and the number of keys it covers.
  let bar: [KeyMode: Hint]
  /// Whether any other key does this, too.
  let isFallback: Bool

  struct Hint: ExpressibleByStringLiteral {
    var text: String
    var keyCount: Int

    init(_ text: String, keys: Int = 1) { (self.text, keyCount) = (text, keys) }
    init(stringLiteral text: String) { self.init(text) }
  }

  init(
    _ keys: String, _ commands: KeyCommand..., meaning: String, topic: Topic, modes: Set<KeyMode>,
    bar: [KeyMode: Hint] = [:], label: String? = nil, isFallback: Bool = false
  ) {
    (self.keys, self.commands, self.meaning, self.topic) = (keys, commands, meaning, topic)
    (self.modes, self.bar, self.isFallback) = (modes, bar, isFallback)
    self.label = label ?? keys
  }

  /// The keys and what each does.
  var pairs: [(KeyPress, KeyCommand)] {
    zip(keys.split(separator: " ").compactMap { KeyPress(named: String($0)) }, 0...).map { key, index in
      (key, commands[index % commands.count])
    }
  }

  /// The text in the bottom line in a mode; nil for none.
  func hint(in mode: KeyMode) -> String? {
    guard let hint = bar[mode] else { return nil }
    let names = isFallback ? label : label.split(separator: " ").prefix(hint.keyCount).joined(separator: " ")
    return "\(names) \(hint.text)"
  }
}

/// The table of the keys, from which their commands, the help, the bottom line, and the reference are derived.
enum KeyBindings {
  static let all =
    moving + changing + arranging + marking + searching + calling + viewing + form + text + answers + program

  private static let lists = KeyMode.lists
  private static let withHand = KeyMode.lists.union([.inHand])

  private static let moving = [
    KeyBinding(
      "j k ↓ ↑ Ctrl-N Ctrl-P", .send(.go(.by(1))), .send(.go(.by(-1))), meaning: "next row, previous row",
      topic: .moving,
      modes: withHand, bar: [.inHand: .init("place", keys: 2)]),
    KeyBinding(
      "Ctrl-D Ctrl-U PgDn PgUp", .send(.go(.halfPages(1))), .send(.go(.halfPages(-1))), .send(.go(.pages(1))),
      .send(.go(.pages(-1))),
      meaning: "half a page, a page", topic: .moving, modes: withHand),
    KeyBinding(
      "g G Home End", .send(.go(.first)), .send(.go(.last)), meaning: "first row, last row", topic: .moving,
      modes: withHand),
    KeyBinding(
      "[ ]", .send(.go(.sections(-1))), .send(.go(.sections(1))), meaning: "previous section, next section",
      topic: .moving, modes: withHand),
    KeyBinding(
      "1 2 3 4 5 6 7 8 9 0", .digit(1), .digit(2), .digit(3), .digit(4), .digit(5), .digit(6), .digit(7),
      .digit(8), .digit(9), .digit(0), meaning: "go to row 7, as 7G; or repeat a key: 3J",
      topic: .moving, modes: withHand, label: "7 Enter"),
  ]

  private static let changing = [
    KeyBinding(
      "Enter e", .send(.open), meaning: "open the row", topic: .changing, modes: lists,
      bar: [.list: "open", .editing: "open/add"]),
    KeyBinding(
      "a", .send(.add(.last)), meaning: "add a customer at the end of the section", topic: .changing,
      modes: lists,
      bar: [.list: "add"]),
    KeyBinding(
      "o O", .send(.add(.below)), .send(.add(.above)), meaning: "add one below, above", topic: .changing,
      modes: lists),
    KeyBinding(
      "d Delete", .send(.askToDelete(nil)), meaning: "show the Delete button; then Enter deletes",
      topic: .changing,
      modes: lists, bar: [.list: "delete", .editing: "delete"]),
    KeyBinding(
      "f", .send(.toggleFavorite), meaning: "check or clear Favorite", topic: .changing, modes: lists),
  ]

  private static let arranging = [
    KeyBinding(
      "J K Alt-↓ Alt-↑", .send(.shift(1)), .send(.shift(-1)),
      meaning: "move the row down, up; or all marked rows",
      topic: .arranging, modes: lists, bar: [.editing: .init("move", keys: 2)]),
    KeyBinding(
      "m", .send(.pickUp(nil)), meaning: "pick up; then go to the new place", topic: .arranging, modes: lists,
      bar: [.list: "move", .editing: "pick up"]),
    KeyBinding(
      "Enter", .send(.drop), meaning: "drop what was picked up", topic: .arranging, modes: [.inHand],
      bar: [.inHand: "drop"]),
    KeyBinding(
      "x p P", .send(.cut), .send(.put(above: false)), .send(.put(above: true)),
      meaning: "cut; paste below, paste above",
      topic: .arranging, modes: lists),
    KeyBinding(
      "", .send(.drop), meaning: "drag ≡ in edit mode, or the row itself", topic: .arranging, modes: [],
      label: "mouse"),
  ]

  private static let marking = [
    KeyBinding(
      "Space", .send(.mark), meaning: "mark or unmark, then go down", topic: .marking, modes: lists,
      bar: [.editing: "mark"]),
    KeyBinding(
      "v Shift-↓ Shift-↑", .send(.markRange), .extend(1), .extend(-1), meaning: "mark a range",
      topic: .marking,
      modes: lists),
    KeyBinding(
      "*", .send(.invertMarks), meaning: "mark the rows that are not marked", topic: .marking, modes: lists),
    KeyBinding(
      "y", .copy, meaning: "copy as text", topic: .marking, modes: lists, bar: [.viewing: "copy"]),
  ]

  private static let calling = [
    KeyBinding(
      "T", .send(.toggleDue), meaning: "Today: only those who are due, or all rows again", topic: .calling,
      modes: lists),
    KeyBinding(
      "l", .openLog, meaning: "log what was said, then the next date", topic: .calling, modes: lists),
    KeyBinding(
      "Enter Esc", .finishPrompt, .closePrompt, meaning: "log, cancel; an empty date leaves it as it is",
      topic: .calling, modes: [.logging], bar: [.logging: "go on"]),
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
      "/", .send(.search), meaning: "search in all fields", topic: .searching, modes: lists,
      bar: [.list: "search", .viewing: "search"]),
    KeyBinding(
      "n N", .send(.nextHit), .send(.previousHit), meaning: "next match, previous match", topic: .searching,
      modes: lists),
    KeyBinding(
      "&", .send(.filter), meaning: "show only matches or all rows again", topic: .searching, modes: lists),
    KeyBinding(
      "Enter", .send(.acceptSearch), meaning: "stay at the match", topic: .searching, modes: [.searching],
      bar: [.searching: "stay"]),
    KeyBinding(
      "↑ ↓", .send(.previousHit), .send(.nextHit), meaning: "previous, next match, while typing",
      topic: .searching,
      modes: [.searching], bar: [.searching: .init("other matches", keys: 2)]),
    KeyBinding(
      "Tab", .send(.filter), meaning: "show only matches, while typing", topic: .searching,
      modes: [.searching],
      bar: [.searching: "only matches"]),
    KeyBinding(
      "Esc", .send(.escape), meaning: "back to where the search began", topic: .searching,
      modes: [.searching],
      bar: [.searching: "back"]),
  ]
}

/// The keys of the program, the form, and the questions.
extension KeyBindings {
  private static let anywhere = KeyMode.all
  private static let questions: Set<KeyMode> = [.confirming, .asking, .formDeleting, .formLeaving]

  static let program = [
    KeyBinding(
      "u Ctrl-R", .send(.undo), .send(.redo), meaning: "undo, redo", topic: .program, modes: KeyMode.lists,
      bar: [.list: "undo"]),
    KeyBinding(
      "E", .toggleEditing, meaning: "edit mode: controls for the mouse", topic: .program,
      modes: KeyMode.lists, bar: [.list: "edit"]),
    KeyBinding(
      "Esc", .send(.escape), meaning: "close search, clear marks, end sorting or edit mode", topic: .program,
      modes: KeyMode.lists, bar: [.editing: "done", .waiting: "cancel"]),
    KeyBinding(
      ":", .openCommandLine, meaning: "run a command on the marked rows or the row", topic: .program,
      modes: KeyMode.lists),
    KeyBinding(
      "M", .toggleMouse, meaning: "mouse on or off; hold Shift to select text", topic: .program,
      modes: KeyMode.lists),
    KeyBinding(
      "?", .help, meaning: "show this help", topic: .program, modes: KeyMode.lists,
      bar: [.list: "help", .editing: "help", .waiting: "help", .viewing: "help"]),
    KeyBinding(
      "F1", .help, meaning: "show this help, also in the form", topic: .program,
      modes: anywhere.subtracting([.reading, .finding]).subtracting(questions)),
    KeyBinding(
      "q", .quit, meaning: "quit", topic: .program, modes: KeyMode.lists.union([.damaged, .unreadable]),
      bar: [.list: "quit", .viewing: "quit", .damaged: "quit", .unreadable: "quit"]),
    KeyBinding("Ctrl-L", .redraw, meaning: "draw the screen again", topic: .program, modes: anywhere),
    KeyBinding("Ctrl-Z", .suspend, meaning: "suspend", topic: .program, modes: anywhere),
    KeyBinding(
      "Ctrl-C", .cancel, meaning: "cancel; if there is nothing to cancel, quit", topic: .program,
      modes: anywhere),
    KeyBinding(
      "PgDn PgUp Space ↓ ↑", .turn(1), .turn(-1), .turn(1), .turn(1), .turn(-1),
      meaning: "next page of the help, previous page", topic: .program, modes: [.reading],
      bar: [.reading: "next page"]),
    KeyBinding(
      "/", .find, meaning: "find a key in the help", topic: .program, modes: [.reading],
      bar: [.reading: "find"]),
    KeyBinding(
      "", .closeOverlay, meaning: "close the help", topic: .program, modes: [.reading],
      bar: [.reading: "closes"], label: "any other key", isFallback: true),
    KeyBinding(
      "Enter Esc", .endFinding, .closeOverlay, meaning: "stop searching the help", topic: .program,
      modes: [.finding], bar: [.finding: "done"]),
    KeyBinding(
      "Enter Esc", .finishPrompt, .closePrompt, meaning: "run the command, cancel",
      topic: .program, modes: [.command], bar: [.command: "run"]),
    KeyBinding(
      "Tab ↑ ↓", .complete, .recall(-1), .recall(1), meaning: "complete the word, earlier command, later one",
      topic: .program, modes: [.command], bar: [.command: "complete"]),
    KeyBinding(
      "Enter Esc", .finishPrompt, .closePrompt, meaning: "show these, cancel; empty means the usual ones",
      topic: .viewing, modes: [.choosing], bar: [.choosing: "show"]),
    KeyBinding(
      "Enter Esc", .finishPrompt, .closePrompt, meaning: "sort so, cancel; empty ends it",
      topic: .viewing, modes: [.ordering], bar: [.ordering: "sort"]),
    KeyBinding(
      "Tab", .complete, meaning: "complete the name of a column", topic: .viewing,
      modes: [.choosing, .ordering], bar: [.choosing: "complete", .ordering: "complete"]),
  ]

  static let takeTheirs = KeyBinding(
    "Ctrl-O", .send(.form(.takeTheirs)), meaning: "use the other program's value", topic: .form,
    modes: [.form])

  static let form = [
    KeyBinding(
      "Enter ↓ ↑", .send(.form(.enter)), .send(.form(.down)), .send(.form(.up)),
      meaning: "next line, previous line",
      topic: .form, modes: [.form], bar: [.form: "next field"]),
    KeyBinding(
      "Tab Shift-Tab", .send(.form(.next)), .send(.form(.previous)),
      meaning: "the same, and on to the buttons",
      topic: .form, modes: [.form], bar: [.form: "buttons"]),
    KeyBinding(
      "PgDn PgUp", .send(.form(.step(1))), .send(.form(.step(-1))),
      meaning: "the next day or choice, the one before", topic: .form, modes: [.form]),
    KeyBinding(
      "Ctrl-J", .text(.insert("\n")), meaning: "line break, in an address or a note", topic: .form,
      modes: [.form]),
    KeyBinding(
      "Ctrl-S", .send(.form(.save)), meaning: "save", topic: .form, modes: [.form], bar: [.form: "save"]),
    takeTheirs,
    KeyBinding(
      "Esc", .send(.escape), meaning: "close without saving; asks if something was typed", topic: .form,
      modes: [.form],
      bar: [.form: "cancel"]),
    KeyBinding(
      "", .text(.insert(" ")), meaning: "check or clear a box such as Favorite", topic: .form,
      modes: [], label: "Space"),
  ]

  static let text = [
    KeyBinding(
      "← →", .text(.left), .text(.right), meaning: "move the cursor", topic: .text,
      modes: KeyMode.typing),
    KeyBinding(
      "Home End Ctrl-A Ctrl-E", .text(.start), .text(.end), meaning: "start of the line, end",
      topic: .text, modes: KeyMode.typing),
    KeyBinding(
      "Backspace Delete", .text(.deleteBackward), .text(.deleteForward),
      meaning: "delete the character before, after", topic: .text, modes: KeyMode.typing),
    KeyBinding(
      "Ctrl-W Ctrl-U Ctrl-K", .text(.deleteWord), .text(.deleteToStart), .text(.deleteToEnd),
      meaning: "delete a word, to the start, to the end", topic: .text, modes: KeyMode.typing),
  ]

  static let answers = [
    KeyBinding(
      "Enter y", .confirm, meaning: "yes", topic: .waiting,
      modes: questions,
      bar: [
        .confirming: "delete", .asking: "yes", .formDeleting: "delete", .formLeaving: "discard",
      ]),
    KeyBinding(
      "", .dismiss, meaning: "no", topic: .waiting, modes: questions,
      bar: [.confirming: "cancels", .asking: "cancels", .formDeleting: "cancels", .formLeaving: "goes on"],
      label: "any other key",
      isFallback: true),
    KeyBinding(
      "Esc", .send(.escape), meaning: "cancel: the rows stay where they were", topic: .arranging,
      modes: [.inHand],
      bar: [.inHand: "cancel"]),
    KeyBinding(
      "r", .repair, meaning: "repair the file, after a backup", topic: .trouble, modes: [.damaged],
      bar: [.damaged: "repair"]),
    KeyBinding(
      "v", .send(.openReadOnly), meaning: "open read-only", topic: .trouble, modes: [.damaged],
      bar: [.damaged: "view"]),
    KeyBinding(
      "r", .send(.tryAgain), meaning: "try again", topic: .trouble, modes: [.unreadable],
      bar: [.unreadable: "try again"]),
  ]
}

/// Looking up keys and commands.
extension KeyBindings {
  /// The command of a key in a mode; nil if it does nothing there or types.
  static func command(for press: KeyPress, in mode: KeyMode) -> KeyCommand? { commands[mode]?[press] }

  /// The command of every other key in a mode; nil for none.
  static func fallback(in mode: KeyMode) -> KeyCommand? {
    all.first { $0.isFallback && $0.modes.contains(mode) }?.commands.first
  }

  /// The bottom line: the keys of a mode.
  ///
  /// If there is no space for all, the last two are kept.
  static func hints(in mode: KeyMode, width: Int) -> String {
    var hints = all.compactMap { $0.hint(in: mode) }
    while hints.count > 2, hints.joined(separator: "  ").count > width { hints.remove(at: hints.count - 3) }
    return hints.joined(separator: "  ")
  }

  private static let commands: [KeyMode: [KeyPress: KeyCommand]] = {
    var commands: [KeyMode: [KeyPress: KeyCommand]] = [:]
    for binding in all {
      for mode in binding.modes {
        for (key, command) in binding.pairs { commands[mode, default: [:]][key] = command }
      }
    }
    return commands
  }()
}

enum KeyCommand {
  /// An event of the table, which a number typed before it may repeat.
  case send(TableEvent)
  case digit(Int), toggleEditing, extend(Int), copy
  /// Answers yes or anything else.
  case confirm, dismiss
  /// Cancels one thing; with nothing to cancel, ends the program.
  case cancel
  case text(FormText.Edit)
  // The command line
  case openCommandLine, finishPrompt, closePrompt
  case recall(Int), complete
  // The view
  case openColumns, openOrder, reverseOrder
  case openLog
  // What covers the list
  case help, turn(Int), find, closeOverlay, endFinding
  case repair
  // The terminal
  case toggleMouse, redraw, suspend, quit
}

enum KeyMode: CaseIterable {
  /// The list: without and with the controls of edit mode, with a waiting edit, or read-only.
  case list, editing, waiting, viewing
  /// Rows are in hand.
  case inHand
  /// The Delete button or a question about undo is visible.
  case confirming, asking
  /// The search line is open.
  case searching
  /// The form is open; it asks whether to delete, or to discard what was typed.
  case form, formDeleting, formLeaving
  /// The command line is open or the line for columns or an order.
  case command, choosing, ordering
  /// The line for the log or the next date is open.
  case logging
  /// The help or an output covers the list, or its search line is open.
  case reading, finding
  /// The list can't be read.
  case damaged, unreadable

  /// Whether keys with a character type it.
  var isTyping: Bool { KeyMode.typing.contains(self) }

  static let typing: Set<KeyMode> = [
    .searching, .form, .command, .choosing, .ordering, .logging, .finding,
  ]
  static let lists: Set<KeyMode> = [.list, .editing, .waiting, .viewing]
  static let all = Set(KeyMode.allCases)
}

/// Keys by name, as in the help: `j`, `Ctrl-R`, `Shift-↓`, `PgDn`, `F1`.
extension KeyPress {
  private static let names: [(Key, String)] = [
    (.enter, "Enter"), (.tab, "Tab"), (.backspace, "Backspace"), (.escape, "Esc"), (.up, "↑"), (.down, "↓"),
    (.left, "←"), (.right, "→"), (.home, "Home"), (.end, "End"), (.pageUp, "PgUp"), (.pageDown, "PgDn"),
    (.insert, "Insert"), (.delete, "Delete"), (.character(" "), "Space"),
  ]
  private static let held: [(KeyModifiers, String)] = [
    (.control, "Ctrl-"), (.alt, "Alt-"), (.shift, "Shift-"),
  ]

  /// The key with a name; nil for a name that no key has.
  init?(named name: String) {
    var (rest, modifiers) = (name[...], KeyModifiers())
    for (modifier, prefix) in Self.held where rest.hasPrefix(prefix) {
      rest = rest.dropFirst(prefix.count)
      modifiers.insert(modifier)
    }
    if let key = Self.names.first(where: { $0.1 == rest })?.0 {
      self.init(key, modifiers)
    } else if rest.first == "F", let number = Int(rest.dropFirst()) {
      self.init(.function(number), modifiers)
    } else if let scalar = rest.unicodeScalars.first, rest.unicodeScalars.count == 1 {
      let letter = modifiers == .control ? Character(scalar).lowercased().unicodeScalars.first : scalar
      self.init(.character(letter ?? scalar), modifiers)
    } else {
      return nil
    }
  }

  /// The same key, however a terminal sends it: a letter with Shift is uppercase.
  var normalized: KeyPress {
    guard case .character(let scalar) = key, modifiers == .shift else { return self }
    let capital = Character(scalar).uppercased().unicodeScalars
    return KeyPress(.character(capital.count == 1 ? capital.first ?? scalar : scalar))
  }

  /// The character that the key types; nil for a key without one.
  var typed: String? {
    guard case .character(let scalar) = key, modifiers.subtracting(.shift).isEmpty else { return nil }
    return String(Character(scalar))
  }
}

/// The keys of the table on the screen, for its help and its manual.
package enum KeyReference {
  /// Keys and their meaning.
  package struct Keys: Sendable {
    /// The keys, separated by spaces.
    package let keys: String
    /// Their effect, in a few words.
    package let meaning: String
  }

  /// A group of keys.
  package struct Topic: Sendable {
    package let title: String
    package let keys: [Keys]
    /// Whether they act on the list, not in a form, a line of text, or a question.
    package let isOfList: Bool
  }

  /// All keys.
  package static let topics: [Topic] = KeyBinding.Topic.allCases.map { topic in
    let bindings = KeyBindings.all.filter { $0.topic == topic }
    return Topic(
      title: topic.rawValue, keys: bindings.map { Keys(keys: $0.label, meaning: $0.meaning) },
      isOfList: ![.form, .text, .waiting, .trouble].contains(topic))
  }
}
