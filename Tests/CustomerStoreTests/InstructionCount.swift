import CSQLite
@testable import CustomersSQLite

extension Connection {
  /// The number of instructions of SQLite's virtual machine that `body` takes, about: work as time would show it,
  /// but the same on every machine.
  func instructions(_ body: () throws -> Void) rethrows -> Int {
    final class Count { var tens = 0 }
    let count = Count()
    unsafe sqlite3_progress_handler(
      handle, 10,
      { context in
        if let context = unsafe context {
          unsafe Unmanaged<Count>.fromOpaque(context).takeUnretainedValue().tens += 1
        }
        return 0
      }, Unmanaged.passUnretained(count).toOpaque())
    defer { unsafe sqlite3_progress_handler(handle, 0, nil, nil) }
    try body()
    return withExtendedLifetime(count) { count.tens * 10 }
  }
}
