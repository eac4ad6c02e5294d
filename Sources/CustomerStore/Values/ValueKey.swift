/// What a value is compared by, within its kind.
enum ValueKey: Hashable, Sendable {
  /// A day, a moment, yes or no, or a choice, as a number that is greater for a later one.
  case integer(Int)
  case number(DecimalNumber)
}

extension ColumnKinds.Column {
  /// What a stored value is compared by; nil if it is no value of the kind, or a kind that compares as text.
  func key(_ text: String) -> ValueKey? {
    switch kind {
    case .text, .lines, .link: nil
    case .number: DecimalNumber(text).map(ValueKey.number)
    case .date: CalendarDay(text).map { .integer($0.number) }
    case .time: Moment(text).map { .integer($0.universal) }
    case .yesNo: Bool(typed: text).map { .integer($0 ? 1 : 0) }
    case .choice: choices.firstIndex(of: text).map(ValueKey.integer)
    }
  }

  /// Whether a stored form that a file makes of a value is the one that was handed out; a spreadsheet may not show seconds.
  package func isSame(_ form: String, as old: String) -> Bool {
    key(old).map { $0 == key(form) } ?? false || kind == .time && old.hasPrefix(form + ":")
  }

  /// A text by which a value is sorted: a number in digits, unless the kind compares as text; an empty one for what is
  /// not of the kind.
  func sortText(_ text: String) -> String {
    switch kind {
    case .text, .lines, .link: text
    case .number: DecimalNumber(text) == nil ? "" : text
    // As a condition compares it: a time without a zone is of the caller's clock.
    case .time: Moment(text).map { String($0.instant) } ?? ""
    case .date, .yesNo, .choice:
      if case .integer(let number)? = key(text) { String(number) } else { "" }
    }
  }
}

extension ValueKey: Comparable {
  /// Whether it comes before another one of the same kind.
  static func < (left: ValueKey, right: ValueKey) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.number(let left), .number(let right)): left < right
    case (.integer, .number): true
    case (.number, .integer): false
    }
  }
}
