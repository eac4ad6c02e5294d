/// The lasting number of a section.
///
/// It is given once by the file and never used again.
public struct SectionID: RawRepresentable, Hashable, Sendable {
  /// The number in column `id`, 1 or more.
  public var rawValue: Int64

  /// Takes a number; whether a section has it is for the list to say.
  public init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A section of the list: a title above some rows that are numbered for themselves.
public struct CustomerSection: Hashable, Identifiable, Sendable {
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
}
