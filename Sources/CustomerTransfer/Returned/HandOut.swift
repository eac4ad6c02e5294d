internal import CustomerStore

/// The version of the list from which a file was written and which rows it had: the text of its column `version`.
struct HandOut: Hashable {
  /// The rows in the file when it was written.
  enum Scope: Hashable {
    /// All rows in the list or of a section.
    case list, section(SectionID)
    /// Some rows, which the file alone does not tell.
    case some
  }

  let version: ListVersion
  let scope: Scope

  /// Rows in the list as it is now.
  init(_ rows: ListedRows, of list: borrowing CustomerList) throws {
    version = try list.version()
    scope = rows.areWhole ? rows.filter.section.map { .section($0) } ?? .list : .some
  }

  /// Parses the text; nil if it is none that an export wrote.
  init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, let version = ListVersion(parts[0] + ":" + parts[1]) else { return nil }
    self.version = version
    if parts.count == 2 {
      scope = .some
    } else if parts[2] == HandOut.all {
      scope = .list
    } else if let id = Int64(parts[2]) {
      scope = .section(SectionID(rawValue: id))
    } else {
      return nil
    }
  }

  /// The word for the whole list.
  private static let all = "all"

  /// The text.
  var text: String {
    switch scope {
    case .list: "\(version):\(HandOut.all)"
    case .section(let id): "\(version):\(id.rawValue)"
    case .some: version.description
    }
  }
}
