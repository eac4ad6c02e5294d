internal import CustomerStore
internal import CustomerTable

/// The state of the mouse.
struct Pointer {
  /// The target where the button went down, while it is down.
  var pressed: PointerTarget?
  /// The row on which it went down, which a drag picks up.
  var row: Int?
  /// Where the mouse is while rows are dragged, above (-1) or below (1) the list; it scrolls then.
  var edge = 0
  var nextScroll: ContinuousClock.Instant?
  /// The last click; another one soon after makes a double click.
  var lastClick: (target: PointerTarget, time: ContinuousClock.Instant)?

  static let doubleClick = Duration.milliseconds(400)
  static let scrollPause = Duration.milliseconds(60)

  /// Whether a click is the second of two.
  mutating func isSecond(_ target: PointerTarget, at now: ContinuousClock.Instant) -> Bool {
    if let last = lastClick, last.target == target, last.time.duration(to: now) < Self.doubleClick {
      lastClick = nil
      return true
    }
    lastClick = (target, now)
    return false
  }
}

/// A target of the pointer.
enum PointerTarget: Hashable {
  /// The Edit or Done button.
  case editButton
  /// A row, its control, its handle.
  case row(CustomerID), control(CustomerID), handle(CustomerID)
  /// The title of a column.
  case column(ListColumn)
  /// The button that deletes.
  case deleteButton
  /// The row that adds or the text below a section.
  case add(SectionID), footer(SectionID)
  /// A line or button of the form; a letter of its text, by the number of letters before it.
  case form(FormState.Focus), letter(FormState.Focus, Int)
}
