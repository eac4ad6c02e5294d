internal import CustomerStore
internal import CustomerTransfer
internal import CustomersFiles
internal import CustomersFormats
internal import CustomersTransferWording
internal import CustomersWording
internal import Dispatch

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
          let importer = try CustomerImporter(asked.options(isPreview: true), receiving: file.reader())
          importer.onProgress = progress.advance
          return try ListAPI.naming(importer) {
            do { _ = try importer.columns() } catch TransferError.noHeader {
              importer.options.hasHeader = false
            }
            var rejects = RejectedRows()
            importer.onRejectedRow = { rejects.add($0) }
            try importer.prepare(for: store)
            return try store.dryRun(rows: nil) { try importer.preview(in: &$0, rejects) }
          }
        }
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
        nonisolated(unsafe) let importer = try await prepared(asked, file, progress)
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
  private func prepared(
    _ asked: AskedImport, _ file: KeptFiles.File, _ progress: LongWork.Progress
  ) async throws -> sending CustomerImporter {
    let store = list.store
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "customers.import").async {
        do {
          let importer = try CustomerImporter(asked.options(isPreview: false), receiving: file.reader())
          importer.onProgress = progress.advance
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
  private static func naming<Result>(
    _ importer: CustomerImporter, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error where error is StaleConfirmation || isOutdated(error) {
      throw APIRefusal(
        409, "refused", "The list has been changed since; nothing was imported. Choose the file again.")
    } catch let error as TransferError {
      var message = "\(error)".sentence
      if let name = importer.ambiguousValue { message += " It is \(name.quotedShort)." }
      var refusal = APIRefusal(409, "refused", message)
      // They may be left out.
      if case .rejectedRows = error { refusal.keepsFile = true }
      throw refusal
    }
  }
}

extension CustomerImporter {
  /// The answer to the request for a preview, from a transaction that is rolled back.
  fileprivate func preview(in list: inout CustomerList, _ rejects: RejectedRows) throws -> APIAnswer {
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
    return APIAnswer(
      200,
      .object([
        ("outcome", .string("done")),
        ("text", .string(summary.sentence(options, count: try list.count(), isDryRun: true))),
        ("lines", .lines(notes + preview.lines)),
        // What the import needs so that it does the same.
        (
          "asked",
          .object([
            ("header", .bool(options.hasHeader)), ("leavesOut", .bool(rejects.count > 0)),
            ("choices", .string(choices.text)),
          ])
        ),
      ]))
  }
}
