internal import CustomerStore
internal import CustomersSystem
internal import CustomersText
internal import Synchronization

/// Files in pieces, none larger than any other request.
extension ListAPI {
  /// `POST /v1/files`: adds a piece to a file; the one at 0 begins it.
  ///
  /// The name on the disk of its sender is looked at first, so that it can be sent with an empty piece and then, unless
  /// it is refused, the content.
  func upload(_ call: Route.Call) async throws -> APIAnswer {
    let (name, offset) = (try call.query.file(), try call.query.offset())
    guard call.bytes.count <= KeptFiles.largestPiece else {
      throw APIError(.tooLarge, "The piece is longer than \(KeptFiles.largestPiece >> 20) MB.")
    }
    do {
      if let title = call.query["name"] { _ = try AskedImport.format(ofFile: title) }
      if offset == 0, !files.names.contains(name) { try files.create(name) }
      return try await files.use(name) { file in
        guard let file else { throw APIError.noFile }
        guard file.writer == nil else { throw APIError.nameOfFileUsed }
        return APIAnswer([("size", .int(try file.add(call.bytes, at: offset)))])
      }
    } catch let error where error is SystemError || error is FileError {
      files.drop(name)
      throw APIError(.diskFull, "There is no room for the file: \(error).")
    } catch let error as APIError {
      if [.tooLarge, .invalid].contains(error.kind) { files.drop(name) }
      throw error
    }
  }

  /// `GET /v1/files`: a piece of a file that an export has written.
  func download(_ call: Route.Call) async throws -> APIAnswer {
    let offset = try call.query.offset()
    return try await files.use(call.query.file()) { file in
      guard let file else { throw APIError.noFile }
      guard file.isComplete else {
        throw APIError(
          .conflict, "The file is still being written.", remedy: "Repeat the request that writes it.")
      }
      return APIAnswer(status: 200, type: .bytes, body: try file.read(at: offset))
    }
  }

  /// `POST /v1/cancel`: ends what a request began, and drops a file.
  func cancel(_ call: Route.Call) async throws -> APIAnswer {
    if let token = try call.body.given("token", call.body.token) { await work.cancel(token) }
    if let name = try call.body.given("file", call.body.file) { files.drop(name) }
    return APIAnswer([("outcome", .string("done"))])
  }
}

extension APIError {
  static let wasCanceled = APIError(.canceled, "Canceled; nothing was changed.")
  static let noFile = APIError(.notFound, "The file has expired, or was never sent: choose it again.")
  static let nameOfFileUsed = APIError(
    .tokenUsed, "Another request has used this name of a file.", remedy: "Use a new name for each file.")
}

extension Query {
  /// The random name of a file: 32 hexadecimal digits.
  fileprivate func file() throws -> String {
    guard let token = TransactionToken(request: self["file"] ?? "") else {
      throw APIError(.badRequest, "The parameter file needs 32 hexadecimal digits.")
    }
    return token.rawValue
  }

  fileprivate func offset() throws -> Int { try number("at", in: 0...KeptFiles.largest) ?? 0 }
}

extension JSONMembers {
  /// The random name of a file.
  func file(_ name: String) throws(JSONMistake) -> String { try token(name).rawValue }
}

/// Files that are sent and fetched in pieces, each under a random name that the caller has chosen.
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
    private let isBeingWritten: Atomic<Bool>
    /// What the request stands for that writes it; nil if it is sent in pieces.
    let writer: String?

    fileprivate init(writtenBy writer: String?) throws {
      bytes = try TemporaryFile()
      self.writer = writer
      isBeingWritten = Atomic(writer != nil)
    }

    /// Whether it has all that a request writes.
    var isComplete: Bool { !isBeingWritten.load(ordering: .acquiring) }

    func complete() { isBeingWritten.store(false, ordering: .releasing) }

    var count: Int { size.withLock(\.self) }

    /// Adds bytes at an offset; those that it has already are not read.
    ///
    /// - Returns: the number of bytes that it has then.
    /// - Throws: `APIError` if something is missing before them, or if they are too many.
    func add(_ piece: [UInt8], at offset: Int) throws -> Int {
      try size.withLock { size in
        guard (0...size).contains(offset) else {
          throw APIError(.badRequest, "A piece of the file is missing.")
        }
        let new = Array(piece.dropFirst(size - offset))
        guard size + new.count <= KeptFiles.largest else {
          throw APIError(.tooLarge, "The file has more than \(KeptFiles.largest >> 20) MB.")
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
  /// - Parameters:
  ///   - name: its name in requests.
  ///   - writer: what the request stands for that writes it; nil if it is sent in pieces.
  /// - Throws: `APIError` if another request has used the name, or if all files are used; `SystemError` if there is no room
  ///   on the disk.
  func create(_ name: String, writtenBy writer: String? = nil) throws {
    let file = try File(writtenBy: writer)
    // A large file takes a moment to end, so it does after the lock.
    let (old, isCreated, isWatched) = try state.withLock { state in
      if let known = state.entries[name], known.file.writer != writer { throw APIError.nameOfFileUsed }
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
      throw APIError(
        .busy, "\(KeptFiles.most) files are sent or fetched already; try again in a minute.")
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
