/// A comparison of a string with the values of a term.
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

  /// Values of which every matching text contains one; nil if there are none.
  var needed: [String]? {
    (comparison == .equals || comparison == .contains) && !texts.contains("") ? texts : nil
  }

  /// Whether one of the values of a field passes, or none of them if the comparison is a negation; no values are an
  /// empty one.
  func holds(of values: [String]) -> Bool {
    let isOneLike = values.isEmpty ? isLike("") : values.contains(where: isLike)
    return comparison == .differs || comparison == .lacks ? !isOneLike : isOneLike
  }

  /// Whether a value is like one of the values, whether or not that is wanted.
  private func isLike(_ value: String) -> Bool {
    let other = searchFolded(value)
    switch comparison {
    case .equals, .differs: return texts.contains(other)
    case .contains, .lacks: return texts.contains { other.contains($0) }
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
