import CustomerFixtures
import CustomerStore
import CustomersText
import Foundation
import CustomersTestSupport

/// A list of random customers whose strings are awkward for every format, and its contents for comparison.
struct AwkwardList {
  /// A customer in a form that is the same in two lists.
  struct Row: Equatable {
    var section: String
    var fields: [String]
    var flags: [Bool]
    /// The columns kept beside the fields, sorted.
    var extra: [String]
  }

  private var random: SplitMix64
  private let typedExtra: Bool

  /// Columns that are kept may be other JSON than text, if `typedExtra` says so.
  init(seed: Int, typedExtra: Bool) {
    random = SplitMix64(seed: seed)
    self.typedExtra = typedExtra
  }

  private static let pieces = [
    "Ann", "Lee", " ", "  ", "\"", "\"\"", ",", ";", "\t", "\n", "\r\n", "\r", "'", "'=1", "=1+1", "+49 30",
    "-5",
    "@x", "\\", "\\n", "\\,", ":", "%", "NULL", "null", "true", "007", "1e5", "é", "e\u{301}", "ß", "山田", "😀",
    "👩‍👩‍👧", "\u{202e}", "\u{feff}", "\u{1b}[2J", "\u{7f}", "\u{85}", "\u{2028}", "\u{10ffff}", "BEGIN:VCARD",
    "END:VCARD",
    "{\"a\":1}", "[", "x".padding(toLength: 100, withPad: "yz", startingAt: 0),
  ]
  private static let names = [
    "Zip", "Fax 2", "note", "Tel", "name", "extra", "extra.note", "extra.extra.note", "extra.x", "section",
    "id",
    "order", "position", "is_favorite", "favorite", "can_edit", "first_name", "EMAIL", "TEL;TYPE=work",
    "URL:2",
    "", "a,b", "=x", "'=x", "'first_name", "\"q\"", "l\nl", "é",
    "e\u{301}", "X-Y",
  ]
  private static let typed = ["12.50", "-0", "true", "false", "[1,\"a\"]", "{\"a\":{\"b\":[]}}"]

  /// Makes the list in a file.
  mutating func make(_ path: String, rows: Int) throws {
    let titles = ["Customers", "Ω", "More, \"and\"\nmore", "=Leads"].shuffled(using: &random).prefix(3)
    try CustomerStore(path: path).write { list in
      try list.renameSection(list.sections()[0].id, title: "old")
      var sections: [SectionID] = []
      for title in titles { sections.append(try list.addSection(title: title).id) }
      let old = try list.sections()[0].id
      try list.deleteSection(old)
      for (index, section) in sections.enumerated() {
        var left = index == 0 ? rows - 2 * (rows / 3) : rows / 3
        try list.insertCustomers(in: section) {
          left -= 1
          return left >= 0 ? customer() : nil
        }
      }
    }
  }

  private mutating func customer() -> NewCustomer {
    var fields = CustomerFields(
      firstName: text(), lastName: text(), company: text(), email: text(), phone: text(), address: text(),
      note: text(), isFavorite: random.oneIn(9))
    if random.oneIn(3) { fields.extra = extra() }
    // No one can be an empty customer.
    if fields.name.allSatisfy(\.isWhitespace) { fields.company += "Acme" }
    return NewCustomer(fields, canEdit: !random.oneIn(20), canMove: !random.oneIn(20))
  }

  private mutating func text() -> String {
    (0..<(random.oneIn(3) ? 0 : 1 + random.below(4))).map { _ in
      AwkwardList.pieces[random.below(AwkwardList.pieces.count)]
    }.joined()
  }

  private mutating func extra() -> String {
    var members: [String: String] = [:]
    for _ in 0..<random.below(5) {
      let name = AwkwardList.names[random.below(AwkwardList.names.count)]
      let isTyped = typedExtra && random.oneIn(4)
      members[name] =
        isTyped ? AwkwardList.typed[random.below(AwkwardList.typed.count)] : AwkwardList.quoted("v" + text())
    }
    return "{" + members.map { "\(AwkwardList.quoted($0)):\($1)" }.joined(separator: ",") + "}"
  }

  /// A JSON string.
  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      scalar == "\"" || scalar == "\\" || scalar.value < 0x20
        ? "\\u" + String(format: "%04x", scalar.value) : String(scalar)
    }
    return "\"\(escaped.joined())\""
  }

  /// All customers of a list in order.
  static func rows(_ path: String) throws -> [Row] {
    try CustomerStore(path: path).read { list in
      var rows: [Row] = []
      let titles = Dictionary(uniqueKeysWithValues: try list.sections().map { ($0.id, $0.title) })
      try list.forEach { customer in
        let fields = customer.fields
        let extra = try JSON.columns(ofObject: fields.extra).map { column in
          switch column.value {
          case .text(let value), .json(let value): "\(column.name): \(value)"
          }
        }
        rows.append(
          Row(
            section: titles[customer.place.section] ?? "?",
            fields: [
              fields.firstName, fields.lastName, fields.company, fields.email, fields.phone, fields.address,
              fields.note,
            ],
            flags: [fields.isFavorite, customer.canEdit, customer.canMove], extra: extra.sorted()))
        return true
      }
      return rows
    }
  }
}
