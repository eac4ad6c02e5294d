internal import Formats
internal import CustomerStore

extension Command {
  static let move = Command(
    name: "move", aliases: ["mv"], summary: "put rows elsewhere",
    usage: "ROW… (--to N | --first | --last | --before ROW | --after ROW | --up [K] | --down [K])",
    notes: [
      "N is the row's number afterwards. Several rows move as a block, in their present order; N is",
      "that of the first. `move 5 2` is `move 5 --to 2`.",
    ],
    operands: 1...Int.max,
    options: [
      .value("--to", "N", "to become row N"),
      Option(name: "--up", value: "K", isValueOptional: true, help: "K rows up; 1 if K is left out"),
      Option(name: "--down", value: "K", isValueOptional: true, help: "K rows down; 1 if K is left out"),
    ] + Placement.options,
    run: { session in
      let request = try MoveRequest(session)
      try session.edit(creating: false) { list in
        let finder = try RowFinder(list)
        let rows = try finder.rows(request.rows, in: list)
        let moves = try request.perform(session, rows, finder, &list)
        let after = try list.outline()
        let names = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.name) })
        let lines = moves.map { move in
          let (from, to) = (finder.outline.position(of: move.from), after.position(of: move.to))
          let name = quoted(names[move.id, default: ""])
          return move.from == move.to ? "\(name) is at \(to) already." : "Moved \(name) \(from) → \(to)."
        }
        let moved = moves.map { $0.json(names[$0.id, default: ""], finder.outline, after) }
        return Report(lines: lines, json: [("op", .string("move")), ("moved", .array(moved))])
      }
      return .done
    })
}

/// What `move` was asked.
private struct MoveRequest {
  var rows: [String]
  var number: Int?
  var distance: Int?

  init(_ session: Session) throws {
    let invocation = session.invocation
    rows = invocation.operands
    number = try invocation.number("--to")
    let up = try MoveRequest.distance("--up", invocation)
    let down = try MoveRequest.distance("--down", invocation)
    distance = up.map { -$0 } ?? down
    let places = ["--to", "--first", "--last", "--before", "--after", "--up", "--down", "--section"]
    let given = places.filter(invocation.has)
    if given.isEmpty {
      guard rows.count == 2, Invocation.isNumber(rows[1]) else {
        throw Failure.usage("move needs a place", hint: "for example: customers move 5 --to 2")
      }
      number = try Invocation.number(rows.removeLast(), for: "move")
    }
    if distance != nil, given.count > 1 {
      throw Failure.usage("one place is enough: \(given.joined(separator: ", "))")
    }
  }

  private static func distance(_ option: String, _ invocation: Invocation) throws -> Int? {
    guard let text = invocation.value(option) else { return nil }
    let distance = text.isEmpty ? 1 : try Invocation.number(text, for: option)
    guard distance >= 0 else { throw Failure.usage("\(option) takes 0 or more, not \(distance)") }
    return distance
  }

  func perform(
    _ session: Session, _ rows: [Customer], _ finder: RowFinder, _ list: inout CustomerList
  ) throws -> [Move] {
    let ids = rows.map(\.id)
    if let distance { return try list.move(ids, by: distance) }
    let inOrder = rows.map(\.place).sorted {
      finder.outline.position(of: $0) < finder.outline.position(of: $1)
    }
    let target = try Placement.target(session, number: number, moving: inOrder, finder: finder, in: list)
    return try list.move(ids, to: target?.destination ?? .last, in: target?.section)
  }
}
