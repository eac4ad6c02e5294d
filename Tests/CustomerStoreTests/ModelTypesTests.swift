import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Foundation
import Testing

/// The types of the model, as an app uses them.
@Suite(.onThreads) struct ModelTypesTests {
  private static let customer = Customer(
    id: 7, place: CustomerPlace(section: 1, order: 2), fields: CustomerFields(name: "Ann Lee"), canMove: false
  )

  @Test func `customers, sections, moves, and steps survive encoding and decoding`() throws {
    func isKept<Value: Codable & Equatable>(_ value: Value) throws -> Bool {
      try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value
    }
    #expect(try isKept(Self.customer))
    #expect(try isKept(CustomerSection(id: 3, title: "Leads", footer: "x", order: 2, count: 5)))
    #expect(
      try isKept(CustomerMove(id: 7, from: Self.customer.place, to: CustomerPlace(section: 2, order: 1))))
    #expect(try isKept(HistoryStep(id: 1, time: "2026-11-21T09:30:00.123Z", kind: .undo, state: .dropped)))
    #expect(try isKept([CustomerField.phone, .isFavorite, .extra("Fax")]))
    #expect(try isKept(Destination.before(7)))
    #expect(String(decoding: try JSONEncoder().encode(CustomerID(rawValue: 7)), as: UTF8.self) == "7")
  }

  @Test func `a full name is split at the last space`() {
    let names = [
      "": ("", ""), "Ann": ("Ann", ""), "Ann Lee": ("Ann", "Lee"), " Ann  Mary Lee ": ("Ann Mary", "Lee"),
    ]
    for (name, parts) in names {
      let fields = CustomerFields(name: name)
      #expect((fields.firstName, fields.lastName) == parts, "\(name)")
    }
  }

  @Test func `an error has the same text in an app and in a log`() {
    let errors: [any Error] = [
      ListError.noSuchCustomer(7), StoreError.locked,
      BatchError.samePlace(Self.customer.place, first: 0, second: 1),
      FieldError(field: .isFavorite), BackupError.exists, RestoreError.isBusy, LoadError.isOccupied,
      RevertError.changedSince([7]),
      FixtureError.noCustomer(named: "Ann"),
      FieldConflict(id: 7, mine: CustomerFields(), theirs: CustomerFields(), fields: [.phone]),
    ]
    for error in errors { #expect(error.localizedDescription == "\(error)") }
  }

  @Test func `one customer can be moved and deleted, and a sequence inserted, without an array or a closure`()
    throws
  {
    let store = try CustomerStore.inMemory("Ann, Bob")
    try store.write { list in
      try list.insert(contentsOf: ["Cid", "Dora"].map(CustomerFields.init(name:)), at: .first)
      let move = try list.move(2, to: .first)
      #expect(
        move
          == CustomerMove(
            id: 2, from: CustomerPlace(section: 1, order: 4), to: CustomerPlace(section: 1, order: 1)))
      try list.delete(1)
    }
    try #expect(store.difference(from: "Bob, Cid, Dora") == nil)
  }
}
