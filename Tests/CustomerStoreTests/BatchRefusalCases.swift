@_spi(Tools) import CustomerStore
import Testing

/// The cases that a batch must refuse.
extension BatchRefusalTests {
  static func row(_ order: Int) -> BatchUpdates.Source { .place(order, in: main) }
  static func to(_ order: Int) -> BatchUpdates.Target { .place(order, in: main) }
  static func customer(_ id: Int64) -> CustomerID { CustomerID(rawValue: id) }
  static func place(_ order: Int, in section: SectionID = main) -> CustomerPlace {
    CustomerPlace(section: section, order: order)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var error: BatchError
    var build: @Sendable (inout BatchUpdates) -> Void
    var testDescription: String { "\(error)" }
  }

  static let contradictions = [
    Case(error: .sameRow(customer(1), first: 0, second: 1)) {
      $0.delete(row(1)); $0.delete(row(1))
    },
    Case(error: .sameRow(customer(1), first: 0, second: 2)) {
      $0.move(row(1), to: to(2)); $0.delete(row(5)); $0.move(.customer(customer(1)), to: to(3))
    },
    Case(error: .sameRow(customer(1), first: 0, second: 1)) {
      $0.delete(row(1)); $0.move(row(1), to: to(2))
    },
    Case(error: .sameRow(customer(1), first: 0, second: 1)) {
      $0.move(row(1), to: to(2)); $0.delete(row(1))
    },
    Case(error: .sameRow(customer(1), first: 0, second: 1)) {
      $0.delete(row(1)); $0.update(row(1), [:])
    },
    Case(error: .sameRow(customer(1), first: 0, second: 2)) {
      $0.update(row(1), [:]); $0.update(row(1), [:]); $0.delete(row(1))
    },
    Case(error: .samePlace(place(2), first: 0, second: 1)) {
      $0.insert(CustomerFields(), at: to(2)); $0.move(row(1), to: to(2))
    },
    Case(error: .samePlace(place(1), first: 1, second: 2)) {
      $0.delete(row(5)); $0.insert(CustomerFields(), at: to(1))
      $0.insert(CustomerFields(), at: .first(in: main))
    },
    Case(error: .samePlace(place(6), first: 0, second: 1)) {
      $0.insert(CustomerFields(), at: .last(in: main)); $0.move(row(1), to: to(6))
    },
  ]

  static let ranges = [
    Case(error: .noSuchRow(operation: 1, asked: place(6), allowed: 1..<6)) {
      $0.delete(row(1)); $0.delete(row(6))
    },
    Case(error: .noSuchRow(operation: 0, asked: place(0), allowed: 1..<6)) { $0.move(row(0), to: to(1)) },
    Case(error: .noSuchRow(operation: 0, asked: place(1, in: other), allowed: 1..<1)) {
      $0.update(.place(1, in: other), [:])
    },
    Case(error: .noSuchPlace(operation: 0, asked: place(7), allowed: 1..<7)) {
      $0.insert(CustomerFields(), at: to(7))
    },
    Case(error: .noSuchPlace(operation: 1, asked: place(5), allowed: 1..<5)) {
      $0.delete(row(1)); $0.move(row(4), to: to(5))
    },
    Case(error: .noSuchPlace(operation: 0, asked: place(2, in: other), allowed: 1..<2)) {
      $0.move(row(1), to: .place(2, in: other))
    },
    Case(error: .noSuchPlace(operation: 0, asked: place(.min), allowed: 1..<7)) {
      $0.insert(CustomerFields(), at: to(.min))
    },
  ]

  static let refusals = [
    Case(error: .refused(operation: 1, .editForbidden(customer(3)))) {
      $0.insert(CustomerFields(), at: to(1)); $0.delete(row(3))
    },
    Case(error: .refused(operation: 1, .editForbidden(customer(3)))) {
      $0.delete(row(1)); $0.update(row(3), [.note: "no"])
    },
    Case(error: .refused(operation: 0, .moveForbidden(customer(2)))) { $0.move(row(2), to: to(1)) },
    Case(error: .refused(operation: 0, .moveForbidden(customer(2)))) {
      $0.move(row(2), to: .first(in: other))
    },
    Case(error: .refused(operation: 0, .moveForbidden(customer(3)))) {
      $0.move(row(3), to: to(2)); $0.move(row(2), to: to(3))
    },
    Case(error: .refused(operation: 0, .noSuchCustomer(customer(99)))) { $0.delete(.customer(customer(99))) },
    Case(error: .refused(operation: 0, .noSuchSection(SectionID(rawValue: 9)))) {
      $0.insert(CustomerFields(), at: .last(in: SectionID(rawValue: 9)))
    },
  ]
}
