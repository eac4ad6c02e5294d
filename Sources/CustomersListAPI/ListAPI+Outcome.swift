internal import CustomerStore
internal import CustomersFormats

extension ListAPI {
  /// `GET /api/outcome`: whether an edit was made; with `settle=1`, one that was not made can't be made later.
  func outcome(_ query: Query) async throws -> APIAnswer {
    try query.allow("token", "settle")
    guard let token = TransactionToken(request: try query.needed("token", query["token"])) else {
      throw APIRefusal.bad("The parameter token needs 32 hexadecimal digits.")
    }
    let settles = try query.number("settle", in: 0...1) == 1 && !isReadOnly
    let outcome =
      try await settles ? list.settle(token) : list.read { list in try list.outcome(of: token) }
    let word =
      switch outcome {
      case .committed: "committed"
      case .notCommitted: "notCommitted"
      case .unknown: "unknown"
      }
    let edit = outcome == .committed ? made[token] : nil
    return APIAnswer(
      200,
      .object(
        [("outcome", .string(word))] + (edit ?? MadeSteps.Made(notice: "", ids: [])).members))
  }
}
