internal import CustomerStore
internal import CustomersFormats
internal import CustomersWording

/// Edits: each is one transaction with the page's token, so that it is done once, however often it is sent.
extension ListAPI {
  /// `POST /api/edit`: an edit of what a person saw.
  func edit(_ body: RequestBody) async throws -> APIAnswer {
    try body.allow("token", "seen", "edit", "page")
    let (token, page) = (try body.token(), try body.page())
    let seen = try body.object("seen").version()
    let asked = try AskedEdit(body.object("edit"))
    return try await perform(token, page, action: asked.action) { [policy] list in
      let edit = try asked.edit(asSeenAt: seen, in: list, policy)
      let outcome = try list.apply(edit)
      return (TextPresenter(outcome).notice(of: edit), outcome.ids)
    }
  }

  /// Edits the list, unless the transaction was committed before.
  ///
  /// - Parameters:
  ///   - token: the name of the transaction.
  ///   - page: the browser that asks for it.
  ///   - action: the name of the step in the history.
  ///   - body: makes the edit and returns a sentence about it and the first customers.
  /// - Returns: the answer; the same for a repeated token, as long as known.
  /// - Throws: `APIRefusal`, `StoreError`, `CommitError`, `CancellationError`.
  func perform(
    _ token: TransactionToken, _ page: String?, action: String,
    _ body: @escaping @Sendable (inout CustomerList) throws -> (notice: String, ids: [CustomerID])
  ) async throws -> APIAnswer {
    try await list.write(action: action, token: token) { [made] list in
      if try list.isCommitted(token) {
        return try made[token].answer(again: true, in: list)
      }
      let last = try list.lastEdit()
      let done: (notice: String, ids: [CustomerID])
      do { done = try body(&list) } catch { throw try APIRefusal(error, in: list) }
      // Undo and redo close their step at once, so it is not always the current one.
      let step = try list.lastEdit() > last ? list.history(limit: 1).first : nil
      let edit = MadeSteps.Made(step: step, notice: done.notice, ids: done.ids, page: page)
      if step != nil { made.note(edit, token) }
      return try Optional(edit).answer(again: false, in: list)
    }
  }
}

extension MadeSteps.Made? {
  /// The answer to the request that made it; less of it if no longer known.
  fileprivate func answer(again: Bool, in list: borrowing CustomerList) throws -> APIAnswer {
    let edit = self ?? MadeSteps.Made(notice: "This was done before.", ids: [])
    return APIAnswer(
      200,
      .object(
        [
          ("version", .version(try list.version())), ("outcome", .string("done")), ("again", .bool(again)),
        ] + edit.members + [("ids", .ids(edit.ids))]))
  }
}

extension MadeSteps.Made {
  /// The step and the sentence.
  var members: [(String, JSON)] {
    [("step", step.map { .int(Int($0.id)) } ?? .null), ("notice", .shown(notice))]
  }
}

extension CustomerList {
  /// Whether a transaction was committed before; ask at the beginning of a repetition.
  ///
  /// - Throws: `APIRefusal` if it must not be repeated.
  fileprivate func isCommitted(_ token: TransactionToken) throws -> Bool {
    do { try refuseIfSettled(token) } catch is CancellationError {
      throw APIRefusal(409, "refused", "This was given up before.", [("reason", .string("other"))])
    }
    switch try outcome(of: token) {
    case .committed: return true
    case .notCommitted: return false
    case .unknown:
      throw APIRefusal(
        409, "refused", "This may have been done before: the request is too old.",
        [("reason", .string("other"))])
    }
  }
}

extension RequestBody {
  /// The random id of a browser.
  func page() throws -> String? {
    guard let page = try given("page", text) else { return nil }
    guard page.utf8.count <= 64 else { throw wrong("page", "at most 64 bytes") }
    return page
  }

  fileprivate func version() throws -> ListVersion {
    try allow("history", "edit")
    return ListVersion(history: try text("history"), edit: try number("edit"))
  }
}
