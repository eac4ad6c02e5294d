import CustomerStore
import CustomerTable

/// The list screen of an app: sections, edit mode, drag and drop, swipe to delete, a form for a customer.
@MainActor final class ListScreen {
  let model: CustomerListModel
  let table = FakeTable()
  var form: FormState?

  init(_ store: CustomerStore) {
    model = CustomerListModel(store, every: .milliseconds(1))
    Task { [weak self, updates = model.updates] in
      for await update in updates { self?.show(update) }
    }
  }

  private func show(_ update: CustomerListModel.Update) {
    table.take(update, of: model)
    form?.follow(model)
  }

  func tapped(_ id: CustomerID) {
    guard let customer = model[id] else { return }
    form = FormState(.edit(customer.id), customer.fields, place: customer.place)
  }
  func add() { form = FormState(.add(at: .last, in: model.sections.last?.id)) }
  func did(_ event: FormEvent) async {
    guard let outcome = form?.update(event), let ended = form else { return }
    form = await model.perform(outcome, of: ended)
  }
}
