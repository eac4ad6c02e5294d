import Foundation
import Synchronization

/// Runs `body` on several threads at the same time and waits for them.
///
/// Not tasks: they would share as many threads as there are processors, and each waits for a process.
///
/// - Returns: the results, in the order of the threads' numbers.
func concurrently<Value: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (Int) throws -> Value
) throws -> [Value] {
  let results = Results<Value>()
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    Thread.detachNewThread {
      results.set(number) { try body(number) }
      group.leave()
    }
  }
  group.wait()
  return try results.all()
}

/// The results of the threads, by their numbers.
private final class Results<Value: Sendable>: Sendable {
  private let values = Mutex<[Int: Result<Value, any Error>]>([:])

  func set(_ number: Int, _ body: () throws -> Value) {
    let value = Result { try body() }
    values.withLock { $0[number] = value }
  }

  func all() throws -> [Value] {
    try values.withLock { values in try values.sorted { $0.key < $1.key }.map { try $0.value.get() } }
  }
}
