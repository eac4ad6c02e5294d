internal import CustomerStore

/// Finds the customer of the list that matches a customer of a file.
///
/// It is the one with the same value in a column, usually the e-mail address, ignoring case and surrounding
/// spaces; or, in a file with ids, the one with the same id, if the name or that value matches, too, because
/// the file may be from another list. Needs some memory per customer.
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
  func match(_ row: ImportedRow) -> Match? {
    let fields = row.customer.fields
    for key in keys(fields, row.id) {
      if let owner = owners[key] { return Match(id: owner, field: field, value: fields[field].text) }
    }
    return nil
  }

  /// The keys of a customer, the most reliable first.
  private func keys(_ fields: CustomerFields, _ id: Int64?) -> [String] {
    let value = searchFolded(String(fields[field].text.trimmingBlanks))
    let known = value.isEmpty ? [] : [value]
    guard let id else { return known }
    return known.map { "\(id)@\($0)" } + ["\(id) \(fields.name)"] + known
  }
}

extension ImportRows {
  /// The field or extra column by which customers are recognized.
  ///
  /// - Parameter key: its name, in the file or in the list; nil for the e-mail address.
  /// - Returns: the field.
  /// - Throws: `TransferError` if the file has no such column.
  func keyField(_ key: String?) throws -> CustomerField {
    guard let key else { return .email }
    let plan = try peek()?.plan
    if let plan, let index = try columnIndex(of: key, in: plan.columns, for: .key) {
      switch plan.targets[index] {
      case .extra, .field(.extra), .otherName: return .extra(plan.keptNames[index])
      case .contact(let contact) where contact.role == .part: return .extra(plan.keptNames[index])
      case .contact(let contact) where contact.role == .value && contact.field != nil:
        return contact.field ?? .email
      case .lastName: return .lastName
      case .field(let field) where field != .isFavorite: return field
      case let target: throw TransferError.notAKey(key, target)
      }
    }
    let targets = columns.map(\.target)
    if let field = Name(key).only(of: CustomerField.texts, by: \.column),
      plan == nil || targets.contains(where: { $0.isValue(of: field) })
    {
      return field
    }
    throw TransferError.noSuchColumn(key, near: nearest(to: key, among: columns.map(\.name)), in: .key)
  }
}
