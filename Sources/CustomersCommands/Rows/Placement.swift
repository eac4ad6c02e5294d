@_spi(Tools) internal import CustomerStore
internal import CustomersText

/// The destination of `add`, `import`, and `move`: the options, and their meaning in a list.
struct Placement: Sendable {
  /// The place; nil for the command's default.
  let spot: PlaceName.Spot?
  /// The section, as it was named.
  let section: String?

  /// The options for a destination.
  static let groups: [OptionGroup] = [.oneOf([to, at] + earlier), .optional(section)]

  /// Those of a command that moves rows, which have a place already.
  static let ofRows: [OptionGroup] = [.oneOf([to] + shifts + earlier), .optional(section)]

  static let to = Option.value(
    "--to", .place, "such as 5, last, leads/2, or before ROW (help places)")
  private static let at = Option.spelling("--at", to.value, of: to, "--to PLACE") { $0 }
  private static let earlier: [any DeclaredOption] = [
    Option.spelling("--first", of: to, "--to first") { _ in "first" },
    Option.spelling("--last", of: to, "--to last") { _ in "last" },
    Option.spelling("--before", Argument.row.type, of: to, "--to before ROW") { "before \($0)" },
    Option.spelling("--after", Argument.row.type, of: to, "--to after ROW") { "after \($0)" },
  ]
  private static let shifts: [any DeclaredOption] = [("--up", "-"), ("--down", "+")].map { name, sign in
    Option.spelling(name, Argument.count("K").type, isValueOptional: true, of: to, "--to \(sign)K") {
      sign + ($0.isEmpty ? "1" : $0)
    }
  }

  static let section = Option.value(
    "--section", short: "-s", .section, "section: title, number, or @id (places count in it)")

  /// A destination for the library and its section; nil for the library's default.
  struct Target {
    var destination: Destination
    var section: SectionID?
  }

  /// Parses the options; `operand` is a place that is given without one.
  init(_ invocation: Invocation, operand: PlaceName? = nil) throws {
    let (place, named) = (invocation[Placement.to] ?? operand, invocation[Placement.section])
    if named != nil, let place {
      if let own = place.section { throw Failure.contradictory("\(own)/…", Placement.section.name) }
      switch place.spot {
      case .before, .after, .shift:
        throw Failure.contradictory(place.word, Placement.section.name)
      case .number, .first, .last: break
      }
    }
    section = named ?? place?.section
    spot = place?.spot ?? (section == nil ? nil : .last)
    try place?.check()
  }

  /// A place that is not given by the options.
  init(_ place: PlaceName) throws {
    (spot, section) = (place.spot, place.section)
    try place.check()
  }

  /// Refuses to pull rows of several sections into one of them, if none is named.
  func refuseSeveralSections(_ rows: [Customer]) throws {
    guard section == nil, isEnd || shift != nil, Set(rows.map(\.place.section)).count > 1 else { return }
    throw Failure.usage("these rows are in several sections", hint: "name the section, as in leads/last")
  }

  /// Whether the section is that to which rows are added if none is named.
  var isInDefaultSection: Bool { section == nil && (spot == nil || isEnd) }

  /// Whether the place is an end of the section.
  var isEnd: Bool {
    switch spot {
    case .first, .last: true
    case .number, .before, .after, .shift, nil: false
    }
  }

  /// By how many rows to move; nil if the place is another one.
  var shift: Int? { if case .shift(let count) = spot { count } else { nil } }

  /// The destination in a list; nil if there are no options.
  ///
  /// `moving` are the rows that will move, in order.
  ///
  /// - Throws: a `Failure` with code `usage` if one of several rows would be placed before or after itself.
  func target(
    moving: [Customer] = [], _ finder: RowResolver, in list: borrowing CustomerList
  ) throws -> Target? {
    let named = try section.map { try finder.section(titled: $0) }
    let section = named?.id
    switch spot {
    case .number(let number):
      guard let named else { return try finder.outline.place(at: number, moving: moving.map(\.place)) }
      let most = named.count - moving.count { $0.place.section == named.id } + 1
      guard (1...most).contains(number) else {
        throw Failure.notFound(
          "\(Invocation.outOfRange("row", number, most)) in section \(quoted(named.title))")
      }
      return Target(destination: .place(number), section: section)
    case .before(let row):
      return Target(destination: .before(try neighbor(row, moving, finder, list)), section: section)
    case .after(let row):
      return Target(destination: .after(try neighbor(row, moving, finder, list)), section: section)
    case .first: return Target(destination: .first, section: section)
    case .last: return Target(destination: .last, section: section)
    case .shift(let count):
      throw Failure.usage(
        "\(PlaceName(.shift(count)).word) is a place only in customers move",
        hint: "for example: first, or leads/2")
    case nil: return nil
    }
  }

  private func neighbor(
    _ row: String, _ moving: [Customer], _ finder: RowResolver, _ list: borrowing CustomerList
  ) throws -> CustomerID {
    let customer = try finder.row(RowSelectors([row]), in: list)
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
    case .before, .after, .shift: throw Failure.usage("a batch needs row numbers")
    case .number, .first, .last, nil: break
    }
    return { finder, home in
      let named = try section.map { try finder.section(titled: $0).id }
      guard let section = named ?? home else { throw ListError.noSections }
      switch spot {
      case .number(let number):
        // The section of the n-th row of the whole list depends on the rest of the batch.
        guard try named != nil || finder.outline.sections.count == 1 else {
          throw Failure.usage(
            "in a batch, a row number needs --section", hint: "for example: --section leads")
        }
        return { .place(number + $0, in: section) }
      case .first: return { _ in .first(in: section) }
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

/// A place as a user writes it: `3`, `first`, `last`, or one of them in a section, `leads/3`; `before ROW` or `after ROW`;
/// `+2` or `-2`, so many rows further down or up.
struct PlaceName: Sendable {
  enum Spot: Sendable {
    case number(Int)
    case first, last
    /// Beside a row, or a section, as it was named.
    case before(String)
    case after(String)
    case shift(Int)
  }

  let spot: Spot
  /// The section, as it was named.
  let section: String?

  init(_ spot: Spot) { (self.spot, section) = (spot, nil) }

  /// The end of a section.
  init(endOf section: String) { (spot, self.section) = (.last, section) }

  /// The end of the section with a title; nil for what looks like a place that is written wrongly.
  init?(titled word: String) {
    guard word.first?.isLetter == true, !word.contains("/"),
      !PlaceName.neighbors.contains(String(word.prefix { $0 != " " }))
    else {
      return nil
    }
    self.init(endOf: word)
  }

  /// Parses a word; nil if it is not a place.
  init?(_ word: String) {
    let parts = word.split(separator: " ", maxSplits: 1).map(String.init)
    if parts.count == 2, PlaceName.neighbors.contains(parts[0]) {
      let row = PlaceName.unquoted(parts[1])
      (spot, section) = (parts[0] == "before" ? .before(row) : .after(row), nil)
      return
    }
    let slash = word.lastIndex(of: "/").flatMap { $0 > word.startIndex ? $0 : nil }
    let place = slash.map { String(word[word.index(after: $0)...]) } ?? word
    let digits = place.hasPrefix("+") ? String(place.dropFirst()) : place
    switch place {
    case "first": spot = .first
    case "last": spot = .last
    case _ where !Invocation.isNumber(digits): return nil
    // A number may be too large for a place in any list; the list reports its range.
    case _ where digits == place && !place.hasPrefix("-"): spot = .number(Int(place) ?? .max)
    case _ where slash == nil && !place.hasPrefix("+-"):
      spot = .shift(Int(digits) ?? (place.hasPrefix("-") ? -.max : .max))
    default: return nil
    }
    section = slash.map { String(word[..<$0]) }
  }

  /// The name of a row without the quotation marks around it, as in `--to 'after "Ann Lee"'`.
  private static func unquoted(_ row: String) -> String {
    guard row.count > 2, let quote = row.first, "\"'".contains(quote), row.last == quote else { return row }
    return String(row.dropFirst().dropLast())
  }

  /// - Throws: a `Failure` with code `usage` if the row beside it is not named as rows are.
  fileprivate func check() throws {
    switch spot {
    case .before(let row), .after(let row): _ = try RowSelectors([row])
    case .number, .first, .last, .shift: break
    }
  }

  /// The words that a row or section follows.
  static let neighbors = ["before", "after"]

  /// The words for a place in any list.
  static let words = ["first", "last"] + neighbors

  /// The place as one writes it, without its section.
  var word: String {
    switch spot {
    case .number(let number): "\(number)"
    case .first: "first"
    case .last: "last"
    case .before(let row): "before \(typed(row))"
    case .after(let row): "after \(typed(row))"
    case .shift(let count): count < 0 ? "\(count)" : "+\(count)"
    }
  }
}

extension Argument where Value == PlaceName {
  static var place: Argument {
    Argument(type: ArgumentType("PLACE", .place)) { word, name in
      if let place = PlaceName(word) ?? PlaceName(titled: word) { return place }
      throw Failure.usage(
        "\(name) must be a place, not \(quoted(word))",
        hint: "to see how places are named: customers help places", offendingArgument: word)
    }
  }
}
