internal import CustomersFiles
internal import Synchronization

/// Files that pages send and fetch in pieces, each under a random name that its page has chosen.
///
/// They have no name on the disk, only this account can read them, and they are gone with the program. One that no
/// request uses is dropped after ten minutes, and after a minute if another one needs its place.
final class KeptFiles: Sendable {
  /// The maximum number of files.
  static let most = 4
  /// The maximum number of bytes of a file.
  static let largest = 256 << 20
  /// The maximum number of bytes of a piece.
  static let largestPiece = 1 << 20

  /// A file that grows at its end.
  final class File: Sendable {
    private let bytes: TemporaryFile
    private let size = Mutex(0)

    fileprivate init() throws { bytes = try TemporaryFile() }

    var count: Int { size.withLock(\.self) }

    /// Adds bytes at an offset; those that it has already are not read.
    ///
    /// - Returns: the number of bytes that it has then.
    /// - Throws: `APIRefusal` if something is missing before them, or if there is no room.
    func add(_ piece: [UInt8], at offset: Int) throws -> Int {
      try size.withLock { size in
        guard (0...size).contains(offset) else { throw APIRefusal.bad("A piece of the file is missing.") }
        let new = Array(piece.dropFirst(size - offset))
        guard size + new.count <= KeptFiles.largest else {
          throw APIRefusal(409, "refused", "The file has more than \(KeptFiles.largest >> 20) MB.")
        }
        try bytes.descriptor.write(new)
        size += new.count
        return size
      }
    }

    func read(at offset: Int) throws -> [UInt8] {
      try bytes.read(at: offset, upTo: min(KeptFiles.largestPiece, max(0, count - offset)))
    }

    /// Returns a function that reads all of it, piece by piece.
    func reader() -> () throws -> [UInt8] {
      var offset = 0
      return { [self] in
        let piece = try read(at: offset)
        offset += piece.count
        return piece
      }
    }
  }

  private struct Entry {
    let file: File
    /// How many requests and works use it.
    var uses = 0
    var lastUse = ContinuousClock.now

    func rests(for time: Duration, at now: ContinuousClock.Instant) -> Bool {
      uses == 0 && now - lastUse >= time
    }
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// Whether a task looks for files that are no longer used.
    var isWatched = false
  }

  private let longestRest: Duration
  private let shortestRest: Duration
  private let state = Mutex(State())

  /// - Parameters:
  ///   - longestRest: how long a file is kept without a request.
  ///   - shortestRest: how long at least, if another one needs its place.
  init(longestRest: Duration = .seconds(600), shortestRest: Duration = .seconds(60)) {
    (self.longestRest, self.shortestRest) = (longestRest, shortestRest)
  }

  /// The names of the files.
  var names: [String] { state.withLock { Array($0.entries.keys) } }

  /// Runs `body` with the file that has a name, which is not dropped for another one as long as that takes; with nil if
  /// there is none any more.
  func use<Result>(_ name: String, _ body: (File?) async throws -> Result) async rethrows -> Result {
    let file = state.withLock { state in
      state.entries[name]?.uses += 1
      return state.entries[name]?.file
    }
    defer {
      state.withLock { state in
        if let file, state.entries[name]?.file === file {
          state.entries[name]?.uses -= 1
          state.entries[name]?.lastUse = .now
        }
      }
    }
    return try await body(file)
  }

  /// Creates a file, in place of one that has its name; if there are too many, in place of the one that rests longest.
  ///
  /// - Throws: `APIRefusal` if all of them are used, or if there is no room on the disk.
  func create(_ name: String) throws {
    let file = try File()
    // A large file takes a moment to end, so it does after the lock.
    let (old, isCreated, isWatched) = state.withLock { state in
      var old = [state.entries.removeValue(forKey: name)]
      if state.entries.count >= KeptFiles.most {
        let now = ContinuousClock.now
        let resting = state.entries.filter { $0.value.rests(for: shortestRest, at: now) }
        guard let oldest = resting.min(by: { $0.value.lastUse < $1.value.lastUse }) else {
          return (old, false, true)
        }
        old.append(state.entries.removeValue(forKey: oldest.key))
      }
      state.entries[name] = Entry(file: file)
      defer { state.isWatched = true }
      return (old, true, state.isWatched)
    }
    withExtendedLifetime(old) {}
    guard isCreated else {
      throw APIRefusal(
        429, "refused", "\(KeptFiles.most) files are sent or fetched already; try again in a minute.")
    }
    if !isWatched { watch() }
  }

  func drop(_ name: String) {
    let old = state.withLock { $0.entries.removeValue(forKey: name) }
    withExtendedLifetime(old) {}
  }

  /// Looks for files that are no longer used, as long as there are files.
  private func watch() {
    Task { [weak self, longestRest] in
      repeat { try? await Task.sleep(for: longestRest) } while self?.dropUnused() ?? false
    }
  }

  /// - Returns: whether there are other files.
  private func dropUnused() -> Bool {
    let now = ContinuousClock.now
    let (old, isWatched) = state.withLock { state in
      let old = state.entries.filter { $0.value.rests(for: longestRest, at: now) }
      for name in old.keys { state.entries[name] = nil }
      state.isWatched = !state.entries.isEmpty
      return (old, state.isWatched)
    }
    withExtendedLifetime(old) {}
    return isWatched
  }
}
