import CSQLite
import Foundation
import Synchronization

/// Writes down what happens to the files of a folder, in order, as a disk sees it.
final class Recorder: FileCallObserver {
  enum Event: Sendable {
    case create(String)
    case write(String, at: Int, [UInt8])
    case truncate(String, to: Int)
    case sync(String, andFolder: Bool)
    case delete(String, andSyncFolder: Bool)
    /// The n-th edit was acknowledged.
    case acknowledge(Int)
  }

  private struct State {
    var events: [Event] = []
    var names: Set<String> = []
    /// Journals whose folder is synced with them next time.
    var unsynced: Set<String> = []
  }

  private let state = Mutex(State())

  /// What happened so far.
  var events: [Event] { state.withLock { $0.events } }

  /// Notes that an edit is done.
  func acknowledge(_ number: Int) { state.withLock { $0.events.append(.acknowledge(number)) } }

  func answer(to call: FileCall) -> Int32 {
    let name = URL(filePath: call.path).lastPathComponent
    return state.withLock { state in
      switch call.kind {
      // SQLite opens what it wants to have; what is not there is made, mostly by this open.
      case .open where !state.names.contains(name):
        state.names.insert(name)
        state.events.append(.create(name))
        if call.syncsFolder { state.unsynced.insert(name) }
      case .write: state.events.append(.write(name, at: call.offset, call.bytes))
      case .truncate: state.events.append(.truncate(name, to: call.offset))
      case .sync: state.events.append(.sync(name, andFolder: state.unsynced.remove(name) != nil))
      case .delete where state.names.remove(name) != nil:
        state.events.append(.delete(name, andSyncFolder: call.syncsFolder))
      default: break
      }
      return SQLITE_OK
    }
  }
}
