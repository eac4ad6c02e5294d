internal import CustomerStore

/// The three-way merge of a customer: what a file says, beside what the list says, both compared with what the file was
/// written from.
struct CustomerMerge {
  /// A value that differs on both sides.
  struct Conflict: Equatable {
    /// The column.
    let column: String
    /// The value in the list.
    let ours: String
    /// The value in the file.
    let theirs: String
  }

  /// The customer with the changes of both sides; where they conflict, with the value of the side that wins.
  private(set) var merged: NewCustomer
  /// The values that both changed to different ones, and, if what the file was written from is unknown, all that
  /// differ.
  private(set) var conflicts: [Conflict] = []

  /// Merges the two.
  ///
  /// - Parameters:
  ///   - base: what the file was written from; nil if unknown.
  ///   - ours: the customer of the list.
  ///   - theirs: the customer of the file.
  ///   - winner: the side that wins conflicts; nil to only find them.
  init(base: NewCustomer?, ours: NewCustomer, theirs: NewCustomer, winner: ConflictSide?) {
    merged = ours
    let fields: [CustomerField]
    if let base {
      // A string that a file can't hold exactly is no change.
      guard theirs != base, !theirs.hasSameValues(as: base) else { return }
      (merged.fields, fields) = ours.fields.merging(theirs.fields, from: base.fields)
    } else {
      fields = theirs.fields.differences(from: ours.fields).filter {
        !theirs.fields[$0].isSame(as: ours.fields[$0])
      }
    }
    for field in fields {
      conflicts.append(
        Conflict(column: field.column, ours: ours.fields[field].text, theirs: theirs.fields[field].text))
      if winner == .theirs { merged.fields[field] = theirs.fields[field] }
    }
    merge(\.canEdit, "can_edit", base, ours, theirs, winner)
    merge(\.canMove, "can_move", base, ours, theirs, winner)
  }

  /// Merges a right; two sides that both change it agree.
  private mutating func merge(
    _ right: WritableKeyPath<NewCustomer, Bool>, _ column: String, _ base: NewCustomer?, _ ours: NewCustomer,
    _ theirs: NewCustomer, _ winner: ConflictSide?
  ) {
    guard theirs[keyPath: right] != ours[keyPath: right], theirs[keyPath: right] != base?[keyPath: right]
    else { return }
    if base == nil {
      func word(_ customer: NewCustomer) -> String { customer[keyPath: right] ? "yes" : "no" }
      conflicts.append(Conflict(column: column, ours: word(ours), theirs: word(theirs)))
    }
    if base != nil || winner == .theirs { merged[keyPath: right] = theirs[keyPath: right] }
  }
}

extension NewCustomer {
  /// The fields and protection of a customer.
  init(_ customer: Customer) {
    self.init(customer.fields, canEdit: customer.canEdit, canMove: customer.canMove)
  }

  /// Whether no value differs.
  func hasSameValues(as other: NewCustomer) -> Bool {
    (canEdit, canMove) == (other.canEdit, other.canMove) && fields.differences(from: other.fields).isEmpty
  }
}
