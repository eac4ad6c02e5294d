@testable import CustomerStore
import CustomerFixtures
import CustomersSQLite
import CustomersTestSupport
import Testing

/// Rows and sections that go to the ends, written together.
@Suite(.onThreads) struct AppendedRowsTests {
  /// Runs of rows for some sections, of which some are new.
  private struct Plan {
    var runs: [(title: String, count: Int)]

    init(runs count: Int, sections: Int, longest: Int, seed: Int) {
      var random = SplitMix64(seed: seed)
      runs = (0..<count).map { _ in ("s\(random.below(sections))", 1 + random.below(longest)) }
    }

    /// Adds the rows, with `section` and `add`.
    func add(
      to list: inout CustomerList, section: (String, inout CustomerList) throws -> SectionID,
      _ add: ([NewCustomer], SectionID, inout CustomerList) throws -> Void
    ) throws {
      var known = Dictionary(uniqueKeysWithValues: try list.sections().map { ($0.title, $0.id) })
      for (number, run) in runs.enumerated() {
        let id = try known[run.title] ?? section(run.title, &list)
        known[run.title] = id
        let customers = (0..<run.count).map { row in
          var customer = NewCustomer(CustomerFields(name: "\(number) \(row)"), canEdit: row % 3 > 0)
          if row % 7 == 2 {
            customer.log = [
              LogLine(
                id: LogLineID(rawValue: -Int64(1 + number * 1_000 + row)), customer: 0,
                time: "2026-11-21T09:30:00.000Z", author: "a", text: "t")
            ]
          }
          return customer
        }
        try add(customers, id, &list)
      }
    }

    func addTogether(to list: inout CustomerList) throws {
      var appended = AppendedRows()
      try add(to: &list) {
        try appended.addSection($0, to: &$1)
      } _: {
        try appended.add($0, in: $1, to: &$2)
      }
      try appended.write(to: &list)
    }

    func addOneByOne(to list: inout CustomerList) throws {
      try add(to: &list) {
        try $1.insertSection(title: $0)
      } _: { customers, section, list in
        var rest = customers.makeIterator()
        try list.insertCustomers(in: section) { rest.next() }
      }
    }
  }

  private static let plans = [
    Plan(runs: 10, sections: 3, longest: 3, seed: 1), Plan(runs: 200, sections: 200, longest: 1, seed: 2),
    Plan(runs: 700, sections: 2, longest: 1, seed: 3), Plan(runs: 160, sections: 5, longest: 60, seed: 4),
    Plan(runs: 250, sections: 30, longest: 3, seed: 5),
  ]

  @Test(arguments: plans.indices)
  func `rows of many sections are added together as one by one, and undone and redone`(index: Int) throws {
    let plan = Self.plans[index]
    var contents: [String] = []
    for isTogether in [true, false] {
      let store = try CustomerStore.inMemory("")
      let start = try store.write { list in
        for title in ["s0", "s1", "empty"] { _ = try list.insertSection(title: title) }
        let section = try #require(list.sections().first { $0.title == "s1" })
        for number in 0..<40 { _ = try list.insert(CustomerFields(name: "old \(number)"), in: section.id) }
        return try list.connection.contents()
      }
      try store.write { list in
        if isTogether { try plan.addTogether(to: &list) } else { try plan.addOneByOne(to: &list) }
      }
      let (broken, wrong, end) = try store.read { list in
        (try list.connection.brokenInvariants(), try list.check(), try list.connection.contents())
      }
      #expect(broken.isEmpty && wrong.isEmpty)
      contents.append(end)
      try store.write { list in _ = try list.undo() }
      #expect(try store.read { try $0.connection.contents() } == start)
      try store.write { list in _ = try list.redo() }
      #expect(try store.read { try $0.connection.contents() } == end)
    }
    #expect(contents[0] == contents[1])
  }

  @Test func `a row of another section than the one before takes few instructions`() throws {
    func instructions(_ add: (Plan, inout CustomerList) throws -> Void) throws -> Int {
      let store = try CustomerStore.inMemory("")
      return try store.write { list in
        let connection = list.connection
        return try connection.instructions {
          try add(Plan(runs: 2_000, sections: 1_000, longest: 1, seed: 6), &list)
        }
      }
    }
    let together = try instructions { try $0.addTogether(to: &$1) }
    let oneByOne = try instructions { try $0.addOneByOne(to: &$1) }
    #expect(together < oneByOne / 2, "\(together) \(oneByOne)")
  }

  @Test func `a section whose rows are damaged is refused, and so is a title that another one has`() throws {
    for damage in [
      "UPDATE section_record SET count = count + 1", "UPDATE place SET slot = slot + 1",
      "UPDATE section_record SET \"order\" = 2",
    ] {
      let store = try CustomerStore.inMemory("")
      try store.write { list in
        _ = try list.insert(CustomerFields(name: "Ann"))
        try list.connection.execute(damage)
        let error = #expect(throws: ListError.self) {
          var appended = AppendedRows()
          for number in 0..<40 { _ = try appended.addSection("s\(number)", to: &list) }
          try appended.add([NewCustomer(CustomerFields(name: "Bob"))], in: SectionID(rawValue: 1), to: &list)
          try appended.write(to: &list)
        }
        #expect(error == .damaged, "\(damage)")
      }
    }
    let store = try CustomerStore.inMemory("")
    try store.write { list in
      _ = try list.insertSection(title: "Leads")
      let error = #expect(throws: ListError.self) {
        var appended = AppendedRows()
        for number in 0..<40 { _ = try appended.addSection("\(number)", to: &list) }
        _ = try appended.addSection("leads ", to: &list)
        try appended.write(to: &list)
      }
      #expect(error == .titleInUse("Leads"))
      #expect(try list.sections().count == 2)
    }
  }
}
