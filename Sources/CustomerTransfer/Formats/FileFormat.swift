package import CustomerStore
internal import CustomersText

/// A format of files of customers.
///
/// Each format is declared in a file of its own and named in `all`; everything else derives from that list.
package struct FileFormat: Sendable {
  /// The name, such as `csv`.
  package let name: String
  /// What it is, in a sentence or two.
  package let summary: String
  /// The file name extensions, in lowercase; the first is the usual one.
  package let fileExtensions: [String]
  /// Whether each customer is a row of values, so that the options for tables apply.
  package let isTable: Bool
  /// Whether it is no text, so that a terminal can't show it, and it has no encoding and no line ends.
  package let isBinary: Bool
  /// What the format can't hold, as in "has a NUL character".
  let limit: String
  /// Whether an import can leave out rows, cards, or entries that are not valid.
  package var canReject: Bool { isTable || hasExactColumns }
  /// Whether an import restores the customers, the order, and the sections that an export wrote.
  package let isComplete: Bool
  /// Whether an export writes the columns that are chosen; otherwise it writes everything.
  package let hasColumns: Bool
  /// Whether an export can write ids and the version of the list, by which an import knows what was edited in the file.
  package var holdsIDs: Bool { isTable || self == .json || self == .ndjson }
  /// Whether the reader gives the columns their names in the list, so that no name has to be understood.
  let hasExactColumns: Bool
  /// How a file is recognized that is certainly in this format.
  let signature: Signature?
  /// Makes a reader; nil if the format is only written.
  let makeReader: MakeReader?
  /// Makes a writer; nil if the format is only read.
  package let makeWriter: MakeWriter?

  /// The start of a file in a format.
  struct Signature: Sendable {
    /// The format as in "the file is JSON".
    let kind: String
    /// Whether a string in UTF-8 starts so.
    let matches: @Sendable ([UInt8]) -> Bool
  }

  /// Makes a reader, given the options, the start of the text in UTF-8, what counts the steps, and a function that
  /// returns the next bytes, none at the end.
  typealias MakeReader =
    @Sendable (
      _ options: ImportOptions, _ head: [UInt8], _ budget: ReadingBudget,
      _ readChunk: @escaping () throws -> [UInt8]
    ) throws -> any RecordReader

  package typealias MakeWriter = @Sendable (ExportLayout, ExportOptions) -> any CustomerWriter

  /// All formats, in the order of help.
  package static let all: [FileFormat] = [.csv, .tsv, .xlsx, .json, .ndjson, .vcard, .ldif, .ics, .markdown]
  /// The formats that an import reads.
  package static let readable = all.filter(\.isReadable)

  /// The formats that an export writes.
  package static let writable = all.filter(\.isWritable)

  /// Whether an import reads the format.
  package var isReadable: Bool { makeReader != nil }
  /// Whether an export writes the format.
  package var isWritable: Bool { makeWriter != nil }

  /// The format with a name, such as `vcard`, or with an extension of file names, such as `vcf`; nil if there is none.
  package init?(named name: String) {
    guard let format = FileFormat.all.first(where: { $0.name == name || $0.fileExtensions.contains(name) })
    else {
      return nil
    }
    self = format
  }

  /// The format for the extension of a file name, in any case; csv without one, nil for an unknown one.
  package init?(path: String) {
    guard let fileExtension = FileFormat.fileExtension(of: path) else {
      self = .csv
      return
    }
    guard let format = FileFormat.all.first(where: { $0.fileExtensions.contains(fileExtension) }) else {
      return nil
    }
    self = format
  }

  /// The extension of a file name, in lowercase; nil without one.
  package static func fileExtension(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    return name.dropFirst().lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() }
  }

  init(
    name: String, summary: String, fileExtensions: [String], isTable: Bool = false,
    isBinary: Bool = false, limit: String = "a NUL character", isComplete: Bool = true,
    hasColumns: Bool = true, hasExactColumns: Bool = false,
    signature: Signature? = nil, makeReader: MakeReader? = nil,
    makeWriter: MakeWriter? = nil
  ) {
    self.name = name
    self.summary = summary
    self.fileExtensions = fileExtensions
    self.isTable = isTable
    self.isBinary = isBinary
    self.limit = limit
    self.isComplete = isComplete && makeReader != nil && makeWriter != nil
    self.hasColumns = hasColumns
    self.hasExactColumns = hasExactColumns
    self.signature = signature
    self.makeReader = makeReader
    self.makeWriter = makeWriter
  }
}

extension FileFormat: Hashable, CustomStringConvertible {
  /// Whether both have the same name, which identifies a format.
  package static func == (left: FileFormat, right: FileFormat) -> Bool { left.name == right.name }

  /// Hashes the name.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The name.
  package var description: String { name }
}

/// Writes customers in a format, one after another.
package protocol CustomerWriter {
  /// Appends what comes before the customers.
  ///
  /// - Returns: whether the format can hold it.
  mutating func begin(_ bytes: inout [UInt8]) -> Bool

  /// Appends what the format holds of a section besides its customers, before them.
  mutating func begin(_ section: CustomerSection, to bytes: inout [UInt8])

  /// Whether the format names each customer by its UUID, and says when the list was edited last.
  var needsUUIDs: Bool { get }
  /// How many events were written; nil in a format that has rows.
  var eventCount: Int? { get }

  /// Takes the time of the last edit, in UTC, such as `2026-11-21T09:30:00.123Z`, if the format needs it.
  mutating func take(time: String?)

  /// Takes the UUID of the customer that is appended next, if the format needs it.
  mutating func take(uuid: String)

  /// Whether the format can hold the lines of logs.
  var hasLog: Bool { get }

  /// Appends a customer of the section with a title, and the log, if the format can hold it.
  ///
  /// - Returns: whether the format can hold everything of the customer.
  mutating func append(_ customer: Customer, _ log: [LogLine], in section: String, to bytes: inout [UInt8])
    -> Bool

  /// Appends what comes after the customers.
  mutating func end(_ bytes: inout [UInt8])
}

extension CustomerWriter {
  package func begin(_ bytes: inout [UInt8]) -> Bool { true }
  package func begin(_ section: CustomerSection, to bytes: inout [UInt8]) {}
  package var needsUUIDs: Bool { false }
  package var eventCount: Int? { nil }
  package func take(time: String?) {}
  package func take(uuid: String) {}
  package var hasLog: Bool { false }
  package func end(_ bytes: inout [UInt8]) {}
}
