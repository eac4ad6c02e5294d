internal import CustomerStore

/// The destinations of the rows of an imported file: one place, or for each row the section named in the
/// file.
struct ImportGoals {
  /// The place from the command line, for all rows.
  private var fixed: Placement.Target?
  /// The sections before the import, by the key of the title; none in a new list, whose section gets another title.
  private let known: [String: [CustomerSection]]
  /// The sections for the titles so far.
  private var sections: [String: SectionID] = [:]
  /// The sections that the import has added, by title as the list compares titles.
  private var added: [String: SectionID] = [:]
  private var appender = SectionAppender()
  /// The section of a new list, while the list is empty.
  private var unused: CustomerSection?

  init(_ fixed: Placement.Target?, in list: borrowing CustomerList) throws {
    self.fixed = fixed
    let outline = try list.outline()
    for section in outline.sections.reversed() { sections[section.title] = section.id }
    if outline.count == 0, outline.sections.count == 1 { unused = outline.sections[0] }
    known = unused == nil ? Dictionary(grouping: outline.sections) { Name($0.title).key } : [:]
  }

  /// The destination of the next row.
  ///
  /// A missing section is created at the end of the list; in an empty list, the first title renames its
  /// section.
  mutating func goal(_ title: String?, in list: inout CustomerList) throws -> Placement.Target {
    if let fixed { return fixed }
    guard let title else { return Placement.Target(destination: .last) }
    defer { unused = nil }
    let id: SectionID
    if let found = try sections[title] ?? added[Name.title(title)] ?? section(like: title) {
      id = found
    } else if let unused {
      try list.renameSection(unused.id, title: title)
      sections[unused.title] = nil
      id = unused.id
      added[Name.title(title)] = id
    } else {
      id = try appender.append(title: title, to: &list)
      added[Name.title(title)] = id
    }
    sections[title] = id
    return Placement.Target(destination: .last, section: id)
  }

  /// The section of the list that a title means though it is written in another way.
  ///
  /// - Throws: `SelectionError` if several are the same but for what is ignored.
  private func section(like title: String) throws -> SectionID? {
    let key = Name(title).key
    guard !key.isEmpty, let found = known[key] else { return nil }
    guard found.count == 1 else { throw SelectionError(.severalTitles(found), title) }
    return found[0].id
  }

  /// Records that a row was inserted; the next row goes after it.
  mutating func advance(after customer: CustomerID) {
    if fixed != nil { fixed = Placement.Target(destination: .after(customer), section: fixed?.section) }
  }
}
