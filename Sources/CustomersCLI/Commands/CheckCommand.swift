internal import CustomerStore

extension Command {
  static let check = Command(
    name: "check", summary: "prove the numbering, or repair it", usage: "[--repair]",
    notes: ["Bits that flipped inside a text are not noticed: keep backups."],
    operands: 0...0,
    options: [.flag("--repair", "number anew, in the order that can still be recognised")],
    run: { session in
      if session.invocation.has("--repair") { try session.repair() }
      let isJSON = try session.format() == .json
      let (violations, outline) = try session.read { list in (try list.check(), try list.outline()) }
      if isJSON {
        try session.output.write(
          JSON.object([
            ("op", .string("check")), ("ok", .bool(violations.isEmpty)), ("count", .int(outline.count)),
            ("violations", .array(violations.map(\.json))),
          ]).text + "\n")
      } else if violations.isEmpty {
        let sections = outline.sections.count == 1 ? "1 section" : "\(outline.sections.count) sections"
        if !session.isQuiet {
          try session.output.write("All is well: \(rowCount(outline.count)) in \(sections), numbered 1…n.\n")
        }
      } else {
        for violation in violations { try session.output.write(violation.line + "\n") }
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
  fileprivate func repair() throws {
    let repairs = try write(creating: false) { list in try list.repair() }
    guard try format() == .table, !isQuiet else { return }
    for repair in repairs {
      let from = repair.from.map { "\($0.section.rawValue)/\($0.order)" } ?? "nowhere"
      try output.write(
        "@\(repair.customer.rawValue): \(from) → \(repair.to.section.rawValue)/\(repair.to.order)\n")
    }
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
