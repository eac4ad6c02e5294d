/// Where a list is stored.
enum StoreLocation {
  /// In memory or in a temporary file: only this store sees it.
  case memory
  case file(OpenFile)
  case remote(any ListEngine)
}

extension CustomerStore {
  /// The file, if the list is stored in one.
  var file: OpenFile? {
    if case .file(let file) = location { file } else { nil }
  }

  /// The engine that keeps the list, if that is not SQLite in this process.
  package var engine: (any ListEngine)? {
    if case .remote(let engine) = location { engine } else { nil }
  }

  /// How long the list may be away before those who follow it give up: a file that is being replaced or a
  /// cluster that elects a leader.
  package var longestTrouble: Duration { .seconds(engine == nil ? 3 : 60) }

  /// The store to check: on a cluster, a copy of the leader's list, because each statement is a round trip.
  package func forChecking() throws -> CustomerStore { engine == nil ? self : try copyInMemory() }
}
