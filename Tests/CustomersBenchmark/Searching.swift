internal import CustomerStore
import CustomersTestSupport

/// A search in names with a few thousand hits, against a scan of all names that looks up the place of each
/// hit: for the first 50 hits in list order, and for all.
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

/// The next key of a search that has found tens of thousands of customers, against a search of the whole list for
/// the longer text.
func measureTyping(_ lists: ListFactory, _ rows: Int) throws {
  let store = try CustomerStore(path: lists.list(rows: rows).path)
  var typed = TypedSearch()
  try store.read { list in
    _ = try typed.find(text, in: list)
    while !typed.isComplete { try typed.readOn(in: list) }
  }
  for (what, longer) in [("some", text + "7"), ("none", text + "x")] {
    var watch = Stopwatch()
    for _ in 0..<rounds {
      var next = typed
      try watch.time(.baseline) { try store.read { list in _ = try list.search(longer) } }
      try watch.time(.whole) { try store.read { list in _ = try next.find(longer, in: list) } }
    }
    watch.printLine("next key: \(what) of \(typed.hits.count) hits", rows, .whole, .atMost(0.1))
  }
}

/// A search without a hit, in every field, in one field and in names, against the `sqlite3` shell on a plain
/// table of the same rows.
func measureMisses(_ lists: ListFactory, _ rows: Int) throws {
  let sample = try lists.list(rows: rows)
  let table = lists.folder.file()
  let columns = CustomerFields.sampleColumns
  try Program.run([
    "sqlite3", "-batch", table, "ATTACH '\(sample.path)' AS list",
    "CREATE TABLE flat (id INTEGER PRIMARY KEY, \(CustomerFields.sampleColumnTypes))",
    "INSERT INTO flat SELECT id, \(columns) FROM list.customer_record ORDER BY id",
  ])
  func look(_ what: String, _ texts: String, _ words: [String]) throws {
    let select = "SELECT * FROM flat WHERE \(texts) LIKE '%xyzzy%'"
    var watch = Stopwatch()
    for _ in 0..<5 {
      try watch.time(.baseline) { try Program.run(["sqlite3", "-batch", table, select]) }
      try watch.time(.whole) { try Program.run([Program.customers, "--db", sample.path] + words) }
    }
    watch.printLine(what, rows, .whole, .atMost(3))
  }
  let all = columns.replacing(", ", with: "||")
  try look("find: no hit", all, ["find", "xyzzy", "-q"])
  try look("--where: no hit", all, ["list", "--where", "note~xyzzy", "-q"])
  let names = "first_name||last_name||company"
  let name = try CustomerStore(path: sample.path).read { list in try list.customer(sample.randomID()).name }
  try look("a name: one hit", names, ["show", name, "-q"])
}

private let rounds = 10
private let text = "77"
private let names: Set<CustomerField> = [.firstName, .lastName, .company]

private func hitsByPlace(_ list: borrowing CustomerList, _ limit: Int) throws -> Int {
  var hits: [(place: CustomerPlace, id: CustomerID)] = []
  try list.forEachName(having: Name(text)) { id, _ in hits.append((try list.place(of: id), id)) }
  let first = hits.sorted { $0.place.order < $1.place.order }.prefix(limit)
  return try first.map { try list.customer($0.id) }.count
}
