internal import CSQLite
internal import CustomersSQLite

/// Another client of a list in this process: SQLite with its default settings, and nothing of this package.
///
/// A `sqlite3` shell takes three times as long; tests of what another process does start one.
package enum OtherClient {
  /// The error of a statement.
  package struct Failure: Error {
    package var message: String
  }

  /// Runs a script on a file, waiting for other programs.
  ///
  /// - Returns: what the `sqlite3` shell would print: a line for each row, its values separated by `|`.
  /// - Throws: `Failure` with SQLite's message, at the first error.
  package static func run(_ script: String, on path: String) throws -> String {
    _ = isReady
    var client: OpaquePointer?
    defer { unsafe sqlite3_close_v2(client) }
    var code = unsafe sqlite3_open(path, &client)
    unsafe sqlite3_busy_timeout(client, 60_000)
    var output = ""
    if code == SQLITE_OK {
      code = unsafe withUnsafeMutablePointer(to: &output) { output in
        unsafe sqlite3_exec(
          client, script,
          { output, count, values, _ in
            let row = (0..<Int(count)).map { column in
              unsafe values?[column].map { unsafe String(cString: $0) } ?? ""
            }
            unsafe output?.assumingMemoryBound(to: String.self).pointee += row.joined(separator: "|") + "\n"
            return 0
          }, output, nil)
      }
    }
    guard code == SQLITE_OK else { throw Failure(message: unsafe String(cString: sqlite3_errmsg(client))) }
    return output
  }

  /// The package configures SQLite when it opens its first database; later it could not.
  private static let isReady = Result { _ = try Connection(path: ":memory:") }
}
