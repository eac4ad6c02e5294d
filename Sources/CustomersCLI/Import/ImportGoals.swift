internal import CustomerStore

/// The destinations of the rows of an imported file: one place, or for each row the section named in the
/// file.
struct ImportGoals {
  /// The place from the command line, for all rows.
  private var fixed: Placement.Target?
  /// The sections by title; of several with one title the first.
  private var sections: [String: SectionID] = [:]
  private var appender = SectionAppender()
  /// The section of a new list, while the list is empty.
  private var unused: CustomerSection?

  init(_ fixed: Placement.Target?, in list: borrowing CustomerList) throws {
    self.fixed = fixed
    let outline = try list.outline()
    for section in outline.sections.reversed() { sections[section.title] = section.id }
    if outline.count == 0, outline.sections.count == 1 { unused = outline.sections[0] }
  }

  /// The destination of the next row.
  ///
  /// A missing section is created at the end of the list; in an empty list, the first title renames its
  /// section.
  mutating func goal(_ title: String?, in list: inout CustomerList) throws -> Placement.Target {
    if let fixed { return fixed }
    guard let title else { return Placement.Target(destination: .last) }
    defer { unused = nil }
    if let id = sections[title] { return Placement.Target(destination: .last, section: id) }
    let id: SectionID
    if let unused {
      try list.renameSection(unused.id, title: title)
      sections[unused.title] = nil
      id = unused.id
    } else {
      id = try appender.append(title: title, to: &list)
    }
    sections[title] = id
    return Placement.Target(destination: .last, section: id)
  }

  /// Records that a row was inserted; the next row goes after it.
  mutating func advance(after customer: CustomerID) {
    if fixed != nil { fixed = Placement.Target(destination: .after(customer), section: fixed?.section) }
  }
}
