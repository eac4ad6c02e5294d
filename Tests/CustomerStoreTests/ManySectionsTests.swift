@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import Testing

/// Work grows with the rows and the sections, never with their product.
@Suite struct ManySectionsTests {
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
          var appender = SectionAppender()
          for number in 1...count { _ = try appender.append(title: "Section \(number)", to: &list) }
        }
      }
    }
    let (few, many) = (try instructions(200), try instructions(800))
    #expect(many < 5 * few, "\(few) \(many)")
  }

  @Test func `an appended section is the same as an added one, with its refusals`() throws {
    let titles = ["Leads", "leads ", "", " ", "Zoë", "ZOË", "Zoe\u{308}", "Archive"]
    func contents(_ add: (inout SectionAppender, String, inout CustomerList) throws -> SectionID) throws
      -> [String]
    {
      let store = try CustomerStore.inMemory("Ann | Customers 2: Bob")
      let answers = try store.write { list in
        var appender = SectionAppender()
        return titles.map { title in
          do { return "\(try add(&appender, title, &list))" } catch { return "\(error)" }
        }
      }
      return try answers
        + store.read { list in
          #expect(try list.check() == [])
          return ["\(try list.sections())", "\(try list.changes(after: 0, limit: 100) as Any)"]
        }
    }
    let added = try contents { _, title, list in try list.addSection(title: title).id }
    let appended = try contents { appender, title, list in try appender.append(title: title, to: &list) }
    #expect(appended == added)
  }

  @Test func `appended sections are undone and redone`() throws {
    let store = try CustomerStore.inMemory("Ann")
    try store.write { list in
      var appender = SectionAppender()
      for title in ["A", "B"] {
        try list.insert(CustomerFields(name: title), in: appender.append(title: title, to: &list))
      }
    }
    #expect(try "\(store.read { try SampleList($0) })" == "Customers: Ann | A: A | B: B")
    try store.write { list in _ = try list.undo() }
    #expect(try "\(store.read { try SampleList($0) })" == "Customers: Ann")
    try store.write { list in _ = try list.redo() }
    #expect(try "\(store.read { try SampleList($0) })" == "Customers: Ann | A: A | B: B")
  }
}
