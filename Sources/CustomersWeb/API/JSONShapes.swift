internal import CustomerStore
internal import CustomersText

extension JSON {
  /// A text that the page shows and does not edit; a long one is cut, so that no answer is large because of one.
  static func shown(_ text: String) -> JSON {
    let scalars = text.unicodeScalars.prefix(300)
    return .string(scalars.endIndex == text.endIndex ? text : String(scalars) + "…")
  }

  /// The first lines, which the page shows, and how many more there are.
  static func lines(_ lines: [String], most: Int = 200) -> JSON {
    let more = lines.count > most ? ["… and \(lines.count - most) more."] : []
    return .array((lines.prefix(most) + more).map(JSON.shown))
  }

  static func id(_ id: CustomerID) -> JSON { .int(Int(id.rawValue)) }
  static func id(_ id: SectionID) -> JSON { .int(Int(id.rawValue)) }

  static func version(_ version: ListVersion) -> JSON {
    .object([("history", .string(version.mark)), ("edit", .int(Int(version.edit)))])
  }

  static func place(_ place: CustomerPlace) -> JSON {
    .object([("section", .id(place.section)), ("row", .int(place.order))])
  }

  /// The first of these customers.
  static func ids(_ ids: some Sequence<CustomerID>) -> JSON {
    .array(ids.prefix(MadeSteps.idLimit).map(JSON.id))
  }
}

/// Members that more than one object has.
extension HistoryStep {
  /// The most edits that are worked out to describe a step; more would keep other programs waiting.
  static let describedEdits: Int64 = 5_000

  /// Whether so few edits were made since its beginning that its changes are soon worked out.
  func isShort(at lastEdit: Int64) -> Bool { firstEdit > lastEdit &- HistoryStep.describedEdits }

  /// The members of a step, with what it did as a sentence, or for nil only who did it.
  func members(_ outcome: EditOutcome?) -> [(String, JSON)] {
    let command = [program, action].filter { !$0.isEmpty }.map(printable).joined(separator: " ")
    let text = outcome.map { StepPresenter(step: self, outcome: $0).summary }
    return [
      ("id", .int(Int(id))), ("action", .shown(action)), ("program", .shown(command)),
      ("person", .shown(author ?? "")), ("time", .string(time)), ("text", .shown(text ?? command)),
    ]
  }
}

extension HistoryStep {
  /// The most changes of a step that are listed.
  static let mostChanges = 100

  /// The step, with what it did in words, and the name of the caller that made it, if it is known.
  func json(_ outcome: EditOutcome, page: String?) -> JSON {
    let members = JSONShapes.step.pairs((self, outcome.brief)).filter {
      !["changes", "omitted"].contains($0.0)
    }
    let by = [command, author ?? ""].filter { !$0.isEmpty }.joined(separator: " · ")
    let text = StepPresenter(step: self, outcome: outcome).summary
    return .object(
      members + outcome.brief.members(most: HistoryStep.mostChanges) + [
        ("by", .shown(by)), ("text", .shown(text)), ("page", page.map(JSON.string) ?? .null),
        ("ids", .ids(outcome.ids)),
      ])
  }
}

extension EditOutcome {
  /// The first customers that the edit named or changed.
  var ids: [CustomerID] {
    var ids = rows.prefix(MadeSteps.idLimit).map(\.id)
    for run in runs where ids.count < MadeSteps.idLimit {
      let count = min(run.count, MadeSteps.idLimit - ids.count)
      ids += (0..<Int64(count)).map { CustomerID(rawValue: run.first.rawValue &+ $0) }
    }
    return ids
  }
}
