internal import CustomerStore

extension Session {
  /// Makes the requested edit in one transaction, like `write`, and reports what it changed.
  ///
  /// - Throws: a `Guess` if a row or section was named by only a part of a name, unless `isSure`; nothing is
  ///   changed. If no one can be asked, no such row is found.
  func edit(creating: Bool, isSure: Bool = false, _ request: EditRequest) throws {
    try report(creating: creating) { list in
      let resolver = try RowResolver(list, takesParts: mayGuess)
      guard let edit = try request(resolver, list) else { return nil }
      guard isSure || resolver.guesses.isEmpty else {
        throw Guess(preview: try Preview(edit, resolver, in: &list))
      }
      do {
        let outcome = try list.apply(edit, to: resolver.found)
        return try EditReport(edit, outcome, action: invocation.action, in: list)
      } catch {
        throw resolver.naming(error, in: list)
      }
    }
  }

  /// Makes an edit that the user has confirmed, and reports what it changed.
  ///
  /// Its rows are named by id, because they may have shifted. The `request` may refuse the edit.
  ///
  /// - Throws: `StaleConfirmation` if it would not do what was shown; nothing is changed.
  func edit(_ confirmed: ConfirmedEdit, creating: Bool, ifAllowedBy request: EditRequest = { _, _ in nil })
    throws
  {
    try report(creating: creating) { list in
      _ = try request(RowResolver(list), list)
      let outcome = try list.apply(confirmed)
      return try EditReport(confirmed.edit, outcome, action: invocation.action, in: list)
    }
  }
}
