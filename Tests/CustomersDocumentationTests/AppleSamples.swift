import CustomerStore
import CustomerTable
import Foundation
import Testing

/// The samples for UIKit and SwiftUI, in the words of the article "A list screen"; `AppleStandIns` has the types.
@MainActor @Suite struct AppleSamples {
  let temporary: TemporaryList

  init() throws { temporary = try TemporaryList("Ann, Bob, Cid | Leads: Eva") }

  private func colleague(_ edit: (inout CustomerList) throws -> Void) throws {
    try CustomerStore(path: temporary.path).write(action: "other", edit)
  }

  @Test func `a list of SwiftUI adds, moves, deletes, searches, undoes, and is live`() async throws {
    let list = CustomerListModel(temporary.store, every: .milliseconds(1))
    let view = CustomersView(list: list)
    #expect(view.lines == ["# Customers", "Ann", "Bob", "Cid", "# Leads", "Eva"])
    view.actions.moves[0]([0], 2)
    #expect(view.lines == ["# Customers", "Bob", "Ann", "Cid", "# Leads", "Eva"])
    view.actions.deletions[0]([0, 2])
    #expect(view.lines == ["# Customers", "Ann", "# Leads", "Eva"])
    view.actions.buttons["Add"]?()
    try await list.shown()
    #expect(view.lines == ["# Customers", "Ann", "New customer", "# Leads", "Eva"])
    try colleague { try $0.insert(CustomerFields(name: "Dan"), at: .first) }
    try await list.shown()
    for _ in 0..<3 { view.actions.buttons["Undo"]?() }
    try await list.shown()
    #expect(view.lines == ["# Customers", "Dan", "Ann", "Bob", "Cid", "# Leads", "Eva"])
    view.actions.search?.set("an")
    try await list.shown()
    #expect(view.lines == ["Dan", "Ann"] && list.problem == nil)
  }

  @Test func `a table of UIKit adds, moves, deletes, searches, undoes, and is live`() async throws {
    let (list, view) = (CustomerListModel(temporary.store, every: .milliseconds(1)), UITableView())
    let table = CustomersTable(list, in: view)
    func shows(_ rows: [[String]]) async throws {
      try await list.shown()
      for _ in 0..<5_000 where table.rows != rows { try await Task.sleep(for: .milliseconds(1)) }
      #expect(table.rows == rows)
    }
    try await shows([["Ann", "Bob", "Cid"], ["Eva"]])
    table.tableView(view, moveRowAt: IndexPath(row: 0, section: 0), to: IndexPath(row: 1, section: 1))
    try await shows([["Bob", "Cid"], ["Eva", "Ann"]])
    table.tableView(view, commit: .delete, forRowAt: IndexPath(row: 1, section: 0))
    try await shows([["Bob"], ["Eva", "Ann"]])
    table.add(CustomerFields(name: "Dan"))
    try await shows([["Bob", "Dan"], ["Eva", "Ann"]])
    try colleague { try $0.update(2) { $0.lastName = "Ray" } }
    try await shows([["Bob Ray", "Dan"], ["Eva", "Ann"]])
    for _ in 0..<3 { table.undo() }
    try await shows([["Ann", "Bob Ray", "Cid"], ["Eva"]])
    #expect(table.tableView(view, titleForHeaderInSection: 1) == "Leads")
    #expect(table.tableView(view, canMoveRowAt: IndexPath(row: 0, section: 0)))
    table.search("e")
    try await shows([["Eva"]])
    #expect(!table.tableView(view, canMoveRowAt: IndexPath(row: 0, section: 0)))
    table.tableView(view, moveRowAt: IndexPath(row: 0, section: 0), to: IndexPath(row: 0, section: 0))
    table.tableView(view, commit: .delete, forRowAt: IndexPath(row: 0, section: 0))
    table.search("")
    try await shows([["Ann", "Bob Ray", "Cid"], []])
    // The table does not have the last update yet.
    list.apply(.delete([1]))
    table.tableView(view, commit: .delete, forRowAt: IndexPath(row: 1, section: 0))
    try await shows([["Cid"], []])
    for _ in 0..<3 { table.undo() }
    try await shows([["Ann", "Bob Ray", "Cid"], ["Eva"]])
    table.search("ray")
    try await shows([["Bob Ray"]])
    table.search("")
    try await shows([["Ann", "Bob Ray", "Cid"], ["Eva"]])
    #expect(list.problem == nil)
  }

  @Test func `a table of UIKit ends with its screen`() async throws {
    weak var model: CustomerListModel?
    do {
      let (list, view) = (CustomerListModel(temporary.store, every: .milliseconds(1)), UITableView())
      model = list
      let table = CustomersTable(list, in: view)
      try await list.shown()
      table.undo()
      try await list.shown()
    }
    for _ in 0..<5_000 where model != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(model == nil)
  }
}

struct CustomersView: View {
  @Bindable var list: CustomerListModel

  var body: some View {
    List {
      if list.searchText.isEmpty {
        ForEach(list.sections) { section in
          Section(section.title) {
            ForEach(section.rows) { row in Text(row.name) }
              .onMove { list.move($0, to: $1, in: section) }
              .onDelete { list.delete($0, in: section) }
          }
        }
      } else {
        ForEach(list.results) { row in Text(row.name) }
      }
    }
    .searchable(text: $list.searchText)
    .toolbar {
      Button("Add") {
        let new = CustomerFields(name: "New customer")
        list.apply(.insert([NewCustomer(new)]))
      }
      Button("Undo") { list.undo(.mine) }
    }
  }
}

final class CustomersTable:
  UITableViewDiffableDataSource<SectionID, CustomerID>
{
  let list: CustomerListModel
  var isSearch: Bool { !list.searchText.isEmpty }

  init(_ list: CustomerListModel, in view: UITableView) {
    self.list = list
    super.init(tableView: view) { _, _, id in
      let cell = UITableViewCell()
      cell.textLabel?.text = list[id]?.fields.name
      return cell
    }
    let updates = list.updates
    Task { [weak self] in
      for await (changed, isReload) in updates {
        self?.show(changed, isReload)
      }
    }
  }

  private func show(
    _ changed: Set<CustomerID>, _ isReload: Bool
  ) {
    var new =
      NSDiffableDataSourceSnapshot<SectionID, CustomerID>()
    new.appendSections(isSearch ? [0] : list.sections.map(\.id))
    for section in list.sections where !isSearch {
      new.appendItems(
        section.rows.map(\.id), toSection: section.id)
    }
    if isSearch {
      new.appendItems(list.results.map(\.id), toSection: 0)
    }
    new.reconfigureItems(
      new.itemIdentifiers.filter(changed.contains))
    if !isReload { return apply(new) }
    applySnapshotUsingReloadData(new)
  }

  func add(_ new: CustomerFields) {
    list.apply(.insert([NewCustomer(new)]))
  }
  func search(_ text: String) { list.searchText = text }
  func undo() { list.undo(.mine) }

  private func section(
    _ index: Int
  ) -> CustomerListModel.Section? {
    list.sections.first {
      $0.id == sectionIdentifier(for: index)
    }
  }

  override func tableView(
    _: UITableView, titleForHeaderInSection index: Int
  ) -> String? { section(index)?.title }
  override func tableView(
    _: UITableView, canEditRowAt _: IndexPath
  ) -> Bool { true }
  override func tableView(
    _: UITableView, canMoveRowAt _: IndexPath
  ) -> Bool { !isSearch }
  override func tableView(
    _: UITableView, moveRowAt old: IndexPath, to new: IndexPath
  ) {
    guard let id = itemIdentifier(for: old),
      let section = section(new.section)
    else { return }
    list.move(id, to: new.row, in: section)
  }
  override func tableView(
    _: UITableView, commit _: UITableViewCell.EditingStyle,
    forRowAt path: IndexPath
  ) {
    guard let id = itemIdentifier(for: path) else { return }
    list.apply(.delete([id]))
  }
}
