/// The sections and the number of rows before each, to convert a place in a section to a position in the
/// whole list and back.
public struct ListOutline: Hashable, Sendable {
  /// The sections in order.
  public let sections: [CustomerSection]
  /// The number of customers in all sections.
  public let count: Int
  private let rowsBefore: [SectionID: Int]
  private let indices: [SectionID: Int]

  /// Creates the outline of sections in order.
  public init(_ sections: [CustomerSection]) {
    self.sections = sections
    var before: [SectionID: Int] = [:]
    var count = 0
    for section in sections {
      before[section.id] = count
      count = count.saturatingAdding(max(0, section.count))
    }
    rowsBefore = before
    indices = Dictionary(sections.enumerated().map { ($1.id, $0) }) { first, _ in first }
    self.count = count
  }

  /// The section with an id; nil if there is none.
  public func section(_ id: SectionID) -> CustomerSection? { indices[id].map { sections[$0] } }

  /// The position (from 1) in the whole list of a place in a section.
  public func position(of place: CustomerPlace) -> Int {
    rowsBefore[place.section, default: 0].saturatingAdding(place.order)
  }

  /// The place of the row at a position (from 1) in the whole list; nil beyond the list.
  public func place(at position: Int) -> CustomerPlace? {
    guard position >= 1, position <= count else { return nil }
    for section in sections {
      let order = position - rowsBefore[section.id, default: 0]
      if order <= section.count { return CustomerPlace(section: section.id, order: order) }
    }
    return nil
  }
}

extension ListOutline {
  /// The destination that puts rows at a position (from 1) of the whole list after the move.
  ///
  /// At a border between two sections it is in the section of the first row, if that is one of them,
  /// otherwise in that of the row there.
  ///
  /// - Returns: nil if the list has no such position once the rows are taken out.
  /// - Complexity: O(sections + rows)
  package func target(
    position: Int, moving: [CustomerPlace]
  ) -> (destination: Destination, section: SectionID?)? {
    var staying = sections
    let taken = moving.reduce(into: [SectionID: Int]()) { $0[$1.section, default: 0] += 1 }
    for index in staying.indices { staying[index].count -= taken[staying[index].id, default: 0] }
    let after = ListOutline(staying)
    guard position >= 1, position - 1 <= after.count else { return nil }
    if let home = moving.first?.section, let own = staying.first(where: { $0.id == home }) {
      let order = position - after.position(of: CustomerPlace(section: home, order: 0))
      if order >= 1, order - 1 <= own.count { return (.place(order), home) }
    }
    if let place = after.place(at: position) { return (.place(place.order), place.section) }
    return (.last, staying.last?.id)
  }
}

extension CustomerList {
  /// The outline of the list. O(sections)
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if a section is missing, `StoreError`.
  public func outline() throws -> ListOutline { ListOutline(try wholeSections()) }
}
