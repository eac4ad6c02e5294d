import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Testing

/// Sample lists: their form in one line, in a store, and out of it again.
@Suite(.onThreads) struct SampleListTests {
  @Test func `a list in one line`() {
    let list: SampleList = "Ann Lee, Bob | Leads: Cid van Dam | Empty:"
    #expect(list.sections.map(\.title) == [nil, "Leads", "Empty"])
    #expect(list.sections.map { $0.customers.map(\.name) } == [["Ann Lee", "Bob"], ["Cid van Dam"], []])
    #expect(list.sections[1].customers == [CustomerFields(firstName: "Cid van", lastName: "Dam")])
    #expect(list.text == "Ann Lee, Bob | Leads: Cid van Dam | Empty: ")
    #expect(("" as SampleList).sections == [SampleList.Section()])
  }

  @Test func `separators of a list can be part of a name`() {
    let list: SampleList = #"Comma\, Inc., 3\:0, a\|b, c\\d"#
    #expect(list.sections.map { $0.customers.map(\.name) } == [["Comma, Inc.", "3:0", "a|b", #"c\d"#]])
    #expect(SampleList(list.text) == list)
  }

  @Test(arguments: [
    SampleList.small, .sections, .awkward, .generated(0), .generated(300),
    .generated(300, sections: 4, seed: 9),
    "Ann, Bob | Leads: Cid", "",
  ])
  func `a store contains the customers it was created with`(sample: SampleList) throws {
    let store = try CustomerStore.inMemory(sample)
    #expect(try store.difference(from: sample, comparing: .fields) == nil)
    #expect(try store.read { list in try list.check() } == [])
    #expect(try store.write { list in try list.undo() } == nil)
    let copy = try store.read { list in try SampleList(list) }
    #expect(copy.sections.map(\.customers) == sample.sections.map(\.customers))
    #expect(copy.sections[0].title == sample.sections[0].title ?? "Customers")
  }

  @Test func `a generated list is the same for the same seed only`() {
    #expect(SampleList.generated(50, seed: 1) == .generated(50, seed: 1))
    #expect(SampleList.generated(50, seed: 1) != .generated(50, seed: 2))
    let customers = SampleList.generated(1000, sections: 3).sections.flatMap(\.customers)
    #expect(customers.count == 1000 && Set(customers.map(\.email)).count == 1000)
    #expect(Set(customers.map(\.name)).count > 300)
  }

  @Test func `a customer is found by its whole name, if it is the only one`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob, Bob | Leads: Bobby")
    func find(_ name: String) throws -> Customer { try store.read { list in try list.customer(named: name) } }
    #expect(try find("Bobby").place.order == 1)
    #expect(throws: FixtureError.severalCustomers(named: "Bob", count: 2)) { try find("Bob") }
    #expect(throws: FixtureError.noCustomer(named: "bobby")) { try find("bobby") }
  }
}
