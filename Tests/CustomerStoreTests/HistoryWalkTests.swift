@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Testing

/// Undo and redo of random edits of the repository, several of them in a transaction.
@Suite(.onThreads) struct HistoryWalkTests {
  static let transactions = isLong ? 60 : 30

  @Test(arguments: sampled(0..<36, oneIn: 18))
  func `undo leads back to the new list through every state, and redo forward again`(seed: Int) throws {
    var walk = try HistoryWalk(seed: 100 + seed)
    for _ in 0..<Self.transactions { try walk.edit() }
    let steps = walk.history.undoCount
    #expect(steps > Self.transactions / 2)
    for _ in 0..<steps { #expect(try walk.undo()) }
    #expect(try walk.undo() == false)
    for _ in 0..<steps { #expect(try walk.redo()) }
    #expect(try walk.redo() == false)
    #expect(try walk.store.read { try $0.check() } == [])
  }

  @Test(arguments: sampled(0..<36, oneIn: 18))
  func `edits, undo, and redo in any order go through the right states`(seed: Int) throws {
    var walk = try HistoryWalk(seed: 200 + seed)
    for _ in 0..<Self.transactions {
      let (undone, redone) = (walk.history.undoCount, walk.history.redoCount)
      switch walk.editor.generator.below(10) {
      case 0..<3: #expect(try walk.undo() == (undone > 0))
      case 3..<5: #expect(try walk.redo() == (redone > 0))
      default: try walk.edit()
      }
    }
    #expect(try walk.store.read { try $0.check() } == [])
  }
}

/// A store and the expected states after undo and redo.
struct HistoryWalk {
  let store: CustomerStore
  var editor: RandomEditor
  var history: HistoryModel

  init(seed: Int, store: CustomerStore? = nil) throws {
    let store = try store ?? CustomerStore.inMemory()
    let editor = RandomEditor(seed: seed)
    history = try store.write { list in
      try list.connection.setCapacity(editor.capacity)
      return try HistoryModel(list.connection)
    }
    (self.store, self.editor) = (store, editor)
  }

  /// Makes one to eight edits in a transaction, some of them refused; sometimes it is rolled back.
  mutating func edit() throws {
    let before = editor.model
    do {
      try store.write { list in
        for _ in 0...editor.generator.below(8) { try editor.step(&list) }
        if editor.generator.oneIn(6) { throw TakenBack() }
      }
    } catch is TakenBack {
      (editor.model.sections, editor.model.lastID) = (before.sections, before.lastID)
      editor.model.lastSectionID = before.lastSectionID
    }
    let history = history
    self.history = try store.write { list in
      var history = history
      try history.note(list.connection)
      return history
    }
    try expectSame("an edit")
  }

  /// Goes one step back.
  ///
  /// - Returns: whether there was one.
  mutating func undo() throws -> Bool {
    let step = try store.write { list in try list.undo() }
    #expect(step.map(\.state) == (step == nil ? nil : .undone))
    history.undo()
    try expectSame("undo")
    return step != nil
  }

  /// Does a step again.
  ///
  /// - Returns: whether there was one.
  mutating func redo() throws -> Bool {
    let step = try store.write { list in try list.redo() }
    #expect(step.map(\.state) == (step == nil ? nil : .done))
    history.redo()
    try expectSame("redo")
    return step != nil
  }

  private mutating func expectSame(_ what: String) throws {
    let (contents, broken) = try store.read { list in
      (try list.connection.contents(), try list.connection.brokenInvariants())
    }
    guard contents == history.contents, broken == [] else {
      throw Mismatch(text: "\(what) led to \(contents) \(broken), not to \(history.contents)")
    }
    let model = editor.model
    editor.model = try store.read { list in
      var model = model
      try model.reload(from: list.connection)
      return model
    }
  }

  private struct TakenBack: Error {}
}
