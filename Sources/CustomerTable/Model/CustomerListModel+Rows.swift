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

/// The rows that a table has shown lately.
struct RowCache {
  /// As many as hundreds of screens have.
  private static let most = 5_000

  private var customers: [CustomerID: Customer] = [:]
  /// The versions in which they were read.
  private var versions: [CustomerID: ListVersion] = [:]
  /// Rows that were asked for and not there.
  private var missing: Set<CustomerID> = []
  /// The version after the last event.
  private var version = ListVersion.none
  /// How often the list was replaced by another, or by one of which the events are unknown.
  private(set) var reloads = 0

  subscript(id: CustomerID) -> Customer? { customers[id] }

  /// Whether a row was asked for and not there.
  func isMissing(_ id: CustomerID) -> Bool { missing.contains(id) }

  /// Adds rows that were read; makes room if there are too many, for those around them.
  ///
  /// - Parameters:
  ///   - found: the rows.
  ///   - version: the version in which they were read.
  ///   - reloads: the value of `reloads` before they were read.
  /// - Returns: whether they were added. An event may have overtaken them: then they must be read again.
  mutating func add(_ found: [CustomerID: Customer], readAt version: ListVersion, after reloads: Int) -> Bool
  {
    guard reloads == self.reloads, !version.isBefore(self.version) else { return false }
    if customers.count + found.count > Self.most { removeAll() }
    for customer in found.values { set(customer, readAt: version) }
    missing.subtract(found.keys)
    return true
  }

  /// Keeps a row, unless it was read later than this.
  private mutating func set(_ customer: Customer, readAt version: ListVersion) {
    if let known = versions[customer.id], version.isBefore(known) { return }
    (customers[customer.id], versions[customer.id]) = (customer, version)
  }

  private mutating func removeAll() { (customers, versions) = ([:], [:]) }

  /// Notes rows that were asked for.
  mutating func note(missing ids: [CustomerID]) { missing.formUnion(ids) }

  /// Whether there are such rows.
  var hasMissing: Bool { !missing.isEmpty }

  /// Takes the rows to read.
  mutating func takeMissing() -> Set<CustomerID> {
    defer { missing = [] }
    return missing
  }

  /// Applies what happened to the list; an event may come a second time, after later ones.
  mutating func take(_ events: [ListEvent]) {
    for event in events {
      switch event {
      case .step(let step):
        let after = step.version
        if step.changes.contains(where: \.isOfAllRows), !after.isBefore(version) { removeAll() }
        for (id, customer) in step.customers where customers[id] != nil { set(customer, readAt: step.readAt) }
        if !after.isBefore(version) { version = after }
      case .reload(let snapshot):
        removeAll()
        (version, reloads) = (snapshot.version, reloads + 1)
      case .waiting: break
      }
    }
  }
}

extension ListVersion {
  /// Whether it is an earlier state of the same list.
  fileprivate func isBefore(_ other: ListVersion) -> Bool { edit < other.edit }
}

extension ListChange {
  /// Whether it changes fields of rows that it does not name.
  fileprivate var isOfAllRows: Bool { if case .column = self { true } else { false } }
}
