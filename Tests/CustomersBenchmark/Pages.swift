internal import CustomerStore

/// A page of 50 rows in the middle, against the page at the start.
func measurePages(_ lists: ListFactory, _ rows: Int) throws {
  let sample = try lists.list(rows: rows)
  let store = try CustomerStore(path: sample.path)
  func page(from place: Int) throws {
    let count = try store.read { try $0.page(from: place, limit: 50, in: sample.section).count }
    precondition(count == 50, "a page is short")
  }
  var watch = Stopwatch()
  for round in 0..<rounds {
    try watch.time(.baseline) { try page(from: 1) }
    // Whether a page starts at the start or the end of a block is chance, so all cases are measured.
    try watch.time(.middle) { try page(from: rows / 2 + round % 64) }
  }
  watch.printLine("page of 50 in the middle", rows, .middle, .atMost(3))

  // In a separate loop, because what it reads evicts other pages from the caches.
  watch = Stopwatch()
  for _ in 0..<rounds {
    try watch.time(.baseline) { try page(from: 1) }
    try watch.time(.anywhere) { try page(from: min(sample.randomPlace(), sample.count - 49)) }
  }
  watch.printLine("page of 50 anywhere", rows, .anywhere, .none)
}

private let rounds = 300
