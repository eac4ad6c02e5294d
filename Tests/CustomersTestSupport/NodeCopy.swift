internal import CustomerFixtures
internal import CustomerStore
package import CustomersCluster
internal import Foundation

/// A copy of one node's data.
package struct NodeCopy: Sendable {
  /// All rows with their places and ids, and the id of the last history step.
  package let contents: String
  /// The first names.
  package let names: [String]
  /// Whether `customers check` finds the copy sound.
  package let isSound: Bool

  /// The path of `customers`: `$CUSTOMERS_PROGRAM`, such as a release build, or the one built with the tests.
  package static let program: String = {
    if let named = ProcessInfo.processInfo.environment["CUSTOMERS_PROGRAM"] { return named }
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: tests).deletingLastPathComponent().appending(path: "customers").path
  }()

  /// Copies a node's data.
  package init(of address: NodeAddress, database: String = "customers") throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/copy.sqlite"
    var files = [Data(), Data()]
    try DqliteConnection(address).dump(database) { file, piece in files[file] += piece }
    try files[0].write(to: URL(filePath: path))
    try files[1].write(to: URL(filePath: path + "-wal"))
    let checking = Spawn(
      words: [Self.program, "--db", path, "check"], environment: [:], folder: folder.path)
    isSound = Spawn.wait(try checking.start()) == 0
    (contents, names) = try CustomerStore(path: path).read { list in
      var (lines, names) = (["\(try list.history(limit: 1).first?.id ?? 0)"], [String]())
      try list.forEach { customer in
        lines.append("\(customer.place) \(customer.id) \(customer.fields)")
        names.append(customer.fields.firstName)
        return true
      }
      return (lines.joined(separator: "\n"), names)
    }
  }

  /// Copies all nodes, after waiting until they have the same list.
  package static func ofAll(_ cluster: TestCluster, database: String = "customers") throws -> [NodeCopy] {
    var copies: [NodeCopy] = []
    try waitUntil("all nodes have the same list") {
      copies = cluster.addresses.compactMap { try? NodeCopy(of: $0, database: database) }
      return copies.count == cluster.addresses.count && Set(copies.map(\.contents)).count == 1
    }
    return copies
  }
}
