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
    order(customers.map { row($0).texts }).map { customers[$0] }
  }

  package func sorted(_ rows: [Row]) -> [Row] { order(rows.map(\.texts)).map { rows[$0] } }

  /// The indices of rows in this order, given their values.
  private func order(_ rows: [[String]]) -> [Int] {
    let columns = keys.indices.map { key in SortColumn(rows.map { $0[key] }) }
    return rows.indices.sorted { left, right in
      for isExact in [false, true] {
        for column in columns {
          if let precedes = column.precedes(left, right, isExact: isExact, isDescending: isDescending) {
            return precedes
          }
        }
      }
      return left < right
    }
  }
}

/// The values of a column, one for each row.
private struct SortColumn {
  private let texts: [String]
  private let values: Values

  /// The values in a form in which they are compared.
  private enum Values {
    case numbers([DecimalNumber?])
    case keys([String])
  }

  init(_ texts: [String]) {
    self.texts = texts
    var numbers: [DecimalNumber?] = []
    for text in texts {
      guard !text.isEmpty else {
        numbers.append(nil)
        continue
      }
      guard let number = DecimalNumber(text) else {
        values = .keys(texts.map { ComparableText.key(caseFolded($0)) })
        return
      }
      numbers.append(number)
    }
    values = .numbers(numbers)
  }

  /// Whether one row comes before another; nil if their values are the same, but for case unless `isExact`.
  func precedes(_ left: Int, _ right: Int, isExact: Bool, isDescending: Bool) -> Bool? {
    let (first, second) = isDescending ? (right, left) : (left, right)
    if texts[left].isEmpty || texts[right].isEmpty {
      return texts[left].isEmpty == texts[right].isEmpty ? nil : texts[right].isEmpty
    }
    if isExact { return texts[left] == texts[right] ? nil : texts[first] < texts[second] }
    switch values {
    case .numbers(let numbers):
      guard let one = numbers[first], let other = numbers[second], one != other else { return nil }
      return one < other
    case .keys(let keys): return keys[left] == keys[right] ? nil : keys[first] < keys[second]
    }
  }
}
