internal import CustomersSQLite

/// A customer and its place in the list.
public struct Customer: Hashable, Identifiable, Codable, Sendable {
  /// The permanent id.
  public var id: CustomerID
  /// The section and the place in it when the customer was read.
  public var place: CustomerPlace
  /// The fields.
  public var fields: CustomerFields
  /// Whether the customer may be edited and deleted.
  public var canEdit: Bool
  /// Whether the customer may be moved.
  ///
  /// It still shifts when rows around it move.
  public var canMove: Bool

  /// Creates a customer for a preview or a test; to get customers of a list, read the list.
  package init(
    id: CustomerID, place: CustomerPlace, fields: CustomerFields, canEdit: Bool = true, canMove: Bool = true
  ) {
    self.id = id
    self.place = place
    self.fields = fields
    self.canEdit = canEdit
    self.canMove = canMove
  }

  /// First and last name with one space between; the company if both are empty.
  package var name: String { fields.name }
}

/// The permanent id of a customer.
///
/// The file never reuses an id.
public struct CustomerID: RawRepresentable, Hashable, Comparable, Codable, Sendable {
  /// The number in column `id`, 1 or more.
  public var rawValue: Int64

  /// Creates an id from a number; no customer needs to have it.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Whether one id was assigned before the other.
  public static func < (left: CustomerID, right: CustomerID) -> Bool { left.rawValue < right.rawValue }
}

extension CustomerID: ExpressibleByIntegerLiteral {
  /// Creates an id from a literal, as in `try list.customer(17)`.
  public init(integerLiteral number: Int) { self.init(rawValue: Int64(number)) }
}

/// The place of a customer: a section and the number in it.
public struct CustomerPlace: Hashable, Codable, Sendable {
  /// The section.
  public var section: SectionID
  /// The number in the section, from 1 to its count.
  public var order: Int

  /// Creates a place.
  package init(section: SectionID, order: Int) {
    self.section = section
    self.order = order
  }
}

/// Where to put rows.
public enum Destination: Hashable, Codable, Sendable {
  /// The top of the section.
  case first
  /// The end of the section.
  case last
  /// Place n of the section, counted from 1 **after** the edit; for several rows, that of the first.
  case place(Int)
  /// Just before a customer, in that customer's section.
  case before(CustomerID)
  /// Just after a customer, in that customer's section.
  case after(CustomerID)
}

/// The move of a row from one place to another.
package struct CustomerMove: Hashable, Identifiable, Codable, Sendable {
  /// The customer.
  package var id: CustomerID
  /// The place before the edit.
  package var from: CustomerPlace
  /// The place after the edit.
  package var to: CustomerPlace

  /// Creates a move.
  package init(id: CustomerID, from: CustomerPlace, to: CustomerPlace) {
    self.id = id
    self.from = from
    self.to = to
  }
}

/// The permanent id of a section.
///
/// The file never reuses an id.
public struct SectionID: RawRepresentable, Hashable, Codable, Sendable {
  /// The number in column `id`, 1 or more.
  public var rawValue: Int64

  /// Creates an id from a number; no section needs to have it.
  public init(rawValue: Int64) { self.rawValue = rawValue }
}

extension SectionID: ExpressibleByIntegerLiteral {
  /// Creates an id from a literal, as in `try list.section(1)`.
  public init(integerLiteral number: Int) { self.init(rawValue: Int64(number)) }
}

/// A section of the list: a title above rows with their own numbering.
public struct CustomerSection: Hashable, Identifiable, Codable, Sendable {
  /// The permanent id.
  public var id: SectionID
  /// The line above the rows; no two sections have the same.
  public var title: String
  /// The line below the rows.
  package var footer: String
  /// The place among the sections, from 1.
  package var order: Int
  /// The number of its rows.
  public var count: Int

  /// Creates a section for a preview or a test; to get sections of a list, read the list.
  package init(id: SectionID, title: String, footer: String = "", order: Int = 1, count: Int = 0) {
    self.id = id
    self.title = title
    self.footer = footer
    self.order = order
    self.count = count
  }
}

extension FixedWidthInteger {
  /// The sum or the number nearest to it: callers may pass any number, and nothing traps on it.
  package func saturatingAdding(_ other: Self) -> Self {
    let (sum, isTooFar) = addingReportingOverflow(other)
    return isTooFar ? (other < 0 ? .min : .max) : sum
  }
}
