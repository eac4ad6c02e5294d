import CustomerFixtures
import CustomerStore
import CustomerTable
import Foundation
import Testing

/// The samples for UIKit and SwiftUI, in the words of the article "A list screen"; `AppleStandIns` has the types.
@MainActor @Suite struct AppleSamples {
  let temporary: TemporaryStore

  init() throws { temporary = try TemporaryStore("Ann, Bob, Cid | Leads: Eva") }

  @Test func `a table of UIKit gets each update as its own call`() async throws {
    let table = UITableView()
    let model = CustomerListModel(temporary.store, every: .milliseconds(1))
    model.onUpdates = { updates in table.perform(updates) }
    func calls(of edit: @escaping @Sendable (inout CustomerList) throws -> Void) async throws -> [String] {
      table.calls = []
      try await model.perform("edit", edit)
      return table.calls
    }
    let (first, leads) = (model.sections[0].id, model.sections[1].id)
    let (ann, bob) = (model.sections[0].rows[0], model.sections[0].rows[1])
    #expect(try await calls { try $0.delete(bob) } == ["batch", "delete row 0.1"])
    #expect(
      try await calls { try $0.insert(CustomerFields(name: "Dan"), at: .first) } == [
        "batch", "insert row 0.0",
      ])
    #expect(try await calls { try $0.move([ann], to: .last, in: leads) } == ["batch", "move row 0.1 to 1.1"])
    #expect(try await calls { try $0.update(ann) { $0.note = "new" } } == ["batch", "reload row 1.1"])
    #expect(
      try await calls { _ = try $0.apply(.section(.add(title: "New", at: 1))) } == [
        "batch", "insert section 0",
      ])
    #expect(
      try await calls { _ = try $0.apply(.section(.delete(first, withCustomers: true))) }
        == ["batch", "delete section 1"])
    #expect(
      try await calls { _ = try $0.apply(.section(.rename(leads, title: "Old"))) }.suffix(1) == [
        "reload section 1"
      ])
  }

  @Test func `a list of SwiftUI shows the model, and moves its rows`() async throws {
    let model = CustomerListModel(temporary.store, every: .milliseconds(1))
    let view = CustomersView(model: model)
    #expect(view.lines == ["# Customers", "Ann", "Bob", "Cid", "# Leads", "Eva"])
    view.moves[0]([0], 2)
    #expect(view.lines == ["# Customers", "Bob", "Ann", "Cid", "# Leads", "Eva"])
    while model.isSaving { try await Task.sleep(for: .milliseconds(1)) }
    #expect(try temporary.store.difference(from: "Bob, Ann, Cid | Leads: Eva") == nil && model.problem == nil)
  }
}

extension UITableView {
  func perform(_ updates: [TableUpdate]) {
    if updates.contains(.reloadData) { return reloadData() }
    performBatchUpdates {
      for update in updates { perform(update) }
    }
    for case .reloadTitle(let section) in updates {
      reloadSections([section], with: .none)
    }
  }

  private func perform(_ update: TableUpdate) {
    switch update {
    case .delete(let row):
      deleteRows(at: [IndexPath(row)], with: .automatic)
    case .insert(let row):
      insertRows(at: [IndexPath(row)], with: .automatic)
    case .move(let from, let to):
      moveRow(at: IndexPath(from), to: IndexPath(to))
    case .reload(let row):
      reloadRows(at: [IndexPath(row)], with: .automatic)
    case .deleteSection(let section):
      deleteSections([section], with: .automatic)
    case .insertSection(let section):
      insertSections([section], with: .automatic)
    case .reloadTitle, .reloadData: break
    }
  }
}

extension IndexPath {
  init(_ path: RowPath) {
    self.init(row: path.row, section: path.section)
  }
}

struct CustomersView: View {
  let model: CustomerListModel

  var body: some View {
    List {
      ForEach(model.sections) { section in
        Section(section.title) {
          ForEach(section.rows, id: \.self) { id in
            Text(model[id]?.name ?? "")
          }
          .onMove { rows, place in
            model.move(
              fromOffsets: rows, toOffset: place, in: section.id)
          }
        }
      }
    }
  }
}
