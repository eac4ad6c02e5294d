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
    guard let found = Self.look(path), abs(currentNanoseconds() - found.time) > 100_000_000 else {
      return nil
    }
    identity = FileIdentity(found.file)
    size = Int64(found.file.st_size) &+ Int64(found.log.st_size)
    time = found.time
  }

  /// When a database file or its write-ahead log was last written, in nanoseconds since 1970; nil if there is none.
  static func lastChange(_ path: String) -> Int64? { look(path)?.time }

  private static func look(_ path: String) -> (file: stat, log: stat, time: Int64)? {
    var (file, log) = (stat(), stat())
    guard unsafe stat(path, &file) == 0 else { return nil }
    _ = unsafe stat(path + "-wal", &log)
    return (file, log, max(file.modificationNanoseconds, log.modificationNanoseconds))
  }
}
