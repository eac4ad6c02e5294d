internal import CustomerStore

/// Where `add`, `import` and `move` put rows: the options, and what they mean in a list.
enum Placement {
  static let options: [Option] = [
    .flag("--first", "to the top of the section"),
    .flag("--last", "to the end of the section"),
    .value("--before", "ROW", "to just before a row"),
    .value("--after", "ROW", "to just behind a row"),
    .value("--section", "SECTION", "the section, by title or @id; N then counts in it"),
  ]

  /// A destination for the library, and the section it is in; nil leaves that to the library.
  struct Target {
    var destination: Destination
    var section: SectionID?
  }

  /// What the options say; nil if they say nothing.
  ///
  /// `number` is the place that the command was given as a number, if any; `moving` is where the rows
  /// are that leave their places first.
  static func target(
    _ session: Session, number: Int?, moving: [Place] = [], finder: RowFinder, in list: borrowing CustomerList
  ) throws -> Target? {
    let invocation = session.invocation
    let given = ["--first", "--last", "--before", "--after"].filter(invocation.has)
    guard given.count + (number == nil ? 0 : 1) <= 1 else {
      throw Failure.usage(
        "one place is enough: \((given + (number == nil ? [] : ["a number"])).joined(separator: ", "))")
    }
    let section = try session.section(finder.outline)?.id
    if let number {
      guard section == nil else { return Target(destination: .place(number), section: section) }
      return try finder.outline.target(position: number, moving: moving)
    }
    if let row = invocation.value("--before") {
      return Target(destination: .before(try finder.row(row, in: list).id), section: section)
    }
    if let row = invocation.value("--after") {
      return Target(destination: .after(try finder.row(row, in: list).id), section: section)
    }
    if given.isEmpty && section == nil { return nil }
    return Target(destination: invocation.has("--first") ? .first : .last, section: section)
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
        "there is no place \(position): the list has \(rowCount(count))",
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
