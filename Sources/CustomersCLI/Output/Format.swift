/// An output format.
enum Format: String, CaseIterable, Sendable {
  case table, markdown, csv, tsv, json, ndjson, vcard, ids

  /// The formats for a list of rows.
  static let ofLists: [Format] = [.table, .markdown, .csv, .tsv, .json, .ndjson, .ids]
  /// The formats of files that can be imported.
  static let ofFiles: [Format] = [.csv, .tsv, .json, .ndjson, .vcard]
  /// The formats of files that can be exported.
  static let ofExports: [Format] = ofFiles + [.markdown]

  /// Whether it is a table for people.
  var isTable: Bool { self == .table || self == .markdown }
}
