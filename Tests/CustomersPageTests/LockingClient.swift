internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersSQLite

/// A client of SQLite that holds the list: `IMMEDIATE` keeps others from writing, `EXCLUSIVE` from reading, too.
struct LockingClient {
  private let connection: Connection

  init(_ path: String, _ kind: String = "IMMEDIATE") throws {
    connection = try Connection(path: path)
    try connection.execute("BEGIN \(kind)")
  }

  func end() throws { try connection.execute("ROLLBACK") }
}

extension TestServer {
  /// A new server at the port of a page's old one, as soon as that is free.
  static func again(_ page: TestPage, build: String = "1") async throws -> TestServer {
    var options = CustomerStore.Options()
    options.whileWaiting = { _ in true }
    let store = try CustomerStore(path: page.list.path, options: options)
    for _ in 0..<1000 {
      if let server = try? TestServer(store, port: page.server.port, build: build) { return server }
      try await Task.sleep(for: .milliseconds(20))
    }
    return try TestServer(store, port: page.server.port, build: build)
  }
}
