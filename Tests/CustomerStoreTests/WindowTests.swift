@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Testing

/// A window of a long list.
@Suite(.onThreads) struct WindowTests {
  @Test(arguments: sampled(0..<36, oneIn: 9))
  func `a window has the rows of its places`(seed: Int) throws {
    var walk = try HistoryWalk(seed: 1_300 + seed)
    let size = [2, 5, 400][seed % 3]
    for _ in 0..<30 {
      walk.editor.generator.oneIn(4) ? _ = try walk.undo() : try walk.edit()
      let all = try walk.store.read { try $0.snapshot() }.sections.flatMap(\.rows)
      let middle = 1 + walk.editor.generator.below(max(all.count, 1))
      let (window, customers) = try walk.store.read { try $0.window(around: middle, size: size) }
      #expect(window.rows == customers.map(\.id))
      for position in -1...all.count + 2 where window[position] != nil {
        #expect(window[position] == all[position - 1], "seed \(seed)")
      }
      #expect(all.isEmpty || window.rows.count >= min(size / 2, all.count), "seed \(seed)")
      #expect(try walk.store.read { try $0.sections() } == window.sections, "seed \(seed)")
    }
  }
}
