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

extension CustomerList {
  /// The outline of the list. O(sections)
  public func outline() throws -> ListOutline { ListOutline(try sections()) }
}
