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

  @Test func `a line of a script finds the section that an outline finds`() throws {
    let titles = [
      "Leads", "leads 2", "2", "@3", "@1", "Größe", "größe 2", " x ", "3 Old", "Old", "O\u{308}l", "e\u{301}",
      "a-b", "99",
    ]
    let store = try CustomerStore.inMemory("")
    try store.write { list in for title in titles { _ = try list.insertSection(title: title) } }
    let words = [
      "", " ", "@", "@-1", "@0", "@16", "-1", "0", "x", "lea", "old", "ÖL", "Öl", "é", "a b", "nothing",
      "leads  2",
    ]
    let numbers = (1...16).flatMap { ["\($0)", "@\($0)"] }
    try store.read { list in
      for word in words + numbers + titles.flatMap({ [$0, $0.uppercased(), " " + $0] }) {
        var found: [Result<CustomerSection, SelectionError>] = []
        for isWhole in [true, false] {
          let resolver = try RowResolver(list, takesParts: false, isWhole: isWhole)
          do { found.append(.success(try resolver.section(titled: word))) } catch let error as SelectionError
          {
            found.append(.failure(error))
          }
        }
        #expect(found[0] == found[1], "\(word)")
      }
    }
  }

  @Test func `lines of a script about sections take as many instructions, however many sections there are`()
    throws
  {
    func instructions(_ count: Int) throws -> Int {
      let store = try CustomerStore.inMemory("")
      return try store.write { list in
        for number in 1...count { _ = try list.insertSection(title: "Section \(number)") }
        let connection = list.connection
        return try connection.instructions {
          for number in 1...20 {
            let resolver = try RowResolver(list, takesParts: false, isWhole: true)
            let section = try resolver.section(titled: "Section \(number)")
            let edits: [ListEdit] = [
              .insert([NewCustomer(CustomerFields(name: "A"))], in: section.id),
              .section(.rename(section.id, title: "Größe \(number)")), .section(.add(title: "Maß \(number)")),
            ]
            for edit in edits { #expect(try list.applyBriefly(edit, to: resolver.found).isChanged) }
          }
        }
      }
    }
    let (few, many) = (try instructions(100), try instructions(800))
    #expect(many < 2 * few, "\(few) \(many)")
  }

  @Test func `no two titles are the same but for case, whatever was edited before and rolled back`() throws {
    let store = try CustomerStore.inMemory("")
    struct Undo: Error {}
    try store.write { list in
      var titles: [SectionID: String] = [:]
      for section in try list.sections() { titles[section.id] = section.title }
      var random = SplitMix64(seed: 11)
      for number in 0..<300 {
        let title =
          ["Größe", "GRÖẞE", "groe\u{308}ße", "Maß", "É", "e\u{301}", "é"][random.below(7)]
          + "\(random.below(4))"
        let ids = titles.keys.sorted { $0.rawValue < $1.rawValue }
        let id = ids[random.below(ids.count)]
        let isUsed = titles.contains { $0.key != id && Name.title($0.value) == Name.title(title) }
        let isNew = !isUsed && Name.title(titles[id] ?? "") != Name.title(title)
        switch random.below(4) {
        case 0:
          if isNew {
            titles[try list.addSection(title: title).id] = title
          } else {
            #expect(throws: ListError.self) { _ = try list.addSection(title: title) }
          }
        case 1 where ids.count > 1:
          try list.deleteSection(id)
          titles[id] = nil
        case 2:
          // What is rolled back leaves no title.
          try? list.atomically { list in
            if isNew { _ = try list.addSection(title: title) }
            throw Undo()
          }
        default:
          if isUsed {
            #expect(throws: ListError.self) { try list.renameSection(id, title: title) }
          } else {
            try list.renameSection(id, title: title)
            titles[id] = title
          }
        }
        #expect(
          try list.sections().map(\.id.rawValue).sorted() == titles.keys.map(\.rawValue).sorted(), "\(number)"
        )
      }
    }
  }
}
