package import CustomerStore
internal import Dispatch
internal import Foundation
internal import Synchronization

/// A call of a store that goes on in another thread until it may end.
package enum LongCall: CaseIterable, Sendable {
  case read, write

  /// Someone has waited for the end of the call.
  package struct WasAwaited: Error {}

  /// Runs `body` during the call.
  ///
  /// - Throws: what `body` throws; `WasAwaited` if it waits for the end of the call, which then ends after a while.
  package func on(_ store: CustomerStore, during body: () throws -> Void) throws {
    let (hasBegun, mayEnd, hasEnded) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let stay: @Sendable () throws -> Void = {
      hasBegun.signal()
      guard mayEnd.comes() else { throw WasAwaited() }
    }
    let result = Mutex(Result<Void, any Error>.success(()))
    Thread { [self] in
      result.withLock { result in
        result = Result {
          switch self {
          case .read: try store.read { list in try (list.count(), stay()).1 }
          case .write: try store.write { _ in try stay() }
          }
        }
      }
      hasEnded.signal()
    }.start()
    hasBegun.wait()
    let outcome = Result { try body() }
    mayEnd.signal()
    hasEnded.wait()
    try result.withLock { $0 }.get()
    try outcome.get()
  }
}
