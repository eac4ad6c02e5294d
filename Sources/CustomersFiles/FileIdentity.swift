package import CustomersPlatform

/// The identity of the file at a path, whatever its name.
public struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t
  /// Whether it is a regular file, not a folder, pipe, or device.
  public let isRegular: Bool

  /// Follows links; nil if nothing is at the path.
  public init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Creates an identity from the result of `stat`.
  package init(_ status: stat) {
    (device, number) = (status.st_dev, status.st_ino)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }
}
