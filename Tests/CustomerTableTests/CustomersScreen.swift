import CustomerStore
import CustomerTable

/// An example: a screen with the list, as an app on UIKit has it.
@MainActor final class CustomersScreen: TableDataSource {
  let list: CustomerListModel
  let table = FakeTable()
  private(set) var isEditing = false
  private(set) var message: String?
  private(set) var work: Task<Void, Never>?

  init(_ list: CustomerListModel) {
    self.list = list
    table.dataSource = self
    list.onUpdate = { [weak self] updates in self?.show(updates) }
    table.reloadData()
  }

  // The list
  func numberOfSections() -> Int { list.sections.count }
  func titleForHeader(in section: Int) -> String { list.sections[section].title }
  func numberOfRows(in section: Int) -> Int { list.count(section) + (hasAddRow(section) ? 1 : 0) }

  func cellForRow(at path: RowPath) -> Cell {
    guard let customer = list[path] else { return Cell(text: isAddRow(path) ? "(add new)" : "") }
    return Cell(text: customer.name, detail: customer.fields.note, isFavorite: customer.fields.isFavorite)
  }

  private func show(_ updates: [TableUpdate]) {
    // The row that adds may get into another section.
    isEditing && updates.contains(where: \.isOfSection) ? table.reloadData() : table.perform(updates)
  }

  // Edit mode
  func setEditing(_ editing: Bool) {
    guard editing != isEditing, let last = list.sections.indices.last else { return }
    let addRow = RowPath(section: last, row: list.count(last))
    isEditing = editing
    table.perform([editing ? .insert(addRow) : .delete(addRow)])
  }

  private func hasAddRow(_ section: Int) -> Bool { isEditing && section == list.sections.count - 1 }
  func isAddRow(_ path: RowPath) -> Bool { hasAddRow(path.section) && path.row == list.count(path.section) }
  func canEditRow(at path: RowPath) -> Bool { list[path]?.canEdit ?? isAddRow(path) }
  func canMoveRow(at path: RowPath) -> Bool { list[path]?.canMove ?? false }
  func editingStyleForRow(at path: RowPath) -> EditingStyle { isAddRow(path) ? .insert : .delete }

  func commit(_ style: EditingStyle, forRowAt path: RowPath) {
    guard list.sections.indices.contains(path.section) else { return }
    let (section, id) = (list.sections[path.section].id, list.id(at: path))
    perform { list in
      switch (style, id) {
      case (.delete, let id?): try await list.perform("delete") { list in try list.delete([id]) }
      case (.insert, _):
        try await list.perform("add") { list in _ = try list.insert(.init(firstName: "New"), in: section) }
      default: break
      }
    }
  }

  func moveRow(at path: RowPath, to target: RowPath) {
    let drop = list.drop(path, at: target)
    perform { _ in try await drop.value }
  }

  // Buttons
  func undo() { perform { list in try await list.undo() } }

  func toggleFavorite(at path: RowPath) {
    guard let form = list.form(for: path) else { return }
    form.fields.isFavorite.toggle()
    perform { _ in try await form.save() }
  }

  private func perform(_ body: @escaping @MainActor (CustomerListModel) async throws -> Void) {
    work = Task { [list] in do { try await body(list) } catch { message = "\(error)" } }
  }
}
