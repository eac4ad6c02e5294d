internal import Foundation

/// Runs `body` on a thread of its own.
///
/// A test that waits for an answer must not wait on one of the few threads that run tasks: the answer may need one.
package func onOwnThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}
