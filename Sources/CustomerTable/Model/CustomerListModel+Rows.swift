public import CustomerStore

extension CustomerListModel {
  /// How many rows around one are read with it.
  private static let margin = 30

  /// The row at a path; nil if there is none, or if it is not read yet: then show an empty row, which is reloaded
  /// when it is.
  public subscript(path: RowPath) -> Customer? {
    _ = rowsNumber
    guard let id = id(at: path), let place = draft.shown.place(at: path) else { return nil }
    if rows[id] == nil {
      let section = sections[path.section].rows
      read(Array(section[max(0, path.row - Self.margin)..<min(section.count, path.row + Self.margin)]))
    }
    var customer = rows[id]
    customer?.place = place
    return customer
  }

  /// The customer of a row; nil if it is not read yet.
  ///
  /// The place is that of the moment when it was read; the place in the table is that of the id in `sections`.
  public subscript(id: CustomerID) -> Customer? {
    _ = rowsNumber
    if rows[id] == nil { read([id]) }
    return rows[id]
  }

  /// Reads rows at once, if no one has locked the file, or else soon.
  private func read(_ ids: [CustomerID]) {
    let ids = ids.filter { rows[$0] == nil && !rows.isMissing($0) }
    guard !ids.isEmpty else { return }
    let found = try? store.readAtOnce { list in (try list.customers(ids), try list.version()) }
    if let (customers, version) = found { _ = rows.add(customers, readAt: version, after: rows.reloads) }
    // A row that is not in the file any longer may come back before the table knows that it went.
    rows.note(missing: ids.filter { rows[$0] == nil })
    if found == nil { readMissing() }
  }

  /// Reads the rows that were asked for and are not there; those asked for in the same moment together.
  func readMissing() {
    guard !isReadingRows else { return }
    isReadingRows = true
    Task { [weak self, store] in
      await Task.yield()
      guard let (ids, reloads) = self?.takeMissing() else { return }
      let found = try? await store.read(busyTimeout: .seconds(86_400)) { list in
        (try list.customers(ids), try list.version())
      }
      self?.show(found?.0 ?? [:], readAt: found?.1 ?? .none, after: reloads)
    }
  }

  /// Takes the rows to read and how often the list was replaced before.
  private func takeMissing() -> (Set<CustomerID>, Int) { (rows.takeMissing(), rows.reloads) }

  /// Shows rows that have arrived or reads them again.
  private func show(_ found: [CustomerID: Customer], readAt version: ListVersion, after reloads: Int) {
    isReadingRows = false
    let isAdded = rows.add(found, readAt: version, after: reloads)
    if !isAdded { rows.note(missing: found.keys.filter { rows[$0] == nil }) }
    // Others may have been asked for as well.
    if rows.hasMissing { readMissing() }
    guard isAdded, !found.isEmpty else { return }
    rowsNumber += 1
    onUpdates(draft.shown.paths(of: Set(found.keys)).values.sorted().map { .reload($0) })
  }
}
