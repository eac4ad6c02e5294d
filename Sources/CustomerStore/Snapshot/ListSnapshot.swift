/// The order of the whole list after one edit: sections and the ids of their rows.
///
/// It is a value: it does not change with the list until changes are applied to it. Read the rows themselves
/// when they are needed, with `CustomerList.customers`. Needs 8 bytes of memory per row.
public struct ListSnapshot: Hashable, Sendable {
  /// A section and its rows.
  public struct Section: Hashable, Identifiable, Sendable {
    /// The permanent id.
    public let id: SectionID
    /// The line above the rows.
    public internal(set) var title: String
    /// The line below the rows.
    public internal(set) var footer: String
    /// The rows in order.
    public internal(set) var rows: [CustomerID]

    /// The number of its rows.
    public var count: Int { rows.count }
  }

  /// The version of the list that the snapshot shows.
  public internal(set) var version: ListVersion
  /// The sections in order.
  public internal(set) var sections: [Section]

  /// No list: nothing that happens to a list can be applied to it but a `reload`.
  public init() { (version, sections) = (.none, []) }

  init(version: ListVersion, sections: [Section]) { (self.version, self.sections) = (version, sections) }

  /// The number of rows in all sections. O(sections)
  public var count: Int { sections.reduce(0) { $0 + $1.count } }

  /// The row at a path or nil.
  public subscript(path: RowPath) -> CustomerID? {
    guard sections.indices.contains(path.section) else { return nil }
    let rows = sections[path.section].rows
    return rows.indices.contains(path.row) ? rows[path.row] : nil
  }

  /// The path of a row; nil if the snapshot has no such row.
  ///
  /// - Complexity: O(rows).
  public func path(of id: CustomerID) -> RowPath? {
    for (section, found) in sections.enumerated() {
      if let row = found.rows.firstIndex(of: id) { return RowPath(section: section, row: row) }
    }
    return nil
  }

  /// The paths of rows; rows that are not in the snapshot are omitted. O(rows)
  public func paths(of ids: Set<CustomerID>) -> [CustomerID: RowPath] {
    if ids.count == 1, let id = ids.first { return path(of: id).map { [id: $0] } ?? [:] }
    var paths: [CustomerID: RowPath] = [:]
    for (section, found) in sections.enumerated() {
      for (row, id) in found.rows.enumerated() where ids.contains(id) {
        paths[id] = RowPath(section: section, row: row)
        if paths.count == ids.count { return paths }
      }
    }
    return paths
  }

  /// The place of the row at a path; nil if there is no such row.
  public func place(at path: RowPath) -> CustomerPlace? {
    self[path] == nil ? nil : CustomerPlace(section: sections[path.section].id, order: path.row + 1)
  }
}

extension CustomerList {
  /// The order of the whole list now.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if the numbers in the file are damaged.
  /// - Complexity: O(rows): about 10 ms for 100,000.
  public func snapshot() throws -> ListSnapshot {
    let sections = try wholeSections().map { section in
      ListSnapshot.Section(
        id: section.id, title: section.title, footer: section.footer,
        rows: try ids(in: section.id, count: section.count))
    }
    return ListSnapshot(version: try version(), sections: sections)
  }
}
