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
    marked.formSymmetricDifference(contents.ids)
    return []
  }

  /// Marks the rows between the start of the range and the cursor instead of the previous range.
  mutating func extendRange(from old: TableTarget?) {
    guard let rangeStart, let start = contents.row(of: rangeStart), case .row(let id)? = cursor,
      let row = contents.row(of: id)
    else { return }
    if case .row(let id)? = old, let before = contents.row(of: id) {
      marked.subtract((min(start, before)...max(start, before)).compactMap { contents[$0]?.id })
    }
    marked.formUnion((min(start, row)...max(start, row)).compactMap { contents[$0]?.id })
  }
}
