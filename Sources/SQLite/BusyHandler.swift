internal import CSQLite
internal import Platform

/// Waits for other connections: random pauses up to a cap that grows to 10 ms, until a deadline.
///
/// Full jitter instead of SQLite's own growing pauses, under which the process that waits longest
/// asks least often and starves: eight writers at once, longest wait 2–3 s there, 0.5–0.7 s here.
struct BusyHandler: Sendable {
  private struct State {
    var busyTimeout: Duration
    var deadline: ContinuousClock.Instant
  }

  private let address: Address

  private var state: UnsafeMutablePointer<State> {
    unsafe UnsafeMutableRawPointer(address.pointer).assumingMemoryBound(to: State.self)
  }

  init(busyTimeout: Duration) {
    let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    unsafe state.initialize(to: State(busyTimeout: busyTimeout, deadline: .now))
    unsafe address = Address(UnsafeMutableRawPointer(state))
  }

  func deallocate() {
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  func install(on connection: OpaquePointer) {
    unsafe sqlite3_busy_handler(
      connection,
      { context, calls in
        guard let state = unsafe context?.assumingMemoryBound(to: State.self) else { return 0 }
        let now = ContinuousClock.now
        if calls == 0 { unsafe state.pointee.deadline = now + state.pointee.busyTimeout }
        guard unsafe now < state.pointee.deadline else { return 0 }
        let cap = min(10_000, 200 << min(calls, 10))
        usleep(UInt32.random(in: 1...UInt32(cap)))
        return 1
      }, state)
  }
}
