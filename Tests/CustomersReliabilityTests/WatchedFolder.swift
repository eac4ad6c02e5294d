import CCustomersFaults
import CSQLite
import CustomerFixtures
import Foundation
import CustomersSQLite

/// A call that SQLite is about to make on a file.
struct FileCall: Sendable {
  enum Kind: UInt32, CaseIterable, Sendable {
    case open, read, write, truncate, sync, lock, delete, size, access
  }

  var kind: Kind
  var path: String
  /// The offset of a read or write; the new size of a truncation.
  var offset: Int
  /// The bytes of a write.
  var bytes: [UInt8]
  /// Whether a deletion, or the first sync of the file, also syncs its folder.
  var syncsFolder: Bool
}

/// Decides the result of each call on the files of a folder.
protocol FileCallObserver: AnyObject, Sendable {
  /// Returns 0 to make the call and return its result, a result code to return without making the call, or a
  /// negated result code to return after making it.
  func answer(to call: FileCall) -> Int32
}

/// A temporary folder in which an observer sees every call on SQLite files.
final class WatchedFolder: Sendable {
  let path: String
  /// The customers file in it.
  var list: String { path + "/list.sqlite" }
  private let folder: TemporaryFolder
  private let observer: any FileCallObserver
  private let box: Box

  /// The VFS is the default of the whole process, so that the product uses it unchanged.
  private static let registered: Int32 = {
    // The first connection configures SQLite, which must happen before SQLite is initialized.
    _ = try? Connection(path: ":memory:")
    return cfaults_register()
  }()

  init(_ observer: any FileCallObserver) throws {
    precondition(WatchedFolder.registered == SQLITE_OK)
    folder = try TemporaryFolder()
    path = URL(filePath: folder.path).resolvingSymlinksInPath().path
    self.observer = observer
    box = Box(prefix: path + "/", observer)
    let context = unsafe Unmanaged.passUnretained(box).toOpaque()
    let isWatched = unsafe cfaults_watch(
      box.prefix,
      { context, call in
        guard let context = unsafe context, let call = unsafe call else { return SQLITE_OK }
        let box = unsafe Unmanaged<Box>.fromOpaque(context).takeUnretainedValue()
        return unsafe box.observer.answer(to: FileCall(call.pointee))
      }, context)
    precondition(isWatched != 0, "too many watched folders")
  }

  deinit { unsafe cfaults_unwatch(box.prefix) }

  /// The names in the folder.
  var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }
}

/// The context of the C callback.
@safe private final class Box: Sendable {
  let observer: any FileCallObserver
  /// The address of the prefix, as a C string.
  private let address: UInt
  var prefix: UnsafePointer<CChar>? { unsafe UnsafePointer(bitPattern: address) }

  init(prefix: String, _ observer: any FileCallObserver) {
    self.observer = observer
    address = unsafe UInt(bitPattern: strdup(prefix))
  }

  deinit { unsafe free(UnsafeMutableRawPointer(bitPattern: address)) }
}

extension FileCall {
  fileprivate init(_ call: cfaults_call) {
    kind = unsafe Kind(rawValue: call.kind.rawValue) ?? .access
    path = unsafe call.path.map { unsafe String(cString: $0) } ?? ""
    offset = unsafe Int(call.offset)
    bytes =
      unsafe call.bytes.map { unsafe Array(UnsafeBufferPointer(start: $0, count: Int(call.count))) } ?? []
    syncsFolder = unsafe call.syncs_folder != 0
  }
}
