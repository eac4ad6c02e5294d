/// One customer of a file: named values in the file's order.
///
/// Nothing is said twice or left open: a column without a value in this customer is left out, so
/// ``columns`` and ``values`` are always as long as each other.
public struct Record: Equatable, Sendable {
  /// What stands in one column.
  public enum Value: Equatable, Sendable {
    /// A text.
    case text(String)
    /// JSON that is not a string: a number, true, false, an object or an array, as written.
    case json(String)
  }

  /// The names of the columns, each once.
  ///
  /// Records with the same names share one array where that costs nothing, so comparing two of
  /// them is then comparing two addresses.
  public var columns: [String]
  /// The value of each column, at the same place as its name in ``columns``.
  public var values: [Value]
  /// The line of the file in which the customer begins, from 1.
  public var line: Int

  /// Makes a customer of named values.
  public init(columns: [String], values: [Value], line: Int) {
    self.columns = columns
    self.values = values
    self.line = line
  }
}

/// Reads the customers of a file one after another, with memory for one.
public protocol RecordReader {
  /// The next customer, or nil after the last.
  ///
  /// After an error nothing more can be read.
  mutating func next() throws -> Record?
}

/// Why a file can't be read; where, and what would help.
public struct ParseError: Error, Equatable, Sendable {
  /// The line of the file, from 1.
  public var line: Int
  /// The byte of the line as UTF-8, from 1; nil where a column says nothing.
  public var column: Int?
  /// What is wrong, as a sentence without a full stop that quotes no value of the file.
  public var message: String

  /// Makes a problem at a place of a file.
  public init(line: Int, column: Int? = nil, message: String) {
    self.line = line
    self.column = column
    self.message = message
  }
}

/// The most bytes that one customer of a file may have.
///
/// It is as much as the store keeps in a row (SQLite's limit of length), and keeps a file without end
/// from filling the memory.
public let customerByteLimit = 16_000_000

/// The most columns that one customer of a file may have, which is more than a spreadsheet has.
public let customerColumnLimit = 20_000
