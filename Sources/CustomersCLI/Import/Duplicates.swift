internal import CustomerStore
internal import CustomersTerminalText

/// Finds the customer of the list that matches a customer of a file.
///
/// It is the one with the same value in a column, usually the e-mail address, ignoring case and surrounding
/// spaces; or, in a file written by `customers list`, the one with the same id, if the name or that value
/// matches, too, because the file may be from another list. Needs some memory per customer.
struct Duplicates {
  /// A match in the list.
  struct Match {
    /// The customer; nil if several have the value.
    var id: CustomerID?
    /// The column and its value in the file.
    var field: CustomerField
    var value: String
  }

  private let field: CustomerField
  /// The customer with a key; nil if several have it.
  private var owners: [String: CustomerID?] = [:]

  init(by field: CustomerField, in list: borrowing CustomerList) throws {
    self.field = field
    try list.forEach { customer in
      add(customer.fields, customer.id)
      return true
    }
  }

  /// Adds or updates a customer.
  mutating func add(_ fields: CustomerFields, _ id: CustomerID) {
    for key in keys(fields, id.rawValue) {
      if let owner = owners[key], owner != id { owners[key] = .some(nil) } else { owners[key] = id }
    }
  }

  /// The customer of the list; nil if the list does not have it.
  func match(_ row: ImportRows.Row) -> Match? {
    for key in keys(row.customer.fields, row.customer.id) {
      if let owner = owners[key] {
        return Match(id: owner, field: field, value: row.customer.fields[field].text)
      }
    }
    return nil
  }

  /// The keys of a customer, the most reliable first.
  private func keys(_ fields: CustomerFields, _ id: Int64?) -> [String] {
    let value = searchFolded(String(trimmed(fields[field].text)))
    let known = value.isEmpty ? [] : [value]
    guard let id else { return known }
    return known.map { "\(id)@\($0)" } + ["\(id) \(fields.name)"] + known
  }
}

/// The text without surrounding whitespace.
func trimmed(_ text: String) -> Substring {
  let start = text.drop { $0.isWhitespace }
  return start[..<(start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex)]
}

extension CustomerField {
  /// The field or extra column by which customers are recognized.
  ///
  /// - Parameters:
  ///   - key: its name, in the file or in the list; nil for the e-mail address.
  ///   - rows: the rows of the file.
  /// - Throws: a `Failure` with code `usage` if the file has no such column.
  init(recognizing key: String?, in rows: ImportRows) throws {
    guard let key else {
      self = .email
      return
    }
    let plan = try rows.peek()?.plan
    if let plan, let index = try plan.columns.index(named: key, for: "--key") {
      switch plan.targets[index] {
      case .field(let field): self = field
      case .extra, .renamed: self = .extra(plan.keptNames[index])
      default:
        throw Failure.usage("--key: column \(quoted(key)) is \(plan.targets[index]), which is not one value")
      }
      return
    }
    let targets = rows.columns.map(\.target)
    if let field = Name(key).only(of: CustomerField.texts, by: \.column),
      plan == nil || targets.contains(.field(field))
    {
      self = field
      return
    }
    let near = nearest(to: key, among: rows.columns.map(\.name))
    throw Failure.usage(
      "--key: the file has no column \(quoted(key))", hint: near.map { "close: \(quoted($0))" },
      offendingArgument: key)
  }
}
