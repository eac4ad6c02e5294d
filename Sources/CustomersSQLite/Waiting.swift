internal import CSQLite
internal import CustomersSystem
internal import Dispatch

/// Waits for other connections: random pauses up to a cap that grows to 10 ms, and falls again after a second,
/// until they add up to a timeout.
///
/// It uses full jitter. With SQLite's own growing pauses, the process that waits longest tries least often
/// and starves: with eight writers the longest wait was 2–3 s and is 0.5–0.7 s here. On a machine so busy that
/// each lock is held for a tenth of a second, only pauses that fall again keep the longest wait below the timeout.
final class BusyHandler {
  /// How long the statements of one call wait for locks of other connections, in total.
  private var timeout: Duration
  /// How much of that is left.
  private var left: Duration
  /// Whether a caller says when a call begins; otherwise each transaction is one, and each statement outside.
  private var isOfCalls = false
  /// The file in which a transaction that writes begins; empty at any other time.
  private var beginning = ""
  /// Whether there was such a transaction: a program may make many, one after the other.
  private var hasWritten = false
  /// Asked after each pause whether to keep waiting.
  private var shouldContinue: @Sendable (_ pause: Duration) -> Bool = { _ in true }

  init(timeout: Duration) { (self.timeout, left) = (timeout, timeout) }

  /// Restarts the count.
  func begin(_ timeout: Duration, _ shouldContinue: @escaping @Sendable (_ pause: Duration) -> Bool) {
    (self.timeout, left, self.shouldContinue, isOfCalls) = (timeout, timeout, shouldContinue, true)
  }

  /// Restarts the count for a statement outside a transaction, unless it is part of a call.
  func beginStatement() { if !isOfCalls { left = timeout } }

  /// Begins a transaction that writes to a file, but not in the turn of others.
  ///
  /// A program's first transaction leaves a turn to others only if there are some that wait: nothing gets slower for
  /// who is alone. Whoever has begun goes on in anyone's turn, because it keeps the others out until it has ended.
  func beginWriting(to path: String, _ begin: () throws -> Void) rethrows {
    beginning = path
    defer { (beginning, hasWritten) = ("", true) }
    beginStatement()
    if isOthersTurn, hasWritten || WaitingSign.isUp(beside: path) { _ = pause(attempt: 0) }
    try begin()
  }

  private var isOthersTurn: Bool { FairnessPause.isNow(in: beginning) }

  /// Has a COMMIT give up a little before anyone that it keeps out.
  ///
  /// While it waits for the readers of the moment, no new one gets in. If one of those readers keeps its lock
  /// until a program that is kept out has done its work, as in a pipe of two commands, only an end of
  /// the COMMIT ends the wait of all three. Whoever is kept out came later and waits as long, so it still has time
  /// left then; the twentieth makes up for what is not counted, such as a thread that is not scheduled.
  func beginCommit() { left -= timeout / 20 }

  /// The handler must live as long as the connection.
  func install(on connection: OpaquePointer) {
    unsafe sqlite3_busy_handler(
      connection,
      { context, calls in
        guard let context = unsafe context else { return 0 }
        let handler = unsafe Unmanaged<BusyHandler>.fromOpaque(context).takeUnretainedValue()
        return handler.pause(attempt: calls) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Runs a statement again while another connection holds a lock; for an engine that does not wait itself.
  func repeatWhileBusy(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    var attempt: Int32 = 0
    while true {
      do { return try body() } catch {
        guard error.code.primary == .busy, pause(attempt: attempt) else { throw error }
        attempt += 1
      }
    }
  }

  /// Pauses before the next attempt, if there is one.
  ///
  /// - Returns: whether to try again.
  private func pause(attempt: Int32) -> Bool {
    var longest = Self.longestPause(attempt: attempt, waited: timeout - left)
    var sign: WaitingSign?
    while true {
      guard left > .zero else { return false }
      let start = ContinuousClock.now
      usleep(UInt32.random(in: 1...longest))
      let pause = ContinuousClock.now - start
      left -= pause
      guard shouldContinue(pause) else { return false }
      guard isOthersTurn else { return true }
      longest = 10_000
      if sign == nil { sign = WaitingSign(beside: beginning) }
    }
  }

  /// The cap of a pause in microseconds: at least 1 and at most 10,000, however long the wait.
  static func longestPause(attempt: Int32, waited: Duration) -> UInt32 {
    let growing = Double(min(10_000, 200 << min(max(attempt, 0), 10)))
    // The connections that have waited longest try most often.
    let falling = 10_000 / max(1, 2 * (waited / .seconds(1)) - 1)
    return UInt32(max(1, min(growing, falling)))
  }
}

/// When programs that wait with SQLite's own busy handler get their turn.
///
/// That handler soon tries only ten times a second, while ours tries hundreds of times: beside many of our writers, it
/// would find the file locked for ten seconds. So now and then, after a change of the file, none of our writers begins
/// another one for longer than such a pause. All of them see the same change and the same clock, so they need not
/// talk to each other.
///
/// Many short gaps would take twice as much of everyone's time: only one that is longer than the pause is met for
/// certain.
enum FairnessPause {
  /// From one turn to the next, in nanoseconds.
  static let period: Int64 = 1_500_000_000
  /// The longest pause of SQLite's busy handler, 100 ms, the time that the last change takes to get from the file to
  /// the disk, and that which a busy machine takes to wake a program.
  static let length: Int64 = 200_000_000

  /// Whether it is the turn of others at a time, after the last change of the file.
  static func isNow(_ time: Int64, lastChange: Int64) -> Bool {
    (0..<length).contains(time - lastChange) && lastChange % period < length
  }

  /// Whether it is the turn of others in the database file at `path`; never if it is empty.
  static func isNow(in path: String) -> Bool {
    guard !path.isEmpty, let lastChange = FileStamp.lastChange(path) else { return false }
    return isNow(currentNanoseconds(), lastChange: lastChange)
  }
}

/// Shows other processes, for as long as it exists, that a writer waits for a database in a folder.
///
/// It is a shared lock (`flock`) of the folder itself, which no one else looks for, and which ends with the
/// process. (A lock of the database, on a descriptor of its own, would drop those of SQLite when that is closed.)
final class WaitingSign {
  private let folder: Int32

  /// Puts up the sign; nil if that is not possible.
  init?(beside database: String) {
    guard let folder = Self.open(database) else { return nil }
    self.folder = folder
    guard flock(folder, LOCK_SH | LOCK_NB) == 0 else { return nil }
  }

  deinit { close(folder) }

  /// Whether there is such a sign.
  static func isUp(beside database: String) -> Bool {
    guard let folder = open(database) else { return false }
    defer { close(folder) }
    return flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  private static func open(_ database: String) -> Int32? {
    let path = Folder(ofFile: database).path
    let folder = unsafe CustomersSystem.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    return folder >= 0 ? folder : nil
  }
}

/// A program that has locked a database file.
package struct LockHolder: Hashable, Sendable {
  /// Its name, according to the system.
  package var program: String
  /// Its process id.
  package var process: Int32

  /// Finds which program has locked the database at `path`, if the system reports it: Linux does, in
  /// `/proc/locks`.
  ///
  /// A writer is preferred to readers, unless it waits for them itself to commit. If it is not clear yet whether it
  /// will, this waits for up to 0.2 s.
  package init?(ofDatabase path: String) {
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
    (try? InputFile(path).readAll()).map { String(decoding: $0, as: UTF8.self) }
  }
}

/// Ends the transaction of a call that was canceled: SQLite asks it, many times a second, whether a statement goes on.
///
/// A statement that does not fails with `ResultCode.interrupted`, and the transaction is rolled back.
/// (`sqlite3_interrupt` has no effect between two statements.)
final class ProgressHandler {
  /// How many instructions of SQLite's virtual machine run between two questions: some hundredths of a millisecond.
  private static let instructions: Int32 = 1_000

  private var isCancelled: @Sendable () -> Bool = { false }
  /// Whether there is a transaction that can still be ended; nothing stops a COMMIT or a ROLLBACK.
  var isActive = false { didSet { isEnding = false } }
  /// Whether it is being ended.
  private var isEnding = false

  /// Sets what decides about the transactions that follow.
  func begin(_ isCancelled: @escaping @Sendable () -> Bool) { self.isCancelled = isCancelled }

  /// Ends a transaction that must not go on.
  func check() throws(SQLiteError) {
    if mustEnd { throw SQLiteError(code: .interrupted, message: "interrupted") }
  }

  private var mustEnd: Bool {
    if isActive, !isEnding { isEnding = isCancelled() }
    return isEnding
  }

  /// Runs a statement that takes long without asking, while another thread asks.
  func ask<Result>(about connection: OpaquePointer, _ body: () throws -> Result) rethrows -> Result {
    nonisolated(unsafe) let connection = unsafe connection
    let (isCancelled, isDone, hasEnded) = (
      isCancelled, DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    DispatchQueue(label: "customers.interrupt").async {
      repeat {
        if isCancelled() { unsafe sqlite3_interrupt(connection) }
      } while isDone.wait(timeout: .now() + .milliseconds(10)) == .timedOut
      hasEnded.signal()
    }
    defer {
      isDone.signal()
      hasEnded.wait()
    }
    return try body()
  }

  /// The handler must live as long as the connection.
  func install(on connection: OpaquePointer) {
    unsafe sqlite3_progress_handler(
      connection, Self.instructions,
      { context in
        guard let context = unsafe context else { return 0 }
        let handler = unsafe Unmanaged<ProgressHandler>.fromOpaque(context).takeUnretainedValue()
        return handler.mustEnd ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
