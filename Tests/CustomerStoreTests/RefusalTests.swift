@testable import CustomerStore
import Foundation
import CustomersMigrations
import CustomersSQLite
import CustomersTestSupport
import Testing

/// A refused edit reports exactly what was wrong and changes nothing, even when its error is caught and
/// the transaction continues.
@Suite(.onThreads) struct RefusalTests {
  @Test(arguments: inserts + moves + changes)
  func `a refused edit changes nothing`(refused: Case) throws {
    let store = try CustomerStore.inMemory()
    try store.write { list in
      try Self.fill(&list)
      let before = try list.connection.dump()
      #expect(throws: refused.error) { try refused.edit(&list) }
      let after = try list.connection.dump()
      #expect(after == before)
      try list.insert(CustomerFields(note: "goes on"), at: .first)
    }
    let notes = try store.read { list in
      let first = try list.first(in: Self.main)
      return (first?.fields.note, try list.count(), try list.check())
    }
    #expect(notes.0 == "goes on")
    #expect(notes.1 == 9)
    #expect(notes.2 == [])
  }

  @Test func `many inserts are rolled back if their source throws`() throws {
    struct Unreadable: Error {}
    try CustomerStore.inMemory().write { list in
      try Self.fill(&list)
      let before = try list.connection.dump()
      var count = 0
      #expect(throws: Unreadable.self) {
        try list.insert(at: .place(2)) {
          count += 1
          if count == 100 { throw Unreadable() }
          return CustomerFields()
        }
      }
      let after = try list.connection.dump()
      #expect(after == before)
    }
  }

  @Test func `a list without sections accepts no customers`() throws {
    try CustomerStore.inMemory().write { list in
      try list.deleteSection(Self.main)
      #expect(throws: ListError.noSections) { try list.insert(CustomerFields()) }
      #expect(throws: ListError.noSections) { try list.insert { CustomerFields() } }
    }
  }

  @Test func `every refusal of the triggers has a known kind, and every kind is used`() throws {
    var kinds: Set<String> = []
    let code = Migrations.base(ofFormat: Migrations.format).split(separator: "\n")
      .filter { !$0.hasPrefix("--") }.joined(separator: "\n")
    for refusal in code.split(separator: "RAISE(ABORT, '", omittingEmptySubsequences: false).dropFirst() {
      kinds.insert(String(refusal.prefix { $0 != ":" }))
    }
    #expect(kinds == Set(Refusal.allCases.map(\.rawValue)))
  }
}
