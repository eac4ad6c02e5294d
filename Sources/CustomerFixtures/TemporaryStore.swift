public import CustomerStore
internal import Foundation

/// A list in a file, in a folder of its own that is gone when nobody holds the object any more.
public final class TemporaryStore: Sendable {
  /// The store.
  public let store: CustomerStore
  /// The path of the file, for other programs.
  public let path: String
  private let folder: TemporaryFolder

  /// Makes a file that begins with a sample; ids count from 1 in its order.
  public init(_ sample: SampleList = "", options: CustomerStore.Options = .init()) throws {
    folder = try TemporaryFolder()
    path = folder.path + "/customers.sqlite"
    store = try CustomerStore(path: path, options: options)
    try store.fill(with: sample)
  }
}

/// An empty folder that is gone, with all that is in it, when nobody holds the object any more.
public final class TemporaryFolder: Sendable {
  /// The path, without a slash at its end.
  public let path: String

  /// Makes the folder, for its owner alone.
  public init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "customers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    path = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
