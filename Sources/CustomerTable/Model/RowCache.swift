internal import CustomerStore
internal import Observation

/// The rows that a view has shown lately, each observable by itself.
@MainActor final class RowCache {
  /// As many as hundreds of screens have.
  private static let most = 5_000
  /// As many as a person sees when a fling ends.
  private static let mostWanted = 100

  /// A row of a view.
  @Observable final class Row {
    /// What the file has; nil if it was not read.
    @ObservationIgnored var stored: (customer: Customer, version: ListVersion)?
    /// The same with the edits that are not in the file yet.
    fileprivate(set) var shown: Customer?

    fileprivate func show(_ customer: Customer?) { if shown != customer { shown = customer } }
  }

  private var rows: [CustomerID: Row] = [:]
  /// Rows that were asked for and not there, the last ones.
  private(set) var wanted: [CustomerID] = []
  /// The version after the last event.
  private var version = ListVersion.none
  /// How often the list was replaced by another, or by one of which the events are unknown.
  private(set) var reloads = 0
  /// The edits that are shown and not in the list yet.
  var pending: [PendingEdit] = [] {
    didSet { for id in (oldValue + pending).flatMap(\.customers) { show(id) } }
  }

  /// A row, and from now on whoever reads it hears of its changes; nil if it is not read yet.
  subscript(id: CustomerID) -> Customer? { row(id).shown }

  private func row(_ id: CustomerID) -> Row {
    if let row = rows[id] { return row }
    let row = Row()
    rows[id] = row
    return row
  }

  /// Whether a row was read.
  func has(_ id: CustomerID) -> Bool { rows[id]?.stored != nil }

  private func show(_ id: CustomerID) {
    guard let row = rows[id] else { return }
    row.show(row.stored.map { stored in pending.reduce(stored.customer) { $1.edited($0) } })
  }

  /// Adds rows that were read; makes room if there are too many, for those around them.
  ///
  /// - Parameters:
  ///   - found: the rows.
  ///   - version: the version in which they were read.
  ///   - reloads: the value of `reloads` before they were read.
  /// - Returns: whether they were added. An event may have overtaken them: then they must be read again.
  func add(_ found: [CustomerID: Customer], readAt version: ListVersion, after reloads: Int) -> Bool {
    guard reloads == self.reloads, !version.isBefore(self.version) else { return false }
    if rows.count + found.count > Self.most { removeAll() }
    for customer in found.values { set(customer, readAt: version) }
    wanted.removeAll { found[$0] != nil }
    return true
  }

  /// Keeps a row, unless it was read later than this.
  private func set(_ customer: Customer, readAt version: ListVersion) {
    let row = row(customer.id)
    if let known = row.stored, version.isBefore(known.version) { return }
    row.stored = (customer, version)
    show(customer.id)
  }

  /// Whoever shows one of the rows asks for it again.
  private func removeAll() {
    let old = rows.values
    rows = [:]
    for row in old { row.show(nil) }
  }

  /// Notes rows that were asked for; those asked for long before them are not wanted any longer.
  func want(_ ids: [CustomerID]) {
    let new = Set(ids)
    wanted = Array((wanted.filter { !new.contains($0) } + ids).suffix(Self.mostWanted))
  }

  /// Takes the rows to read.
  func takeWanted() -> [CustomerID] {
    defer { wanted = [] }
    return wanted
  }

  /// Applies what happened to the list; an event may come a second time, after later ones.
  ///
  /// - Returns: the rows that look different.
  func take(_ event: ListEvent) -> Set<CustomerID> {
    switch event {
    case .step(let step):
      let after = step.version
      var changed = Set(step.customers.keys.filter(has))
      if step.changes.contains(where: \.isOfAllRows), !after.isBefore(version) {
        changed = Set(rows.keys)
        removeAll()
      }
      for (id, customer) in step.customers where has(id) { set(customer, readAt: step.readAt) }
      if !after.isBefore(version) { version = after }
      return changed
    case .reload(let snapshot):
      removeAll()
      (version, reloads) = (snapshot.version, reloads + 1)
    case .waiting: break
    }
    return []
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
