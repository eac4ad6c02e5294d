import Foundation

// Tables and views with the signatures that Apple documents, which note what they show and what a person can do.

/// See https://developer.apple.com/documentation/uikit/nsdiffabledatasourcesnapshot-swift.struct.
struct NSDiffableDataSourceSnapshot<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  private(set) var sectionIdentifiers: [SectionID] = []
  fileprivate var items: [SectionID: [ItemID]] = [:]
  private(set) var reconfiguredItemIdentifiers: [ItemID] = []
  var itemIdentifiers: [ItemID] { sectionIdentifiers.flatMap { items[$0] ?? [] } }

  func itemIdentifiers(inSection section: SectionID) -> [ItemID] { items[section] ?? [] }
  mutating func appendSections(_ sections: [SectionID]) { sectionIdentifiers += sections }
  mutating func appendItems(_ items: [ItemID], toSection section: SectionID) {
    self.items[section, default: []] += items
  }
  mutating func reconfigureItems(_ items: [ItemID]) { reconfiguredItemIdentifiers += items }
}

@MainActor class UITableViewCell {
  enum EditingStyle { case none, delete, insert }
  let textLabel: UILabel? = UILabel()
}

@MainActor final class UILabel {
  var text: String?
}

@MainActor final class UITableView {}

/// See https://developer.apple.com/documentation/uikit/uitableviewdiffabledatasource and uitableviewdatasource.
@MainActor class UITableViewDiffableDataSource<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable> {
  private typealias Snapshot = NSDiffableDataSourceSnapshot<SectionID, ItemID>
  private let tableView: UITableView
  private let cellProvider: (UITableView, IndexPath, ItemID) -> UITableViewCell?
  private var current = Snapshot()
  private var cells: [ItemID: UITableViewCell] = [:]

  init(
    tableView: UITableView, cellProvider: @escaping (UITableView, IndexPath, ItemID) -> UITableViewCell?
  ) {
    (self.tableView, self.cellProvider) = (tableView, cellProvider)
  }

  func itemIdentifier(for indexPath: IndexPath) -> ItemID? {
    current.itemIdentifiers(inSection: current.sectionIdentifiers[indexPath.section])[indexPath.row]
  }
  func sectionIdentifier(for index: Int) -> SectionID? {
    current.sectionIdentifiers.indices.contains(index) ? current.sectionIdentifiers[index] : nil
  }
  func apply(_ snapshot: NSDiffableDataSourceSnapshot<SectionID, ItemID>, animatingDifferences: Bool = true) {
    let new = Set(snapshot.itemIdentifiers).subtracting(current.itemIdentifiers)
    show(snapshot, new.union(snapshot.reconfiguredItemIdentifiers))
  }
  func applySnapshotUsingReloadData(_ snapshot: NSDiffableDataSourceSnapshot<SectionID, ItemID>) {
    show(snapshot, Set(snapshot.itemIdentifiers))
  }

  private func show(_ snapshot: Snapshot, _ ids: Set<ItemID>) {
    precondition(
      Set(snapshot.itemIdentifiers).count == snapshot.itemIdentifiers.count, "an id is there twice")
    current = snapshot
    for (section, id) in snapshot.sectionIdentifiers.enumerated() {
      for (row, item) in snapshot.itemIdentifiers(inSection: id).enumerated() where ids.contains(item) {
        cells[item] = cellProvider(tableView, IndexPath(row: row, section: section), item)
      }
    }
  }

  func tableView(_ tableView: UITableView, titleForHeaderInSection section: Int) -> String? { nil }
  func tableView(_ tableView: UITableView, canEditRowAt indexPath: IndexPath) -> Bool { false }
  func tableView(_ tableView: UITableView, canMoveRowAt indexPath: IndexPath) -> Bool { false }
  func tableView(_ tableView: UITableView, moveRowAt source: IndexPath, to destination: IndexPath) {}
  func tableView(
    _ tableView: UITableView, commit style: UITableViewCell.EditingStyle, forRowAt indexPath: IndexPath
  ) {}

  /// The texts on the screen.
  var rows: [[String]] {
    current.sectionIdentifiers.map { section in
      current.itemIdentifiers(inSection: section).map { cells[$0]?.textLabel?.text ?? "?" }
    }
  }
}

extension IndexPath {
  init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  var section: Int { self[0] }
  var row: Int { self[1] }
}

/// Views with the interface of SwiftUI's (https://developer.apple.com/documentation/swiftui), which say what they show,
/// how their rows are moved and deleted, and what their buttons do.
@MainActor protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
  var lines: [String] { get }
  var actions: Actions { get }
}

/// What a person can do.
@MainActor struct Actions {
  var moves: [(IndexSet, Int) -> Void] = []
  var deletions: [(IndexSet) -> Void] = []
  var buttons: [String: () -> Void] = [:]
  var search: Binding<String>?

  static func + (left: Actions, right: Actions) -> Actions {
    Actions(
      moves: left.moves + right.moves, deletions: left.deletions + right.deletions,
      buttons: left.buttons.merging(right.buttons) { $1 }, search: left.search ?? right.search)
  }
}

extension View {
  var lines: [String] { body.lines }
  var actions: Actions { body.actions }

  /// See https://developer.apple.com/documentation/swiftui/view/searchable(text:placement:prompt:).
  func searchable(text: Binding<String>) -> Modified<Self> {
    Modified(body: self, added: Actions(search: text))
  }
  func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> Modified<Self> {
    Modified(body: self, added: content().actions)
  }
}

struct Modified<Content: View>: View {
  let body: Content
  let added: Actions
  var actions: Actions { body.actions + added }
}

@resultBuilder @MainActor enum ViewBuilder {
  static func buildBlock<Content>(_ content: Content) -> Content { content }
  static func buildBlock<A: View, B: View>(_ first: A, _ second: B) -> Both<A, B> { Both(first, second) }
  static func buildEither<A: View, B: View>(first: A) -> Either<A, B> { .first(first) }
  static func buildEither<A: View, B: View>(second: B) -> Either<A, B> { .second(second) }
}

struct Both<A: View, B: View>: View {
  let (first, second): (A, B)
  var body: Both { self }
  var lines: [String] { first.lines + second.lines }
  var actions: Actions { first.actions + second.actions }
  init(_ first: A, _ second: B) { (self.first, self.second) = (first, second) }
}

enum Either<A: View, B: View>: View {
  case first(A), second(B)
  var body: Either { self }
  var lines: [String] {
    switch self {
    case .first(let view): view.lines
    case .second(let view): view.lines
    }
  }
  var actions: Actions {
    switch self {
    case .first(let view): view.actions
    case .second(let view): view.actions
    }
  }
}

struct Text: View {
  let lines: [String]
  let actions = Actions()
  var body: Text { self }
  init(_ text: String) { lines = [text] }
}

struct Button: View {
  let lines: [String] = []
  let actions: Actions
  var body: Button { self }
  init(_ title: String, action: @escaping () -> Void) { actions = Actions(buttons: [title: action]) }
}

struct List<Content: View>: View {
  let body: Content
  init(@ViewBuilder content: () -> Content) { body = content() }
}

struct Section<Content: View>: View {
  let body: Content
  private let title: String
  var lines: [String] { ["# " + title] + body.lines }
  init(_ title: String, @ViewBuilder content: () -> Content) { (self.title, body) = (title, content()) }
}

/// See https://developer.apple.com/documentation/swiftui/dynamicviewcontent.
struct ForEach<Data: RandomAccessCollection, Content: View>: View where Data.Element: Identifiable {
  private let parts: [Content]
  private var own = Actions()
  var body: ForEach { self }
  var lines: [String] { parts.flatMap(\.lines) }
  var actions: Actions { parts.reduce(own) { $0 + $1.actions } }

  init(_ data: Data, @ViewBuilder content: (Data.Element) -> Content) { parts = data.map(content) }

  func onMove(perform action: ((IndexSet, Int) -> Void)?) -> ForEach {
    var view = self
    if let action { view.own.moves.append(action) }
    return view
  }
  func onDelete(perform action: ((IndexSet) -> Void)?) -> ForEach {
    var view = self
    if let action { view.own.deletions.append(action) }
    return view
  }
}

/// See https://developer.apple.com/documentation/swiftui/bindable.
@MainActor @propertyWrapper @dynamicMemberLookup struct Bindable<Value: AnyObject> {
  var wrappedValue: Value
  var projectedValue: Bindable { self }
  subscript<Member>(dynamicMember path: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member> {
    let object = wrappedValue
    return Binding(get: { object[keyPath: path] }, set: { object[keyPath: path] = $0 })
  }
}

@MainActor struct Binding<Value> {
  let get: () -> Value
  let set: (Value) -> Void
}
