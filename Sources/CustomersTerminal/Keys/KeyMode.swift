/// The mode of the keys.
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
  case command, choosing
  /// The help or an output covers the list, or its search line is open.
  case reading, finding
  /// The list can't be read.
  case damaged, unreadable

  /// Whether keys with a character type it.
  var isTyping: Bool { KeyMode.typing.contains(self) }

  static let typing: Set<KeyMode> = [.searching, .form, .command, .choosing, .finding]
  static let lists: Set<KeyMode> = [.list, .editing, .waiting, .viewing]
  static let all = Set(KeyMode.allCases)
}
