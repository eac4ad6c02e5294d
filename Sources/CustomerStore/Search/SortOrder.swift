/// An alphabetical order of customers: the same on every machine, and stable.
///
/// Case is ignored unless nothing else differs; customers without a value come last.
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

  /// A customer and its sort keys.
  struct Row {
    var id: CustomerID
    fileprivate var texts: [String]
    fileprivate var folded: [String]
  }

  func row(_ customer: Customer) -> Row {
    let texts = keys.map { key in
      switch key {
      case .name: customer.name
      case .field(let field): customer.fields[field].text
      }
    }
    return Row(id: customer.id, texts: texts, folded: texts.map { caseFolded($0) })
  }

  /// The customers in this order; equal ones keep their order.
  public func sorted(_ customers: [Customer]) -> [Customer] {
    let rows = customers.enumerated().map { index, customer in (row(customer), index) }
    return rows.sorted { left, right in
      precedes(left.0.folded, right.0.folded) ?? precedes(left.0.texts, right.0.texts) ?? (left.1 < right.1)
    }.map { customers[$0.1] }
  }

  func sorted(_ rows: [Row]) -> [Row] {
    rows.sorted { left, right in
      precedes(left.folded, right.folded) ?? precedes(left.texts, right.texts) ?? false
    }
  }

  /// Whether one row comes before the other; nil if the texts are equal.
  private func precedes(_ left: [String], _ right: [String]) -> Bool? {
    for (left, right) in zip(left, right) where left != right {
      if left.isEmpty || right.isEmpty { return right.isEmpty }
      return isDescending ? left > right : left < right
    }
    return nil
  }
}
