internal import CustomerStore

/// The outcome of a dry run.
struct Preview: Sendable {
  /// The edit, to be made if the person confirms it.
  var confirmed: ConfirmedEdit
  /// The rows that were named, as they were before the edit, and what was found by only a part of a name.
  var found: FoundRows
  var guesses: [RowResolver.Guess]

  var edit: ListEdit { confirmed.edit }
  var outcome: EditOutcome { confirmed.outcome }

  init(_ confirmed: ConfirmedEdit, _ resolver: RowResolver) {
    (self.confirmed, found, guesses) = (confirmed, resolver.found, resolver.guesses)
  }
}

extension Session {
  /// The outcome that the requested edit would have; nil without an edit.
  func preview(_ request: EditRequest, mayBeMissing: Bool = false) throws -> Preview? {
    try openStore(creating: false, mayBeMissing: mayBeMissing).dryRun { list in
      let resolver = try RowResolver(list, takesParts: mayGuess)
      return try request(resolver, list).map { edit in
        Preview(try list.propose(edit), resolver)
      }
    }
  }
}
