internal import CustomerStore
internal import CustomerTransfer
internal import CustomersFormats
internal import CustomersTransferWording
internal import CustomersWording

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
            throw APIRefusal(409, "refused", "\(error)".sentence)
          }
          throw error
        }
      }
    }
  }
}
