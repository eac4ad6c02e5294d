import CustomerFixtures
import CustomerStore
import Foundation
import Testing

/// What a follower of the list gets to know when another file takes its place.
@Suite struct ReplacedFeedTests {
  @Test(arguments: [false, true])
  func `another list comes as a reload, and is followed from there`(isCopied: Bool) async throws {
    let (file, other) = (try TemporaryStore("Ann, Bob"), try TemporaryStore("Eve"))
    for note in ["1", "2", "3"] {
      try await other.store.write { list in
        _ = try list.update(CustomerID(rawValue: 1)) { $0.note = note }
      }
    }
    let edit = try await file.store.read { try $0.lastEdit() }
    var events = file.store.events(after: edit, every: .milliseconds(5)).makeAsyncIterator()
    // From what it has seen it knows later that steps with the same numbers are different ones.
    try await file.store.write { list in _ = try list.insert(CustomerFields(firstName: "Cid")) }
    guard case .step = try await events.next() else {
      Issue.record("no step before")
      return
    }
    if isCopied {
      try Data(contentsOf: URL(filePath: other.path)).write(to: URL(filePath: file.path))
    } else {
      try FileManager.default.removeItem(atPath: file.path)
      try FileManager.default.moveItem(atPath: other.path, toPath: file.path)
    }
    let event = try await events.next()
    guard case .reload(let snapshot) = event else {
      Issue.record("no reload but \(String(describing: event))")
      return
    }
    let new = try CustomerStore(path: file.path)
    #expect(try await snapshot == new.read { try $0.snapshot() })
    try await new.write { list in _ = try list.insert(CustomerFields(firstName: "Fay")) }
    guard case .step(let step) = try await events.next() else {
      Issue.record("no step")
      return
    }
    #expect(step.changes.count == 1)
  }
}
