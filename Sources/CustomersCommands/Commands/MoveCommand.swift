@_spi(Tools) internal import CustomerStore
internal import CustomersText

extension Command {
  static let move = Command(
    name: "move", aliases: ["mv"], summary: "move rows to another place",
    description: [
      "PLACE is the row number after the move, first, last, leads/2, before ROW, after ROW, or -1 or +1, so",
      "many rows up or down. Several rows move as one block and keep their order; a number is where the",
      "first of them ends up.",
    ],
    forms: RowChoice.forms(Placement.ofRows) + [
      .plain([.many(.row), .one(.place)]), .plain([.one(.place)], [.required(RowChoice.option)]),
      .plain([.one(.row)], [.required(MoveRequest.swap)]),
    ],
    examples: [
      CommandExample("Move the fifth row to row 2", "customers move 5 2"),
      CommandExample("Three rows", "customers move 1-3 after \"Anna Karenina\""),
    ],
    seeAlso: ["sort", "places", "rows"],
    editing: Editing(
      onlyMoves: { !$0.has(RowChoice.option) && !$0.has(MoveRequest.swap) },
      batch: { invocation in
        guard !invocation.has(MoveRequest.swap) else { throw Failure.usage("a batch swaps no rows") }
        return try MoveRequest(invocation).inBatch()
      }
    ) { invocation in
      if let other = invocation[MoveRequest.swap] {
        return try swap(invocation.operands[0], other)
      }
      let request = try MoveRequest(invocation)
      return { resolver, list in try request.edit(resolver, list) }
    })

  static let swap = Command(
    name: "swap", summary: "swap two rows", earlier: "move ROW --swap ROW",
    operands: [.one(.row), .one(.row)],
    editing: Editing(onlyMoves: { _ in true }) { try swap($0.operands[0], $0.operands[1]) })

  private static func swap(_ one: String, _ other: String) throws -> EditRequest {
    let (one, other) = (try RowSelectors([one]), try RowSelectors([other]))
    return { resolver, list in .swap(try resolver.row(one, in: list).id, try resolver.row(other, in: list).id)
    }
  }
}

private struct MoveRequest {
  static let swap = Option.value("--swap", .row, "swap with this row")

  private let choice: RowChoice
  private let placement: Placement

  init(_ invocation: Invocation) throws {
    var operands = invocation.operands
    var place: PlaceName?
    if !invocation.has(Placement.to) {
      place = try MoveRequest.takePlace(from: &operands, invocation)
      guard place != nil || invocation.has(Placement.section) else { throw MoveRequest.noPlace(operands) }
    }
    choice = try RowChoice(invocation, operands: operands)
    placement = try Placement(invocation, operand: place)
  }

  /// Takes a place from the end of the operands; nil if there is none.
  ///
  /// A number is a place only after one row, because `move 1 2 3` may mean three rows.
  private static func takePlace(
    from operands: inout [String], _ invocation: Invocation
  ) throws -> PlaceName? {
    // As people say it: `move 2 5 to leads`.
    if operands.count > 2, operands[operands.count - 2] == "to",
      let place = operands.last.flatMap({ PlaceName($0) ?? PlaceName(titled: $0) })
    {
      operands.removeLast(2)
      return place
    }
    let mayBeAlone = invocation.hasPipedRows || invocation.has(RowChoice.option)
    guard operands.count > (mayBeAlone ? 0 : 1), let place = operands.last.flatMap({ PlaceName($0) }) else {
      return nil
    }
    if case .number(let number) = place.spot, place.section == nil {
      guard operands.count < 3 else { return nil }
      if invocation.has(Placement.section) {
        let row = typed(operands[0])
        throw Failure.usage(
          "with --section, the number \(number) may be a row or a place",
          hint: "for the place: customers move \(row) \(Placement.to.name) \(number) --section SECTION; "
            + "for both rows: customers move \(row),\(number) --section SECTION")
      }
    }
    operands.removeLast()
    return place
  }

  private static func noPlace(_ operands: [String]) -> Failure {
    let last = operands.last ?? ""
    if let place = ["up": "-1", "down": "+1", "top": "first", "bottom": "last"][last.lowercased()],
      operands.count > 1
    {
      return .usage(
        "\(quoted(last)) is not a place",
        hint: didYouMean("move \(operands.dropLast().map(typed).joined(separator: " ")) \(place)"),
        offendingArgument: last)
    }
    guard operands.count > 2, PlaceName(last) != nil else {
      return .usage(
        operands.count < 2 ? "move needs a place" : "\(quoted(last)) is not a place",
        hint: operands.count > 1 && PlaceName(titled: last) != nil
          ? "to the end of a section: customers move \(operands.dropLast().map(typed).joined(separator: " ")) to "
            + typed(last) : "for example: customers move 5 2",
        offendingArgument: operands.count < 2 ? nil : last)
    }
    let rows = operands.dropLast().map(typed).joined(separator: " ")
    return .usage(
      "with several rows, a number needs \(Placement.to.name)",
      hint: "for example: customers move \(rows) \(Placement.to.name) \(typed(last))")
  }

  /// The rows as a block in their current order, as outside a batch.
  func inBatch() throws -> BatchEdit {
    let target = try placement.batchTarget()
    return { resolver, list, batch in
      let inOrder = try resolver.inOrder(choice.rows(resolver, in: list))
      try placement.refuseSeveralSections(inOrder)
      let place = try target(resolver, inOrder.first?.place.section)
      for (index, row) in inOrder.enumerated() { batch.move(.customer(row.id), to: place(index)) }
    }
  }

  func edit(_ resolver: RowResolver, _ list: borrowing CustomerList) throws -> ListEdit {
    let rows = try choice.rows(resolver, in: list)
    let ids = rows.map(\.id)
    try placement.refuseSeveralSections(rows)
    if let distance = placement.shift { return .moveBy(ids, distance) }
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
}

extension Command {
  static let sort = Command(
    name: "sort", summary: "sort the rows once, or order them in a text editor",
    description: [
      "Each section is sorted once, after you confirm; the list does not stay sorted. -FIELD sorts in",
      "descending order. Case and accents only break ties, customers without a value come last, and rows",
      "protected against moving stay where they are.",
      "",
      "--editor opens the list in $VISUAL or $EDITOR, one line per customer. Reorder the lines, also across",
      "sections, and put d in front of those to delete.",
    ],
    forms: [
      .plain([.one(.fields)], [.optional(SortOptions.section)]),
      .plain([], [.required(SortOptions.editor), .optional(SortOptions.section)]),
      .plain(
        [],
        [.required(SortOptions.fields), .optional(SortOptions.descending), .optional(SortOptions.section)]),
    ],
    examples: [
      CommandExample("By last name, then by first name", "customers sort last_name,first_name"),
      CommandExample("From Z to A", "customers sort -company --section leads"),
    ],
    seeAlso: ["move", "undo"], rewritesMuch: true, editing: SortOptions.editing,
    run: { session in
      try session.invocation[SortOptions.editor]
        ? session.arrange(as: "sort --editor") : SortOptions.editing.run(session)
    })
}

enum SortOptions {
  static let editing = Editing(question: { question($0.edit, $0.outcome) }) { invocation in
    guard !invocation[SortOptions.editor] else {
      throw Failure.usage("a script has no editor", offendingArgument: SortOptions.editor.name)
    }
    let isNamed = invocation.has(SortOptions.fields)
    let option = isNamed ? SortOptions.fields : SortOptions.operand
    let fields = (isNamed ? invocation[SortOptions.fields] : invocation.operands).joined(separator: ",")
    let isDescending = invocation[SortOptions.descending]
    let section = invocation[SortOptions.section]
    return { resolver, list in
      .sort(
        try list.sortOrder(by: fields, isDescending: isDescending, option: option),
        in: try section.map { try resolver.section(titled: $0).id })
    }
  }
  static let fields = Option.values("--by", .fields, earlier: "sort FIELD,…")
  /// What messages about the operand begin with.
  private static let operand = Option.values("sort", Argument<String>.fields)
  static let descending = Option.flag("--descending", earlier: "sort -FIELD")
  static let section = ArrangeTemplate.section
  static let editor = Option.flag("--editor", "order the rows in a text editor")
}

/// If nothing would change, there is nothing to ask.
private func question(_ edit: ListEdit, _ outcome: EditOutcome) -> String? {
  guard case .sort(_, let id) = edit, !outcome.rows.isEmpty else { return nil }
  let section = id.flatMap(outcome.before.section)
  let what = section.map { "section \(quoted($0.title))" } ?? "the list"
  return "Sort \(what)? \(counted(outcome.rows.count, "row")) will move."
}
