/// An order of customers: stable, and the same on every machine, unless only some times of a column have a zone.
///
/// A column is sorted by its kind, and a choice by the order of its choices. One of any text is sorted by number if all
/// its values are numbers, and by day if all are dates, as a condition compares them; otherwise alphabetically, where
/// digits count by their value: `row 2` before `row 10`. Case and accents are ignored unless nothing else differs; customers
/// without a value, or with one that is not of the kind, come last.
public struct SortOrder: Hashable, Sendable {
  /// A field to compare customers by.
  public enum Key: Hashable, Sendable {
    /// First and last name, otherwise the company.
    case name
    /// A field.
    case field(CustomerField)
  }

  /// The keys to compare by; a later key only breaks ties of the earlier ones.
  package var keys: [Key]
  /// Whether the order is descending.
  package var isDescending: Bool
  /// The keys that go the other way.
  package var reversed: Set<Key> = []
  /// Whether an own column that has the name of a part of the address has the part where it has no value itself.
  package var takesParts = true

  /// Creates an order.
  public init(by keys: [Key], isDescending: Bool = false) {
    self.keys = keys
    self.isDescending = isDescending
  }

  /// Whether the order by a key is descending.
  package func isDescending(by key: Key) -> Bool { isDescending != reversed.contains(key) }

  /// A customer and the values of the keys.
  package struct Row: Sendable {
    fileprivate let id: CustomerID
    fileprivate let texts: [String]
  }

  fileprivate func row(_ customer: Customer, _ kinds: ColumnKinds) -> Row {
    let texts = keys.map { key in
      switch key {
      case .name: customer.name
      case .field(let field):
        kinds[field].sortText(
          customer.fields[takesParts ? customer.fields.place(of: field) : field].text)
      }
    }
    return Row(id: customer.id, texts: texts)
  }

  /// The fields that hold the values of the keys.
  var fields: Set<CustomerField> {
    keys.reduce(into: []) { fields, key in
      switch key {
      case .name: fields.formUnion([.firstName, .lastName, .company])
      case .field(let field): fields.insert(field)
      }
    }
  }
}

extension CustomerList {
  /// What the customers in the list are sorted by. O(rows)
  package func values(by order: SortOrder) throws -> SortedValues {
    var values = SortedValues(order, try columnKinds())
    try forEach(matching: RowFilter(), reading: CustomerColumns(order.fields)) { customer in
      values.append(customer)
      return true
    }
    return values
  }

  /// What the customers at positions (from 1) in the whole list are sorted by. O(positions + sections)
  package func rows(
    at positions: Range<Int>, of outline: ListOutline, by order: SortOrder
  ) throws -> [SortOrder.Row] {
    let kinds = try columnKinds()
    return try customers(at: positions, of: outline, reading: CustomerColumns(order.fields)).map {
      order.row($0, kinds)
    }
  }
}

/// The ids of rows and the values to sort them by: for each row, twice the bytes of its values and some twenty more.
package struct SortedValues: Sendable {
  private let order: SortOrder
  private let kinds: ColumnKinds
  /// The rows, as they were added.
  private(set) var ids: [CustomerID] = []
  private var keys: SortKeys
  /// The rows with a value that does not compare by its bytes; their keys are empty.
  private var others: [(row: UInt32, texts: [String])] = []
  /// For each key of the order, what all values so far may be.
  private var forms: [[SortForm]]

  /// No rows yet, to be sorted in an order; the kinds are those of customers that are added as they are.
  package init(_ order: SortOrder, _ kinds: ColumnKinds = ColumnKinds()) {
    (self.order, self.kinds, keys) = (order, kinds, SortKeys(order))
    forms = order.keys.map { _ in SortForm.allCases }
  }

  /// Adds a customer as the next row, of whom only `SortOrder.fields` need be read.
  package mutating func append(_ customer: Customer) { append(order.row(customer, kinds)) }

  /// Adds the next row.
  package mutating func append(_ row: SortOrder.Row) {
    ids.append(row.id)
    let texts = row.texts
    for (key, text) in texts.enumerated() where !forms[key].isEmpty && !text.isEmpty {
      forms[key].removeAll { !$0.fits(text) }
    }
    if texts.allSatisfy(\.comparesByBytes) {
      keys.append(texts)
    } else {
      others.append((UInt32(keys.count), texts))
      keys.appendEmpty()
    }
  }

  /// The rows in order; equal ones keep theirs. O(rows log rows)
  package func sorted() -> [CustomerID] { sortedIndices().map { ids[Int($0)] } }

  /// The numbers of the rows, from 0, in order. O(rows log rows)
  func sortedIndices() -> [UInt32] {
    let forms = forms.map { $0.first ?? .text }
    let rows = (forms.allSatisfy { $0 == .text } ? keys : keys.byNumber(forms, order)).sorted()
    guard !others.isEmpty else { return rows }
    let others = others.map { ComparedRow($0.row, $0.texts, forms) }.sorted { $0.precedes($1, order) }
    var all: [UInt32] = []
    var rest = rows[...]
    for other in others {
      let end = rest.partitionIndex { row in
        other.precedes(ComparedRow(row, keys.texts(of: row), forms), order)
      }
      all += rest[..<end] + [other.row]
      rest = rest[end...]
    }
    return all + rest
  }
}

/// What all values of a key are sorted by.
private enum SortForm: CaseIterable {
  /// A number in plain digits.
  case number
  /// A day as a list has it, whose text is in the order of the days.
  case storedDay
  /// A number or a day as people write it, each of which can be only one.
  case writtenNumber, writtenDay
  case text

  static let allCases = [number, storedDay, writtenNumber, writtenDay]

  func fits(_ text: String) -> Bool { self == .storedDay ? CalendarDay(text) != nil : number(text) != nil }

  /// The number by which a value is sorted; nil if its text is.
  func number(_ text: String) -> DecimalNumber? {
    switch self {
    case .number: DecimalNumber(text)
    case .writtenNumber: ValueTest.number(text)
    case .writtenDay: TypedDay.written(text).day.flatMap { DecimalNumber(String($0.number)) }
    case .storedDay, .text: nil
    }
  }
}

/// A row whose values are compared as strings.
private struct ComparedRow {
  let row: UInt32
  private let texts: [String]
  /// The values of columns that are sorted by number.
  private let numbers: [DecimalNumber?]
  private let keys: [String]

  init(_ row: UInt32, _ texts: [String], _ forms: [SortForm]) {
    (self.row, self.texts) = (row, texts)
    numbers = zip(texts, forms).map { $1.number($0) }
    keys = texts.map { ComparableText.key(searchFolded($0)) }
  }

  func precedes(_ other: ComparedRow, _ order: SortOrder) -> Bool {
    for isExact in [false, true] {
      for index in texts.indices where texts[index] != other.texts[index] {
        if texts[index].isEmpty || other.texts[index].isEmpty { return other.texts[index].isEmpty }
        let (first, second) = order.isDescending(by: order.keys[index]) ? (other, self) : (self, other)
        if isExact { return first.texts[index].precedes(second.texts[index]) }
        if let one = first.numbers[index], let two = second.numbers[index] {
          if one != two { return one < two }
        } else if first.keys[index] != second.keys[index] {
          return first.keys[index].precedes(second.keys[index])
        }
      }
    }
    return row < other.row
  }
}

/// Keys of rows, whose bytes are in the order of the rows.
///
/// A key has the values without case and accents, one after another, and then the values as they are. A byte that is less
/// than all others ends a value, so that a beginning comes before the whole. In a descending order, the bytes of a
/// value are inverted; no value comes last in either.
private struct SortKeys: Sendable {
  private static let noValue: UInt8 = 0xff
  /// Up to this many rows are compared with each other.
  private static let few = 16

  /// For each value, what it is sorted by.
  private let forms: [SortForm]
  /// What the bytes of each value are inverted by, and its end.
  private let masks: [UInt8]
  /// The bytes of all keys, four in a word; zeros fill the last word of a key.
  private var words: [UInt32] = []
  /// Where the key of each row starts, and the end.
  private var starts: [UInt32] = [0]
  /// The bytes after the last whole word.
  private var word: UInt32 = 0
  private var byteCount = 0
  /// The bytes of a value.
  private var value: [UInt8] = []

  init(_ order: SortOrder, _ forms: [SortForm]? = nil) {
    self.forms = forms ?? order.keys.map { _ in .text }
    masks = order.keys.map { order.isDescending(by: $0) ? 0xff : 0 }
  }

  var count: Int { starts.count - 1 }

  mutating func append(_ texts: [String]) {
    for (index, text) in texts.enumerated() {
      if let number = forms[index].number(text) {
        for byte in number.sortKey { put(byte ^ masks[index]) }
      } else {
        value.removeAll(keepingCapacity: true)
        ComparableText.writeKey(ofUnfolded: text, to: &value)
        put(value, masks[index])
      }
    }
    for (index, text) in texts.enumerated() {
      value.removeAll(keepingCapacity: true)
      value += text.utf8
      put(value, masks[index])
    }
    while byteCount > 0 { put(0) }
    appendEmpty()
  }

  /// Ends a key, which is empty if it has got no values.
  mutating func appendEmpty() { starts.append(UInt32(words.count)) }

  private mutating func put(_ value: [UInt8], _ mask: UInt8) {
    guard !value.isEmpty else { return put(Self.noValue) }
    // No byte of UTF-8 is 0xff.
    for byte in value { put((byte &+ 1) ^ mask) }
    put(mask)
  }

  private mutating func put(_ byte: UInt8) {
    word = word << 8 | UInt32(byte)
    byteCount += 1
    guard byteCount == 4 else { return }
    words.append(word)
    (word, byteCount) = (0, 0)
  }

  private func key(_ row: UInt32) -> Range<Int> { Int(starts[Int(row)])..<Int(starts[Int(row) + 1]) }

  /// The values of a row whose key is not empty, from keys in which none is a number.
  func texts(of row: UInt32) -> [String] {
    var texts = [[]] as [[UInt8]]
    for word in words[key(row)] {
      for shift in [24, 16, 8, 0] as [UInt32] {
        let byte = UInt8(truncatingIfNeeded: word >> shift)
        let mask = masks[(texts.count - 1) % masks.count]
        if byte == mask || byte == Self.noValue {
          texts.append([])
        } else {
          texts[texts.count - 1].append((byte ^ mask) - 1)
        }
      }
    }
    return texts[forms.count..<2 * forms.count].map { String(decoding: $0, as: UTF8.self) }
  }

  /// The keys with some values as numbers.
  func byNumber(_ forms: [SortForm], _ order: SortOrder) -> SortKeys {
    var keys = SortKeys(order, forms)
    for row in 0..<UInt32(count) {
      if key(row).isEmpty { keys.appendEmpty() } else { keys.append(texts(of: row)) }
    }
    return keys
  }

  /// The numbers of the rows whose keys are not empty, in the order of the keys; rows with the same key keep theirs.
  ///
  /// It sorts by the first words, then the rows with the same first word by the second one, and so on.
  func sorted() -> [UInt32] {
    // A word and the number of the row.
    var rows = (0..<UInt64(count)).filter { !key(UInt32($0)).isEmpty }
    unsafe rows.withUnsafeMutableBufferPointer { rows in
      var open = [(range: 0..<rows.count, word: 0)]
      while let (range, word) = open.popLast() {
        var part = unsafe UnsafeMutableBufferPointer(rebasing: rows[range])
        for index in part.indices {
          let row = UInt32(truncatingIfNeeded: unsafe part[index])
          unsafe part[index] = UInt64(words[key(row).lowerBound + word]) << 32 | UInt64(row)
        }
        unsafe part.sort()
        var rest = part.indices
        while let first = rest.first {
          let entry = unsafe part[first]
          let same = rest.prefix { unsafe part[$0] >> 32 == entry >> 32 }
          rest = rest.dropFirst(same.count)
          // Keys with the same beginning are equally long, or one would be the beginning of another.
          guard same.count > 1, key(UInt32(truncatingIfNeeded: entry)).count > word + 1 else { continue }
          if same.count > Self.few {
            open.append((range.lowerBound + same.lowerBound..<range.lowerBound + same.upperBound, word + 1))
          } else {
            var few = unsafe UnsafeMutableBufferPointer(rebasing: part[same])
            unsafe few.sort { precedes($0, $1, from: word + 1) }
          }
        }
      }
    }
    return rows.map { UInt32(truncatingIfNeeded: $0) }
  }

  /// Whether a row comes before another, whose keys are the same before a word.
  private func precedes(_ one: UInt64, _ other: UInt64, from first: Int) -> Bool {
    let (one, other) = (UInt32(truncatingIfNeeded: one), UInt32(truncatingIfNeeded: other))
    let (left, right) = (key(one).dropFirst(first), key(other).dropFirst(first))
    for (left, right) in zip(left, right) where words[left] != words[right] {
      return words[left] < words[right]
    }
    return one < other
  }
}

extension ComparableText {
  /// Writes the key of a string that is not folded yet to an empty one.
  fileprivate static func writeKey(ofUnfolded text: String, to key: inout [UInt8]) {
    key += text.utf8
    var hasDigits = false
    for index in key.indices {
      let byte = key[index]
      guard byte < 0x80 else {
        key.removeAll(keepingCapacity: true)
        return writeKey(of: searchFolded(text).utf8, to: &key)
      }
      if (0x41...0x5a).contains(byte) { key[index] = byte | 0x20 }
      hasDigits = hasDigits || (0x30...0x39).contains(byte)
    }
    if hasDigits {
      let folded = key
      key.removeAll(keepingCapacity: true)
      writeKey(of: folded, to: &key)
    }
  }
}

extension String {
  /// Whether it comes before a different string.
  ///
  /// Neither of two strings is less than the other if one is the beginning of the other only after normalization, so
  /// both get an end.
  fileprivate func precedes(_ other: String) -> Bool { self + "\0" < other + "\0" }

  /// Whether it compares with every other such string as their bytes do, with or without its case.
  ///
  /// Strings compare by their bytes once they are normalized, which changes few letters. The result is false for some
  /// that it would not change.
  fileprivate var comparesByBytes: Bool {
    utf8.allSatisfy { $0 < 0xcc } || unicodeScalars.allSatisfy(\.isAlwaysNormal)
  }
}

extension Unicode.Scalar {
  /// Whether normalization to form C never changes it, nor the scalar before it.
  var isAlwaysNormal: Bool {
    switch value {
    case 0...0x2ff, 0x37b...0x37d, 0x38e...0x3a1, 0x3a3...0x482, 0x48a...0x52f, 0x5d0...0x5ea, 0x620...0x64a,
      0x660...0x669, 0x671...0x6d3, 0xe01...0xe30, 0xe32...0xe33, 0xe40...0xe46, 0x10d0...0x10ff,
      0x1d00...0x1dbf, 0x1e00...0x1eff, 0x2002...0x2064, 0x20a0...0x20bf, 0x2c60...0x2c7f, 0x3001...0x3029,
      0x3041...0x3096, 0x309b...0x30ff, 0x3220...0xa48c, 0xac00...0xd7a3, 0xfe00...0xfe0f, 0xff01...0xffbe,
      0x1f300...0x1f64f:
      true
    default: false
    }
  }
}
