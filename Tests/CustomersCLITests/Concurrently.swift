import Foundation
import Synchronization

/// Runs `body` on several threads at the same time, and waits for them.
///
/// Not tasks: they would share as many threads as there are processors, and each waits for a process.
func concurrently<Result: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) throws -> Result
) throws -> [Result] {
  let results = Results<Result>()
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    Thread.detachNewThread {
      results.add { try body(number) }
      group.leave()
    }
  }
  group.wait()
  return try results.all()
}

/// The results of the threads, in any order.
private final class Results<SQLiteValue: Sendable>: Sendable {
  private let values = Mutex<[Swift.Result<SQLiteValue, any Error>]>([])

  func add(_ body: () throws -> SQLiteValue) {
    let value = Swift.Result { try body() }
    values.withLock { $0.append(value) }
  }

  func all() throws -> [SQLiteValue] { try values.withLock { values in try values.map { try $0.get() } } }
}
