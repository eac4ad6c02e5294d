internal import CustomerStore
internal import CustomersText

/// The destination of `add`, `import`, and `move`: the options, and their meaning in a list.
struct Placement: Sendable {
  private enum Spot: Sendable {
    case place(PlaceName.Spot)
    case before(RowSelectors)
    case after(RowSelectors)
  }

  private var spot: Spot?
  /// The section, as it was named.
  let section: String?

  /// The options for a destination; commands add their own.
  static func groups(_ own: any DeclaredOption...) -> [OptionGroup] {
    [.oneOf(own + places), .optional(section)]
  }

  private static let first = Option.flag("--first", "at the top of the section")
  private static let last = Option.flag("--last", "at the end of the section")
  private static let before = Option.value("--before", .row, "just before a row")
  private static let after = Option.value("--after", .row, "just after a row")
  private static let places: [any DeclaredOption] = [first, last, before, after]

  /// Whether one of the places that all these commands share is given.
  static func isGiven(_ invocation: Invocation) -> Bool { places.contains { invocation.has($0) } }

  static let section = Option.value(
    "--section", short: "-s", .section, "section: title, number, or @id (N counts its rows)")

  /// A destination for the library and its section; nil for the library's default.
  struct Target {
    var destination: Destination
    var section: SectionID?
  }

  /// Parses the options; `place` is the value of the command's own option, if any.
  init(_ invocation: Invocation, place: PlaceName?) throws {
    let named = invocation[Placement.section]
    for option in [Placement.before, Placement.after] where named != nil && invocation.has(option) {
      throw Failure.contradictory(option, Placement.section)
    }
    if named != nil, let own = place?.section {
      throw Failure.contradictory("\(own)/…", Placement.section.name)
    }
    section = named ?? place?.section
    spot =
      if let place {
        .place(place.spot)
      } else if let row = invocation[Placement.before] {
        .before(try RowSelectors([row]))
      } else if let row = invocation[Placement.after] {
        .after(try RowSelectors([row]))
      } else if invocation[Placement.first] {
        .place(.first)
      } else {
        invocation[Placement.last] || section != nil ? .place(.last) : nil
      }
  }

  /// A place that is not given by the options.
  init(_ place: PlaceName) { (spot, section) = (.place(place.spot), place.section) }

  /// Refuses to pull rows of several sections into one of them, if none is named.
  func refuseSeveralSections(_ rows: [Customer]) throws {
    guard section == nil, isEnd, Set(rows.map(\.place.section)).count > 1 else { return }
    throw Failure.usage(
      "these rows are in several sections", hint: "name the section, as in leads/last")
  }

  /// Whether the section is that to which rows are added if none is named.
  var isInDefaultSection: Bool { section == nil && (spot == nil || isEnd) }

  /// Whether the place is an end of the section.
  var isEnd: Bool {
    switch spot {
    case .place(.first), .place(.last): true
    case .place(.number), .before, .after, nil: false
    }
  }

  /// The destination in a list; nil if there are no options.
  ///
  /// `moving` are the rows that will move, in order.
  ///
  /// - Throws: a `Failure` with code `usage` if one of several rows would be placed before or after itself.
  func target(
    moving: [Customer] = [], _ finder: RowResolver, in list: borrowing CustomerList
  ) throws -> Target? {
    let section = try section.map { try finder.section(titled: $0).id }
    switch spot {
    case .place(.number(let number)) where section == nil:
      return try finder.outline.place(at: number, moving: moving.map(\.place))
    case .place(.number(let number)): return Target(destination: .place(number), section: section)
    case .before(let row):
      return Target(destination: .before(try neighbor(row, moving, finder, list)), section: section)
    case .after(let row):
      return Target(destination: .after(try neighbor(row, moving, finder, list)), section: section)
    case .place(.first): return Target(destination: .first, section: section)
    case .place(.last): return Target(destination: .last, section: section)
    case nil: return nil
    }
  }

  private func neighbor(
    _ row: RowSelectors, _ moving: [Customer], _ finder: RowResolver, _ list: borrowing CustomerList
  ) throws -> CustomerID {
    let customer = try finder.row(row, in: list)
    if moving.count > 1, moving.contains(where: { $0.id == customer.id }) {
      let position = try finder.outline.position(of: customer.place)
      throw Failure.usage(
        "row \(position) (\(quoted(customer.name))) is one of the rows that move",
        hint: "choose a row that stays")
    }
    return customer.id
  }
}

extension Placement {
  /// The destination in a batch: a place of the list after it.
  ///
  /// - Throws: a `Failure` with code `usage` for a place next to a row, because that row may move.
  func batchTarget() throws -> @Sendable (RowResolver, SectionID?) throws -> (Int) -> BatchUpdates.Target {
    switch spot {
    case .before:
      throw Failure.usage("a batch needs row numbers", offendingArgument: Placement.before.name)
    case .after:
      throw Failure.usage("a batch needs row numbers", offendingArgument: Placement.after.name)
    case .place, nil: break
    }
    return { finder, home in
      let named = try section.map { try finder.section(titled: $0).id }
      guard let section = named ?? home else { throw ListError.noSections }
      switch spot {
      case .place(.number(let number)):
        // The section of the n-th row of the whole list depends on the rest of the batch.
        guard try named != nil || finder.outline.sections.count == 1 else {
          throw Failure.usage(
            "in a batch, a row number needs --section", hint: "for example: --section leads")
        }
        return { .place(number + $0, in: section) }
      case .place(.first): return { _ in .first(in: section) }
      default: return { _ in .last(in: section) }
      }
    }
  }
}

extension ListOutline {
  /// The place for a position in the whole list.
  fileprivate func place(at position: Int, moving: [CustomerPlace]) throws -> Placement.Target {
    guard let target = target(position: position, moving: moving) else {
      throw Failure.notFound(
        Invocation.outOfRange("row", position, count - moving.count + 1),
        hint: moving.count > 1
          ? "N is the number of the first of the \(moving.count) rows after the move" : nil)
    }
    return Placement.Target(destination: target.destination, section: target.section)
  }
}

/// A place as a user writes it: `3`, `first`, `last`, or one of them in a section, `leads/3`.
struct PlaceName: Sendable {
  enum Spot: Sendable {
    case number(Int)
    case first, last
  }

  let spot: Spot
  /// The section, as it was named.
  let section: String?

  /// The end of a section.
  init(endOf section: String) { (spot, self.section) = (.last, section) }

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
