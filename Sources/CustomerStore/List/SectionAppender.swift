internal import CustomersSQLite

/// Adds sections at the end of the list, each in a time that does not depend on how many there are.
///
/// `CustomerList.addSection` compares the numbers and the titles of all sections each time; this reads them
/// once. So while it is in use, no other edit may add, rename, move or delete sections.
package struct SectionAppender {
  /// The titles as the list compares titles, once they were read.
  private var titles: Set<String>?
  /// The place of the last section.
  private var last = 0

  /// Creates an appender, which reads nothing yet.
  package init() {}

  /// Adds an empty section as the last one.
  ///
  /// - Throws: the same errors as `CustomerList.addSection`.
  /// - Complexity: O(1), the first time O(sections).
  package mutating func append(title: String, to list: inout CustomerList) throws -> SectionID {
    var titles = try self.titles.take() ?? read(list)
    let key = Name.title(title)
    // A title that may be refused is left to the list.
    let section = titles.contains(key) || key.isEmpty ? try list.addSection(title: title).id : nil
    let id = try section ?? list.appendSection(title: title, at: last + 1)
    titles.insert(key)
    last += 1
    self.titles = titles
    return id
  }

  private mutating func read(_ list: borrowing CustomerList) throws -> Set<String> {
    try list.edit("INSERT INTO assert_sections VALUES (1)", []) { _ in nil }
    let sections = try list.sections()
    last = sections.count
    return Set(sections.map { Name.title($0.title) })
  }
}

extension CustomerList {
  /// Adds a section at the place after the last one, with a title that no other has.
  fileprivate func appendSection(title: String, at order: Int) throws -> SectionID {
    let id = try nextID(in: "section_record")
    try edit(
      "INSERT INTO record_edit VALUES ('section insert', ?, 1, NULL, NULL, NULL, ?, 0)",
      [.integer(id), .integer(order)]
    ) { _ in nil }
    try edit(
      #"INSERT INTO section_record (id, title, footer, "order") VALUES (?, ?, '', ?)"#,
      [.integer(id), .text(title), .integer(order)]
    ) { _ in nil }
    return SectionID(rawValue: id)
  }
}
