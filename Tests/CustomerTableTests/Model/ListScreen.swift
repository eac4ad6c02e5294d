import CustomerStore
import CustomerTable

/// The list screen of an app: sections, edit mode, drag and drop, swipe to delete, a form for a customer.
@MainActor final class ListScreen: TableSource {
  let model: CustomerListModel
  let table = CountingTable()
  var isEditing = false
  var form: FormState?

  init(_ store: CustomerStore) {
    model = CustomerListModel(store, every: .milliseconds(1))
    table.source = self
    table.reloadData()
    model.onUpdates = { [weak self] in self?.show($0) }
  }

  private func show(_ updates: [TableUpdate]) {
    table.perform(updates)
    form?.follow(model)
  }

  func sectionCount() -> Int { model.sections.count }
  func rowCount(inSection section: Int) -> Int { model.sections[section].count }
  func title(ofSection section: Int) -> String { model.sections[section].title }
  func footer(ofSection section: Int) -> String { model.sections[section].footer }
  func cell(at path: RowPath) -> String { model[path]?.name ?? "…" }
  func canMove(_ path: RowPath) -> Bool { isEditing && model[path]?.canMove == true }
  func canDelete(_ path: RowPath) -> Bool { model[path]?.canEdit == true }

  func moved(_ path: RowPath, to destination: RowPath) { model.drop(path, to: destination) }
  func swipedAway(_ path: RowPath) { model.delete(at: path) }
  func shaken() { model.undo() }

  func tapped(_ path: RowPath) {
    guard let customer = model[path] else { return }
    form = FormState(.edit(customer.id), customer.fields, place: customer.place)
  }
  func add() { form = FormState(.add(at: .last, in: model.sections.last?.id)) }
  func did(_ event: FormEvent) async {
    guard let outcome = form?.update(event), let ended = form else { return }
    form = await model.perform(outcome, of: ended)
  }
}
