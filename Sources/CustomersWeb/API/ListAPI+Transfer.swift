internal import CustomerStore
internal import CustomerTransfer
internal import CustomersText
internal import Dispatch

/// Exports.
extension ListAPI {
  /// The maximum number of bytes of an export in one answer.
  private static let largestExport = 16 << 20

  /// `GET /v1/formats`.
  func formats(_ call: Route.Call) throws -> APIAnswer {
    let formats = FileFormat.writable.map { format in
      JSON.object([
        ("name", .string(format.name)), ("summary", .string(String(format.summary.prefix { $0 != "." }))),
      ])
    }
    return APIAnswer(200, .object([("formats", .array(formats))]))
  }

  /// `GET /v1/export`: a file in one answer.
  func exportContent(_ call: Route.Call) async throws -> APIAnswer {
    let format = try FileFormat(request: call.query["format"] ?? "csv")
    let (selection, order) = (try RowSelection(call.query), try SortOrder(call.query))
    return try await list.readAtLength { list in
      var rows = ListedRows(try selection.filter(in: list))
      if let order { rows.order = .sorted(order) }
      var bytes: [UInt8] = []
      try ListAPI.naming {
        _ = try list.exportCustomers(rows, ExportOptions(format: format)) { piece in
          guard bytes.count + piece.count <= ListAPI.largestExport else {
            throw APIError(.tooLarge, "The file would have more than \(ListAPI.largestExport >> 20) MB.")
          }
          bytes += piece
        }
      }
      return APIAnswer(status: 200, type: .bytes, body: bytes)
    }
  }

  /// `POST /v1/export`: writes a file, which is then fetched in pieces.
  func exportFile(_ call: Route.Call) async throws -> APIAnswer {
    let (body, name) = (call.body, try call.body.file("file"))
    let format = try FileFormat(request: body.text("format"))
    let ids = try body.given("ids", body.numbers)?.map { CustomerID(rawValue: Int64($0)) }
    let selection =
      if body.has("range") { try RowSelection(range: body.object("range")) } else {
        try body.has("view") ? RowSelection(view: body.object("view")) : nil
      }
    let seen = try body.given("seen", body.version)
    return try await answer(call, as: TransactionToken(rawValue: name)) { [self] progress in
      try files.create(name)
      do {
        return try await files.use(name) { file in
          guard let file else { throw CancellationError() }
          let count = try await list.readAtLength { list in
            var rows = ListedRows()
            if let ids = try ids ?? selection?.unlisted(in: list, at: seen) {
              let known = try list.customers(ids)
              rows = ListedRows(ids.compactMap { known[$0] })
            } else if let selection {
              rows = ListedRows(try selection.filter(in: list))
            }
            var size = 0
            return try ListAPI.naming {
              try list.exportCustomers(rows, ExportOptions(format: format), onProgress: progress.advance) {
                size = try file.add($0, at: size)
              }
            }
          }
          return APIAnswer(
            200,
            .object([
              ("size", .int(file.count)), ("name", .string("customers.\(format.fileExtensions[0])")),
              ("text", .string(Sentence(.export, customerCount(count)).text(isDryRun: false))),
            ]))
        }
      } catch {
        files.drop(name)
        throw error
      }
    }
  }
}

extension FileFormat {
  fileprivate init(request name: String) throws {
    guard let format = FileFormat(named: name), format.isWritable else {
      let formats = FileFormat.writable.map(\.name).joined(separator: ", ")
      throw APIError(.badRequest, "The format must be one of these: \(formats).")
    }
    self = format
  }
}

/// Imports.
extension ListAPI {
  /// `POST /v1/import`: imports what the request contains or a file that was sent, all or nothing, as one step.
  func importFile(_ call: Route.Call) async throws -> APIAnswer {
    let (asked, edit) = (try AskedImport(call.body), try EditCall(call))
    return try await answer(call, as: call.body.given("token", call.body.token)) { [self] progress in
      guard let name = asked.file else { return try await importFile(asked, nil, edit, progress) }
      return try await files.use(name) { file in
        guard let file else {
          // The same request again finds what it has done.
          return try await perform(edit, action: "import") { _ in throw APIError.noFile }
        }
        let answer = try await importFile(asked, file, edit, progress)
        if !edit.isDryRun { files.drop(name) }
        return answer
      }
    }
  }

  private func importFile(
    _ asked: AskedImport, _ file: KeptFiles.File?, _ edit: EditCall, _ progress: LongWork.Progress
  ) async throws -> APIAnswer {
    guard !edit.isDryRun else {
      return try await LongWork.onOwnThread { [store = list.store] () throws -> APIAnswer in
        try ListAPI.preview(asked, file, edit, of: store, onProgress: progress.advance)
      }
    }
    // One thread after another uses it.
    nonisolated(unsafe) let importer = try await prepared(asked, file, progress.advance)
    let size = file?.count ?? asked.content.count
    return try await perform(edit, action: "import") { list in
      let last = try list.lastEdit()
      let summary = try unsafe ListAPI.naming(importer) { try unsafe list.importCustomers(from: importer) }
      // The last bytes are read before the last rows are in the list.
      try progress.advance(to: size, of: size)
      let text = try unsafe summary.sentence(importer.options, count: list.count(), isDryRun: false)
      return MadeEdit(text: text, outcome: try list.outcome(ofEditsAfter: last))
    }
  }

  /// Does what may take long; a request that asks for progress is answered after a moment, and goes on when it is
  /// repeated.
  func answer(
    _ call: Route.Call, as token: TransactionToken?,
    _ body: @escaping @Sendable (LongWork.Progress) async throws -> APIAnswer
  ) async throws -> APIAnswer {
    guard try call.body.given("progress", call.body.flag) ?? false else {
      return try await body(LongWork.Progress())
    }
    guard let token else { throw call.body.wrong("progress", "a token") }
    return try await work.answer(token, EditCall.digest(call.identity)) { [self] progress in
      do { return try await body(progress) } catch is CancellationError {
        return APIError(.canceled, "Canceled; nothing was changed.").answer
      } catch {
        return self.error(error).answer
      }
    }
  }

  /// Reads a file as an import would, in a transaction that is rolled back.
  private static func preview(
    _ asked: AskedImport, _ file: KeptFiles.File?, _ edit: EditCall, of store: CustomerStore,
    onProgress: @escaping (_ done: Int, _ total: Int) throws -> Void
  ) throws -> APIAnswer {
    let importer = try CustomerImporter(asked.options(isPreview: true), receiving: asked.reader(file))
    importer.onProgress = onProgress
    return try naming(importer) {
      do { _ = try importer.columns() } catch TransferError.noHeader { importer.options.hasHeader = false }
      var rejects = RejectedRows()
      importer.onRejectedRow = { rejects.add($0) }
      try importer.prepare(for: store)
      return try store.dryRun(rows: nil) { list in
        let before = try list.version()
        let trial = try importer.trial(in: &list, rejects)
        let made = MadeEdit(
          text: trial.text, outcome: try list.outcome(ofEditsAfter: before.edit),
          more: [("lines", .lines(trial.lines)), ("read", trial.read)])
        return try APIAnswer(made, of: edit, step: nil, version: before, again: false)
      }
    }
  }

  /// Reads the file, so that the list is locked only while its customers are written.
  private func prepared(
    _ asked: AskedImport, _ file: KeptFiles.File?,
    _ onProgress: @escaping @Sendable (_ done: Int, _ total: Int) throws -> Void
  ) async throws -> sending CustomerImporter {
    let store = list.store
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "customers.import").async {
        do {
          let importer = try CustomerImporter(
            asked.options(isPreview: false), receiving: asked.reader(file))
          importer.onProgress = onProgress
          importer.confirmed = asked.choices
          try ListAPI.naming(importer) { try importer.prepare(for: store) }
          continuation.resume(returning: importer)
        } catch { continuation.resume(throwing: error) }
      }
    }
  }

  private static func isOutdated(_ error: any Error) -> Bool { error as? TransferError == .outdated }

  /// Runs `body`; what is wrong with the file becomes an `APIError`.
  private static func naming<Result>(
    _ importer: CustomerImporter? = nil, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error where error is StaleConfirmation || isOutdated(error) {
      throw APIError(
        .conflict, "The list has been changed since; nothing was imported. Choose the file again.")
    } catch let error as TransferError {
      var message = "\(error)".sentence
      if let name = importer?.ambiguousValue { message += " It is \(name.quotedShort)." }
      throw APIError(.invalid, message)
    }
  }
}

/// What an import did that was rolled back.
struct ImportTrial: Sendable {
  /// As a sentence.
  let text: String
  let lines: [String]
  /// How the file is read, so that the import does the same.
  let read: JSON
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
      read: .object([
        ("header", .bool(options.hasHeader)), ("leave_out", .bool(rejects.count > 0)),
        ("choices", .string(choices.text)),
      ]))
  }
}

/// How a file is read.
struct AskedImport: Sendable {
  /// The name of the file that was sent in pieces; nil if the request has the content.
  let file: String?
  let content: [UInt8]
  private let name: String
  private let duplicates: ImportOptions.DuplicateHandling
  private let hasHeader: Bool
  /// Whether rows that can't be imported are left out.
  private let leavesOut: Bool
  /// What the user has confirmed; nil if the request does not say.
  let choices: ImportChoices?

  init(_ body: JSONMembers) throws {
    guard body.has("file") != body.has("content") else {
      throw body.wrong("content", "the content of a file, or \"file\" instead")
    }
    file = try body.given("file", body.file)
    content = Array((try body.given("content", body.text) ?? "").utf8)
    name = String(try body.text("name").prefix(300))
    let handling = try body.given("duplicates", body.text) ?? "add"
    guard let duplicates = ImportOptions.DuplicateHandling(rawValue: handling) else {
      throw body.wrong("duplicates", "\"add\", \"skip\" or \"update\"")
    }
    self.duplicates = duplicates
    hasHeader = try body.given("header", body.flag) ?? true
    leavesOut = try body.given("leave_out", body.flag) ?? false
    choices = try body.given("choices", body.text).flatMap { ImportChoices($0) }
  }

  /// Returns a function that reads all of it, piece by piece.
  func reader(_ file: KeptFiles.File?) -> () throws -> [UInt8] {
    if let file { return file.reader() }
    var pieces = [content]
    return { pieces.popLast() ?? [] }
  }

  /// The options for the file.
  ///
  /// - Throws: `APIError` if no import reads files of its kind.
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
  /// - Throws: `APIError` if no import reads files of its kind.
  static func format(ofFile name: String) throws -> FileFormat {
    if let format = FileFormat(path: name), format.isReadable { return format }
    let formats = FileFormat.readable.map(\.name).joined(separator: ", ")
    throw APIError(
      .invalid,
      "\(name.quotedShort) is in none of these formats: \(formats). Save a spreadsheet as xlsx or CSV.")
  }
}
