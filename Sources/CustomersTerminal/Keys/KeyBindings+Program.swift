internal import CustomerTable

/// The keys of the program, the form, and the questions.
extension KeyBindings {
  private static let anywhere = KeyMode.all
  private static let questions: Set<KeyMode> = [.confirming, .asking, .formDeleting, .formLeaving]

  static let program = [
    KeyBinding(
      "u Ctrl-R", .undo, .redo, meaning: "undo, redo", topic: .program, modes: KeyMode.lists,
      bar: [.list: "undo"]),
    KeyBinding(
      "E", .toggleEditing, meaning: "edit mode: controls for the mouse", topic: .program,
      modes: KeyMode.lists, bar: [.list: "edit"]),
    KeyBinding(
      "Esc", .escape, meaning: "close search, clear marks, end sorting or edit mode", topic: .program,
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
      "Enter Esc", .finishPrompt, .closePrompt, meaning: "show these, cancel; empty means the usual ones",
      topic: .viewing, modes: [.choosing], bar: [.choosing: "show"]),
  ]

  static let takeTheirs = KeyBinding(
    "Ctrl-O", .form(.takeTheirs), meaning: "use the other program's value", topic: .form,
    modes: [.form])

  static let form = [
    KeyBinding(
      "Enter ↓ ↑", .form(.enter), .form(.down), .form(.up), meaning: "next line, previous line",
      topic: .form, modes: [.form], bar: [.form: "next field"]),
    KeyBinding(
      "Tab Shift-Tab", .form(.next), .form(.previous), meaning: "the same, and on to the buttons",
      topic: .form, modes: [.form], bar: [.form: "buttons"]),
    KeyBinding("Ctrl-S", .form(.save), meaning: "save", topic: .form, modes: [.form], bar: [.form: "save"]),
    takeTheirs,
    KeyBinding(
      "Esc", .escape, meaning: "close without saving; asks if something was typed", topic: .form,
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
      bar: [.confirming: "keep", .asking: "no", .formDeleting: "keep", .formLeaving: "go on"],
      label: "any other key:",
      isFallback: true),
    KeyBinding(
      "Esc", .escape, meaning: "cancel: the rows stay where they were", topic: .arranging, modes: [.inHand],
      bar: [.inHand: "cancel"]),
    KeyBinding(
      "r", .repair, meaning: "repair the file, after a backup", topic: .trouble, modes: [.damaged],
      bar: [.damaged: "repair"]),
    KeyBinding(
      "v", .view, meaning: "open read-only", topic: .trouble, modes: [.damaged],
      bar: [.damaged: "view"]),
    KeyBinding(
      "r", .tryAgain, meaning: "try again", topic: .trouble, modes: [.unreadable],
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
