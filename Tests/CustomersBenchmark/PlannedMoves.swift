internal import CustomerFixtures
@_spi(Tools) internal import CustomerStore
import CustomersTestSupport
internal import CustomersSQLite

/// More and more moves "from place to place", the time of each against fractional keys: one by one, planned,
/// and as a batch of different rows.
func measurePlannedMoves(_ lists: ListFactory, _ rows: Int) throws {
  let sample = try lists.list(rows: rows)
  let fractional = try FractionalTable(lists.folder, rows: sample.count)
  let store = try CustomerStore(path: sample.path)
  for moves in [100, 1_000, 10_000, 100_000] {
    var watch = Stopwatch()
    try fractional.connection.immediateTransaction {
      try store.dryRun { list in
        // The other two cost the same per move, however many there are.
        for _ in 0..<turns {
          try watch.time(.baseline, count: turn) {
            for _ in 0..<turn { try fractional.move(from: sample.randomPlace(), to: sample.randomPlace()) }
          }
          try watch.time(.move, count: turn) {
            for _ in 0..<turn { try sample.moveByPlace(in: &list) }
          }
        }
      }
    }
    try store.dryRun { list in
      try watch.time(.whole, count: moves) {
        guard var plan = try MovePlan(list, moves: moves) else {
          for _ in 0..<moves { try sample.moveByPlace(in: &list) }
          return
        }
        for _ in 0..<moves {
          try plan.apply(.move([sample.randomID()], to: .place(sample.randomPlace())), of: list)
        }
        try list.write(plan)
      }
    }
    if moves <= sample.count {
      let batch = sample.batch(of: moves)
      try store.dryRun { list in
        try watch.time(.anywhere, count: moves) { _ = try list.performBatchUpdates(batch) }
      }
    }
    watch.printLine("\(grouped(moves)) moves, one by one", rows, .move, .none)
    let bar: Line.Bar = rows < 100_000 ? .none : .atMost(1)
    watch.printLine("\(grouped(moves)) moves, announced", rows, .whole, bar)
    if moves <= sample.count { watch.printLine("\(grouped(moves)) moves, batch", rows, .anywhere, bar) }
  }
}

private let turns = 20
private let turn = 25

extension MeasuredList {
  /// Moves the row at a random place to another one.
  func moveByPlace(in list: inout CustomerList) throws {
    let customer = try list.customer(at: randomPlace(), in: section)
    try list.move([customer.id], to: .place(randomPlace()))
  }

  /// A batch that moves this many rows to random places.
  fileprivate func batch(of moves: Int) -> BatchUpdates {
    var random = SplitMix64(seed: 0x4375_7374)
    let rows = (1...count).shuffled(using: &random).prefix(moves)
    let places = (1...count).shuffled(using: &random).prefix(moves)
    var batch = BatchUpdates()
    for (row, place) in zip(rows, places) {
      batch.move(.place(row, in: section), to: .place(place, in: section))
    }
    return batch
  }
}
