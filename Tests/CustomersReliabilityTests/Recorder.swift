import CSQLite
import Foundation
import Synchronization

/// Records the changes to the files of a folder, in order, as a disk sees them.
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
    /// The journals whose next sync also syncs the folder.
    var unsynced: Set<String> = []
  }

  private let state = Mutex(State())

  /// The events so far.
  var events: [Event] { state.withLock { $0.events } }

  /// Records that an edit was acknowledged.
  func acknowledge(_ number: Int) { state.withLock { $0.events.append(.acknowledge(number)) } }

  func answer(to call: FileCall) -> Int32 {
    let name = URL(filePath: call.path).lastPathComponent
    return state.withLock { state in
      switch call.kind {
      // An open of a missing file usually creates it.
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
