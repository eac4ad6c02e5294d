internal import CustomerStore
internal import CustomersFiles
internal import CustomersFormats

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
      throw APIRefusal(409, "refused", "There is no room for the file: \(error).")
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
