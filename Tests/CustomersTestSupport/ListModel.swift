/// A model of a list in plain arrays, for the expected result of edits.
package struct ListModel: Equatable, Sendable {
  /// A customer.
  package struct Row: Hashable, Sendable {
    /// The id.
    package var id: Int64
    /// A number in the note, which shows that an edit of one row leaves the others unchanged.
    package var stamp: Int64 = 0
    /// Whether it may be edited and deleted.
    package var canEdit = true
    /// Whether it may be moved.
    package var canMove = true

    /// Creates a row without protection.
    package init(id: Int64, stamp: Int64 = 0) {
      self.id = id
      self.stamp = stamp
    }
  }

  /// A section; its title is a number, which is cheap to compare.
  package struct Section: Equatable, Sendable {
    /// The id.
    package var id: Int64
    /// The title.
    package var title: Int64
    /// The rows in order.
    package var rows: [Row] = []

    /// Creates an empty section.
    package init(id: Int64, title: Int64 = 0) {
      self.id = id
      self.title = title
    }
  }

  /// The sections in order.
  package var sections: [Section] = [Section(id: 1)]
  /// The highest customer id ever used.
  package var lastID: Int64 = 0
  /// The highest section id ever used.
  package var lastSectionID: Int64 = 1

  /// Creates the model of a new file, with one empty section.
  package init() {}
}

extension ListModel {
  /// The number of rows in all sections.
  package var count: Int { sections.reduce(0) { $0 + $1.rows.count } }

  /// All rows, section by section.
  package var rows: [Row] { sections.flatMap(\.rows) }

  /// Returns the index of a row's section and the row's index in it.
  package func position(of id: Int64) -> (section: Int, index: Int)? {
    for (section, content) in sections.enumerated() {
      if let index = content.rows.firstIndex(where: { $0.id == id }) { return (section, index) }
    }
    return nil
  }

  /// Inserts rows with the next ids at an index of a section.
  @discardableResult
  package mutating func insert(_ stamps: [Int64], section: Int, at index: Int) -> [Row] {
    let rows = stamps.enumerated().map { Row(id: lastID + 1 + Int64($0), stamp: $1) }
    lastID += Int64(stamps.count)
    sections[section].rows.insert(contentsOf: rows, at: index)
    return rows
  }

  /// Removes rows.
  ///
  /// - Returns: the rows, in list order.
  @discardableResult
  package mutating func remove(_ ids: Set<Int64>) -> [Row] {
    let removed = rows.filter { ids.contains($0.id) }
    for section in sections.indices { sections[section].rows.removeAll { ids.contains($0.id) } }
    return removed
  }

  /// Moves rows as one block in their current order, to an index among the rows that stay.
  package mutating func move(_ ids: Set<Int64>, section: Int, at index: Int) {
    let moving = remove(ids)
    sections[section].rows.insert(contentsOf: moving, at: index)
  }

  /// Changes some rows in place.
  package mutating func change(_ ids: Set<Int64>, _ body: (inout Row) -> Void) {
    for section in sections.indices {
      for index in sections[section].rows.indices where ids.contains(sections[section].rows[index].id) {
        body(&sections[section].rows[index])
      }
    }
  }

  /// The expected result of `Connection.listNumbers`.
  package var numbers: [Int64] {
    var numbers: [Int64] = []
    for (index, section) in sections.enumerated() {
      numbers += [section.id, Int64(index + 1), Int64(section.rows.count), section.title]
    }
    for section in sections.sorted(by: { $0.id < $1.id }) {
      for (index, row) in section.rows.enumerated() {
        numbers.append(section.id)
        numbers.append(Int64(index + 1))
        numbers.append(row.id)
        numbers.append(row.stamp)
        numbers.append((row.canEdit ? 2 : 0) + (row.canMove ? 1 : 0))
      }
    }
    return numbers
  }
}
