internal import CustomerStore

/// Where the rows of an imported file go: to one place, or each to the section that the file names.
struct ImportGoals {
  /// The place that the command line says, for all rows.
  private var fixed: Placement.Target?
  /// The sections by title; of several with one title the first.
  private var sections: [String: SectionID] = [:]
  /// The section that a new list comes with, while nothing is in the list.
  private var unused: CustomerSection?

  init(_ fixed: Placement.Target?, in list: borrowing CustomerList) throws {
    self.fixed = fixed
    let outline = try list.outline()
    for section in outline.sections.reversed() { sections[section.title] = section.id }
    if outline.count == 0, outline.sections.count == 1 { unused = outline.sections[0] }
  }

  /// Where the next row goes.
  ///
  /// A section that is not there is made at the end of the list; the first one is the section of a list
  /// that is still empty.
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
      id = try list.addSection(title: title).id
    }
    sections[title] = id
    return Placement.Target(destination: .last, section: id)
  }

  /// The next row goes after one that has been inserted.
  mutating func advance(after customer: CustomerID) {
    if fixed != nil { fixed = Placement.Target(destination: .after(customer), section: fixed?.section) }
  }
}
