import CustomerFixtures
import CustomersText
import CustomerTransfer
import CustomersTestSupport

extension FuzzedFormat {
  /// Looks for something that reading an input must never do.
  ///
  /// - Returns: the finding or nil.
  func fault(_ input: [UInt8], _ reading: Reading, _ random: inout SplitMix64) -> String? {
    if read(FuzzedFormat.cut(input, &random)) != reading {
      return "pieces give something else than the whole"
    }
    for record in reading.records {
      let names = Set(record.columns.map { Array($0.utf8) })
      guard record.columns.count == record.values.count, names.count == record.columns.count else {
        return "a column has no value or is there twice"
      }
    }
    if self == .http { return faultOfHeads(input) }
    guard isWritten else { return nil }
    let written = read([Array(reading.records.map(write).joined().utf8)])
    if written.problem != nil { return "what was written can't be read: \(written.problem ?? "")" }
    guard written.records.map(\.bytes) == reading.records.map(\.bytes) else {
      return "what was written gives something else than what was read"
    }
    return self == .json ? faultAsCards(reading.records) : nil
  }

  /// Any customer must survive a round trip through a vCard, except for fields without text.
  private func faultAsCards(_ records: [Record]) -> String? {
    let cards = FuzzedFormat.vcard.read([Array(records.map(FuzzedFormat.vcard.write).joined().utf8)])
    guard cards.problem == nil else { return "a card can't be read: \(cards.problem ?? "")" }
    guard cards.records.count == records.count else { return "not as many cards as customers" }
    let isSame = zip(cards.records, records).allSatisfy { $0.membersByName == $1.membersByName }
    return isSame ? nil : "a customer does not come back from its card"
  }

  private static func cut(_ input: [UInt8], _ random: inout SplitMix64) -> [[UInt8]] {
    let longest = 1 + random.below(random.oneIn(2) ? 3 : 40)
    var pieces: [[UInt8]] = []
    var rest = input[...]
    while !rest.isEmpty {
      let piece = rest.prefix(1 + random.below(longest))
      pieces.append(Array(piece))
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }
}

extension Record {
  /// The values that must survive a round trip through a vCard.
  var membersByName: [[UInt8]: [UInt8]] {
    let fields = [
      "first_name", "last_name", "name", "additional_names", "name_prefix", "name_suffix", "company",
      "department", "email", "phone", "address", "note",
    ]
    let kept = members.filter { name, value in
      !(value == .text("") && fields.contains(name)) && !(name == "is_favorite" && value == .json("false"))
    }
    return Dictionary(
      kept.map { (Array($0.name.utf8), Array($0.value.json.text.utf8)) },
      uniquingKeysWith: { first, _ in first })
  }
}
