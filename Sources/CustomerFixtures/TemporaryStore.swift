package import CustomerStore
internal import Foundation

/// A list in a file, in its own folder, which is deleted with this object.
package final class TemporaryStore: Sendable {
  /// The store.
  package let store: CustomerStore
  /// The path of the file, for other programs.
  package let path: String
  private let folder: TemporaryFolder

  /// Creates a file that starts with a sample; ids count from 1 in its order.
  package init(_ sample: SampleList = "", options: CustomerStore.Options = .init()) throws {
    folder = try TemporaryFolder()
    path = folder.path + "/customers.sqlite"
    store = try CustomerStore(path: path, options: options)
    try store.fill(with: sample)
  }
}

/// An empty folder, which is deleted with everything in it when this object goes away.
package final class TemporaryFolder: Sendable {
  /// The path, without a trailing slash.
  package let path: String

  /// Creates the folder, readable by its owner only.
  package init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "customers-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    path = folder.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
