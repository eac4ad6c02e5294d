package import CustomerStore
internal import CustomersText

extension ListAPI {
  /// Looks at the list again and again, and reports what any program changes, and what keeps it from being read.
  ///
  /// One who follows is enough for all streams: whoever owns them passes the events on.
  package func follow(_ report: @Sendable (APIEvent) async -> Void) async {
    var look = NewsLook(list, made)
    var isKnown = false
    var trouble: String?
    var present: [Presence.Entry] = []
    // No page can keep the streams busy.
    var rest = ContinuousClock.now
    while !Task.isCancelled {
      let result: NewsLook.Result
      if look.isSlow {
        // Swift's shared threads are few; none of them waits for a cluster.
        (look, result) = await onOwnThread { [look] in
          var next = look
          let result = next.look()
          return (next, result)
        }
      } else {
        result = look.look()
      }
      switch result {
      case .nothing: break
      case .trouble(let message):
        if trouble != message { await report(.trouble(message)) }
        trouble = message
      case .start(let version):
        await report(isKnown ? .reload(version) : .hello(version, program, isReadOnly: isReadOnly))
        if isKnown { presence.forget() }
        isKnown = true
      case .edit(let version, let steps):
        await report(.edit(version, steps))
        if presence.now.contains(where: { $0.person != nil }), let persons = try? await persons() {
          presence.forget(allBut: persons)
        }
      case .well: break
      }
      if trouble != nil, result.isWell {
        trouble = nil
        await report(.well)
      }
      let now = presence.now
      if isKnown, now != present, rest < .now {
        (present, rest) = (now, .now + .milliseconds(250))
        await report(.presence(now))
      }
      try? await Task.sleep(for: look.pause)
    }
  }
}

extension NewsLook.Result {
  /// Whether the list could be read.
  fileprivate var isWell: Bool {
    switch self {
    case .nothing, .trouble: false
    case .start, .edit, .well: true
    }
  }
}

/// What a stream begins with that goes on from a version.
extension ListAPI {
  /// The most edits that are listed; after more, the list is read again.
  private static let mostMissed: Int64 = 5_000

  /// `GET /v1/events`: the events before those that come.
  func missedEvents(_ call: Route.Call) async throws -> APIAnswer {
    let told = ToldNews(version: try call.query.version("after"))
    return APIAnswer(status: 200, type: .events, body: try await news(after: told).events.flatMap(\.bytes))
  }

  /// The changes after a version: `follow` may report some of them later.
  package func stream(after version: ListVersion?) -> (@Sendable () async -> [UInt8]?)? {
    guard let version else { return nil }
    let last = ToldNews.Last(ToldNews(version: version))
    return { [self] in await last.next { told in await news(afterOrTrouble: &told) }?.flatMap(\.bytes) }
  }

  private func news(afterOrTrouble told: inout ToldNews) async -> [APIEvent] {
    do {
      let (events, now) = try await news(after: told)
      told = now
      return events
    } catch {
      if told.isInTrouble { return [] }
      told.isInTrouble = true
      return [.trouble(APIError(error, obstacle: list.obstacle).message)]
    }
  }

  private func news(after told: ToldNews) async throws -> (events: [APIEvent], told: ToldNews) {
    try await list.read { [self] list in
      let (version, present) = (try list.version(), presence.now)
      var events: [APIEvent] = []
      if !told.isGreeted { events.append(.hello(version, program, isReadOnly: isReadOnly)) }
      if let known = told.version, known != version {
        events.append(
          try missed(list, after: known, to: version).map { .edit(version, $0) } ?? .reload(version))
      }
      if told.isInTrouble { events.append(.well) }
      if present != told.present { events.append(.presence(present)) }
      return (events, ToldNews(isGreeted: true, version: version, present: present))
    }
  }

  /// The steps after a version; nil if the history has not all of them.
  private func missed(
    _ list: borrowing CustomerList, after: ListVersion, to version: ListVersion
  ) throws -> [JSON]? {
    guard try list.has(after), after.edit <= version.edit,
      version.edit - after.edit <= Self.mostMissed
    else { return nil }
    let steps = try list.history(after: after.edit)
    guard let first = steps.first, first.firstEdit <= after.edit + 1 else { return nil }
    return zip(steps, try list.outcomes(of: steps)).map { step, outcome in
      step.event(outcome, page: made.page(of: step))
    }
  }
}

/// What a stream of its own news has.
struct ToldNews: Sendable {
  var isGreeted = false
  /// Nil if it has no rows yet.
  var version: ListVersion?
  var present: [Presence.Entry] = []
  /// Whether the list could not be read.
  var isInTrouble = false

  /// What a stream has last.
  actor Last {
    private var told: ToldNews

    init(_ told: ToldNews) { self.told = told }

    func next(_ body: (inout ToldNews) async -> [APIEvent]?) async -> [APIEvent]? {
      var next = told
      let events = await body(&next)
      told = next
      return events
    }
  }
}
