internal import CustomerStore

/// An alphabetical order of customers: the same on every machine, and stable.
struct SortOrder: Sendable {
  private let texts: [@Sendable (Customer) -> String]
  private let isDescending: Bool

  /// A customer, and what its place depends on.
  struct Row {
    var id: CustomerID
    fileprivate var texts: [String]
    fileprivate var folded: [String]
  }

  /// Understands names of fields, separated by commas.
  init(by names: String, isDescending: Bool) throws {
    self.isDescending = isDescending
    var seen: Set<String> = []
    texts = try names.split(separator: ",", omittingEmptySubsequences: false).map(String.init).map { name in
      guard seen.insert(name).inserted else { throw Failure.usage("--by: \(quoted(name)) is given twice") }
      if name == "name" { return { $0.name } }
      if let field = Field.all.first(where: { $0.column == name }) {
        return { $0.fields[keyPath: field.path] }
      }
      let known = ["name"] + Field.all.map(\.column)
      let near = nearest(to: name, among: known).map { "did you mean '\($0)'?" }
      throw Failure.usage(
        "--by: there is no field \(quoted(name))",
        hint: near ?? "the fields are \(known.joined(separator: ", "))"
      )
    }
  }

  func row(_ customer: Customer) -> Row {
    let texts = texts.map { $0(customer) }
    return Row(id: customer.id, texts: texts, folded: texts.map(folded))
  }

  func sorted(_ rows: [Row]) -> [Row] {
    rows.sorted { left, right in
      precedes(left.folded, right.folded) ?? precedes(left.texts, right.texts) ?? false
    }
  }

  /// Whether one row comes before the other; nil if the texts are alike.
  private func precedes(_ left: [String], _ right: [String]) -> Bool? {
    for (left, right) in zip(left, right) where left != right {
      if left.isEmpty || right.isEmpty { return right.isEmpty }
      return isDescending ? left > right : left < right
    }
    return nil
  }
}
