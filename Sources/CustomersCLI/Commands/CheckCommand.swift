internal import Formats
internal import CustomerStore

extension Command {
  static let check = Command(
    name: "check", summary: "prove the numbering, or repair it",
    description: ["Bits that flipped inside a text are not noticed: keep backups."],
    options: [.flag("--repair", "number anew, in the order that can still be recognised")],
    examples: [
      CommandExample("Check the file:", "customers check"),
      CommandExample("Repair it, if there is something to repair:", "customers check --repair"),
    ],
    seeAlso: ["backup", "info"],
    run: { session in
      let isJSON = try session.format() == .json
      let repairs = session.invocation.has("--repair") ? try session.repair() : nil
      let (violations, outline, usesLog) = try session.read { list in
        (try list.check(), try list.outline(), try list.usesWriteAheadLog())
      }
      if isJSON {
        let repaired = repairs.map { [("repaired", JSON.array($0.map(\.json)))] } ?? []
        try session.answer(
          [
            ("op", .string("check")), ("ok", .bool(violations.isEmpty)), ("count", .int(outline.count)),
            ("journal", .string(usesLog ? "wal" : "delete")), ("violations", .array(violations.map(\.json))),
          ] + repaired)
      } else if violations.isEmpty {
        let sections = outline.sections.count == 1 ? "1 section" : "\(outline.sections.count) sections"
        if !session.isQuiet {
          try session.output.write("All is well: \(rowCount(outline.count)) in \(sections), numbered 1…n.\n")
        }
      } else {
        for violation in violations { try session.output.write(violation.line + "\n") }
      }
      if usesLog, !isJSON, !session.isQuiet {
        try session.writeAside(
          "note: another program keeps the file in write-ahead-log mode; copy its -wal file too")
      }
      guard violations.isEmpty else {
        throw Failure(
          code: .failed,
          message: "\(violations.count) thing\(violations.count == 1 ? " is" : "s are") not as promised",
          hint: "customers check --repair numbers anew and loses no customer")
      }
      return .done
    })
}

extension Session {
  /// Numbers anew, and tells a person which rows have another place now.
  fileprivate func repair() throws -> [Repair] {
    let repairs = try write(creating: false) { list in try list.repair() }
    if try format() == .table { try tell(repairs.map(\.line)) }
    return repairs
  }
}

extension Repair {
  fileprivate var line: String {
    let from = from.map { "\($0.section.rawValue)/\($0.order)" } ?? "nowhere"
    return "@\(customer.rawValue): \(from) → \(to.section.rawValue)/\(to.order)"
  }

  fileprivate var json: JSON {
    let from = from.map { [("from", $0.json)] } ?? []
    return .object([("id", .int(Int(customer.rawValue)))] + from + [("to", to.json)])
  }
}

extension Place {
  fileprivate var json: JSON {
    .object([("section", .int(Int(section.rawValue))), ("order", .int(order))])
  }
}

extension Violation {
  /// Where, as far as it is known.
  private var place: [(String, JSON)] {
    var place: [(String, JSON)] = []
    if let section { place.append(("section", .int(Int(section.rawValue)))) }
    if let order { place.append(("order", .int(order))) }
    if let customer { place.append(("customer", .int(Int(customer.rawValue)))) }
    return place
  }

  fileprivate var json: JSON { .object([("message", .string(message))] + place) }

  fileprivate var line: String {
    let words = place.map { "\($0.0) \($0.1.text)" }
    return (words.isEmpty ? "" : words.joined(separator: ", ") + ": ") + printable(message)
  }
}
