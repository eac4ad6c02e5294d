internal import Platform

/// Which file a path leads to; another file at the same path has another identity.
public struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// The file at a path, with links followed; nil if there is none.
  public init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}
