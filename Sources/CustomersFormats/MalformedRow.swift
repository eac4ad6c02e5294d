/// A row of a file that is not a customer; reading can go on after it.
public struct MalformedRow: Error, Equatable, Sendable {
  /// The error and its position.
  public var problem: ParseError
  /// The row as it is in the file, with its line end, as UTF-8.
  public var bytes: [UInt8]

  /// Creates an error for a row.
  public init(problem: ParseError, bytes: [UInt8]) {
    self.problem = problem
    self.bytes = bytes
  }
}
