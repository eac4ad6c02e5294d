internal import CustomerStore

/// A search in names with some thousand hits, against a look at all names that asks each hit for its
/// place: for the first 50 hits in list order, and for all.
func measureSearching(_ lists: ListFactory, _ rows: Int) throws {
  let sample = try lists.list(rows: rows)
  let store = try CustomerStore(path: sample.path)
  for (what, limit, bar) in [("first 50", 50, Line.Bar.atMost(0.1)), ("all", Int.max, .none)] {
    var watch = Stopwatch()
    for _ in 0..<rounds {
      try watch.time(.baseline) { try store.read { list in _ = try hitsByPlace(list, limit) } }
      try watch.time(.whole) {
        _ = try store.read { list in try list.search(text, in: names, limit: limit).count }
      }
    }
    watch.printLine("search: \(what)", rows, .whole, bar)
  }
}

private let rounds = 10
private let text = "77"
private let names: Set<CustomerField> = [.firstName, .lastName, .company]

private func hitsByPlace(_ list: borrowing CustomerList, _ limit: Int) throws -> Int {
  var hits: [(place: Place, id: CustomerID)] = []
  try list.forEachName(mayContain: text) { id, _ in hits.append((try list.place(of: id), id)) }
  let first = hits.sorted { $0.place.order < $1.place.order }.prefix(limit)
  return try first.map { try list.customer($0.id) }.count
}
