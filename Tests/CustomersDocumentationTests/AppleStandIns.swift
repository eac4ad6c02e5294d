import Foundation

/// A table with the interface of UIKit's, which notes what it is asked to do.
@MainActor final class UITableView {
  enum RowAnimation { case none, automatic }

  var calls: [String] = []

  func reloadData() { calls.append("reload") }
  func performBatchUpdates(_ updates: () -> Void) {
    calls.append("batch")
    updates()
  }
  func deleteRows(at paths: [IndexPath], with _: RowAnimation) { note("delete row", paths) }
  func insertRows(at paths: [IndexPath], with _: RowAnimation) { note("insert row", paths) }
  func reloadRows(at paths: [IndexPath], with _: RowAnimation) { note("reload row", paths) }
  func moveRow(at path: IndexPath, to new: IndexPath) { calls.append("move row \(path.text) to \(new.text)") }
  func deleteSections(_ sections: IndexSet, with _: RowAnimation) { note("delete section", sections) }
  func insertSections(_ sections: IndexSet, with _: RowAnimation) { note("insert section", sections) }
  func reloadSections(_ sections: IndexSet, with _: RowAnimation) { note("reload section", sections) }

  private func note(_ call: String, _ paths: [IndexPath]) { calls += paths.map { "\(call) \($0.text)" } }
  private func note(_ call: String, _ sections: IndexSet) { calls += sections.map { "\(call) \($0)" } }
}

extension IndexPath {
  init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  fileprivate var text: String { "\(self[0]).\(self[1])" }
}

/// Views with the interface of SwiftUI's, which say what they show and how their rows are moved.
@MainActor protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
  var lines: [String] { get }
  var moves: [(IndexSet, Int) -> Void] { get }
}

extension View {
  var lines: [String] { body.lines }
  var moves: [(IndexSet, Int) -> Void] { body.moves }
}

@resultBuilder enum ViewBuilder {
  static func buildBlock<Content>(_ content: Content) -> Content { content }
}

struct Text: View {
  let lines: [String]
  let moves: [(IndexSet, Int) -> Void] = []
  var body: Text { self }

  init(_ text: String) { lines = [text] }
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

struct ForEach<Content: View>: View {
  private let parts: [Content]
  private var ownMoves: [(IndexSet, Int) -> Void] = []
  var body: ForEach { self }
  var lines: [String] { parts.flatMap(\.lines) }
  var moves: [(IndexSet, Int) -> Void] { ownMoves + parts.flatMap(\.moves) }

  init<Element: Identifiable>(_ elements: [Element], @ViewBuilder content: (Element) -> Content) {
    parts = elements.map(content)
  }
  init<Element, ID>(
    _ elements: [Element], id _: KeyPath<Element, ID>, @ViewBuilder content: (Element) -> Content
  ) {
    parts = elements.map(content)
  }

  func onMove(_ move: @escaping (IndexSet, Int) -> Void) -> ForEach {
    var view = self
    view.ownMoves.append(move)
    return view
  }
}
