internal import CustomersSystem
package import Dispatch

/// How long a test waits for what must come, and for the end of a program.
///
/// Only a test that is wrong reaches it. It is less than `Tests/Mutations/run` gives a suite, so that a test which a fault keeps
/// waiting says for what. The programs of the long forms run for hours.
package let longestWait = Duration.seconds(isLong ? 14_400 : 240)

/// Waits for a condition; throws after `longestWait`.
package func waitUntil(_ what: String, _ isTrue: () throws -> Bool) throws {
  let deadline = ContinuousClock.now + longestWait
  while try !isTrue() {
    guard .now < deadline else { throw NeverTrue(what: what) }
    usleep(10_000)
  }
}

/// A condition that did not become true in time.
private struct NeverTrue: Error {
  var what: String
}

extension DispatchTime {
  /// When a wait that begins now has taken `longestWait`.
  package static var latest: DispatchTime { .now() + .seconds(Int(longestWait.components.seconds)) }
}

extension DispatchSemaphore {
  /// Waits for the signal; false if it does not come within `longestWait`.
  package func comes() -> Bool { wait(timeout: .latest) == .success }
}
