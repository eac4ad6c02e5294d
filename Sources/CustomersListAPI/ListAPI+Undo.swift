internal import CustomerStore
internal import CustomersFormats
internal import CustomersWording

extension ListAPI {
  /// `POST /api/undo`, `POST /api/redo`: reverts the step that the user was shown, and no other.
  func revert(_ verb: Verb, _ body: RequestBody) async throws -> APIAnswer {
    try body.allow("token", "expecting", "time", "page")
    let (token, page) = (try body.token(), try body.page())
    let expected = HistoryStep(id: try body.number("expecting"), time: try body.text("time"))
    return try await perform(token, page, action: verb.infinitive) { list in
      do {
        let reverted = try verb == .undo ? list.undo(expecting: expected) : list.redo(expecting: expected)
        guard let reverted else { throw ListError.otherStep(expected: expected.id, found: nil) }
        let presenter = StepPresenter(step: reverted.step, outcome: reverted.outcome)
        return (presenter.reverted(verb, isDryRun: false), reverted.outcome.ids)
      } catch ListError.otherStep {
        let next = try verb == .undo ? list.undoable() : list.redoable()
        throw APIRefusal(
          409, "refused",
          next == nil
            ? "There is nothing to \(verb.infinitive)."
            : "Nothing was changed: another step is the next to \(verb.infinitive) now.",
          [
            ("reason", .string("otherStep")), (verb.infinitive, try .step(next, in: list)),
            ("version", .version(try list.version())),
          ])
      }
    }
  }
}
