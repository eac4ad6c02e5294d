/// One customer of a file: named values in the file's order.
///
/// A column without a value for this customer is omitted, so ``columns`` and ``values`` have the same length. Only a
/// row of a table that leaves out its last values has fewer values, so that a short row is little work.
public struct Record: Equatable, Sendable {
  /// The value of one column.
  public enum Value: Equatable, Sendable {
    /// A string.
    case text(String)
    /// JSON that is not a string: a number, true, false, an object, or an array, as written.
    case json(String)
  }

  /// The names of the columns, each once.
  ///
  /// Records with the same columns share one array if possible, so that comparing the two compares only
  /// addresses.
  public var columns: [String]
  /// The value of each column, at the same index as its name in ``columns``.
  public var values: [Value]
  /// The line of the file in which the customer starts, from 1.
  public var line: Int

  /// Creates a customer from named values.
  public init(columns: [String], values: [Value], line: Int) {
    self.columns = columns
    self.values = values
    self.line = line
  }
}

/// Reads the customers of a file one after another, with memory for one.
public protocol RecordReader {
  /// The next customer or nil after the last.
  ///
  /// After an error other than `MalformedRow`, reading can't go on.
  mutating func next() throws -> Record?

  /// The bytes of the last customer in UTF-8, as in the file; nil if unknown.
  var lastBytes: [UInt8]? { get }

  /// How many groups of customers were skipped, which are no customers.
  var skippedGroups: Int { get }
}

extension RecordReader {
  /// They are unknown.
  public var lastBytes: [UInt8]? { nil }
  /// The format has no groups.
  public var skippedGroups: Int { 0 }
}

/// Why a file can't be read, where, and what would help.
public struct ParseError: Error, Equatable, Sendable {
  /// The line of the file, from 1.
  public var line: Int
  /// The byte of the line as UTF-8, from 1; nil if it would not help.
  public var column: Int?
  /// What is wrong, as a sentence without a period that quotes no value of the file.
  public var message: String

  /// Creates a problem at a position of a file.
  public init(line: Int, column: Int? = nil, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }
}

/// The maximum number of bytes of one customer in a file.
///
/// It equals the limit of a row in the store (SQLite's length limit), and keeps an endless file from filling
/// the memory.
public let customerByteLimit = 16_000_000

/// The maximum number of columns of one customer in a file: more than a spreadsheet has.
public let customerColumnLimit = 20_000

/// A row of a file that is not a customer; reading can go on after it.
public struct MalformedRow: Error, Equatable, Sendable {
  /// The error and its position.
  public var problem: ParseError
  /// The row as it is in the file, with its line end, as UTF-8.
  public var bytes: [UInt8]
  /// Whether it only has fewer fields than there are columns.
  public var isShort: Bool

  /// Creates an error for a row.
  public init(problem: ParseError, bytes: [UInt8], isShort: Bool = false) {
    self.problem = problem
    self.bytes = bytes
    self.isShort = isShort
  }
}
