internal import CustomersFiles
internal import CustomersPlatform

/// When a file was last changed, according to the system: a cheap way to see whether it has changed since.
public struct FileStamp: Equatable, Sendable {
  private let identity: FileIdentity?
  private let size: Int64
  private let time: Int64

  /// The stamp of a database file and its write-ahead log, if it can be trusted.
  ///
  /// A file that was just changed may be changed again within one tick of the system clock and then have the
  /// same stamp. So it has none until a tenth of a second has passed.
  public init?(_ path: String) {
    var (file, log) = (stat(), stat())
    guard unsafe stat(path, &file) == 0 else { return nil }
    _ = unsafe stat(path + "-wal", &log)
    let last = max(file.modificationNanoseconds, log.modificationNanoseconds)
    guard abs(currentNanoseconds() - last) > 100_000_000 else { return nil }
    identity = FileIdentity(file)
    size = Int64(file.st_size) &+ Int64(log.st_size)
    time = last
  }
}
