import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Foundation
import Testing

/// A list in a file that cleans up after itself.
@Suite(.onThreads) struct TemporaryStoreTests {
  @Test func `other programs can open the file, and it is removed afterward`() throws {
    var fixture: TemporaryStore? = try TemporaryStore("Ann, Bob")
    let path = try #require(fixture?.path)
    let other = try CustomerStore(path: path)
    try other.write { list in try list.move([CustomerID(rawValue: 2)], to: .first) }
    #expect(try fixture?.store.difference(from: "Bob, Ann") == nil)
    let folder = (path as NSString).deletingLastPathComponent
    #expect(FileManager.default.fileExists(atPath: folder))
    fixture = nil
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func `two fixtures share nothing`() throws {
    let (one, other) = (try TemporaryStore("Ann"), try TemporaryStore("Bob"))
    #expect(one.path != other.path)
    #expect(try one.store.difference(from: "Ann") == nil)
    #expect(try other.store.difference(from: "Bob") == nil)
  }
}
