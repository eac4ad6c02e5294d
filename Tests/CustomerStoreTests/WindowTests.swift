@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Testing

/// A window of a long list slides with the changes.
@Suite(.onThreads) struct WindowTests {
  @Test(arguments: sampled(0..<36, oneIn: 9))
  func `a window always has the rows of its places`(seed: Int) throws {
    var walk = try HistoryWalk(seed: 1_300 + seed)
    let size = [2, 5, 400][seed % 3]
    var window = try read(&walk, size)
    var snapshot = try walk.store.read { try $0.snapshot() }
    var feed = walk.store.feed(after: snapshot.version)
    var rows = 0
    for _ in 0..<60 {
      walk.editor.generator.oneIn(4) ? _ = try walk.undo() : try walk.edit()
      for event in try feed.poll() {
        switch event {
        case .step(let step):
          try snapshot.apply(step)
          try window.apply(step)
          try window.apply(step)
        case .reload(let new):
          snapshot = new
          window = try read(&walk, size)
        case .waiting: Issue.record("waiting")
        }
      }
      let all = snapshot.sections.flatMap(\.rows)
      for position in -1...all.count + 2 where window[position] != nil {
        #expect(window[position] == all[position - 1], "seed \(seed)")
        rows += 1
      }
      #expect(try walk.store.read { try $0.sections() } == window.sections, "seed \(seed)")
      if window.rows.count * 2 < min(size, all.count) {
        window = try read(&walk, size)
      }
    }
    #expect(rows > 60, "too few rows for a test")
  }

  private func read(_ walk: inout HistoryWalk, _ size: Int) throws -> ListWindow {
    let count = try walk.store.read { try $0.count() }
    let position = 1 + walk.editor.generator.below(max(count, 1))
    let (window, customers) = try walk.store.read { try $0.window(around: position, size: size) }
    #expect(window.rows == customers.map(\.id))
    return window
  }
}
