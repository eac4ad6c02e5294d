internal import CustomerStore
import CustomersTestSupport
internal import CustomerTable
internal import CustomersSQLite

/// The longest that an app's main actor stands still, against that of an app that does nothing: while another program has
/// locked the file for five seconds and calls of the app wait for it, and while a user types what to look for.
///
/// The goal is 16 ms, a frame.
@MainActor func measureStandstill(_ path: String, _ rows: Int) async throws {
  let idle = await worstPause { try? await Task.sleep(for: .seconds(1)) }
  func show(_ what: String, _ worst: Duration) {
    print(Line(what: "standstill: " + what, rows: rows, baseline: idle, measured: worst, bar: .none).text)
  }

  let store = try CustomerStore(path: path)
  let model = CustomerListModel(store)
  while model.sections.isEmpty { try await Task.sleep(for: .milliseconds(4)) }
  func row(_ number: Int) -> Int { number * 7919 % model.sections[0].rows.count }
  show(
    "scrolling a locked list",
    try await worstPause(of: store, lockedAt: path) { frame in
      _ = model.sections[0].rows[row(frame)].customer
    })
  show(
    "drops in a locked list",
    try await worstPause(of: store, lockedAt: path) { frame in
      if frame % 20 == 0 { model.move([row(frame)], to: row(frame + 1), in: model.sections[0]) }
    })
  while model.isSaving { try await Task.sleep(for: .milliseconds(4)) }
  var session = TableSession(store)
  session.send(.resize(24))
  session.poll()
  show(
    "TableSession, locked",
    try await worstPause(of: store, lockedAt: path) { frame in
      session.send(frame % 20 == 0 ? .shift(1) : .go(.by(1)))
      session.poll()
    })
  show(
    "typing what to look for",
    await worstPause {
      for end in 1...5 {
        model.searchText = String("varga".prefix(end))
        try? await Task.sleep(for: .milliseconds(100))
      }
      while model.isSearching { try? await Task.sleep(for: .milliseconds(4)) }
    })
}

/// The longest pause while another program has the list and two calls of the app wait for it; `work` is done in each frame.
@MainActor private func worstPause(
  of store: CustomerStore, lockedAt path: String, _ work: (_ frame: Int) -> Void
) async throws -> Duration {
  let other = try Connection(path: path)
  try other.execute("BEGIN EXCLUSIVE")
  async let read = store.read { try $0.count() }
  async let written: Void = store.write { list in try list.move([list.ids(in: 1)[0]], by: 1) }
  let worst = await worstPause {
    let end = ContinuousClock.now + .seconds(5)
    var frame = 0
    while ContinuousClock.now < end {
      work(frame)
      frame += 1
      try? await Task.sleep(for: .milliseconds(16))
    }
  }
  try other.execute("ROLLBACK")
  _ = try await (read, written)
  return worst
}

/// How late the latest of many heartbeats of the main actor was, one every four milliseconds, while `work` is done.
@MainActor private func worstPause(during work: () async -> Void) async -> Duration {
  let beat = Duration.milliseconds(4)
  let heart = Task { @MainActor in
    var worst = Duration.zero
    while !Task.isCancelled {
      let start = ContinuousClock.now
      try? await Task.sleep(for: beat)
      if !Task.isCancelled { worst = max(worst, ContinuousClock.now - start - beat) }
    }
    return worst
  }
  await work()
  heart.cancel()
  return await heart.value
}
