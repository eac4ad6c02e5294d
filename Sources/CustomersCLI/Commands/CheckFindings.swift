internal import CustomerStore
internal import CustomersFiles
internal import CustomersFormats
internal import CustomersTerminalText

/// The findings of `check`.
struct CheckFindings: Sendable {
  let violations: [ListViolation]
  let additions: [String]
  let count: Int
  let sections: Int
  let usesLog: Bool
  let mayHaveTraces: Bool
  let digest: String?

  init(_ list: borrowing CustomerList, hasDigest: Bool) throws {
    violations = try list.check()
    additions = try list.additions()
    // If tables are missing, there is nothing to count.
    let outline = violations.isEmpty ? try list.outline() : try? list.outline()
    (count, sections) = (outline?.count ?? 0, outline?.sections.count ?? 0)
    usesLog = try list.usesWriteAheadLog()
    mayHaveTraces = (try? list.mayHaveTraces()) ?? false
    digest = !hasDigest ? nil : violations.isEmpty ? try list.digest() : try? list.digest()
  }

  /// Notes on what is not a problem.
  func notes(_ session: Session) throws -> [String] {
    var notes =
      additions.isEmpty ? [] : ["other programs have added \(additions.joined(separator: ", "))"]
    if usesLog {
      notes.append("another program keeps the file in write-ahead-log mode; copy its -wal file too")
    }
    if mayHaveTraces {
      notes.append(
        "another program has changed this list; what it deleted may still be in the file until "
          + "`customers history --forget`")
    }
    if let mode = try session.list.address.path.flatMap(FileAccess.init), mode.isOpenToOthers {
      notes.append(
        "other users on this computer can read the file (mode \(mode)); to prevent that: chmod 600 FILE")
    }
    return notes
  }
}

extension ListViolation {
  /// The location, if known.
  private var place: [(String, JSON)] {
    var place: [(String, JSON)] = []
    if let section { place.append(("section", .int(Int(section.rawValue)))) }
    if let order { place.append(("order", .int(order))) }
    if let customer { place.append(("customer", .int(Int(customer.rawValue)))) }
    return place
  }

  var json: JSON { .object([("message", .string(message))] + place) }

  var line: String {
    let counted = ["the section's number", "the section's count", "the part", "the chapter", "the block"]
    if let section, counted.contains(where: message.hasPrefix) {
      let number = order.map { "row \($0): " } ?? ""
      return "the numbering of section @\(section.rawValue) is damaged (\(number)\(printable(message)))"
    }
    let words = place.map { "\($0.0) \($0.1.text)" }
    return (words.isEmpty ? "" : words.joined(separator: ", ") + ": ") + printable(message)
  }
}
