internal import CustomerStore

/// Marks: several rows for one edit.
extension TableState {
  mutating func mark() -> [TableEffect] {
    guard case .row(let id)? = cursor else { return [] }
    rangeStart = nil
    if marked.remove(id) == nil { marked.insert(id) }
    return go(.by(1))
  }

  mutating func markRange() -> [TableEffect] {
    guard rangeStart == nil, case .row(let id)? = cursor else {
      rangeStart = nil
      return []
    }
    rangeStart = id
    marked.insert(id)
    return []
  }

  mutating func invertMarks() -> [TableEffect] {
    marked.formSymmetricDifference(page.rows.map(\.id))
    return []
  }

  /// Marks the rows between the start of the range and the cursor instead of the previous range.
  mutating func extendRange(from old: TableTarget?) {
    guard let rangeStart, let start = page.row(of: rangeStart), case .row(let id)? = cursor,
      let row = page.row(of: id)
    else { return }
    if case .row(let id)? = old, let before = page.row(of: id) {
      marked.subtract((min(start, before)...max(start, before)).compactMap { page[$0]?.id })
    }
    marked.formUnion((min(start, row)...max(start, row)).compactMap { page[$0]?.id })
  }
}
