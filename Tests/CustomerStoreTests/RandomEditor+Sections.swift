@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport

/// Edits of sections.
extension RandomEditor {
  mutating func editSections(_ list: inout CustomerList) throws -> String {
    guard let index = anySection(), !(model.sections.count < 3 && generator.oneIn(2)) else {
      return try addSection(&list)
    }
    let section = model.sections[index]
    let id = SectionID(rawValue: section.id)
    switch generator.below(3) {
    case 0:
      let target = generator.below(model.sections.count)
      try list.moveSection(id, to: target + 1)
      model.sections.insert(model.sections.remove(at: index), at: target)
      return "move section \(section.id) to \(target + 1)"
    case 1:
      let isEmpty = section.rows.isEmpty
      let error = isEmpty ? nil : ListError.sectionNotEmpty(id, count: section.rows.count)
      _ = try expect(error, "delete section \(section.id)") { try list.deleteSection(id) }
      if isEmpty { model.sections.remove(at: index) }
      return "delete section \(section.id)"
    default:
      guard section.rows.count < 12 else { return try addSection(&list) }
      let error = section.rows.last { !$0.canEdit }.map {
        ListError.editForbidden(CustomerID(rawValue: $0.id))
      }
      _ = try expect(error, "delete section \(section.id) with its customers") {
        try list.deleteSection(id, withCustomers: true)
      }
      if error == nil { model.sections.remove(at: index) }
      return "delete section \(section.id) with its customers"
    }
  }

  mutating func addSection(_ list: inout CustomerList) throws -> String {
    let title = freshTitle()
    let index = generator.below(model.sections.count + 1)
    let order = index == model.sections.count && generator.oneIn(2) ? nil : index + 1
    let section = try list.addSection(title: "\(title)", footer: "foot", at: order)
    model.lastSectionID += 1
    model.sections.insert(ListModel.Section(id: model.lastSectionID, title: title), at: index)
    let expected = CustomerSection(
      id: SectionID(rawValue: model.lastSectionID), title: "\(title)", footer: "foot", order: index + 1,
      count: 0)
    guard section == expected else { throw Mismatch(text: "add section returned \(section)") }
    return "add section at \(index + 1)"
  }

  mutating func rename(_ list: inout CustomerList) throws -> String {
    guard let index = anySection() else { return try addSection(&list) }
    let id = SectionID(rawValue: model.sections[index].id)
    let title = freshTitle()
    try list.renameSection(id, title: "\(title)", footer: "foot \(title)")
    model.sections[index].title = title
    let section = try list.section(id)
    guard section.footer == "foot \(title)", section.title == "\(title)" else {
      throw Mismatch(text: "rename gave \(section)")
    }
    return "rename section \(id)"
  }
}

extension RandomEditor {
  /// A title that no section has.
  private mutating func freshTitle() -> Int64 {
    while true {
      let title = Int64(generator.below(1_000)) + 1
      if !model.sections.contains(where: { $0.title == title }) { return title }
    }
  }
}
