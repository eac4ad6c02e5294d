import CustomersTestSupport
import Foundation
import Testing

/// What an app links, as the imports of the sources say.
@Suite(.onThreads) struct LinkingTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  @Test func `an app that links CustomerStore has nothing of a cluster, and no socket`() throws {
    let store = try Self.modules(of: "CustomerStore")
    #expect(store.keys.contains("CustomersSQLite"))
    #expect(store.keys.filter { $0.contains("Cluster") || $0.contains("Dqlite") } == [])
    for (module, text) in store {
      #expect(
        !text.contains(/\b(socket|streamSocket|acceptConnection|sockaddr_in|getaddrinfo)\(/),
        "\(module) opens a connection")
    }
    #expect(try Self.modules(of: "CustomersCommands").keys.contains("CustomerStoreCluster"))
  }

  /// A module of this package and those that it imports, directly or not, with their text.
  private static func modules(of module: String) throws -> [String: String] {
    var (found, rest): ([String: String], [String]) = ([:], [module])
    while let module = rest.popLast() {
      guard found[module] == nil, let text = try text(of: module) else { continue }
      found[module] = text
      rest += text.matches(of: /(?m)^\s*(?:@\w+ )?(?:\w+ )?import (\w+)/).map { String($0.1) }
    }
    return found
  }

  /// The text of a module, but not of the folder of sockets, of which an app calls nothing; nil if the module is not in
  /// `Sources`, such as the C library.
  private static func text(of module: String) throws -> String? {
    let files = FileManager.default.enumerator(
      at: sources.appending(path: module), includingPropertiesForKeys: nil)
    let swift = (files?.compactMap { $0 as? URL } ?? []).filter {
      $0.pathExtension == "swift" && !$0.path.contains("/Sockets/")
    }
    return swift.isEmpty
      ? nil : try swift.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
  }
}
