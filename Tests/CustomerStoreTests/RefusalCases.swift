@testable import CustomerStore
import CustomersTestSupport
import Testing

/// The cases that the list must refuse.
extension RefusalTests {
  /// An edit of the list below, and the error that it must throw.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var error: ListError
    var edit: @Sendable (inout CustomerList) throws -> Void

    init(_ name: String, _ error: ListError, _ edit: @escaping @Sendable (inout CustomerList) throws -> Void)
    {
      (testDescription, self.error, self.edit) = (name, error, edit)
    }
  }

  static let one = CustomerID(rawValue: 1)
  static let unknown = CustomerID(rawValue: 99)
  static let noEdit = CustomerID(rawValue: 2)
  static let noMove = CustomerID(rawValue: 3)
  static let last = CustomerID(rawValue: 5)
  static let main = SectionID(rawValue: 1)
  static let other = SectionID(rawValue: 2)
  static let nowhere = SectionID(rawValue: 99)

  /// 5 customers in section 1 (ids 1…5), 3 in section 2 (6…8), none in section 3.
  static func fill(_ list: inout CustomerList) throws {
    for title in ["2", "3"] { _ = try list.addSection(title: title) }
    try list.connection.append(5, to: 1)
    try list.connection.append(3, to: 2)
    try list.protect(noEdit, canEdit: false)
    try list.protect(noMove, canMove: false)
  }

  static let inserts: [Case] =
    [0, -1, 7, .max, .min].map { order in
      Case("insert at \(order)", .placeOutOfRange(asked: order, allowed: 1..<7)) {
        try $0.insert(CustomerFields(), at: .place(order))
      }
    } + [
      Case("insert many at 7", .placeOutOfRange(asked: 7, allowed: 1..<7)) {
        try $0.insert(at: .place(7)) { CustomerFields() }
      },
      Case("insert into no section", .noSuchSection(nowhere)) {
        try $0.insert(CustomerFields(), in: nowhere)
      },
      Case("insert before an unknown customer", .noSuchCustomer(unknown)) {
        try $0.insert(CustomerFields(), at: .before(unknown))
      },
      Case("insert after an unknown customer", .noSuchCustomer(unknown)) {
        try $0.insert(CustomerFields(), at: .after(unknown))
      },
    ]

  static let moves: [Case] =
    [0, -1, 6, .max, .min].map { order in
      Case("move to \(order)", .placeOutOfRange(asked: order, allowed: 1..<6)) {
        try $0.move([one], to: .place(order))
      }
    } + [
      Case("move two to 5", .placeOutOfRange(asked: 5, allowed: 1..<5)) {
        try $0.move([one, last], to: .place(5))
      },
      Case("move across to 5", .placeOutOfRange(asked: 5, allowed: 1..<5)) {
        try $0.move([one], to: .place(5), in: other)
      },
      Case("move an unknown customer", .noSuchCustomer(unknown)) { try $0.move([one, unknown], to: .first) },
      Case("move before an unknown customer", .noSuchCustomer(unknown)) {
        try $0.move([one], to: .before(unknown))
      },
      Case("move to no section", .noSuchSection(nowhere)) { try $0.move([one], to: .first, in: nowhere) },
      Case("move twice", .duplicateID(one)) { try $0.move([one, one], to: .last) },
      Case("move before itself", .duplicateID(one)) { try $0.move([one, last], to: .before(one)) },
      Case("move after itself", .duplicateID(last)) { try $0.move([one, last], to: .after(last)) },
      Case("move what is fixed", .moveForbidden(noMove)) { try $0.move([noMove], to: .last) },
      Case("move what is fixed with others", .moveForbidden(noMove)) {
        try $0.move([one, noMove, last], to: .last, in: other)
      },
      Case(
        "move what is elsewhere",
        .moveConflict(
          one, expected: CustomerPlace(section: main, order: 2), found: CustomerPlace(section: main, order: 1)
        )
      ) {
        try $0.move([one, last], to: .last, expecting: [one: CustomerPlace(section: main, order: 2)])
      },
      Case("swap with itself", .duplicateID(one)) { try $0.swap(one, one) },
      Case("swap with an unknown customer", .noSuchCustomer(unknown)) { try $0.swap(one, unknown) },
      Case("swap what is fixed", .moveForbidden(noMove)) { try $0.swap(one, noMove) },
      Case("swap what is fixed with the one above", .moveForbidden(noMove)) { try $0.swap(noEdit, noMove) },
      Case("swap what is fixed with the one below", .moveForbidden(noMove)) {
        try $0.swap(noMove, CustomerID(rawValue: 4))
      },
      Case("arrange what is fixed", .moveForbidden(noMove)) {
        try $0.arrange([5, 4, 2, 3, 1].map(CustomerID.init), in: main)
      },
      Case("arrange others", .arrangementDiffers(missing: [noMove, last], unknown: [unknown])) {
        try $0.arrange([4, 99, 2, 1].map(CustomerID.init), in: main)
      },
      Case("arrange twice", .duplicateID(one)) {
        try $0.arrange([5, 1, 4, 1].map(CustomerID.init), in: main)
      },
      Case("arrange no section", .noSuchSection(nowhere)) { try $0.arrange([], in: nowhere) },
    ]

  static let changes: [Case] = [
    Case("update an unknown customer", .noSuchCustomer(unknown)) { try $0.update(unknown) { $0.note = "x" } },
    Case("update what is fixed", .editForbidden(noEdit)) { try $0.update(noEdit) { $0.note = "x" } },
    Case("protect an unknown customer", .noSuchCustomer(unknown)) { try $0.protect(unknown, canEdit: false) },
    Case("delete an unknown customer", .noSuchCustomer(unknown)) { try $0.delete([one, unknown]) },
    Case("delete twice", .duplicateID(one)) { try $0.delete([one, one]) },
    Case("delete what is fixed", .editForbidden(noEdit)) { try $0.delete([one, last, noEdit]) },
    Case("add a section at 0", .placeOutOfRange(asked: 0, allowed: 1..<5)) {
      _ = try $0.addSection(title: "x", at: 0)
    },
    Case("add a section at 5", .placeOutOfRange(asked: 5, allowed: 1..<5)) {
      _ = try $0.addSection(title: "x", at: 5)
    },
    Case("move a section to 4", .placeOutOfRange(asked: 4, allowed: 1..<4)) {
      try $0.moveSection(main, to: 4)
    },
    Case("move no section", .noSuchSection(nowhere)) { try $0.moveSection(nowhere, to: 1) },
    Case("rename no section", .noSuchSection(nowhere)) { try $0.renameSection(nowhere, title: "x") },
    Case("delete no section", .noSuchSection(nowhere)) { try $0.deleteSection(nowhere) },
    Case("delete a section with rows", .sectionNotEmpty(other, count: 3)) { try $0.deleteSection(other) },
    Case("delete a section with a fixed row", .editForbidden(noEdit)) {
      try $0.deleteSection(main, withCustomers: true)
    },
    Case("read beyond the end", .placeOutOfRange(asked: 4, allowed: 1..<4)) {
      _ = try $0.customer(at: 4, in: other)
    },
    Case("read of an empty section", .placeOutOfRange(asked: 1, allowed: 1..<1)) {
      _ = try $0.customer(at: 1, in: SectionID(rawValue: 3))
    },
  ]
}
