import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Foundation
import Testing

/// Paths that are longer than SQLite or the system allows are refused with the limit, and leave nothing behind.
@Suite(.onThreads) struct LongPathTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A path in the folder of exactly this many bytes, whose last name has at most 100.
  private func path(_ length: Int) -> String {
    var path = folder.path
    while length - path.utf8.count > 102 { path += "/" + String(repeating: "d", count: 50) }
    return path + "/" + String(repeating: "n", count: length - path.utf8.count - 1)
  }

  private func names() throws -> [String] { try FileManager.default.subpathsOfDirectory(atPath: folder.path) }

  private func expectRefusal(_ limit: Int, _ body: () throws -> Void) throws {
    let before = try names()
    do {
      try body()
      Issue.record("a path beyond \(limit) bytes was accepted")
    } catch {
      #expect("\(error)".contains("\(limit)"), "\(error)")
    }
    #expect(try names() == before)
  }

  @Test func `a list has a path of at most 504 bytes`() throws {
    for length in [503, 504] {
      try CustomerStore(path: path(length)).fill(with: "Ann")
      #expect(try CustomerStore(path: path(length)).read { try $0.count() } == 1)
    }
    for length in [505, 511, 512, 513, 600, 1_000] {
      try expectRefusal(504) { _ = try CustomerStore(path: path(length)) }
    }
  }

  @Test func `the name of a list leaves room for that of its journal`() throws {
    for length in [246, 247] {
      let name = String(repeating: "n", count: length)
      try CustomerStore(path: "\(folder.path)/\(name)").fill(with: "Ann")
    }
    for length in [248, 250, 255, 256] {
      let name = String(repeating: "n", count: length)
      try expectRefusal(247) { _ = try CustomerStore(path: "\(folder.path)/\(name)") }
      try expectRefusal(247) { _ = try CustomerStore(path: "\(folder.path)/new/folder/\(name)") }
    }
  }

  @Test func `a list that is moved to a longer path is refused with the limit`() throws {
    let long = path(520)
    try FileManager.default.createDirectory(
      atPath: URL(filePath: long).deletingLastPathComponent().path, withIntermediateDirectories: true)
    try CustomerStore(path: folder.path + "/list").fill(with: "Ann")
    try FileManager.default.moveItem(atPath: folder.path + "/list", toPath: long)
    try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: long)
    for path in [long, folder.path + "/link"] {
      try expectRefusal(504) { _ = try CustomerStore(path: path) }
    }
  }

  @Test func `a backup is made at any path that a list may have, as far as its copy fits`() throws {
    let store = try CustomerStore.inMemory("Ann")
    for length in [496, 497] {
      let path = path(length)
      try FileManager.default.createDirectory(
        atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
      try store.backUp(to: path)
      #expect(try CustomerStore(path: path).read { try $0.count() } == 1)
    }
    for length in [498, 504, 512, 600] { try expectRefusal(497) { try store.backUp(to: path(length)) } }
    try store.backUp(to: "\(folder.path)/\(String(repeating: "b", count: 247))")
    for length in [248, 255, 300] {
      try expectRefusal(247) {
        try store.backUp(to: "\(folder.path)/\(String(repeating: "b", count: length))")
      }
    }
  }
}
