import CustomerFixtures
import CustomerStore
import CustomersTestSupport
import Testing

@testable import CustomerTransfer

/// The three-way merge of one customer, value by value.
@Suite(.onThreads) struct CustomerMergeTests {
  /// The columns that are compared, and one value of each customer.
  private typealias Values = [CustomerField: String]

  private static let fields: [CustomerField] = [
    .firstName, .email, .note, .tags, .extra("City"), .extra("Zip"),
  ]

  private static func values(_ customer: NewCustomer) -> Values {
    Dictionary(uniqueKeysWithValues: fields.map { ($0, customer.fields[$0].text) })
  }

  private static func random(_ random: inout SplitMix64) -> NewCustomer {
    var customer = NewCustomer(CustomerFields(firstName: "", lastName: "Lee"))
    change(&customer, oneIn: 1, &random)
    return customer
  }

  /// Gives about one in `count` columns a value of three.
  private static func change(_ customer: inout NewCustomer, oneIn count: Int, _ random: inout SplitMix64) {
    for field in fields where random.oneIn(count) {
      customer.fields[field] = .text(["", "1", "two"][random.below(3)])
    }
    if random.oneIn(count) { customer.canEdit.toggle() }
    if random.oneIn(count) { customer.canMove.toggle() }
  }

  private static func merge(
    base: NewCustomer?, ours: NewCustomer, theirs: NewCustomer, winner: ConflictSide?
  ) -> CustomerMerge {
    func customer(_ new: NewCustomer) -> Customer {
      Customer(
        id: 1, place: CustomerPlace(section: 1, order: 1), fields: new.fields, canEdit: new.canEdit,
        canMove: new.canMove)
    }
    return CustomerMerge(
      base: base.map(customer), ours: customer(ours), theirs: customer(theirs)
    ) { _ in winner }
  }

  @Test func `each value is that of the side that changed it, and what both changed is a conflict`() {
    for seed in 0..<(isLong ? 5_000 : 1_500) {
      var random = SplitMix64(seed: seed)
      let base = Self.random(&random)
      var (ours, theirs) = (base, base)
      Self.change(&ours, oneIn: 3, &random)
      Self.change(&theirs, oneIn: 3, &random)
      let (old, mine, other) = (Self.values(base), Self.values(ours), Self.values(theirs))
      let changed = Self.fields.filter {
        mine[$0] != old[$0] && other[$0] != old[$0] && mine[$0] != other[$0]
      }
      // Each tag counts by itself.
      let conflicts = Set(changed).subtracting([.tags])
      let tags = [mine, other].compactMap { $0[.tags] }.filter { !$0.isEmpty && $0 != old[.tags] }
      for winner in [nil, ConflictSide.ours, .theirs] {
        let merge = Self.merge(base: base, ours: ours, theirs: theirs, winner: winner)
        #expect(Set(merge.conflicts.map { $0.column }) == Set(conflicts.map(\.column)), "seed \(seed)")
        for field in Self.fields {
          let expected =
            field == .tags && changed.contains(.tags)
            ? tags.joined(separator: "\n")
            : conflicts.contains(field)
              ? (winner == .theirs ? other[field] : mine[field])
              : (other[field] == old[field] ? mine[field] : other[field])
          #expect(merge.merged.fields[field].text == expected, "seed \(seed), \(field)")
        }
        #expect(merge.merged.fields.lastName == "Lee", "seed \(seed)")
        #expect(
          merge.merged.canEdit == (theirs.canEdit == base.canEdit ? ours : theirs).canEdit, "seed \(seed)")
        #expect(
          merge.merged.canMove == (theirs.canMove == base.canMove ? ours : theirs).canMove, "seed \(seed)")
      }
    }
  }

  @Test func `without a base, every difference is a conflict`() {
    for seed in 0..<1_000 {
      var random = SplitMix64(seed: seed)
      let (ours, theirs) = (Self.random(&random), Self.random(&random))
      let (mine, other) = (Self.values(ours), Self.values(theirs))
      var columns = Set(Self.fields.filter { mine[$0] != other[$0] }.map(\.column))
      if ours.canEdit != theirs.canEdit { columns.insert("can_edit") }
      if ours.canMove != theirs.canMove { columns.insert("can_move") }
      let found = Self.merge(base: nil, ours: ours, theirs: theirs, winner: nil)
      #expect(
        Set(found.conflicts.map { $0.column }) == columns
          && NewCustomer(found.merged).hasSameValues(as: ours),
        "seed \(seed)")
      let taken = Self.merge(base: nil, ours: ours, theirs: theirs, winner: .theirs)
      #expect(NewCustomer(taken.merged).hasSameValues(as: theirs), "seed \(seed)")
    }
  }
}
