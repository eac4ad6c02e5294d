internal import CustomerStore

extension Command {
  static let move = Command(
    name: "move", aliases: ["mv"], summary: "put rows elsewhere",
    description: [
      "N is the row's number afterwards. Several rows move as a block, in their present order; N is",
      "that of the first. `move 5 2` is `move 5 --to 2`.",
    ],
    forms: [
      .plain(
        [.many(.row)],
        Placement.groups(
          .value("--to", .number(), "to become row N"),
          .value("--up", .count("K"), isOptional: true, "K rows up; 1 if K is left out"),
          .value("--down", .count("K"), isOptional: true, "K rows down; 1 if K is left out"))),
      .plain([.one(.row), .one(.number())]),
    ],
    examples: [
      CommandExample("Make the fifth row the second:", "customers move 5 --to 2"),
      CommandExample("Move a row up by one:", "customers move 3 --up"),
      CommandExample("Put three rows after another:", "customers move 1-3 --after \"Anna Karenina\""),
      CommandExample("Move a row to the end of another section:", "customers move 1 --section leads --last"),
    ],
    seeAlso: ["swap", "sort", "arrange", "rows"],
    editing: Editing(onlyMoves: true, batch: { try MoveRequest($0).inBatch() }) { invocation in
      let request = try MoveRequest(invocation)
      return { list in try request.edit(of: list) }
    })
}

/// What `move` was asked.
private struct MoveRequest {
  let rows: RowSelectors
  private let placement: Placement
  private let distance: Int?

  init(_ invocation: Invocation) throws {
    var operands = invocation.operands
    var number = try invocation.number("--to")
    let up = try MoveRequest.distance("--up", invocation)
    let down = try MoveRequest.distance("--down", invocation)
    distance = up.map { -$0 } ?? down
    let places = ["--to", "--first", "--last", "--before", "--after", "--up", "--down", "--section"]
    let given = places.filter(invocation.has)
    if given.isEmpty {
      guard operands.count == 2, Invocation.isNumber(operands[1]) else {
        throw Failure.usage("move needs a place", hint: "for example: customers move 5 --to 2")
      }
      number = try Invocation.number(operands.removeLast(), for: "move")
    }
    if distance != nil, invocation.has("--section") {
      throw Failure.contradictory(given[0], "--section")
    }
    rows = try RowSelectors(operands)
    placement = try Placement(invocation, number: number)
  }

  private static func distance(_ option: String, _ invocation: Invocation) throws -> Int? {
    guard let text = invocation.value(option) else { return nil }
    return text.isEmpty ? 1 : try Invocation.count(text, for: option)
  }

  /// The rows as a block in their present order, as outside of a batch.
  func inBatch() throws -> BatchEdit {
    guard distance == nil else {
      throw Failure.usage("a batch takes places as numbers, not --up or --down")
    }
    let target = try placement.batchTarget()
    return { finder, list, batch in
      let inOrder = finder.inOrder(try finder.rows(rows, in: list))
      let place = try target(finder, inOrder.first?.place.section)
      for (index, row) in inOrder.enumerated() { batch.move(.customer(row.id), to: place(index)) }
    }
  }

  func edit(of list: borrowing CustomerList) throws -> ListEdit {
    let finder = try RowResolver(list)
    let rows = try finder.rows(rows, in: list)
    if let distance { return .moveBy(rows.map(\.id), distance) }
    let target = try placement.target(moving: finder.inOrder(rows).map(\.place), finder, in: list)
    return .move(rows.map(\.id), to: target?.destination ?? .last, in: target?.section)
  }
}
