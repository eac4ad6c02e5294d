public import CustomerStore

extension CustomerListModel {
  /// How many rows around one are read with it.
  private static let margin = 30

  /// A section of the list, for a `ForEach`.
  public struct Section: Identifiable, Sendable {
    /// The permanent id.
    public let id: SectionID
    /// The line above the rows.
    public let title: String
    /// The line below the rows.
    public let footer: String
    package let ids: [CustomerID]
    let model: CustomerListModel

    /// The rows in order, which are read when they are shown.
    public var rows: LazyMapSequence<[CustomerID], Row> { model.rows(ids) }
  }

  /// A row, observable by itself: whoever reads it hears of its changes and of no other row's.
  public struct Row: Identifiable, Sendable {
    /// The permanent id.
    public let id: CustomerID
    let model: CustomerListModel

    /// The customer, with what a person has just changed; nil if it is not read yet, or no longer in the list.
    ///
    /// Its place is that of the moment when it was read.
    @MainActor package var customer: Customer? { model[id] }
    /// The name; empty if the row is not read yet.
    @MainActor public var name: String { customer?.name ?? "" }
  }

  /// The sections in order, with their rows.
  public var sections: [Section] {
    shown.map { section in
      Section(
        id: section.id, title: section.title, footer: section.footer, ids: section.rows, model: self)
    }
  }

  /// The matches found so far, in list order.
  public var results: LazyMapSequence<[CustomerID], Row> { rows(hits) }

  nonisolated private func rows(_ ids: [CustomerID]) -> LazyMapSequence<[CustomerID], Row> {
    ids.lazy.map { Row(id: $0, model: self) }
  }

  /// The customer of a row; nil if it is not read yet, or no longer in the list.
  public subscript(id: CustomerID) -> Customer? {
    // Before anyone hears of it, who asks is not told that it has arrived.
    if !cache.has(id) {
      if !isLocked { readAtOnce(neighbors(of: id)) }
      if !cache.has(id) { cache.want([id]) }
      if !isReadingRows, !cache.wanted.isEmpty { readWanted() }
    }
    return cache[id]
  }

  /// The row and those that a person probably looks at with it.
  private func neighbors(of id: CustomerID) -> [CustomerID] {
    for rows in [hits] + shown.map(\.rows) {
      guard let row = rows.firstIndex(of: id) else { continue }
      return rows[max(0, row - Self.margin)..<min(rows.count, row + Self.margin)].filter { !cache.has($0) }
    }
    return [id]
  }

  /// Reads rows, if no one has locked the file.
  private func readAtOnce(_ ids: [CustomerID]) {
    let found = try? store.readAtOnce { list in (try list.customers(ids), try list.version()) }
    isLocked = found == nil
    if let (customers, version) = found { _ = cache.add(customers, readAt: version, after: cache.reloads) }
  }

  /// Reads the rows that were asked for and are not there; those asked for in the same moment together.
  func readWanted() {
    isReadingRows = true
    Task { [weak self, store] in
      await Task.yield()
      // Only those that are asked for last are read once the file is free.
      let isFree: ()? = try? await store.read(busyTimeout: .seconds(86_400)) { _ in }
      guard isFree != nil, let (ids, reloads) = self?.takeWanted() else { self?.endReading(); return }
      let found = try? await store.read(busyTimeout: .seconds(86_400)) { list in
        (try list.customers(ids), try list.version())
      }
      self?.show(found?.0 ?? [:], readAt: found?.1 ?? .none, after: reloads)
    }
  }

  private func endReading() { (isReadingRows, isLocked) = (false, false) }

  /// Takes the rows to read and how often the list was replaced before.
  private func takeWanted() -> ([CustomerID], Int) { (cache.takeWanted(), cache.reloads) }

  /// Shows rows that have arrived or reads them again.
  private func show(_ found: [CustomerID: Customer], readAt version: ListVersion, after reloads: Int) {
    endReading()
    let isAdded = cache.add(found, readAt: version, after: reloads)
    if !isAdded { cache.want(found.keys.filter { !cache.has($0) }) }
    // Others may have been asked for as well.
    if !cache.wanted.isEmpty { readWanted() }
    guard isAdded, !found.isEmpty else { return }
    listeners.send((changed: Set(found.keys), isReload: false))
  }
}
