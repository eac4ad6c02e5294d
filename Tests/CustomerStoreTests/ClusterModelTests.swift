@testable import CustomerStore
import CustomerFixtures
import CustomerStoreCluster
import CustomersTestSupport
import Testing

/// The random edits of the model tests, on a cluster of three nodes.
@Suite(.onThreads) struct ClusterModelTests {
  static let edits = isLong ? 50_000 : 2_000

  @Test func `random edits on a cluster give the same lists as on arrays`() throws {
    let cluster = try TestCluster()
    let seeds = 4
    for seed in 0..<seeds {
      var editor = RandomEditor(seed: seed)
      let store = try CustomerStore(cluster: cluster.url("seed\(seed)"))
      try store.write { list in try list.connection.setCapacity(editor.capacity) }
      var done = 0
      while done < Self.edits / seeds {
        let before = editor.model
        let count = 1 + editor.generator.below(40)
        do {
          try store.write { list in
            for _ in 0..<count { try editor.step(&list) }
            if editor.generator.oneIn(4) { throw RolledBack() }
          }
        } catch is RolledBack {
          editor.model = before
        } catch let error as CommitError where error.outcome == .committed {
          // A busy machine may elect another leader at any time.
        } catch StoreError.unreachable {
          editor.model = before
        }
        done += count
      }
      let copy = try store.copyInMemory()
      let (violations, broken, numbers) = try copy.read { list in
        (try list.check(), try list.connection.brokenInvariants(), try list.connection.listNumbers())
      }
      #expect(violations == [] && broken == [], "seed \(seed)")
      #expect(numbers == editor.model.numbers, "seed \(seed)")
      let nodes = try NodeCopy.ofAll(cluster, database: "seed\(seed)")
      #expect(Set(nodes.map(\.contents)).count == 1, "seed \(seed)")
      for node in nodes { #expect(node.isSound, "seed \(seed)") }
    }
  }

  private struct RolledBack: Error {}
}
