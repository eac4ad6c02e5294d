import CustomerFixtures
import CustomerStore
import CustomerTable

/// A table with a list in memory and its screen as short lines of text.
struct TestTable {
  let store: CustomerStore
  var session: TableSession

  init(_ sample: SampleList, policy: EditingPolicy = EditingPolicy(), height: Int = 20) throws {
    self.init(try CustomerStore.inMemory(sample), policy: policy, height: height)
  }

  init(_ store: CustomerStore, policy: EditingPolicy = EditingPolicy(), height: Int = 20) {
    self.store = store
    session = TableSession(store, policy: policy)
    session.send(.resize(height))
    session.poll()
  }

  var state: TableState { session.state }
  var form: FormState? { state.form }

  /// Sends events and lets a search look through the whole list.
  mutating func send(_ events: TableEvent...) {
    for event in events {
      session.send(event)
      while session.hasWork { session.work() }
    }
  }

  /// Makes an edit as another program and lets the table read it.
  mutating func other(_ edit: (inout CustomerList) throws -> Void) throws {
    try store.write(action: "edit by another", edit)
    session.poll()
  }

  /// The list as it is in the file, in one line.
  var list: String {
    get throws { try store.read { list in try SampleList(list).text } }
  }

  /// `>` is the cursor, `-` the control that deletes, `=` the handle, `^` a row in hand, `*` a mark.
  var screen: [String] { state.lines.map(\.sketch) }

  var rows: [ShownRow] {
    state.lines.compactMap { if case .row(let row) = $0 { row } else { nil } }
  }

  func row(_ name: String) -> ShownRow? { rows.first { $0.title == name } }
}

extension ShownLine {
  fileprivate var sketch: String {
    switch self {
    case .header(let section): return "# \(section.title)"
    case .footer(let section): return "  \(section.footer)"
    case .loading: return "…"
    case .add(_, let title, let isCursor): return "\(isCursor ? ">" : " ")+ \(title)"
    case .row(let row):
      let marks = [(row.isMarked, "*"), (row.isInHand, "^"), (row.control == .delete, "-")]
      let start = (row.isCursor ? ">" : " ") + marks.filter(\.0).map(\.1).joined()
      let end = row.deleteTitle.map { " [\($0)]" } ?? (row.hasHandle ? " =" : "")
      return "\(start)\(row.number) \(row.title)\(end)"
    }
  }
}
