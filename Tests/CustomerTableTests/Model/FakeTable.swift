import CustomerStore
import CustomerTable

/// A table view without a screen, which finds out by the ids what to do, as a diffable data source does.
///
/// It keeps the cells that it shows, so that one that should have been configured again is seen.
@MainActor final class FakeTable {
  private(set) var ids: [(section: SectionID, rows: [CustomerID])] = []
  private var texts: [CustomerID: String] = [:]
  private(set) var problems: [String] = []
  private(set) var reloadCount = 0
  /// The cells that were configured again because of their content.
  private(set) var reconfigured: [CustomerID] = []

  /// The text of each cell.
  var cells: [[String]] { ids.map { $0.rows.map { texts[$0] ?? "?" } } }

  /// Shows what the model has now.
  func take(_ update: CustomerListModel.Update, of model: CustomerListModel) {
    let new = model.sections.map { (section: $0.id, rows: $0.ids) }
    let (before, after) = (ids.flatMap(\.rows), new.flatMap(\.rows))
    if Set(after).count < after.count || Set(new.map(\.section)).count < new.count {
      problems.append("an id is there twice")
    }
    defer { ids = new }
    guard !update.isReload else {
      reloadCount += 1
      texts = [:]
      return after.forEach { texts[$0] = model[$0]?.name ?? "…" }
    }
    if new.map(\.section) != ids.map(\.section) {
      _ = new.map(\.section).difference(from: ids.map(\.section))
    }
    let difference = after.difference(from: before)
    if difference.count > 2_000 { problems.append("\(difference.count) rows are not worth a difference") }
    guard let made = before.applying(difference), made == after else {
      return problems.append("the batch was refused")
    }
    for id in Set(before).subtracting(after) { texts[id] = nil }
    for id in Set(after).subtracting(before).union(update.changed.intersection(after)) {
      texts[id] = model[id]?.name ?? "…"
    }
    reconfigured += update.changed.intersection(after)
  }
}
