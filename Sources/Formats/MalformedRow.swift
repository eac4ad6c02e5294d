/// A row of a file that is no customer; reading can go on behind it.
public struct MalformedRow: Error, Equatable, Sendable {
  /// What is wrong, and where.
  public var problem: ParseError
  /// The row as it stands in the file, with its line end, as UTF-8.
  public var bytes: [UInt8]

  /// Makes a row that can't be taken.
  public init(problem: ParseError, bytes: [UInt8]) {
    self.problem = problem
    self.bytes = bytes
  }
}
