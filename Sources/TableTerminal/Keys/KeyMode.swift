/// What the keys are for at a moment.
enum KeyMode: CaseIterable {
  /// The list, without and with the controls of edit mode; with an edit that waits; one that is only read.
  case list, editing, waiting, viewing
  /// Rows are in hand.
  case inHand
  /// The button that deletes shows; a question about undo shows.
  case confirming, asking
  /// The search line is open.
  case searching
  /// The form is open; it asks whether to delete.
  case form, formDeleting
  /// The command line is open.
  case command
  /// The help or an answer covers the list; its search line is open.
  case reading, finding
  /// The list can't be read.
  case damaged, unreadable

  /// Whether keys with a character type it.
  var isTyping: Bool { KeyMode.typing.contains(self) }

  static let typing: Set<KeyMode> = [.searching, .form, .command, .finding]
  static let lists: Set<KeyMode> = [.list, .editing, .waiting, .viewing]
  static let all = Set(KeyMode.allCases)
}
