internal import CustomerStore
internal import TerminalText

/// Where `add`, `import` and `move` put rows: what the options say, and what that means in a list.
struct Placement: Sendable {
  private enum Spot: Sendable {
    case number(Int)
    case first, last
    case before(RowSelectors)
    case after(RowSelectors)
  }

  private var spot: Spot?
  private var section: String?

  /// The options that say where; a command adds those that are its own.
  static func groups(_ own: Option...) -> [OptionGroup] {
    let places: [Option] = [
      .flag("--first", "to the top of the section"), .flag("--last", "to the end of the section"),
      .value("--before", .row, "to just before a row"), .value("--after", .row, "to just after a row"),
    ]
    return [.oneOf(own + places), .optional(section)]
  }

  static let section = Option.value(
    "--section", short: "-s", .section, "the section, by title or @id; N then counts in it")

  /// A destination for the library, and the section it is in; nil leaves that to the library.
  struct Target {
    var destination: Destination
    var section: SectionID?
  }

  /// Understands the options; `number` is the place that the command was given as a number, if any.
  init(_ invocation: Invocation, number: Int?) throws {
    section = invocation.value("--section")
    for option in ["--before", "--after"] where section != nil && invocation.has(option) {
      throw Failure.contradictory(option, "--section")
    }
    spot =
      if let number {
        .number(number)
      } else if let row = invocation.value("--before") {
        .before(try RowSelectors([row]))
      } else if let row = invocation.value("--after") {
        .after(try RowSelectors([row]))
      } else if invocation.has("--first") {
        .first
      } else {
        invocation.has("--last") || section != nil ? .last : nil
      }
  }

  /// Whether the place is an end of the section.
  var isEnd: Bool {
    switch spot {
    case .first, .last: true
    case .number, .before, .after, nil: false
    }
  }

  /// What the options mean in a list; nil if they say nothing.
  ///
  /// `moving` are the rows that leave their places first, in order.
  ///
  /// - Throws: a `Failure` with code `usage` if one of several rows is to be before or after itself.
  func target(
    moving: [Customer] = [], _ finder: RowResolver, in list: borrowing CustomerList
  ) throws -> Target? {
    let section = try section.map { try finder.outline.section(titled: $0).id }
    switch spot {
    case .number(let number) where section == nil:
      return try finder.outline.target(position: number, moving: moving.map(\.place))
    case .number(let number): return Target(destination: .place(number), section: section)
    case .before(let row):
      return Target(destination: .before(try neighbor(row, moving, finder, list)), section: section)
    case .after(let row):
      return Target(destination: .after(try neighbor(row, moving, finder, list)), section: section)
    case .first: return Target(destination: .first, section: section)
    case .last: return Target(destination: .last, section: section)
    case nil: return nil
    }
  }

  private func neighbor(
    _ row: RowSelectors, _ moving: [Customer], _ finder: RowResolver, _ list: borrowing CustomerList
  ) throws -> CustomerID {
    let customer = try finder.row(row, in: list)
    if moving.count > 1, moving.contains(where: { $0.id == customer.id }) {
      let position = finder.outline.position(of: customer.place)
      throw Failure.usage(
        "row \(position) (\(quoted(customer.name))) is one of those that move", hint: "name a row that stays")
    }
    return customer.id
  }
}

extension Placement {
  /// What the options mean in a batch: a place of the list after it.
  ///
  /// - Throws: a `Failure` with code `usage` for a place beside a row, which may go elsewhere.
  func batchTarget() throws -> @Sendable (RowResolver, SectionID?) throws -> (Int) -> BatchUpdates.Target {
    switch spot {
    case .before: throw Failure.usage("a batch takes places as numbers", offendingArgument: "--before")
    case .after: throw Failure.usage("a batch takes places as numbers", offendingArgument: "--after")
    case .number, .first, .last, nil: break
    }
    return { finder, home in
      let named = try section.map { try finder.outline.section(titled: $0).id }
      guard let section = named ?? home else { throw ListError.noSections }
      switch spot {
      case .number(let number):
        // Which section the n-th row of the whole list will be in depends on the rest of the batch.
        guard named != nil || finder.outline.sections.count == 1 else {
          throw Failure.usage("a batch counts places in a section", hint: "add --section")
        }
        return { .place(number + $0, in: section) }
      case .first: return { _ in .first(in: section) }
      default: return { _ in .last(in: section) }
      }
    }
  }
}

extension Outline {
  /// The place that will be shown at a position of the whole list.
  ///
  /// At a border between two sections it is that of the section the first row is in already,
  /// otherwise that of the row shown there.
  fileprivate func target(position: Int, moving: [Place]) throws -> Placement.Target {
    var staying = sections
    for index in staying.indices {
      staying[index].count -= moving.count { $0.section == staying[index].id }
    }
    let after = Outline(staying)
    guard position >= 1, position <= after.count + 1 else {
      throw Failure.notFound(
        "there is no place \(Invocation.spelled(position)): the list has \(rowCount(count))",
        hint: "places go from 1 to \(after.count + 1)")
    }
    if let home = moving.first?.section, let own = staying.first(where: { $0.id == home }) {
      let order = position - after.position(of: Place(section: home, order: 0))
      if order >= 1, order <= own.count + 1 { return .init(destination: .place(order), section: home) }
    }
    if let place = after.place(at: position) {
      return .init(destination: .place(place.order), section: place.section)
    }
    return .init(destination: .last, section: staying.last?.id)
  }
}
