/// The order of the whole list after one edit: a version, sections, and the ids of their rows.
///
/// `ForEach`, a diffable data source, or `CollectionDifference` finds out what a view has to do that shows another one.
/// Read the rows themselves when they are needed, with `CustomerList.customers`. Needs 8 bytes of memory per row.
package struct ListSnapshot: Hashable, Sendable {
  /// A section and its rows.
  package struct Section: Hashable, Identifiable, Sendable {
    /// The permanent id.
    package let id: SectionID
    /// The line above the rows.
    package var title: String
    /// The line below the rows.
    package var footer: String
    /// The rows in order.
    package var rows: [CustomerID]

    /// The number of its rows.
    package var count: Int { rows.count }

    package init(_ section: CustomerSection, rows: [CustomerID]) {
      (id, title, footer, self.rows) = (section.id, section.title, section.footer, rows)
    }
  }

  /// The version of the list that the snapshot shows.
  package var version: ListVersion
  /// The sections in order.
  package var sections: [Section]

  /// No list, before one was read.
  package init() { (version, sections) = (.none, []) }

  package init(version: ListVersion, sections: [Section]) {
    (self.version, self.sections) = (version, sections)
  }

  /// The number of rows in all sections. O(sections)
  package var count: Int { sections.reduce(0) { $0 + $1.count } }
}

extension CustomerList {
  /// The order of the whole list now.
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if the numbers in the file are damaged.
  /// - Complexity: O(rows): about 10 ms for 100,000.
  package func snapshot() throws -> ListSnapshot {
    let sections = try wholeSections().map { section in
      ListSnapshot.Section(section, rows: try ids(in: section.id, count: section.count))
    }
    return ListSnapshot(version: try version(), sections: sections)
  }
}
