internal import CustomerTable

/// The command of a key.
enum KeyCommand: Hashable {
  // The list
  case go(TableMotion), digit(Int), open, add(TableAddition), toggleEditing
  case delete, toggleFavorite, shift(Int), pickUp, drop, cut, put(above: Bool)
  case mark, markRange, extend(Int), invertMarks, copy
  case search, acceptSearch, nextHit, previousHit, filter
  case undo, redo
  /// Answers yes or anything else.
  case confirm, dismiss
  /// Cancels one thing; or that and, with nothing to cancel, ends the program.
  case escape, cancel
  // Texts
  case text(FormText.Edit)
  case form(FormEvent)
  // The command line
  case openCommandLine, finishPrompt, closePrompt
  // The view
  case openColumns, openOrder, reverseOrder
  // What covers the list
  case help, turn(Int), find, closeOverlay, endFinding
  // A list that can't be read
  case repair, view, tryAgain
  // The terminal
  case toggleMouse, redraw, suspend, quit
}
