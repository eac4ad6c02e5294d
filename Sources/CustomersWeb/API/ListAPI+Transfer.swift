internal import CustomerStore
internal import CustomerTransfer
internal import CustomersSystem
internal import CustomersText

/// Exports.
extension ListAPI {
  /// The maximum number of bytes of an export in one answer.
  private static let largestExport = 16 << 20

  /// `GET /v1/formats`.
  func formats(_ call: Route.Call) async throws -> APIAnswer {
    let formats = FileFormat.writable.map { format in
      JSON.object([
        ("name", .string(format.name)), ("summary", .string(String(format.summary.prefix { $0 != "." }))),
        ("is_table", .bool(format.isTable)),
      ])
    }
    return APIAnswer([("formats", .array(formats))])
  }

  /// `GET /v1/export`: a file in one answer.
  func exportContent(_ call: Route.Call) async throws -> APIAnswer {
    let format = try FileFormat(request: call.query["format"] ?? "csv")
    let (selection, order) = (try RowSelection(call.query), try SortOrder(call.query))
    return try await exports.take { [list] in
      try await list.readAtLength { list in
        var rows = ListedRows(try selection.filter(in: list))
        if let order {
          try order.refuseUnknown(in: list)
          rows.order = .sorted(try order.naming(columnsOf: list))
        }
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
    guard [ids != nil, body.has("range"), body.has("view")].count(where: \.self) < 2 else {
      throw body.wrong("ids", "no \"range\" or \"view\" beside it")
    }
    let seen = try body.given("seen", body.version)
    let withIDs = try body.given("with_ids", body.flag) ?? false
    guard !withIDs || format.holdsIDs else { throw body.wrong("with_ids", "a table or JSON as the format") }
    return try await write(call, name) { [self] file, progress in
      let (count, words) = try await list.readAtLength { list in
        var (rows, chosen) = (ListedRows(), RowSelection.Chosen(ids: []))
        if let ids {
          rows = ListedRows(try list.all(ids, seen: seen))
        } else if let found = try selection?.unlisted(in: list, at: seen) {
          (rows, chosen) = (ListedRows(try list.all(found.ids)), found)
        } else if let selection {
          rows = ListedRows(try selection.filter(in: list))
          chosen.skipped = rows.skipped
        }
        var options = ExportOptions(format: format)
        options.includesIDs = withIDs
        var size = 0
        let count = try ListAPI.naming {
          try list.exportCustomers(rows, options, onProgress: progress.advance) {
            size = try file.add($0, at: size)
          }
        }
        return (count, chosen.words)
      }
      let done = Sentence(.export, counted(count, "customer")).text(isDryRun: false) + words
      return ("customers.\(format.fileExtensions[0])", done)
    }
  }

  /// `POST /v1/backup`: writes a copy of the list with its history, which is then fetched in pieces.
  func backUp(_ call: Route.Call) async throws -> APIAnswer {
    try await write(call, call.body.file("file")) { [store = list.store] file, progress in
      let count = try await onOwnThread { () throws -> Int in
        let copy = try EditableFile([], suffix: ".sqlite")
        defer { copy.remove() }
        let count = try store.backUp(to: copy.path, replacing: true) { try progress.advance(to: 0, of: 1) }
          .count
        let input = try InputFile(copy.path)
        while case let piece = try input.read(), !piece.isEmpty { _ = try file.add(piece, at: file.count) }
        return count
      }
      return ("customers.sqlite", Sentence(.backUp, counted(count, "customer")).text(isDryRun: false))
    }
  }

  /// Writes a file, which is then fetched in pieces.
  ///
  /// - Parameters:
  ///   - call: the request.
  ///   - name: the name of the file in requests.
  ///   - body: writes it; returns a name for people, and what was done.
  /// - Returns: the answer.
  /// - Throws: what `body` throws, or `APIError`.
  private func write(
    _ call: Route.Call, _ name: String,
    _ body: @escaping @Sendable (KeptFiles.File, LongWork.Progress) async throws -> (String, String)
  ) async throws -> APIAnswer {
    try await answer(call, as: TransactionToken(rawValue: name)) { [self] progress in
      try files.create(name, writtenBy: EditCall.digest(call.identity))
      do {
        return try await files.use(name) { file in
          guard let file else { throw CancellationError() }
          let (name, done) = try await body(file, progress)
          file.complete()
          return APIAnswer([
            ("size", .int(file.count)), ("name", .string(name)), ("text", .string(done)),
          ])
        }
      } catch {
        files.drop(name)
        throw error
      }
    }
  }
}

extension CustomerList {
  /// The customers with these ids, in their order.
  ///
  /// - Throws: `APIError` if the list lacks some, or never was as the caller has seen it.
  fileprivate func all(_ ids: [CustomerID], seen: ListVersion? = nil) throws -> [Customer] {
    if let seen { try refuseOtherHistory(than: seen) }
    let known = try customers(ids)
    let missing = ids.filter { known[$0] == nil }
    guard missing.isEmpty else {
      throw APIError(
        seen == nil ? .notFound : .conflict, "Not in the list: \(counted(missing.count, "customer")).",
        [
          ("reason", .string("deleted")), ("ids", .ids(missing)), ("version", .version(try version())),
        ])
    }
    return ids.compactMap { known[$0] }
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
      return try await take(name, for: edit, action: "import") { file in
        do { _ = try asked.format() } catch {
          // No other request makes anything of it.
          files.drop(name)
          throw error
        }
        return try await importFile(asked, file, edit, progress)
      }
    }
  }

  /// Makes an edit of a file that was sent, which is dropped then.
  func take(
    _ name: String, for edit: EditCall, action: String,
    _ body: (KeptFiles.File) async throws -> APIAnswer
  ) async throws -> APIAnswer {
    try await files.use(name) { file in
      guard let file else {
        // The same request again finds what it has done.
        return try await perform(edit, action: action) { _ in throw APIError.noFile }
      }
      let answer = try await body(file)
      if !edit.isDryRun { files.drop(name) }
      return answer
    }
  }

  private func importFile(
    _ asked: AskedImport, _ file: KeptFiles.File?, _ edit: EditCall, _ progress: LongWork.Progress
  ) async throws -> APIAnswer {
    guard !edit.isDryRun else {
      return try await onOwnThread { [store = list.store] () throws -> APIAnswer in
        try ListAPI.preview(asked, file, edit, of: store, onProgress: progress.advance)
      }
    }
    // One thread after another uses it.
    nonisolated(unsafe) let importer = try await prepared(asked, file, progress.advance)
    let size = file?.count ?? asked.content.count
    return try await perform(edit, action: "import") { list in
      let last = try list.lastEdit()
      try list.refuse(asked.section, beside: asked.destination)
      let summary = try unsafe ListAPI.naming(importer) {
        try unsafe list.importCustomers(from: importer, at: asked.destination, in: asked.section)
      }
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
      let progress = LongWork.Progress()
      guard let token else { return try await body(progress) }
      return try await work.watching(progress, as: token) { try await body(progress) }
    }
    guard let token else { throw call.body.wrong("progress", "a token") }
    return try await work.answer(
      token, EditCall.digest(call.identity), isRemembered: call.body.has("token")
    ) { [self] progress in
      do { return try await body(progress) } catch is CancellationError {
        return APIError.wasCanceled.answer
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
    let table = try naming(importer) { () throws -> ImportedTable? in
      do { _ = try importer.columns() } catch TransferError.noHeader {
        importer.options.hasHeader = false
      } catch TransferError.noMatchingColumn {}
      return try ImportedTable(importer)
    }
    return try naming(importer, table) {
      var rejects = RejectedRows()
      importer.onRejectedRow = { rejects.add($0) }
      try importer.prepare(for: store)
      return try store.dryRun(rows: nil) { list in
        let before = try list.version()
        let trial = try importer.trial(in: &list, asked, rejects)
        var more = [("lines", .lines(trial.lines)), ("read", trial.read)] + trial.more
        if let table { more.append(("table", table.json(trial.summary))) }
        let made = MadeEdit(
          text: trial.text, outcome: try list.outcome(ofEditsAfter: before.edit), more: more)
        return try APIAnswer(made, of: edit, step: nil, version: before)
      }
    }
  }

  /// Reads the file, so that the list is locked only while its customers are written.
  private func prepared(
    _ asked: AskedImport, _ file: KeptFiles.File?,
    _ onProgress: @escaping @Sendable (_ done: Int, _ total: Int) throws -> Void
  ) async throws -> sending CustomerImporter {
    try await onOwnThread { [store = list.store] () throws -> CustomerImporter in
      let importer = try CustomerImporter(asked.options(isPreview: false), receiving: asked.reader(file))
      importer.onProgress = onProgress
      importer.confirmed = asked.choices
      try ListAPI.naming(importer) { try importer.prepare(for: store) }
      return importer
    }
  }

  /// Runs `body`; what is wrong with the file, or with what its columns are to be, becomes an `APIError`, which has the
  /// table of a preview nevertheless.
  private static func naming<Result>(
    _ importer: CustomerImporter? = nil, _ table: ImportedTable? = nil, _ body: () throws -> Result
  ) throws -> Result {
    let more = table.map { [("table", $0.json(nil))] } ?? []
    do { return try body() } catch let error
      where error is StaleConfirmation || error as? TransferError == .outdated
    {
      throw APIError(
        .conflict, "The list has been changed since; nothing was imported. Choose the file again.")
    } catch let error as ImportedKindError {
      throw APIError(.invalid, "\(error)".sentence, more)
    } catch let error as TransferError {
      var message = "\(error)".sentence
      if let name = importer?.ambiguousValue { message += " It is \(name.quotedShort)." }
      let conflicts = importer?.conflictMembers ?? []
      throw APIError(conflicts.isEmpty ? .invalid : .refused, message, more + conflicts)
    }
  }
}
