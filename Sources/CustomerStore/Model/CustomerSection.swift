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
  public var footer: String
  /// The place among the sections, from 1.
  public var order: Int
  /// The number of its rows.
  public var count: Int

  /// Creates a section for a preview or a test; to get sections of a list, read the list.
  public init(id: SectionID, title: String, footer: String = "", order: Int = 1, count: Int = 0) {
    self.id = id
    self.title = title
    self.footer = footer
    self.order = order
    self.count = count
  }
}
