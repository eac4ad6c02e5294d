package import Platform

/// Which file a path leads to, whatever it is called there.
public struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let number: ino_t
  /// Whether it is a file on a disk: no folder, pipe or device.
  public let isRegular: Bool

  /// Follows links; nil if the path leads nowhere.
  public init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Takes what the system said of a file.
  package init(_ status: stat) {
    (device, number) = (status.st_dev, status.st_ino)
    isRegular = status.st_mode & S_IFMT == S_IFREG
  }
}
