public import Dispatch

/// How long a test waits for what must come.
///
/// Only a test that is wrong reaches it: hundreds of tests share two busy cores, and one may wait for most of them.
public let longestWait = Duration.seconds(1200)

extension DispatchSemaphore {
  /// Waits for the signal; false if it does not come within `longestWait`.
  public func comes() -> Bool {
    wait(timeout: .now() + .seconds(Int(longestWait.components.seconds))) == .success
  }
}
