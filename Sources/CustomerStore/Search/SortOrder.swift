/// An order of customers: the same on every machine and stable.
///
/// A column is sorted by number if all its values are numbers, otherwise alphabetically, where digits count by their
/// value: `row 2` before `row 10` and dates such as 2026-11-22 in their order. Case is ignored unless nothing else
/// differs; customers without a value come last.
public struct SortOrder: Hashable, Sendable {
  /// A field to compare customers by.
  public enum Key: Hashable, Sendable {
    /// First and last name, otherwise the company.
    case name
    /// A field.
    case field(CustomerField)
  }

  /// The keys to compare by; a later key only breaks ties of the earlier ones.
  public var keys: [Key]
  /// Whether the order is descending.
  public var isDescending: Bool

  /// Creates an order.
  public init(by keys: [Key], isDescending: Bool = false) {
    self.keys = keys
    self.isDescending = isDescending
  }

  /// A customer and the values of the keys.
  package struct Row: Sendable {
    package var id: CustomerID
    fileprivate var texts: [String]
  }

  package func row(_ customer: Customer) -> Row {
    Row(
      id: customer.id,
      texts: keys.map { key in
        switch key {
        case .name: customer.name
        case .field(let field): customer.fields[field].text
        }
      })
  }

  /// The customers in this order; equal ones keep their order.
  public func sorted(_ customers: [Customer]) -> [Customer] {
    var values = SortedValues(self)
    for customer in customers { values.append(row(customer)) }
    return values.order().map { customers[$0] }
  }
}

/// The values by which rows are sorted, without the rows: some dozens of bytes for each.
package struct SortedValues: Sendable {
  private let isDescending: Bool
  /// The values of each key.
  private var texts: [PackedTexts]

  /// No rows yet, to be sorted in an order.
  package init(_ order: SortOrder) {
    isDescending = order.isDescending
    texts = order.keys.map { _ in PackedTexts() }
  }

  /// Adds the next row.
  package mutating func append(_ row: SortOrder.Row) {
    for (key, text) in row.texts.enumerated() { texts[key].append(text) }
  }

  /// The numbers of the rows, from 0, in order; equal ones keep theirs. O(rows log rows)
  package func order() -> [Int] {
    let columns = texts.map(SortColumn.init)
    // Half the memory of `Int`, of which sorting takes half as much again.
    var rows = [UInt32](0..<UInt32(texts.first?.count ?? 0))
    rows.sort { left, right in
      for isExact in [false, true] {
        for column in columns {
          if let precedes = column.precedes(
            Int(left), Int(right), isExact: isExact, isDescending: isDescending)
          {
            return precedes
          }
        }
      }
      return left < right
    }
    return rows.map(Int.init)
  }
}

/// The values of a column, one for each row.
private struct SortColumn {
  private let texts: PackedTexts
  /// The values in a form in which they are compared.
  private let keys: PackedTexts
  /// Whether all values are numbers.
  private let areNumbers: Bool

  init(_ texts: PackedTexts) {
    self.texts = texts
    let numbers = SortColumn.numbers(texts)
    areNumbers = numbers != nil
    keys = numbers ?? texts.map { text, key in ComparableText.writeKey(ofUnfolded: text, to: &key) }
  }

  /// The keys of a column of numbers; nil if a value is none.
  private static func numbers(_ texts: PackedTexts) -> PackedTexts? {
    var keys = PackedTexts()
    for row in 0..<texts.count {
      let text = texts[row]
      guard !text.isEmpty else {
        keys.append("")
        continue
      }
      guard let number = DecimalNumber(text) else { return nil }
      keys.append(number.sortKey)
    }
    return keys
  }

  /// Whether one row comes before another; nil if their values are the same, but for case unless `isExact`.
  func precedes(_ left: Int, _ right: Int, isExact: Bool, isDescending: Bool) -> Bool? {
    if texts.isEmpty(left) || texts.isEmpty(right) {
      return texts.isEmpty(left) == texts.isEmpty(right) ? nil : texts.isEmpty(right)
    }
    let (first, second) = isDescending ? (right, left) : (left, right)
    let order = isExact ? texts.compare(first, second) : keys.compare(first, second, asBytes: areNumbers)
    return order == 0 ? nil : order < 0
  }
}

/// Strings one after another, with four bytes for each besides its own.
private struct PackedTexts: Sendable {
  /// Some strings and where each ends.
  private struct Page {
    var bytes: [UInt8] = []
    var ends: [UInt32] = []
  }

  /// The number of strings of a page, none of which has more than 16,000,000 bytes.
  private static let pageSize = 256

  private var pages: [Page] = []
  private(set) var count = 0

  mutating func append(_ text: String) { append { $0.append(contentsOf: text.utf8) } }

  mutating func append(_ bytes: [UInt8]) { append { $0 += bytes } }

  private mutating func append(_ write: (inout [UInt8]) -> Void) {
    if count % Self.pageSize == 0 { pages.append(Page()) }
    let page = pages.count - 1
    write(&pages[page].bytes)
    pages[page].ends.append(UInt32(pages[page].bytes.count))
    count += 1
  }

  /// The strings that a function writes for these.
  func map(_ write: (_ text: ArraySlice<UInt8>, inout [UInt8]) -> Void) -> PackedTexts {
    var result = PackedTexts()
    for index in 0..<count { result.append { write(bytes(index), &$0) } }
    return result
  }

  subscript(index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  func isEmpty(_ index: Int) -> Bool { bytes(index).isEmpty }

  /// Less than 0 if the first string comes before the second one, 0 if they are the same.
  func compare(_ first: Int, _ second: Int, asBytes: Bool = false) -> Int {
    let (one, other) = (bytes(first), bytes(second))
    // Below U+0300 there are no combining marks, so the order of the bytes is that of the strings.
    guard asBytes || one.allSatisfy({ $0 < 0xcc }) && other.allSatisfy({ $0 < 0xcc }) else {
      let (one, other) = (String(decoding: one, as: UTF8.self), String(decoding: other, as: UTF8.self))
      return one == other ? 0 : one < other ? -1 : 1
    }
    for (left, right) in zip(one, other) where left != right { return left < right ? -1 : 1 }
    return one.count - other.count
  }

  private func bytes(_ index: Int) -> ArraySlice<UInt8> {
    let (page, place) = (pages[index / Self.pageSize], index % Self.pageSize)
    return page.bytes[Int(place == 0 ? 0 : page.ends[place - 1])..<Int(page.ends[place])]
  }
}

extension ComparableText {
  /// Writes the key of a string that is not folded yet.
  fileprivate static func writeKey(ofUnfolded text: ArraySlice<UInt8>, to key: inout [UInt8]) {
    guard text.allSatisfy({ $0 < 0x80 }) else {
      return writeKey(of: caseFolded(String(decoding: text, as: UTF8.self)).utf8, to: &key)
    }
    let start = key.count
    writeKey(of: text, to: &key)
    for index in start..<key.count where (0x41...0x5a).contains(key[index]) { key[index] |= 0x20 }
  }
}
