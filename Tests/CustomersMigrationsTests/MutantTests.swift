import Foundation
import CustomersMigrations
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Mistakes in the SQL of new lists and conversions: the checks of this suite detect every one.
@Suite(.onThreads) struct MutantTests {
  @Test func `each mistake is one that could be made`() {
    for mutant in Mutant.all {
      #expect(mutant.made != nil, "the text is not there just once: \(mutant.testDescription)")
    }
  }

  @Test func `the unchanged schema passes all checks`() {
    #expect(Examination.finding() == nil)
  }

  @Test func `each mistake is noticed`() throws {
    let mutants = sampled(Mutant.all, oneIn: 94)
    var missed: [Mutant] = []
    for mutant in mutants {
      let (migrator, manyRows) = try #require(mutant.made)
      let finding = try NewList.$manyRows.withValue(manyRows) { try Self.finding(migrator) }
      if finding == nil { missed.append(mutant) }
    }
    for mutant in missed { Issue.record("not noticed: \(mutant.testDescription)") }
    print("\(mutants.count - missed.count) of \(mutants.count) mutants noticed")
    #expect(Mutant.all.count >= 40)
  }

  /// Returns the finding of the examination for lists that this migrator makes.
  private static func finding(_ migrator: Migrator) throws -> String? {
    try withTemporaryFolder { folder in
      let path = folder + "/empty.sqlite"
      do {
        try write([], to: path)
        try migrator.migrate(Connection(path: path))
      } catch {
        return "\(error)"
      }
      return NewList.$template.withValue(path) { Examination.finding(migrator) }
    }
  }
}
