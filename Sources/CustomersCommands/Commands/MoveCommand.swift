internal import CustomerStore
internal import CustomersText

extension Command {
  static let move = Command(
    name: "move", aliases: ["mv"], summary: "move rows to another place",
    description: [
      "N is the row number after the move. Several rows move as one block and keep their order. N is where",
      "the first of them ends up. `move 5 2` is `move 5 --to 2`. Other places are leads/2, leads/last, and",
      "first and last, which are those of the section of the rows.",
    ],
    forms: RowChoice.forms(Placement.groups(MoveRequest.number, MoveRequest.up, MoveRequest.down))
      + [.plain([.one(.row), .one(.place)])],
    examples: [
      CommandExample("Move the fifth row to row 2:", "customers move 5 --to 2"),
      CommandExample("Move three rows after another:", "customers move 1-3 --after \"Anna Karenina\""),
      CommandExample(
        "Move everyone at a company to a section:", "customers move --where company~books --section leads"),
    ],
    seeAlso: ["swap", "sort", "arrange", "rows"],
    editing: Editing(onlyMoves: { !$0.has(RowChoice.option) }, batch: { try MoveRequest($0).inBatch() }) {
      invocation in
      let request = try MoveRequest(invocation)
      return { resolver, list in try request.edit(resolver, list) }
    })
}

private struct MoveRequest {
  static let number = Option.value("--to", .place, "move to row N or to leads/2")
  static let up = Option.value(
    "--up", .count("K"), bare: 1, "move up K rows (default 1), at most to the top")
  static let down = Option.value(
    "--down", .count("K"), bare: 1, "move down K rows (default 1), at most to the end")

  private let choice: RowChoice
  private let placement: Placement
  private let distance: Int?
  /// Whether rows of several sections would silently be pulled into one.
  private var needsSection: Bool { placement.section == nil && (distance != nil || placement.isEnd) }

  init(_ invocation: Invocation) throws {
    var operands = invocation.operands
    var place = invocation[MoveRequest.number]
    let way = [MoveRequest.up, MoveRequest.down].first { invocation.has($0) }
    distance = invocation[MoveRequest.up].map { -$0 } ?? invocation[MoveRequest.down]
    let hasSection = invocation.has(Placement.section)
    if way == nil, !hasSection, !Placement.isGiven(invocation), place == nil {
      guard operands.count == 2, let last = PlaceName(operands[1]) else {
        throw Failure.usage(
          operands.count > 2
            ? "with several rows, write the target as an option, and put a name with spaces in quotes"
            : operands.count == 2 ? "\(quoted(operands[1])) is not a place" : "move needs a target",
          hint: operands.count > 2 && operands.last.flatMap(PlaceName.init) != nil
            ? "for example: customers move \(operands.dropLast().map(typed).joined(separator: " ")) --to \(operands[operands.count - 1])"
            : "for example: customers move 5 --to 2")
      }
      place = last
      operands.removeLast()
    }
    if let way, hasSection { throw Failure.contradictory(way, Placement.section) }
    choice = try RowChoice(invocation, operands: operands)
    placement = try Placement(invocation, place: place)
  }

  /// The rows as a block in their current order, as outside a batch.
  func inBatch() throws -> BatchEdit {
    guard distance == nil else {
      throw Failure.usage("a batch needs row numbers, not --up or --down")
    }
    let target = try placement.batchTarget()
    return { resolver, list, batch in
      let inOrder = try resolver.inOrder(choice.rows(resolver, in: list))
      try refuseSeveralSections(inOrder)
      let place = try target(resolver, inOrder.first?.place.section)
      for (index, row) in inOrder.enumerated() { batch.move(.customer(row.id), to: place(index)) }
    }
  }

  func edit(_ resolver: RowResolver, _ list: borrowing CustomerList) throws -> ListEdit {
    let rows = try choice.rows(resolver, in: list)
    let ids = rows.map(\.id)
    try refuseSeveralSections(rows)
    if let distance { return .moveBy(ids, distance) }
    let inOrder = try resolver.inOrder(rows)
    let target = try placement.target(moving: inOrder, resolver, in: list)
    // A row is already before and after itself.
    if let target, ids.count == 1,
      target.destination == .before(ids[0]) || target.destination == .after(ids[0])
    {
      return .moveBy(ids, 0)
    }
    return .move(ids, to: target?.destination ?? .last, in: target?.section)
  }

  private func refuseSeveralSections(_ rows: [Customer]) throws {
    guard needsSection, Set(rows.map(\.place.section)).count > 1 else { return }
    throw Failure.usage(
      "these rows are in several sections", hint: "add --section to choose their new section")
  }
}

extension Command {
  static let swap = Command(
    name: "swap", summary: "swap two rows",
    description: ["The rows may be in different sections."],
    operands: [.one(.row), .one(.row)],
    examples: [
      CommandExample("Swap the first two rows:", "customers swap 1 2"),
      CommandExample("Swap rows of different sections:", "customers swap \"Jane Eyre\" leads/1"),
    ],
    seeAlso: ["move", "rows"],
    editing: Editing(onlyMoves: { _ in true }) { invocation in
      let names = try invocation.operands.map { try RowSelectors([$0]) }
      return { resolver, list in
        let rows = [try resolver.row(names[0], in: list), try resolver.row(names[1], in: list)]
        return .swap(rows[0].id, rows[1].id)
      }
    })
}

extension Command {
  static let sort = Command(
    name: "sort", summary: "sort the rows once",
    description: [
      "Sorts each section separately, once: the list does not stay sorted. The fields are name,",
      CustomerField.standard.map(\.column).joined(separator: ", ") + ",",
      "and the extra columns. Case only breaks ties, customers without a value come last, and equal rows",
      "keep their order. Rows that are protected against moving stay where they are, and the others go",
      "around them. The sort is a single step.",
    ],
    options: [
      .required(SortOptions.fields), .optional(SortOptions.descending), .optional(SortOptions.section),
    ],
    examples: [
      CommandExample("Sort by last name, then by first name:", "customers sort --by last_name,first_name"),
      CommandExample(
        "Sort one section, from Z to A:", "customers sort --by company --section leads --descending"),
    ],
    seeAlso: ["arrange", "move", "undo"], rewritesMuch: true,
    editing: Editing(question: { question($0.edit, $0.outcome) }) { invocation in
      let fields = invocation[SortOptions.fields].joined(separator: ",")
      let isDescending = invocation[SortOptions.descending]
      let section = invocation[SortOptions.section]
      return { resolver, list in
        .sort(
          try list.sortOrder(by: fields, isDescending: isDescending, option: SortOptions.fields),
          in: try section.map { try resolver.section(titled: $0).id })
      }
    })
}

private enum SortOptions {
  static let fields = Option.values(
    "--by", .fields, "sort by these fields, in order of priority (-FIELD: descending)")
  static let descending = Option.flag("--descending", "in descending order")
  static let section = Option.onlySection()
}

/// If nothing would change, there is nothing to ask.
private func question(_ edit: ListEdit, _ outcome: EditOutcome) -> String? {
  guard case .sort(_, let id) = edit, !outcome.rows.isEmpty else { return nil }
  let section = id.flatMap(outcome.before.section)
  let what = section.map { "section \(quoted($0.title))" } ?? "the list"
  return "Sort \(what)? \(rowCount(outcome.rows.count)) will move."
}
