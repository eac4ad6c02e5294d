import CSQLite
import Synchronization

/// Lets the n-th call on a folder's files fail, once or from then on.
final class FaultInjector: FileCallObserver {
  /// What fails, and how.
  enum Kind: CaseIterable, Sendable {
    /// Any call, with the I/O error of its kind.
    case inputOutput
    /// A deletion that was made, but not its folder's sync; a sync that was not.
    case folderSync
    /// A write or a truncation, because the disk is full.
    case full
    /// Any call, for want of memory.
    case memory
  }

  /// A fault to come.
  struct Fault: Sendable {
    var kind: Kind
    /// Which of the calls that can fail so, from 1.
    var number: Int
    var isForEver: Bool
  }

  private struct State {
    var fault: Fault?
    var count = 0
    var hits = 0
  }

  private let state = Mutex(State())

  /// Prepares a fault; calls are counted from here.
  func arm(_ fault: Fault) { state.withLock { $0 = State(fault: fault) } }

  /// Ends the faults.
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
  /// What SQLite gets instead of a call's result; nil for a call that does not fail in this way.
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
