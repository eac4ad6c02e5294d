internal import CustomerStore
internal import CustomerTransfer
internal import CustomersText

/// Files as a whole, for programs: an import after a dry run, and an export.
extension ListAPI {
  /// The maximum number of bytes of an export in one answer.
  private static let largestExport = 16 << 20

  /// `POST /v1/import`: imports what the request contains, all or nothing, as one step.
  func importContent(_ call: Route.Call) async throws -> APIAnswer {
    let (asked, edit) = (try AskedImport(call.body), try EditCall(call))
    let content = Array(try call.body.text("content").utf8)
    do {
      if edit.isDryRun {
        return try await LongWork.onOwnThread { [store = list.store] () throws -> APIAnswer in
          try ListAPI.preview(asked, ListAPI.reader(of: content), of: store) { list, before, trial in
            let outcome = try list.outcome(ofEditsAfter: before.edit)
            return try APIAnswer(
              MadeEdit(text: trial.text, outcome: outcome, lines: trial.lines), step: nil, version: before,
              again: false, isDryRun: true)
          }
        }
      }
      let importer = try await prepared(asked, { ListAPI.reader(of: content) })
      // One thread after another uses it.
      nonisolated(unsafe) let file = importer
      return try await perform(edit, action: "import") { list in
        let last = try list.lastEdit()
        let summary = try unsafe ListAPI.naming(file) { try unsafe list.importCustomers(from: file) }
        let text = try unsafe summary.sentence(file.options, count: list.count(), isDryRun: false)
        return MadeEdit(text: text, outcome: try list.outcome(ofEditsAfter: last))
      }
    } catch let refusal as APIRefusal { throw APIError(.invalid, refusal.message) }
  }

  private static func reader(of content: [UInt8]) -> () throws -> [UInt8] {
    var pieces = [content]
    return { pieces.popLast() ?? [] }
  }

  /// `GET /v1/export`.
  func exportContent(_ call: Route.Call) async throws -> APIAnswer {
    guard let format = FileFormat(named: call.query["format"] ?? "csv"), format.isWritable else {
      let formats = FileFormat.writable.map(\.name).joined(separator: ", ")
      throw APIError(.badRequest, "The parameter format must be one of these: \(formats).")
    }
    let selection = try RowSelection(call.query)
    let order = try call.query["sort"].map { try SortOrder(request: $0) }
    return try await list.readAtLength { list in
      var rows = ListedRows(try selection.filter(in: list))
      if let order { rows.order = .sorted(order) }
      var bytes: [UInt8] = []
      do {
        _ = try list.exportCustomers(rows, ExportOptions(format: format)) { piece in
          guard bytes.count + piece.count <= ListAPI.largestExport else {
            throw APIError(.tooLarge, "The file would have more than \(ListAPI.largestExport >> 20) MB.")
          }
          bytes += piece
        }
      } catch let error as TransferError { throw APIError(.invalid, "\(error)".sentence) }
      return APIAnswer(status: 200, type: .bytes, body: bytes)
    }
  }
}

extension AskedImport {
  /// Reads a request of the API.
  fileprivate init(_ members: JSONMembers) throws {
    let handling = try members.given("duplicates", members.text) ?? "add"
    guard let duplicates = ImportOptions.DuplicateHandling(rawValue: handling) else {
      throw members.wrong("duplicates", "\"add\", \"skip\" or \"update\"")
    }
    self.init(
      name: String(try members.text("name").prefix(300)), duplicates: duplicates,
      hasHeader: try members.given("header", members.flag) ?? true,
      leavesOut: try members.given("leave_out", members.flag) ?? false)
  }
}
