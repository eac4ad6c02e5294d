import CustomerFixtures
@_spi(Tools) @testable import CustomerStore

/// Edits by chance, of all kinds; some are refused.
enum RandomEdit {
  static func make(in list: borrowing CustomerList, _ generator: inout SplitMix64) throws -> ListEdit {
    let outline = try list.outline()
    var rows: [CustomerID] = []
    try list.forEach { customer in
      rows.append(customer.id)
      return true
    }
    let sections = outline.sections.map(\.id)
    let section = sections.isEmpty ? nil : sections[generator.below(sections.count)]
    guard rows.count > 3, let section else { return .insert([new(&generator)], at: .first) }
    func some(_ most: Int) -> [CustomerID] {
      Array(rows.shuffled(using: &generator).prefix(1 + generator.below(most)))
    }
    let number = generator.below(100)
    let place = Destination.place(1 + generator.below(4))
    switch generator.below(19) {
    case 0: return .insert([new(&generator)], at: place, in: section)
    case 1: return .insert((0...generator.below(4)).map { _ in new(&generator) }, in: section)
    case 2: return .update(some(1), [.phone: .text("\(number)"), .isFavorite: .flag(number < 50)])
    case 3: return .update(some(1), [.extra("City"): .text("\(number)"), .note: "x"])
    case 4: return .delete(some(3))
    case 5, 6: return .move(some(3), to: place, in: section)
    case 7: return .move(some(1), to: .last)
    case 8: return .moveBy(some(2), generator.below(5) - 2)
    case 9: return .swap(rows[0], rows[1 + generator.below(2)])
    case 10: return .protect(some(2), canEdit: number < 80, canMove: number > 20)
    case 11: return .sort(SortOrder(by: [.name], isDescending: number < 50), in: section)
    case 12: return .section(.add(title: "S\(number)", footer: "f", at: 1))
    case 13: return .section(.rename(section, title: "T\(number)", footer: number < 50 ? "x" : nil))
    case 14:
      return .section(number < 30 ? .delete(section, withCustomers: true) : .move(section, to: 1))
    case 15: return .column(number < 70 ? .rename("City", to: "Town") : .drop("Town"))
    case 16:
      return .log(
        some(3), "l\(number)", next: number < 30 ? nil : number < 60 ? "" : "2026-12-\(10 + number % 20)",
        to: number.isMultiple(of: 2) ? place : nil, in: number.isMultiple(of: 4) ? section : nil)
    case 17: return .done(some(4))
    default:
      var updates = BatchUpdates()
      let named = some(4)
      updates.delete(.customer(named[0]))
      for (index, id) in named.dropFirst().enumerated() {
        updates.move(.customer(id), to: .place(index + 1, in: section))
      }
      updates.insert(new(&generator).fields, at: .last(in: section))
      updates.update(.customer(named[named.count - 1]), [.note: .text("\(number)")])
      return .batch(updates)
    }
  }

  private static func new(_ generator: inout SplitMix64) -> NewCustomer {
    NewCustomer(CustomerFields(name: "N\(generator.below(1_000))"), canMove: !generator.oneIn(8))
  }
}
