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
  private(set) var topic = Topic.program
  /// The modes in which they apply.
  private(set) var modes: Set<KeyMode> = []
  /// The modes, if they are not those of the group.
  private let ownModes: Set<KeyMode>?
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
    _ keys: String, _ meaning: String, _ commands: KeyCommand..., in modes: Set<KeyMode>? = nil,
    bar: [KeyMode: Hint] = [:], label: String? = nil, isFallback: Bool = false
  ) {
    (self.keys, self.meaning, self.commands) = (keys, meaning, commands)
    (ownModes, self.bar, self.isFallback) = (modes, bar, isFallback)
    self.label = label ?? keys
  }

  /// The keys of a group in the help, which apply in the same modes unless they say others.
  static func group(_ topic: Topic, in modes: Set<KeyMode>, _ bindings: [KeyBinding]) -> [KeyBinding] {
    bindings.map { binding in
      var binding = binding
      (binding.topic, binding.modes) = (topic, binding.ownModes ?? modes)
      return binding
    }
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

  private static let moving = KeyBinding.group(
    .moving, in: withHand,
    [
      .init(
        "j k ↓ ↑ Ctrl-N Ctrl-P", "next row, previous row", .go(.by(1)), .go(.by(-1)),
        bar: [.inHand: .init("place", keys: 2)]),
      .init(
        "Ctrl-D Ctrl-U PgDn PgUp", "half a page, a page", .go(.halfPages(1)), .go(.halfPages(-1)),
        .go(.pages(1)), .go(.pages(-1))),
      .init("g G Home End", "first row, last row", .go(.first), .go(.last)),
      .init("[ ]", "previous section, next section", .go(.sections(-1)), .go(.sections(1))),
      .init(
        "1 2 3 4 5 6 7 8 9 0", "go to row 7, as 7G; 3j goes, 3J moves by 3", .digit(1), .digit(2), .digit(3),
        .digit(4), .digit(5), .digit(6), .digit(7), .digit(8), .digit(9), .digit(0), label: "7 Enter"),
    ])

  private static let changing = KeyBinding.group(
    .changing, in: lists,
    [
      .init("Enter e", "open the row", .send(.open), bar: [.list: "open", .editing: "open/add"]),
      .init("a", "add a customer at the end of the section", .send(.add(.last)), bar: [.list: "add"]),
      .init("o O", "add one below, above", .send(.add(.below)), .send(.add(.above))),
      .init(
        "d Delete", "show the Delete button; then Enter deletes", .send(.askToDelete(nil)),
        bar: [.list: "delete", .editing: "delete"]),
      .init("f", "check or clear Favorite", .send(.toggleFavorite)),
    ])

  private static let arranging = KeyBinding.group(
    .arranging, in: lists,
    [
      .init(
        "J K Alt-↓ Alt-↑", "move the row down, up; or all marked rows", .send(.shift(1)), .send(.shift(-1)),
        bar: [.editing: .init("move", keys: 2)]),
      .init(
        "m", "pick up; then go to the new place", .send(.pickUp(nil)),
        bar: [.list: "move", .editing: "pick up"]),
      .init("Enter", "drop what was picked up", .send(.drop), in: [.inHand], bar: [.inHand: "drop"]),
      .init(
        "x p P", "cut; paste below, paste above", .send(.cut), .send(.put(above: false)),
        .send(.put(above: true))),
      .init("", "in edit mode, drag ≡ or the row itself", .send(.drop), in: [], label: "mouse"),
    ])

  private static let marking = KeyBinding.group(
    .marking, in: lists,
    [
      .init("Space", "mark or unmark, then go down", .send(.mark), bar: [.editing: "mark"]),
      .init("v Shift-↓ Shift-↑", "mark a range", .send(.markRange), .extend(1), .extend(-1)),
      .init("*", "mark the rows that are not marked", .send(.invertMarks)),
      .init("y", "copy as text", .copy, bar: [.viewing: "copy"]),
    ])

  private static let calling = KeyBinding.group(
    .calling, in: lists,
    [
      .init("T", "Today: only those who are due, or all rows again", .send(.toggleDue)),
      .init("l", "log what was said, then the next date", .openLog),
      .init(
        "Enter Esc", "log, cancel; an empty date leaves it as it is", .finishPrompt, .closePrompt,
        in: [.logging], bar: [.logging: "go on"]),
    ])

  private static let viewing = KeyBinding.group(
    .viewing, in: lists,
    [
      .init("c", "choose the columns, by name", .openColumns),
      .init("s S", "sort the view by fields, reverse it", .openOrder, .reverseOrder),
      .init("", "click on a title to sort the view", .openOrder, in: [], label: "mouse"),
    ])

  private static let searching = KeyBinding.group(
    .searching, in: [.searching],
    [
      .init(
        "/", "search in all fields", .send(.search), in: lists, bar: [.list: "search", .viewing: "search"]),
      .init("n N", "next match, previous match", .send(.nextHit), .send(.previousHit), in: lists),
      .init("&", "show only matches or all rows again", .send(.filter), in: lists),
      .init("Enter", "stay at the match", .send(.acceptSearch), bar: [.searching: "stay"]),
      .init(
        "↑ ↓", "previous, next match, while typing", .send(.previousHit), .send(.nextHit),
        bar: [.searching: .init("other matches", keys: 2)]),
      .init("Tab", "show only matches, while typing", .send(.filter), bar: [.searching: "only matches"]),
      .init("Esc", "back to where the search began", .send(.escape), bar: [.searching: "back"]),
    ])
}

/// The keys of the program, the form, and the questions.
extension KeyBindings {
  private static let anywhere = KeyMode.all
  private static let questions: Set<KeyMode> = [.confirming, .asking, .formDeleting, .formLeaving]

  static let program =
    KeyBinding.group(
      .program, in: KeyMode.lists,
      [
        .init("u Ctrl-R", "undo, redo", .send(.undo), .send(.redo), bar: [.list: "undo"]),
        .init("E", "edit mode: controls for the mouse", .toggleEditing, bar: [.list: "edit"]),
        .init(
          "Esc", "close search, clear marks, end sorting or edit mode", .send(.escape),
          bar: [.editing: "done", .waiting: "cancel"]),
        .init(":", "run a command on the marked rows or the row", .openCommandLine),
        .init("M", "mouse on or off; hold Shift to select text", .toggleMouse),
        .init(
          "?", "show this help", .help,
          bar: [.list: "help", .editing: "help", .waiting: "help", .viewing: "help"]),
        .init(
          "F1", "show this help, also in the form", .help,
          in: anywhere.subtracting([.reading, .finding]).subtracting(questions)),
        .init(
          "q", "quit", .quit, in: KeyMode.lists.union([.damaged, .unreadable]),
          bar: [.list: "quit", .viewing: "quit", .damaged: "quit", .unreadable: "quit"]),
        .init("Ctrl-L", "draw the screen again", .redraw, in: anywhere),
        .init("Ctrl-Z", "suspend", .suspend, in: anywhere),
        .init("Ctrl-C", "cancel; if there is nothing to cancel, quit", .cancel, in: anywhere),
        .init(
          "PgDn PgUp Space ↓ ↑", "next page of the help, previous page", .turn(1), .turn(-1), .turn(1),
          .turn(1), .turn(-1), in: [.reading], bar: [.reading: "next page"]),
        .init("/", "find a key in the help", .find, in: [.reading], bar: [.reading: "find"]),
        .init(
          "", "close the help", .closeOverlay, in: [.reading], bar: [.reading: "closes"],
          label: "any other key", isFallback: true),
        .init(
          "Enter Esc", "stop searching the help", .endFinding, .closeOverlay, in: [.finding],
          bar: [.finding: "done"]),
        .init(
          "Enter Esc", "run the command, cancel", .finishPrompt, .closePrompt, in: [.command],
          bar: [.command: "run"]),
        .init(
          "Tab ↑ ↓", "complete the word, earlier command, later one", .complete, .recall(-1), .recall(1),
          in: [.command], bar: [.command: "complete"]),
      ])
    + KeyBinding.group(
      .viewing, in: [.choosing],
      [
        .init(
          "Enter Esc", "show these, cancel; empty means the usual ones", .finishPrompt, .closePrompt,
          bar: [.choosing: "show"]),
        .init(
          "Enter Esc", "sort so, cancel; empty ends it", .finishPrompt, .closePrompt, in: [.ordering],
          bar: [.ordering: "sort"]),
        .init(
          "Tab", "complete the name of a column", .complete, in: [.choosing, .ordering],
          bar: [.choosing: "complete", .ordering: "complete"]),
      ])

  static let takeTheirs = KeyBinding(
    "Ctrl-O", "use the other program's value", .form(.takeTheirs))

  static let form = KeyBinding.group(
    .form, in: [.form],
    [
      .init(
        "Enter ↓ ↑", "next line, previous line", .form(.enter), .form(.down), .form(.up),
        bar: [.form: "next field"]),
      .init(
        "Tab Shift-Tab", "the same, and on to the buttons", .form(.next), .form(.previous),
        bar: [.form: "buttons"]),
      .init("PgDn PgUp", "the next day or choice, the one before", .form(.step(1)), .form(.step(-1))),
      .init("Ctrl-J", "line break, in an address or a note", .text(.insert("\n"))),
      .init("Ctrl-S", "save", .form(.save), bar: [.form: "save"]),
      takeTheirs,
      .init(
        "Esc", "close without saving; asks if something was typed", .send(.escape), bar: [.form: "cancel"]),
      .init("", "check or clear a box such as Favorite", .text(.insert(" ")), in: [], label: "Space"),
    ])

  static let text = KeyBinding.group(
    .text, in: KeyMode.typing,
    [
      .init("← →", "move the cursor", .text(.left), .text(.right)),
      .init("Home End Ctrl-A Ctrl-E", "start of the line, end", .text(.start), .text(.end)),
      .init(
        "Backspace Delete", "delete the character before, after", .text(.deleteBackward),
        .text(.deleteForward)),
      .init(
        "Ctrl-W Ctrl-U Ctrl-K", "delete a word, to the start, to the end", .text(.deleteWord),
        .text(.deleteToStart), .text(.deleteToEnd)),
    ])

  static let answers =
    KeyBinding.group(
      .waiting, in: questions,
      [
        .init(
          "Enter y", "yes", .confirm,
          bar: [.confirming: "delete", .asking: "yes", .formDeleting: "delete", .formLeaving: "discard"]),
        .init(
          "", "no", .dismiss,
          bar: [
            .confirming: "cancels", .asking: "cancels", .formDeleting: "cancels", .formLeaving: "goes on",
          ], label: "any other key", isFallback: true),
      ])
    + KeyBinding.group(
      .arranging, in: [.inHand],
      [
        .init("Esc", "cancel: the rows stay where they were", .send(.escape), bar: [.inHand: "cancel"])
      ])
    + KeyBinding.group(
      .trouble, in: [.damaged],
      [
        .init("r", "repair the file, after a backup", .repair, bar: [.damaged: "repair"]),
        .init("v", "open read-only", .send(.openReadOnly), bar: [.damaged: "view"]),
        .init("r", "try again", .send(.tryAgain), in: [.unreadable], bar: [.unreadable: "try again"]),
      ])
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

  static func go(_ motion: TableMotion) -> KeyCommand { .send(.go(motion)) }
  static func form(_ event: FormEvent) -> KeyCommand { .send(.form(event)) }
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
