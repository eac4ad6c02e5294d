@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Work grows with the rows and the sections, never with their product.
@Suite(.onThreads) struct ManySectionsTests {
  /// 1,200 rows in some sections; every fifth has the word.
  private func list(sections: Int, word: String) throws -> CustomerStore {
    var sample = SampleList.generated(1_200, sections: sections)
    for section in sample.sections.indices {
      for row in sample.sections[section].customers.indices where row % 5 == 0 {
        sample.sections[section].customers[row].note = word
      }
    }
    return try .inMemory(sample)
  }

  /// The instructions of searching each section for a word, and the number of matches.
  private func search(_ store: CustomerStore, for word: String) throws -> (instructions: Int, found: Int) {
    try store.read { list in
      var found = 0
      let instructions = try list.connection.instructions {
        for section in try list.sections() {
          found += try list.customers(matching: RowFilter(section: section.id, search: TextSearch(word)))
            .count
        }
      }
      return (instructions, found)
    }
  }

  @Test(arguments: ["zebra", "nothing", "1"])
  func `searching 60 sections one by one takes about as much as one section`(word: String) throws {
    let one = try search(list(sections: 1, word: "zebra"), for: word)
    let many = try search(list(sections: 60, word: "zebra"), for: word)
    #expect(one.found == many.found)
    #expect(many.instructions < 2 * one.instructions + 60_000, "\(one) \(many)")
  }

  @Test func `a section is added at the end in the same number of instructions, however many there are`()
    throws
  {
    func instructions(_ count: Int) throws -> Int {
      let store = try CustomerStore.inMemory("")
      return try store.write { list in
        let connection = list.connection
        return try connection.instructions {
          for number in 1...count { _ = try list.insertSection(title: "Größe \(number)") }
        }
      }
    }
    let (few, many) = (try instructions(200), try instructions(800))
    #expect(many < 5 * few, "\(few) \(many)")
  }
}
