/// How commits get to the disk.
public enum JournalMode: Sendable {
  /// A rollback journal that is deleted, and its folder synced, at each commit (`DELETE`, `EXTRA`): the only
  /// mode that lost nothing in simulated power cuts, and a single file at rest.
  case rollback
  /// A write-ahead log, synced at each commit (`WAL`, `FULL`).
  case writeAheadLog
}

extension LocalFile {
  /// Whether this SQLite library can keep a write-ahead log that is never corrupted by two
  /// connections that write and checkpoint at the same moment (https://sqlite.org/wal.html#walresetbug).
  public static var hasSafeWriteAheadLog: Bool {
    let version = Connection.libraryVersion
    return version >= 3_051_003 || (3_050_007..<3_051_000).contains(version)
      || (3_044_006..<3_045_000).contains(version)
  }

  /// Sets the journal mode, unless another connection prevents it, and the syncing for the mode that the file
  /// is in.
  ///
  /// - Returns: the mode that the file is in now.
  public func setJournalMode(_ mode: JournalMode) throws -> JournalMode {
    var found = try connection.fetchOne("PRAGMA journal_mode") { $0.text(0) } ?? ""
    let wanted = mode == .rollback ? "delete" : "wal"
    if found != wanted, found != "memory", !connection.isReadOnly {
      do {
        found = try connection.fetchOne("PRAGMA journal_mode = \(wanted)") { $0.text(0) } ?? ""
      } catch let error as SQLiteError where error.code.primary == .busy {}
    }
    try connection.executeScript("PRAGMA synchronous = \(found == "wal" ? "FULL" : "EXTRA")")
    return found == "wal" ? .writeAheadLog : .rollback
  }

  /// Whether the file is kept with a write-ahead log now.
  public func usesWriteAheadLog() throws -> Bool {
    try connection.fetchOne("PRAGMA journal_mode") { $0.text(0) } == "wal"
  }
}
