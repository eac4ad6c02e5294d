internal import CustomersTerminalText

/// A place as a user writes it: `3`, `first`, `last`, or one of them in a section, `leads/3`.
struct PlaceName: Sendable {
  enum Spot: Sendable {
    case number(Int)
    case first, last
  }

  let spot: Spot
  /// The section, as it was named.
  let section: String?

  /// Parses a word; nil if it is not a place.
  init?(_ word: String) {
    let slash = word.lastIndex(of: "/").flatMap { $0 > word.startIndex ? $0 : nil }
    let place = slash.map { String(word[word.index(after: $0)...]) } ?? word
    switch place {
    case "first": spot = .first
    case "last": spot = .last
    default:
      guard Invocation.isNumber(place) else { return nil }
      // Too large for a place in any list; the list reports its range.
      spot = .number(Int(place) ?? (place.hasPrefix("-") ? .min : .max))
    }
    section = slash.map { String(word[..<$0]) }
  }
}

extension Argument where Value == PlaceName {
  static var place: Argument {
    Argument(type: ArgumentType("N", .number)) { word, name in
      if let place = PlaceName(word) { return place }
      throw Failure.usage("\(name) must be a whole number, not \(quoted(word))", offendingArgument: word)
    }
  }
}
