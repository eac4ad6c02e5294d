/// Finds the rows that a person names.
package struct RowResolver: Sendable {
  package let outline: Outline

  package init(_ list: borrowing CustomerList) throws { outline = try list.outline() }

  /// The one row that is named.
  ///
  /// - Throws: `SelectionError`.
  package func row(_ selectors: RowSelectors, in list: borrowing CustomerList) throws -> Customer {
    let rows = try rows(selectors, in: list)
    guard rows.count == 1 else {
      throw SelectionError(.notOne(rows.count), selectors.rows.first?.word ?? "")
    }
    return rows[0]
  }

  /// The rows that are named, in the order named.
  ///
  /// - Throws: `SelectionError`.
  package func rows(_ selectors: RowSelectors, in list: borrowing CustomerList) throws -> [Customer] {
    var found: [Customer] = []
    var seen: Set<CustomerID> = []
    for (selector, word) in selectors.rows {
      for customer in try customers(selector, word, in: list) {
        guard seen.insert(customer.id).inserted else {
          throw SelectionError(.repeated(name: customer.name), word)
        }
        found.append(customer)
      }
    }
    return found
  }

  /// Rows in the order of the list.
  package func inOrder(_ rows: [Customer]) -> [Customer] {
    rows.sorted { outline.position(of: $0.place) < outline.position(of: $1.place) }
  }

  private func customers(
    _ selector: RowSelector, _ word: String, in list: borrowing CustomerList
  ) throws -> [Customer] {
    switch selector {
    case .positions(let range):
      for end in [range.upperBound, range.lowerBound] { _ = try place(at: end, word) }
      return try customers(at: range, in: list)
    case .id(let id):
      do {
        return [try list.customer(id)]
      } catch ListError.noSuchCustomer {
        throw SelectionError(.noCustomer(id), word)
      }
    case .first, .last:
      guard outline.count > 0 else { throw SelectionError(.emptyList, word) }
      return [try customer(at: selector == .first ? 1 : outline.count, word, in: list)]
    case .inSection(let title, let row, let text):
      return [try customer(at: row, inSection: title, text, word, in: list)]
    case .name(let text): return [try named(text, word, in: list)]
    }
  }

  /// The rows at positions that are there.
  private func customers(
    at positions: ClosedRange<Int>, in list: borrowing CustomerList
  ) throws -> [Customer] {
    var found: [Customer] = []
    var next = positions.lowerBound
    while next <= positions.upperBound, let place = outline.place(at: next) {
      let before = found.count
      try list.forEach(from: place.order, in: place.section) { customer in
        found.append(customer)
        next += 1
        return next <= positions.upperBound
      }
      // The numbers of a broken file promise rows that are not there.
      guard found.count > before else { throw ListError.damaged }
    }
    return found
  }

  /// A row of a section, or else the customer who is called like that.
  private func customer(
    at row: Int, inSection title: String, _ text: String, _ word: String, in list: borrowing CustomerList
  ) throws -> Customer {
    let section: CustomerSection
    do {
      section = try outline.section(titled: title)
    } catch var noSection {
      do {
        return try named(text, word, in: list)
      } catch let noCustomer as SelectionError where noCustomer.reason == .noName(near: nil) {
        noSection.word = word
        throw noSection
      }
    }
    guard row >= 1, row <= section.count else {
      throw SelectionError(.noRow(row, count: section.count, section: section.title), word)
    }
    return try list.customer(at: row, in: section.id)
  }

  private func customer(
    at position: Int, _ word: String, in list: borrowing CustomerList
  ) throws -> Customer {
    let place = try place(at: position, word)
    return try list.customer(at: place.order, in: place.section)
  }

  private func place(at position: Int, _ word: String) throws(SelectionError) -> Place {
    guard let place = outline.place(at: position) else {
      throw SelectionError(.noRow(position, count: outline.count, section: nil), word)
    }
    return place
  }

  private func named(_ text: String, _ word: String, in list: borrowing CustomerList) throws -> Customer {
    var search = NameSearch(text)
    if let only = try search.only(in: list) { return try list.customer(only) }
    try list.forEach { customer in
      search.consider(customer, at: outline.position(of: customer.place))
      return true
    }
    throw SelectionError(search.reason, text, in: word)
  }
}
