internal import CustomerStore

/// The outcome of a dry run.
struct Preview: Sendable {
  /// The edit, to be made if the user confirms it.
  var confirmed: ConfirmedEdit
  /// The rows that were named, as they were before the edit, and what was found by only a part of a name.
  var found: FoundRows
  var guesses: [RowResolver.Guess]

  var edit: ListEdit { confirmed.edit }
  var outcome: EditOutcome { confirmed.outcome }

  init(_ edit: ListEdit, _ resolver: RowResolver, in list: inout CustomerList) throws {
    do { confirmed = try list.propose(edit) } catch { throw resolver.naming(error, in: list) }
    (found, guesses) = (resolver.found, resolver.guesses)
  }
}

extension Session {
  /// The outcome that the requested edit would have; nil without an edit.
  func preview(_ request: EditRequest, mayBeMissing: Bool = false) throws -> Preview? {
    try dryRun(openStore(creating: false, mayBeMissing: mayBeMissing)) { list in
      let resolver = try RowResolver(list, takesParts: mayGuess)
      return try request(resolver, list).map { edit in
        try Preview(edit, resolver, in: &list)
      }
    }
  }
}
