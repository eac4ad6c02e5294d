internal import CustomerStore
import CustomersTestSupport
internal import CustomersSQLite

/// A script of 1,000 moves "from place to place" in one transaction, against fractional keys.
func measureMovesByPosition(_ lists: ListFactory, _ rows: Int) throws {
  let sample = try lists.list(rows: rows)
  let fractional = try FractionalTable(lists.folder, rows: sample.count)
  var watch = Stopwatch()
  try fractional.connection.immediateTransaction {
    try CustomerStore(path: sample.path).write { list in
      for _ in 0..<(moves / turn) {
        try watch.time(.baseline, count: turn) {
          for _ in 0..<turn { try fractional.move(from: sample.randomPlace(), to: sample.randomPlace()) }
        }
        try watch.time(.move, count: turn) {
          for _ in 0..<turn { try sample.moveByPlace(in: &list) }
        }
      }
    }
  }
  watch.printLine("script of moves by place, store", rows, .move, .atMost(1))
}

private let moves = 1_000
/// The two scripts take turns after this many moves.
private let turn = 25
