internal import CustomerStore

/// Notices customers of a file that a list has already: with the same name and the same e-mail address or phone number.
///
/// Needs a few bytes per customer of the list, and nothing for an empty one.
struct KnownCustomers {
  private var keys: Set<Int> = []
  /// How many were noticed.
  private(set) var count = 0
  /// The name of the first.
  private(set) var firstName = ""

  /// - Complexity: O(customers).
  init(in list: borrowing CustomerList) throws {
    try list.forEach { customer in
      keys.formUnion(KnownCustomers.keys(customer.fields))
      return true
    }
  }

  /// Compares a customer of the file.
  mutating func notice(_ fields: CustomerFields) {
    guard !keys.isEmpty, KnownCustomers.keys(fields).contains(where: keys.contains) else { return }
    if count == 0 { firstName = fields.name }
    count += 1
  }

  /// The name with each other value, hashed in the form in which they are compared; the user is asked anyway.
  private static func keys(_ fields: CustomerFields) -> [Int] {
    let values = [CustomerField.email, .phone].flatMap { field in
      fields.values(of: field).map { (field, field == .phone ? PhoneDigits.identity(of: $0) : folded($0)) }
    }.filter { !$0.1.isEmpty }
    guard !values.isEmpty else { return [] }
    let name = searchFolded(fields.name)
    guard !name.isEmpty else { return [] }
    var start = Hasher()
    start.combine(name)
    return values.map { field, value in
      var hasher = start
      hasher.combine(field)
      hasher.combine(value)
      return hasher.finalize()
    }
  }

  private static func folded(_ text: String) -> String { searchFolded(String(text.trimmingBlanks)) }
}
