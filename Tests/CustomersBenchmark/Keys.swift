internal import CustomerStore
internal import CustomerTable
internal import CustomersTerminal

/// A key on the table, until the bytes for the terminal are known: in a list of a thousand rows and in a
/// long one.
func measureKeys(_ lists: ListFactory, _ rows: Int) throws {
  var short = Keyboard(try CustomerStore(path: lists.list(rows: 1000).path))
  var long = Keyboard(try CustomerStore(path: lists.list(rows: rows).path))
  let keys: [(String, [KeyPress])] = [
    ("↓ and ↑", [KeyPress(.down), KeyPress(.up)]),
    ("↓ that scrolls", [KeyPress(.down)]),
    ("move a row", [KeyPress(.character("J")), KeyPress(.character("K"))]),
    ("far jump", [KeyPress(.character("g")), KeyPress(.character("G"))]),
  ]
  for (what, keys) in keys {
    short.begin(scrolling: keys.count == 1)
    long.begin(scrolling: keys.count == 1)
    var watch = Stopwatch()
    for round in 0..<200 {
      watch.time(.baseline) { short.press(keys[round % keys.count]) }
      watch.time(.whole) { long.press(keys[round % keys.count]) }
    }
    watch.printLine("key: \(what), \(long.medianBytes) bytes", rows, .whole, .atMost(3))
  }
}

/// A table on a screen of 80 × 24 whose bytes are only counted.
private struct Keyboard {
  private var face: TableFace
  private var writer = ScreenWriter(colors: true)
  private var byteCounts: [Int] = []

  init(_ store: CustomerStore) {
    face = TableFace(TableSession(store, policy: TableFace.policy()), options: .init(fileName: "list"))
    face.tick(at: .now)
  }

  /// The cursor goes into the middle of the list or to the end of the screen.
  mutating func begin(scrolling: Bool) {
    for key in scrolling ? "50G" : "500G" { press(KeyPress(.character(key.unicodeScalars.first ?? "G"))) }
    if scrolling { for _ in 0..<30 { press(KeyPress(.down)) } }
    byteCounts = []
  }

  mutating func press(_ key: KeyPress) {
    _ = face.handle([.key(key)], at: .now)
    face.tick(at: .now)
    byteCounts.append(writer.bytes(for: face.draw()).count)
  }

  var medianBytes: Int { byteCounts.sorted()[byteCounts.count / 2] }
}
