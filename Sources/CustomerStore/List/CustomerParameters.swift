internal import CustomersSQLite

/// The values of new customers as parameters of one statement, which runs for one customer after another.
///
/// A parameter keeps its value from one run to the next. Most columns of a file have the same value in every row:
/// none. It is bound once.
struct CustomerParameters {
  static let columns = CustomerFields.columns + ", can_edit, can_move, block"

  static let places = "?" + String(repeating: ", ?", count: CustomerFields.columnNames.count + 2)

  /// Which parameters have their usual value.
  private var areUsual = [Bool](repeating: false, count: CustomerFields.columnNames.count + 2)

  /// Binds the values of `columns`.
  mutating func bind(_ customer: NewCustomer, block: Int, to statement: borrowing Statement) throws {
    var index: Int32 = 1
    for storage in FieldDescriptor.storages {
      switch storage {
      case .text(let property):
        let text = property.value(in: customer.fields)
        if mustBind(index, isUsual: text.isEmpty) { try statement.bind(text, at: index) }
      case .flag(let property):
        let flag = property.value(in: customer.fields)
        if mustBind(index, isUsual: !flag) { try statement.bind(flag ? 1 : 0, at: index) }
      }
      index += 1
    }
    let extra = customer.fields.extra
    if mustBind(index, isUsual: extra == "{}") { try statement.bind(extra, at: index) }
    if mustBind(index + 1, isUsual: customer.canEdit) {
      try statement.bind(customer.canEdit ? 1 : 0, at: index + 1)
    }
    if mustBind(index + 2, isUsual: customer.canMove) {
      try statement.bind(customer.canMove ? 1 : 0, at: index + 2)
    }
    try statement.bind(Int64(block), at: index + 3)
  }

  /// Whether a parameter (1-based) does not have its value yet.
  private mutating func mustBind(_ index: Int32, isUsual: Bool) -> Bool {
    let index = Int(index) - 1
    defer { areUsual[index] = isUsual }
    return !isUsual || !areUsual[index]
  }
}
