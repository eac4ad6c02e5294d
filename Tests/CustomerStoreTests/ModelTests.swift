@testable import CustomerStore
import CustomerFixtures
import CustomersTestSupport
import Testing

/// Random edits through the repository against plain arrays.
///
/// After every edit the whole list is read back; what an edit returns or throws is compared as well. The
/// internal tables are checked after every edit, in the short form every fourth and at the end of a
/// transaction: what is broken stays broken.
@Suite(.onThreads) struct ModelTests {
  static let edits = isLong ? 6_400 : 400

  @Test(arguments: sampled(0..<30, oneIn: 15))
  func `random edits match a model in arrays`(seed: Int) throws {
    var editor = RandomEditor(seed: seed)
    let store = try CustomerStore.inMemory()
    try store.write { list in try list.connection.setCapacity(editor.capacity) }
    var done = 0
    while done < Self.edits {
      // One to forty edits in a transaction, which is sometimes rolled back.
      let count = min(1 + editor.generator.below(40), Self.edits - done)
      let before = editor.model
      do {
        try store.write { list in
          for number in done + 1...done + count {
            do {
              try editor.step(&list)
            } catch let mismatch as Mismatch {
              Issue.record("seed \(seed), edit \(number), \(editor.capacity): \(mismatch.text)")
              throw mismatch
            }
          }
          if editor.generator.oneIn(4) { throw TakenBack() }
        }
      } catch is TakenBack {
        editor.model = before
      } catch is Mismatch {
        return
      }
      done += count
      let (violations, broken, numbers, total) = try store.read { list in
        let broken = try list.connection.brokenInvariants()
        return (try list.check(), broken, try list.connection.listNumbers(), try list.count())
      }
      #expect(violations == [] && broken == [], "seed \(seed), edit \(done)")
      #expect(numbers == editor.model.numbers, "seed \(seed), edit \(done)")
      #expect(total == editor.model.count, "seed \(seed), edit \(done)")
    }
  }

  private struct TakenBack: Error {}
}

/// A difference between the result of an edit and the expected one.
struct Mismatch: Error {
  var text: String
}
