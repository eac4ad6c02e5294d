/// What a command prints its result in.
enum Format: String, CaseIterable, Sendable {
  case table, markdown, csv, tsv, json, ndjson, vcard, ids

  /// What a list of rows can be printed in.
  static let ofLists: [Format] = [.table, .markdown, .csv, .tsv, .json, .ndjson, .ids]
  /// What a file of customers can be in.
  static let ofFiles: [Format] = [.csv, .tsv, .json, .ndjson, .vcard]
  /// What a file of customers can be written in.
  static let ofExports: [Format] = ofFiles + [.markdown]

  /// Whether it is for people, who want to see what matters most, in columns.
  var isTable: Bool { self == .table || self == .markdown }
}
