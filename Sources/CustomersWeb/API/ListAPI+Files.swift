internal import CustomerStore
internal import CustomerTransfer
internal import CustomersSystem
internal import CustomersText
internal import Dispatch
internal import Synchronization

/// Files in pieces, none larger than any other request.
extension ListAPI {
  /// `POST /api/upload`: adds a piece to a file; the one at 0 begins it.
  ///
  /// The name on the disk of its page is looked at first, so that a page can send it with an empty piece and then,
  /// unless it is refused, the content.
  func upload(_ query: Query, _ piece: [UInt8]) async throws -> APIAnswer {
    try query.allow("file", "at", "name")
    if let title = query["name"] { _ = try AskedImport.format(ofFile: title) }
    let name = try query.needed("file", query.random("file"))
    let offset = try query.needed("at", query.number("at", in: 0...KeptFiles.largest))
    guard piece.count <= KeptFiles.largestPiece else { throw APIRefusal.bad("The piece is too long.") }
    do {
      if offset == 0, !files.names.contains(name) { try files.create(name) }
      return try await files.use(name) { file in
        guard let file else { throw APIRefusal.noFile }
        return APIAnswer(200, .object([("size", .int(try file.add(piece, at: offset)))]))
      }
    } catch let error where error is SystemError || error is FileError {
      files.drop(name)
      throw APIRefusal(.refused, "There is no room for the file: \(error).")
    } catch let refusal as APIRefusal {
      // It is too large.
      if refusal.answer.status == 409 { files.drop(name) }
      throw refusal
    }
  }

  /// `GET /api/download`: a piece of a file that an export has written.
  func download(_ query: Query) async throws -> APIAnswer {
    try query.allow("file", "at")
    let offset = try query.number("at", in: 0...KeptFiles.largest) ?? 0
    return try await files.use(query.needed("file", query.random("file"))) { file in
      guard let file else { throw APIRefusal.noFile }
      return APIAnswer(status: 200, type: .bytes, body: try file.read(at: offset))
    }
  }

  /// `POST /api/cancel`: ends a preview, an import, or an export, and drops its file.
  func cancel(_ body: RequestBody) async throws -> APIAnswer {
    try body.allow("work", "file")
    if let name = try body.given("work", body.random) { await work.cancel(name) }
    if let name = try body.given("file", body.random) { files.drop(name) }
    return APIAnswer(200, .object([("outcome", .string("done"))]))
  }
}

extension APIRefusal {
  static let noFile = APIRefusal(404, "refused", "The file is not here any more; choose it again.")
}

extension RequestBody {
  /// A random name that a page has chosen: 32 hexadecimal digits.
  func random(_ name: String) throws -> String {
    guard let token = try TransactionToken(request: text(name)) else {
      throw wrong(name, "32 hexadecimal digits")
    }
    return token.rawValue
  }
}

extension Query {
  /// A random name that a page has chosen; nil if it is not given.
  fileprivate func random(_ name: String) throws -> String? {
    guard let text = self[name] else { return nil }
    guard let token = TransactionToken(request: text) else {
      throw APIRefusal.bad("The parameter \(name) needs 32 hexadecimal digits.")
    }
    return token.rawValue
  }
}

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
          throw APIRefusal(.refused, "The file has more than \(KeptFiles.largest >> 20) MB.")
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

/// Exports, which a page fetches in pieces.
extension ListAPI {
  /// `GET /api/formats`: the formats of an export, and what they are.
  func formats(_ query: Query) throws -> APIAnswer {
    try query.allow()
    return APIAnswer(
      200,
      .object([
        (
          "formats",
          .object(
            FileFormat.writable.map { ($0.name, .string("\($0.name) (\($0.summary.prefix { $0 != "." }))")) })
        )
      ]))
  }

  /// `POST /api/export`: writes the customers with these ids to a file, or all if there are none.
  func export(_ body: RequestBody) async throws -> APIAnswer {
    try body.allow(["file", "format", "ids"])
    let name = try body.random("file")
    guard let format = FileFormat(named: try body.text("format")), format.isWritable else {
      throw body.wrong("format", FileFormat.writable.map(\.name).joined(separator: ", "))
    }
    let ids = try body.customers("ids", fewest: 0)
    return try await work.answer(name) { [self] progress in
      await answering {
        try files.create(name)
        do {
          return try await files.use(name) { file in
            guard let file else { throw CancellationError() }
            let count = try await list.readAtLength { list in
              let known = try list.customers(ids)
              let rows = ids.isEmpty ? ListedRows() : ListedRows(ids.compactMap { known[$0] })
              var size = 0
              return try list.exportCustomers(
                rows, ExportOptions(format: format), onProgress: progress.advance
              ) { size = try file.add($0, at: size) }
            }
            return APIAnswer(
              200,
              .object([
                ("outcome", .string("done")), ("size", .int(file.count)),
                ("name", .string("customers.\(format.fileExtensions[0])")),
                ("notice", .string(Sentence(.export, customerCount(count)).text(isDryRun: false))),
              ]))
          }
        } catch {
          files.drop(name)
          if let error = error as? TransferError {
            throw APIRefusal(.refused, "\(error)".sentence)
          }
          throw error
        }
      }
    }
  }
}

/// Imports of files that pages have sent.
extension ListAPI {
  /// `POST /api/preview`: what an import would do.
  func preview(_ body: RequestBody) async throws -> APIAnswer {
    try body.allow(["work"] + AskedImport.members)
    let asked = try AskedImport(body)
    return try await work.answer(try body.random("work")) { [self] progress in
      await answering(with: asked.file) { [store = list.store] file in
        guard let file else { throw APIRefusal.noFile }
        return try await LongWork.onOwnThread {
          try ListAPI.preview(asked, file.reader(), of: store, onProgress: progress.advance) { $2.answer }
        }
      }
    }
  }

  /// Reads a file as an import would, in a transaction that is rolled back.
  ///
  /// - Parameters:
  ///   - asked: how the file is read.
  ///   - reader: returns its pieces.
  ///   - store: the list.
  ///   - onProgress: receives how far it is.
  ///   - body: makes a result of the list and of what the import did in it.
  /// - Returns: the result.
  /// - Throws: `APIRefusal`, `StoreError`, and what the functions throw.
  static func preview<Result: Sendable>(
    _ asked: AskedImport, _ reader: @escaping () throws -> [UInt8], of store: CustomerStore,
    onProgress: ((_ done: Int, _ total: Int) throws -> Void)? = nil,
    _ body: (borrowing CustomerList, _ before: ListVersion, ImportTrial) throws -> Result
  ) throws -> Result {
    let importer = try CustomerImporter(asked.options(isPreview: true), receiving: reader)
    importer.onProgress = onProgress
    return try naming(importer) {
      do { _ = try importer.columns() } catch TransferError.noHeader { importer.options.hasHeader = false }
      var rejects = RejectedRows()
      importer.onRejectedRow = { rejects.add($0) }
      try importer.prepare(for: store)
      return try store.dryRun(rows: nil) { list in
        let before = try list.version()
        let trial = try importer.trial(in: &list, rejects)
        return try body(list, before, trial)
      }
    }
  }

  /// `POST /api/import`: imports the file, all or nothing, as one step.
  func importFile(_ body: RequestBody) async throws -> APIAnswer {
    try body.allow(["token", "page"] + AskedImport.members)
    let (token, page, asked) = (try body.token(), try body.page(), try AskedImport(body))
    return try await work.answer(token.rawValue) { [self] progress in
      await answering(with: asked.file) { file in
        guard let file else {
          // The same request again finds what it has done.
          return try await perform(token, page, action: "import") { _ in throw APIRefusal.noFile }
        }
        // One thread after another uses it.
        nonisolated(unsafe) let importer = try await prepared(asked, { file.reader() }, progress.advance)
        let answer = try await perform(token, page, action: "import") { list in
          let summary = try unsafe ListAPI.naming(importer) {
            try unsafe list.importCustomers(from: importer)
          }
          // The last bytes are read before the last rows are in the list.
          try progress.advance(to: file.count, of: file.count)
          return unsafe (summary.sentence(importer.options, count: try list.count(), isDryRun: false), [])
        }
        files.drop(asked.file)
        return answer
      }
    }
  }

  /// The answer of a work with a file that a page has sent; one that is refused or canceled is dropped.
  private func answering(
    with name: String, _ body: (KeptFiles.File?) async throws -> APIAnswer
  ) async -> APIAnswer {
    await answering {
      do { return try await files.use(name, body) } catch {
        if (error as? APIRefusal)?.keepsFile == false || error is CancellationError { files.drop(name) }
        throw error
      }
    }
  }

  /// Reads the file, so that the list is locked only while its customers are written.
  func prepared(
    _ asked: AskedImport, _ reader: @escaping @Sendable () -> () throws -> [UInt8],
    _ onProgress: (@Sendable (_ done: Int, _ total: Int) throws -> Void)? = nil
  ) async throws -> sending CustomerImporter {
    let store = list.store
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "customers.import").async {
        do {
          let importer = try CustomerImporter(asked.options(isPreview: false), receiving: reader())
          importer.onProgress = onProgress
          importer.confirmed = asked.choices
          try ListAPI.naming(importer) { try importer.prepare(for: store) }
          continuation.resume(returning: importer)
        } catch { continuation.resume(throwing: error) }
      }
    }
  }

  /// The answer of a work or that to its error.
  func answering(_ body: () async throws -> APIAnswer) async -> APIAnswer {
    do { return try await body() } catch is CancellationError {
      return APIRefusal(409, "canceled", "Canceled; nothing was changed.").answer
    } catch {
      return refusal(for: error).answer
    }
  }

  private static func isOutdated(_ error: any Error) -> Bool { error as? TransferError == .outdated }

  /// Runs `body`; what is wrong with the file becomes a refusal.
  static func naming<Result>(
    _ importer: CustomerImporter, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error where error is StaleConfirmation || isOutdated(error) {
      throw APIRefusal(
        .refused, "The list has been changed since; nothing was imported. Choose the file again.")
    } catch let error as TransferError {
      var message = "\(error)".sentence
      if let name = importer.ambiguousValue { message += " It is \(name.quotedShort)." }
      var refusal = APIRefusal(.refused, message)
      // They may be left out.
      if case .rejectedRows = error { refusal.keepsFile = true }
      throw refusal
    }
  }
}

/// What an import did that was rolled back.
struct ImportTrial: Sendable {
  /// As a sentence.
  let text: String
  let lines: [String]
  /// How the file is read, so that the import does the same.
  fileprivate let hasHeader: Bool
  fileprivate let leavesOut: Bool
  fileprivate let choices: String

  fileprivate var answer: APIAnswer {
    APIAnswer(
      200,
      .object([
        ("outcome", .string("done")), ("text", .string(text)), ("lines", .lines(lines)),
        (
          "asked",
          .object([
            ("header", .bool(hasHeader)), ("leavesOut", .bool(leavesOut)), ("choices", .string(choices)),
          ])
        ),
      ]))
  }
}

extension CustomerImporter {
  /// Imports the file, in a transaction that is rolled back.
  fileprivate func trial(in list: inout CustomerList, _ rejects: RejectedRows) throws -> ImportTrial {
    let earlier = try list.lastImport(of: self)
    let summary = try list.importCustomers(from: self)
    let preview = ImportPreview(summary, options)
    var notes: [String] = []
    if options.format.isTable, !options.hasHeader { notes.append("\(TransferError.noHeader)".sentence) }
    if let earlier { notes.append("This file was already imported (history step \(earlier.id)).") }
    if summary.known > 0 {
      notes.append(ImportSummary.known(count: summary.known, first: summary.firstKnownName) + ".")
    }
    if let line = summary.firstFilledLine {
      notes.append("\(rowCount(summary.filledRows)) end with empty values, the first in line \(line).")
    }
    if rejects.count > 0 {
      notes.append("\(rowCount(rejects.count)) can't be imported and would be left out:")
      notes += rejects.details
    }
    return ImportTrial(
      text: summary.sentence(options, count: try list.count(), isDryRun: true), lines: notes + preview.lines,
      hasHeader: options.hasHeader, leavesOut: rejects.count > 0, choices: choices.text)
  }
}

/// How a page wants a file to be read.
struct AskedImport: Sendable {
  /// The name of the file that was sent in pieces; empty if it was sent as a whole.
  let file: String
  private let name: String
  private let duplicates: ImportOptions.DuplicateHandling
  private let hasHeader: Bool
  /// Whether rows that can't be imported are left out.
  private let leavesOut: Bool

  /// What the user has confirmed; nil if the page does not say.
  let choices: ImportChoices?

  /// The members of a request that it takes.
  static let members = ["file", "name", "duplicates", "header", "leavesOut", "choices"]

  init(
    name: String, duplicates: ImportOptions.DuplicateHandling, hasHeader: Bool, leavesOut: Bool
  ) {
    (file, self.name, self.duplicates) = ("", name, duplicates)
    (self.hasHeader, self.leavesOut, choices) = (hasHeader, leavesOut, nil)
  }

  init(_ body: RequestBody) throws {
    file = try body.random("file")
    name = String(try body.text("name").prefix(300))
    guard let duplicates = ImportOptions.DuplicateHandling(rawValue: try body.text("duplicates")) else {
      throw body.wrong("duplicates", "\"add\", \"skip\" or \"update\"")
    }
    self.duplicates = duplicates
    hasHeader = try body.flag("header")
    leavesOut = try body.given("leavesOut", body.flag) ?? false
    choices = try body.given("choices", body.text).flatMap { ImportChoices($0) }
  }

  /// The options for the file.
  ///
  /// - Throws: `APIRefusal` if no import reads files of its kind.
  func options(isPreview: Bool) throws -> ImportOptions {
    let format = try AskedImport.format(ofFile: name)
    var options = ImportOptions(format: format)
    // The preview says how many rows are short.
    (options.duplicates, options.fillsShortRows) = (duplicates, true)
    if format.isTable { options.hasHeader = hasHeader }
    options.skipsRejectedRows = isPreview || leavesOut
    options.countsKnown = isPreview && duplicates == .add
    return options
  }

  /// The format of a file, by its name.
  ///
  /// - Throws: `APIRefusal` if no import reads files of its kind.
  static func format(ofFile name: String) throws -> FileFormat {
    if let format = FileFormat(path: name), format.isReadable { return format }
    let formats = FileFormat.readable.map(\.name).joined(separator: ", ")
    throw APIRefusal(
      .refused,
      "\(name.quotedShort) is in none of these formats: \(formats). Save a spreadsheet as CSV.")
  }
}
