/// The lasting number of a section.
///
/// The file gives it once and never uses it again.
public struct SectionID: RawRepresentable, Hashable, Codable, Sendable {
  /// The number in column `id`, 1 or more.
  public var rawValue: Int64

  /// Takes a number; whether a section has it is for the list to say.
  public init(rawValue: Int64) { self.rawValue = rawValue }
}

extension SectionID: ExpressibleByIntegerLiteral {
  /// Takes a number, as in `try list.section(1)`.
  public init(integerLiteral number: Int) { self.init(rawValue: Int64(number)) }
}

/// A section of the list: a title above some rows that are numbered for themselves.
public struct CustomerSection: Hashable, Identifiable, Codable, Sendable {
  /// The lasting number.
  public var id: SectionID
  /// The line above the rows; two sections may have the same.
  public var title: String
  /// The line below the rows.
  public var footer: String
  /// The place among the sections, from 1.
  public var order: Int
  /// How many rows it has.
  public var count: Int

  /// Makes a section, for a preview or a test; those of a list come from the list.
  public init(id: SectionID, title: String, footer: String = "", order: Int = 1, count: Int = 0) {
    self.id = id
    self.title = title
    self.footer = footer
    self.order = order
    self.count = count
  }
}
