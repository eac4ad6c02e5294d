import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Testing

/// Searching names without the order of the list.
@Suite(.onThreads) struct NamesTests {
  @Test func `every name that contains a string is found, in any script`() throws {
    var sample = SampleList.awkward
    let more = [
      "ZOË MÜLLER", "\u{212A}elvin", "Maße", "MASSE", "İpek", "nul\u{0}Ünder", "ÉCOLE", "e\u{301}cole",
    ]
    sample.sections[0].customers += more.map { CustomerFields(name: $0) }
    sample.sections[0].customers += [
      CustomerFields(company: "Ann & Sons"), CustomerFields(lastName: "Only Last"),
    ]
    let store = try CustomerStore.inMemory(sample)
    let names = sample.sections[0].customers.map(\.name)
    for text in [
      "ann", "ANN", "zoë", "kelvin", "masse", "i̇p", "ünd", "école", "only", "a", "ß", "xyz", "\\", "'",
    ] {
      var found: [String] = []
      try store.read { list in
        try list.forEachName(having: Name(text)) { _, fields in found.append(fields.name) }
      }
      let wanted = names.filter { $0.lowercased().contains(text.lowercased()) }
      #expect(Set(wanted).subtracting(found).isEmpty, "\(text)")
      #expect(Set(found).isSubset(of: names), "\(text)")
    }
  }

  @Test func `a deleted customer no longer has a name`() throws {
    let store = try CustomerStore.inMemory("Ann, Bob")
    try store.write { list in try list.delete([list.customer(named: "Ann").id]) }
    var found: [String] = []
    try store.read { list in try list.forEachName(having: nil) { _, fields in found.append(fields.name) } }
    #expect(found == ["Bob"])
  }
}
