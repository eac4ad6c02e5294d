/// A comparison of a text with the values of a term.
struct TextTest: Hashable, Sendable {
  private let comparison: FilterTerm.Comparison
  /// The values, folded.
  private let texts: [String]
  /// The value that another one is less or greater than.
  private let limit: ComparableText?

  init(_ term: FilterTerm) {
    comparison = term.comparison
    texts = term.values.map { searchFolded($0.text) }
    limit = comparison.isOfOrder ? texts.first.map { ComparableText($0) } : nil
  }

  /// Texts of which every matching text contains one; nil if there are none.
  var needed: [String]? {
    (comparison == .equals || comparison == .contains) && !texts.contains("") ? texts : nil
  }

  func holds(of other: String) -> Bool {
    let other = searchFolded(other)
    switch comparison {
    case .equals: return texts.contains(other)
    case .differs: return !texts.contains(other)
    case .contains: return texts.contains { other.contains($0) }
    case .lacks: return !texts.contains { other.contains($0) }
    case .less, .atMost, .greater, .atLeast:
      guard let limit, !other.isEmpty else { return false }
      let value = ComparableText(other)
      guard value.isComparable(with: limit) else { return false }
      return switch comparison {
      case .less: value.precedes(limit)
      case .atMost: !limit.precedes(value)
      case .greater: limit.precedes(value)
      default: !value.precedes(limit)
      }
    }
  }
}

extension FilterTerm {
  /// The term with dates for `today`, `yesterday`, `today+7` and so on, unless it looks for a part.
  func dated(_ today: CalendarDay) -> FilterTerm {
    guard comparison != .contains, comparison != .lacks else { return self }
    var term = self
    term.values = values.map { value in
      guard !value.isQuoted, let day = CalendarDay(value.text, from: today) else { return value }
      return Value(day.description)
    }
    return term
  }
}
