import CustomerFixtures
import CustomerStore
import CustomerTable
import CustomersTestSupport
import Foundation
import Testing

/// A table of a file that comes, goes and is replaced.
@Suite(.onThreads) struct SessionFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var path: String { "\(folder.path)/list.sqlite" }

  private func session() throws -> TableSession {
    let path = path
    var session = try TableSession { isCreating in
      var options = CustomerStore.Options()
      options.createsFile = isCreating
      return try CustomerStore(path: path, options: options)
    }
    session.send(.resize(20))
    return session
  }

  private func names(_ session: TableSession) -> [String] {
    session.state.contents.ids.compactMap { session.state.contents[$0]?.name }
  }

  @Test func `a long call of the same store holds up nothing; what must wait for it is done after it`() throws
  {
    let file = try TemporaryStore("Ann, Bob, Cid")
    var session = TableSession(file.store)
    session.send(.resize(20))
    session.poll()
    try LongCall.read.on(file.store) {
      session.poll()
      session.send(.resize(21))
      session.send(.go(.by(1)))
      #expect(session.state.trouble == nil && names(session) == ["Ann", "Bob", "Cid"])
    }
    try LongCall.write.on(file.store) {
      session.send(.shift(1))
      session.poll()
      #expect(session.state.waiting != nil)
    }
    session.poll()
    #expect(session.state.waiting == nil && names(session) == ["Ann", "Cid", "Bob"])
  }

  @Test func `a missing file is an empty table, and the first edit creates the file`() throws {
    var session = try session()
    session.poll()
    #expect(session.state.trouble == nil && names(session).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: path))
    session.send(.add(.last))
    session.send(.form(.text(.insert("Ann"))))
    session.send(.form(.save))
    #expect(try CustomerStore(path: path).read { try $0.count() } == 1)
    session.poll()
    #expect(names(session) == ["Ann"])
    // It is the table's own step.
    session.send(.undo)
    #expect(session.state.question == nil && names(session).isEmpty)
  }

  @Test func `a file that another program creates appears`() throws {
    var session = try session()
    session.poll()
    try CustomerStore(path: path).write { list in _ = try list.insert(CustomerFields(name: "Ann")) }
    session.poll()
    #expect(names(session) == ["Ann"])
  }

  @Test func `rows of a deleted file stay, and the file that takes its place is read`() throws {
    func write(_ name: String, to path: String) throws {
      try CustomerStore(path: path).write { list in _ = try list.insert(CustomerFields(name: name)) }
    }
    try write("Ann", to: path)
    var session = try session()
    session.poll()
    #expect(names(session) == ["Ann"])
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    for _ in 0..<3 { session.poll() }
    #expect(names(session) == ["Ann"] && session.state.trouble == nil)
    // No edit makes a new list in its place.
    session.send(.add(.last))
    session.send(.form(.text(.insert("Cid"))))
    session.send(.form(.save))
    #expect(session.state.form?.message?.hasPrefix("Not saved: no such file") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
    session.send(.form(.cancel))
    session.send(.form(.confirm))
    try waitUntil("the session reports the trouble") {
      session.poll()
      return session.state.trouble != nil
    }
    #expect(session.state.trouble?.text.hasPrefix("the file was deleted or replaced") == true)
    try write("Bob", to: path + "2")
    try FileManager.default.moveItem(atPath: path + "2", toPath: path)
    for _ in 0..<3 { session.poll() }
    #expect(names(session) == ["Bob"] && session.state.trouble == nil)
  }
}
