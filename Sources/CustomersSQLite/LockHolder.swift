internal import CSQLite
internal import CustomersFiles
internal import CustomersPlatform

/// A program that has locked a database file.
public struct LockHolder: Hashable, Sendable {
  /// Its name, according to the system.
  public var program: String
  /// Its process id.
  public var process: Int32

  /// Finds which program has locked the database at `path`, if the system reports it: Linux does, in
  /// `/proc/locks`.
  ///
  /// A writer is preferred to readers, unless it waits for them itself to commit. If it is not clear yet whether it
  /// will, this waits for up to 0.2 s.
  public init?(ofDatabase path: String) {
    var found = Self.lockedBy(path)
    for _ in 0..<10 where found?.mayChange == true {
      usleep(20_000)
      found = Self.lockedBy(path)
    }
    guard let process = found?.process, let name = Self.text("/proc/\(process)/comm") else { return nil }
    program = String(name.prefix { $0 != "\n" })
    self.process = process
  }

  /// The process to wait for; it may change if a writer beside a reader has not come to its commit.
  private static func lockedBy(_ path: String) -> (process: Int32, mayChange: Bool)? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, let locks = text("/proc/locks") else { return nil }
    let found = locks.split(separator: "\n").compactMap { line in
      lock(line.split(separator: " "), fileNumber: UInt64(status.st_ino))
    }
    let writer = found.first(where: \.isWriter)
    let pending = found.first { $0.isWriter && $0.bytes.contains(firstLockByte) }
    let reader = found.first {
      !$0.isWriter && $0.process != (pending ?? writer)?.process && $0.bytes.contains(firstSharedByte)
    }
    guard let holder = (pending == nil ? writer : reader ?? pending) ?? found.first else { return nil }
    return (holder.process, pending == nil && writer != nil && reader != nil)
  }

  /// Reads `POSIX ADVISORY WRITE 4242 08:01:131 1073741824 1073742335` after the number of the line.
  ///
  /// The file is known by its number alone, and by the bytes that only SQLite locks: some file systems
  /// have another device number here than elsewhere (https://sqlite.org/lockingv3.html).
  private static func lock(
    _ words: [Substring], fileNumber: UInt64
  ) -> (process: Int32, isWriter: Bool, bytes: ClosedRange<Int>)? {
    guard words.count >= 8, words[1] == "POSIX", let process = Int32(words[4]), process != getpid() else {
      return nil
    }
    guard words[5].split(separator: ":").last.flatMap({ UInt64($0) }) == fileNumber,
      let first = Int(words[6]), (firstLockByte..<firstLockByte + 512).contains(first)
    else { return nil }
    return (process, words[3] == "WRITE", first...max(first, Int(words[7]) ?? first))
  }

  /// The byte by which a writer keeps new readers out and the first of those that readers lock.
  private static let (firstLockByte, firstSharedByte) = (0x4000_0000, 0x4000_0002)

  private static func text(_ path: String) -> String? {
    guard let file = try? InputFile(path) else { return nil }
    var bytes: [UInt8] = []
    while let piece = try? file.read(), !piece.isEmpty { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }
}
