import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Testing

/// The report of a test when two lists differ.
@Suite(.onThreads) struct ListDifferenceTests {
  @Test func `two lists that differ are shown side by side`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob, Cid | Leads: Dee")
    try store.write { list in try list.move([list.customer(named: "Cid").id], to: .first) }
    let difference = try #require(try store.difference(from: "Ann, Bob, Cid | Leads: Dee"))
    #expect(
      difference.description == """
        expected   found
        []       = [Customers]
        "Ann"    ≠ "Cid"
        "Bob"    ≠ "Ann"
        "Cid"    ≠ "Bob"
        [Leads]  = [Leads]
        "Dee"    = "Dee"

        """)
  }

  @Test func `equal rows far from a difference are only counted`() {
    let names = (1...20).map { "N\($0)" }
    let expected = SampleList(names.joined(separator: ","))
    let found = SampleList((names.dropLast() + ["M"]).joined(separator: ","))
    #expect(
      ListDifference(expected: expected, found: found)?.description == """
        expected   found
        []       = []
        … 17 equal  \(" ")
        "N18"    = "N18"
        "N19"    = "N19"
        "N20"    ≠ "M"

        """)
  }

  @Test(arguments: [
    ("Ann, Bob", "Ann"), ("Ann", "Ann, Bob"), ("Ann | X:", "Ann"), ("Ann", "Ann | X:"), ("A: Ann", "B: Ann"),
    ("Ann Lee", "Ann  Leo"), ("A: | B: Ann", "A: Ann | B:"),
  ])
  func `every difference is found`(expected: String, found: String) {
    #expect(ListDifference(expected: SampleList(expected), found: SampleList(found)) != nil)
    #expect(ListDifference(expected: SampleList(expected), found: SampleList(expected)) == nil)
  }

  @Test func `other fields differ only where they are compared`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob")
    try store.write { list in try list.update(list.customer(named: "Bob").id) { $0.note = "new" } }
    #expect(try store.difference(from: "Ann, Bob") == nil)
    #expect(try store.difference(from: "Ann, Bob", comparing: .fields)?.description.contains("≠") == true)
  }
}
