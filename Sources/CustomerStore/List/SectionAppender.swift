internal import CustomersSQLite

/// Adds sections at the end of the list, each in a time that does not depend on how many there are.
///
/// `CustomerList.addSection` compares the numbers and the titles of all sections each time; this reads them
/// once. So while it is in use, no other edit may add, rename, move or delete sections.
package struct SectionAppender {
  /// The titles as the list compares them, once they were read.
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
    let key = try list.titleKey(title)
    // A title that may be refused is left to the list, which compares exactly.
    let section = titles.contains(key) || key.isEmpty ? try list.addSection(title: title).id : nil
    let id = try section ?? list.appendSection(title: title, at: last + 1)
    titles.insert(key)
    last += 1
    self.titles = titles
    return id
  }

  private mutating func read(_ list: borrowing CustomerList) throws -> Set<String> {
    try list.edit("INSERT INTO assert_sections VALUES (1)", []) { _ in nil }
    var titles: Set<String> = []
    last = 0
    for title in try list.titleKeys() {
      titles.insert(title)
      last += 1
    }
    return titles
  }
}

extension CustomerList {
  /// The expression by which the triggers compare titles.
  private static func titleKey(_ title: String) -> String { "lower(trim(\(title)))" }

  fileprivate func titleKeys() throws -> [String] {
    try connection.fetchAll("SELECT \(Self.titleKey("title")) FROM sections") { $0.text(0) }
  }

  fileprivate func titleKey(_ title: String) throws -> String {
    try connection.fetchOne("SELECT \(Self.titleKey("?"))", [.text(title)]) { $0.text(0) } ?? ""
  }

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
