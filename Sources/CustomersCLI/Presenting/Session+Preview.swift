internal import CustomerStore

/// The outcome of a dry run.
struct Preview: Sendable {
  var edit: ConfirmedEdit
  /// What was found by only a part of a name.
  var guesses: [RowResolver.Guess]
}

extension Session {
  /// The outcome that the requested edit would have; nil without an edit.
  func preview(_ request: EditRequest, mayBeMissing: Bool = false) throws -> Preview? {
    try openStore(creating: false, mayBeMissing: mayBeMissing).dryRun { list in
      let resolver = try RowResolver(list, takesParts: mayGuess)
      return try request(resolver, list).map { edit in
        Preview(edit: try list.propose(edit), guesses: resolver.guesses)
      }
    }
  }
}
