import CSQLite
import Synchronization

/// Makes the n-th call on a folder's files fail, once or from then on.
final class FaultInjector: FileCallObserver {
  /// The calls that fail, and their errors.
  enum Kind: CaseIterable, Sendable {
    /// Any call fails, with the I/O error of its kind.
    case inputOutput
    /// A sync fails, or the folder's sync after a successful deletion.
    case folderSync
    /// A write or a truncation fails because the disk is full.
    case full
    /// Any call fails because memory is exhausted.
    case memory
  }

  /// A fault to inject.
  struct Fault: Sendable {
    var kind: Kind
    /// The number of the call, counting from 1 the calls that can fail in this way.
    var number: Int
    var isForEver: Bool
  }

  private struct State {
    var fault: Fault?
    var count = 0
    var hits = 0
  }

  private let state = Mutex(State())

  /// Injects a fault; counts the calls from now on.
  func arm(_ fault: Fault) { state.withLock { $0 = State(fault: fault) } }

  /// Stops injecting faults.
  ///
  /// - Returns: whether any call failed.
  func disarm() -> Bool {
    state.withLock { state in
      state.fault = nil
      return state.hits > 0
    }
  }

  func answer(to call: FileCall) -> Int32 {
    state.withLock { state in
      guard let fault = state.fault, let code = fault.kind.code(of: call) else { return SQLITE_OK }
      state.count += 1
      guard state.count == fault.number || fault.isForEver && state.count > fault.number else {
        return SQLITE_OK
      }
      state.hits += 1
      return code
    }
  }
}

extension FaultInjector.Kind {
  /// Returns the result code for a call; nil if the call does not fail in this way.
  fileprivate func code(of call: FileCall) -> Int32? {
    func inputOutput(_ number: Int32) -> Int32 { SQLITE_IOERR | number << 8 }
    switch (self, call.kind) {
    case (.inputOutput, .open): return SQLITE_CANTOPEN
    case (.inputOutput, .read): return inputOutput(1)
    case (.inputOutput, .write): return inputOutput(3)
    case (.inputOutput, .sync): return inputOutput(4)
    case (.inputOutput, .truncate): return inputOutput(6)
    case (.inputOutput, .size): return inputOutput(7)
    case (.inputOutput, .delete): return inputOutput(10)
    case (.inputOutput, .access): return inputOutput(13)
    case (.inputOutput, .lock): return inputOutput(15)
    case (.folderSync, .delete): return -inputOutput(5)
    case (.folderSync, .sync): return inputOutput(5)
    case (.full, .write), (.full, .truncate): return SQLITE_FULL
    case (.memory, .open): return SQLITE_NOMEM
    case (.memory, _): return inputOutput(12)
    default: return nil
    }
  }
}
