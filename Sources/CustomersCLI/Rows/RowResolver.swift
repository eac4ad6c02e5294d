internal import CustomerStore

/// Finds the rows that a person names.
struct RowResolver: Sendable {
  let outline: Outline

  init(_ list: borrowing CustomerList) throws { outline = try list.outline() }

  /// The one row that is named.
  func row(_ names: RowSelectors, in list: borrowing CustomerList) throws -> Customer {
    let rows = try rows(names, in: list)
    guard rows.count == 1 else {
      let operand = names.names.first?.operand ?? ""
      throw Failure.usage(
        "\(quoted(operand)) names \(rows.count) rows where one is wanted", offendingArgument: operand)
    }
    return rows[0]
  }

  /// The rows that are named, in the order named.
  func rows(_ names: RowSelectors, in list: borrowing CustomerList) throws -> [Customer] {
    var found: [Customer] = []
    var seen: Set<CustomerID> = []
    for (name, operand) in names.names {
      try Failure.attributing(operand) {
        for customer in try customers(name, in: list) {
          guard seen.insert(customer.id).inserted else {
            throw Failure.usage("\(quoted(customer.name)) is named twice")
          }
          found.append(customer)
        }
      }
    }
    return found
  }

  /// Rows in the order of the list.
  func inOrder(_ rows: [Customer]) -> [Customer] {
    rows.sorted { outline.position(of: $0.place) < outline.position(of: $1.place) }
  }

  private func customers(_ name: RowSelector, in list: borrowing CustomerList) throws -> [Customer] {
    switch name {
    case .positions(let range):
      try check(range.upperBound)
      try check(range.lowerBound)
      return try range.map { try customer(at: $0, in: list) }
    case .id(let id):
      do {
        return [try list.customer(CustomerID(rawValue: id))]
      } catch ListError.noSuchCustomer {
        throw Failure.notFound(id == .max ? "no customer has so large an id" : "there is no customer @\(id)")
      }
    case .first, .last:
      guard outline.count > 0 else { throw Failure.notFound("the list is empty") }
      return [try customer(at: name == .first ? 1 : outline.count, in: list)]
    case .inSection(let title, let row, let text):
      return [try customer(at: row, inSection: title, text, in: list)]
    case .name(let text): return [try named(text, in: list)]
    }
  }

  /// A row of a section, or else the customer who is called like that.
  private func customer(
    at row: Int, inSection title: String, _ text: String, in list: borrowing CustomerList
  ) throws -> Customer {
    let section: CustomerSection
    do {
      section = try outline.section(titled: title)
    } catch var noSection as Failure {
      do {
        return try named(text, in: list)
      } catch let noCustomer as Failure where noCustomer.details.isEmpty && noCustomer.hint == nil {
        noSection.offendingArgument = nil
        throw noSection
      }
    }
    guard row >= 1, row <= section.count else {
      throw Failure.notFound(
        "there is no row \(Invocation.spelled(row)) in section \(quoted(section.title)): "
          + "it has \(rowCount(section.count))")
    }
    return try list.customer(at: row, in: section.id)
  }

  private func customer(at position: Int, in list: borrowing CustomerList) throws -> Customer {
    guard let place = outline.place(at: position) else {
      throw Failure.notFound(
        "there is no row \(Invocation.spelled(position)): the list has \(rowCount(outline.count))")
    }
    return try list.customer(at: place.order, in: place.section)
  }

  private func check(_ position: Int) throws {
    guard position < 1 || position > outline.count else { return }
    throw Failure.notFound(
      "there is no row \(Invocation.spelled(position)): the list has \(rowCount(outline.count))",
      hint: outline.count > 0
        ? "rows are numbered from 1 to \(outline.count)" : "customers add adds the first")
  }

  private func named(_ text: String, in list: borrowing CustomerList) throws -> Customer {
    var search = NameSearch(text)
    if let only = try search.only(in: list) { return try list.customer(only) }
    try list.forEach { customer in
      search.consider(customer, at: outline.position(of: customer.place))
      return true
    }
    return try search.result()
  }
}

/// `1 row`, `2 rows`.
func rowCount(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
