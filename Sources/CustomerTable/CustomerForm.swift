public import CustomerStore
public import Observation

/// A form for one customer: a copy of the fields, which is saved or let go of.
@MainActor @Observable public final class CustomerForm: Identifiable {
  /// The customer.
  public nonisolated let id: CustomerID
  /// The fields as they are in the form.
  public var fields: CustomerFields
  /// The fields as they were when the form was opened, or saved.
  public private(set) var original: CustomerFields
  private let list: CustomerListModel

  init(_ customer: Customer, in list: CustomerListModel) {
    (id, fields, original, self.list) = (customer.id, customer.fields, customer.fields, list)
  }

  /// Whether there is something to save.
  public var hasChanges: Bool { fields != original }

  /// Saves what was changed in the form.
  ///
  /// What others changed in the meantime stays, if it is in other fields.
  ///
  /// - Throws: `FieldConflict` if somebody changed the same field to something else; also
  ///   `ListError.noSuchCustomer`, `editForbidden`, `StoreError`.
  public func save() async throws {
    let (id, original, fields) = (id, original, fields)
    guard fields != original else { return }
    let saved = try await list.perform("edit") { list in
      try list.update(id, from: original, to: fields)
    }
    self.original = saved.fields
  }

  /// Deletes the customer.
  ///
  /// - Throws: `ListError.noSuchCustomer`, `editForbidden`, `StoreError`.
  public func delete() async throws {
    try await list.perform("delete") { [id] list in try list.delete([id]) }
  }
}
