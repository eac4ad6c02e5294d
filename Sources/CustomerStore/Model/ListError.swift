/// Why an edit of the list was refused.
///
/// Nothing has changed.
public enum ListError: Error, Hashable, Sendable {
  /// No customer has this id.
  case noSuchCustomer(CustomerID)
  /// No section has this id.
  case noSuchSection(SectionID)
  /// The list has no section to hold a customer.
  case noSections
  /// The number `asked`, of a row in its section or of a section, is outside `allowed`, which may be empty.
  case placeOutOfRange(asked: Int, allowed: Range<Int>)
  /// The customer's `canEdit` is false, so it can't be edited or deleted.
  case editForbidden(CustomerID)
  /// The customer's `canMove` is false, so it can't be moved.
  case moveForbidden(CustomerID)
  /// The customer is not where the caller expected it: it has been moved.
  case moveConflict(CustomerID, expected: CustomerPlace, found: CustomerPlace)
  /// The customer has been moved since the caller saw it.
  case orderChanged(CustomerID)
  /// The fields or the protection of the customer have changed since the caller saw it.
  case contentChanged(CustomerID)
  /// The edit at which the caller saw the list is no longer in the history.
  case tooLongAgo(edit: Int64)
  /// The list was restored or repaired, or its history erased, since the caller saw it.
  case otherHistory
  /// A different step than expected would be undone or redone; none if `found` is nil.
  case otherStep(expected: Int64, found: Int64?)
  /// The same customer was named twice or would be moved before or after itself.
  case duplicateID(CustomerID)
  /// A section must have a title.
  case untitledSection
  /// Another section has this title; case and surrounding spaces are ignored.
  case titleInUse(String)
  /// No customer has an extra column of this name.
  case noSuchColumn(String)
  /// None of these columns has exactly this name, but all have it but for case, accents, spaces, `-`, and `_`.
  case ambiguousColumn(String, among: [String])
  /// These customers have both extra columns, so the two can't be joined.
  case columnsOverlap(String, String, in: [CustomerID])
  /// The section has rows, which must be deleted with it.
  case sectionNotEmpty(SectionID, count: Int)
  /// An arrangement must name exactly the rows of the section; `missing` and `unknown` list the differences.
  case arrangementDiffers(missing: [CustomerID], unknown: [CustomerID])
  /// A step can't be undone, redone, or reverted, because a customer is not where the step left it; or a section, then
  /// `customer` is nil. A program wrote to the internal tables or repaired them.
  case historyDiffers(step: HistoryStep.ID, customer: CustomerID?)
  /// The numbers in the file are damaged; `repair` fixes them.
  case damaged
  /// The file is damaged: so many of the rows that the sections count can't be read.
  case incomplete(missing: Int, of: Int)
}

extension ListError {
  /// Whether the file is damaged, and nothing is wrong with what was asked for.
  package var isDamage: Bool {
    switch self {
    case .damaged, .incomplete: true
    default: false
    }
  }
}

extension ListError: CustomStringConvertible {
  /// The error in one line, with the requested and the allowed values.
  public var description: String {
    description(naming: customer.map { "customer @\($0.rawValue)" } ?? "")
  }

  /// The customer of the list that the error is about, if it is one.
  package var customer: CustomerID? {
    switch self {
    case .editForbidden(let id), .moveForbidden(let id), .moveConflict(let id, _, _), .orderChanged(let id),
      .contentChanged(let id), .duplicateID(let id):
      id
    case .historyDiffers(_, let id): id
    default: nil
    }
  }

  /// The error in one line, with the customer as the user knows it.
  package func description(naming customer: String) -> String {
    switch self {
    case .noSuchCustomer(let id): "there is no customer @\(id.rawValue)"
    case .noSuchSection(let id): "there is no section with id \(id.rawValue)"
    case .noSections: "the list has no section"
    case .placeOutOfRange(let asked, let allowed):
      allowed.isEmpty
        ? "number \(asked) is out of range: there are no rows"
        : "number \(asked) is out of range (\(allowed.lowerBound)–\(allowed.upperBound - 1))"
    case .editForbidden: "\(customer) is protected against editing and deleting"
    case .moveForbidden: "\(customer) is protected against moving"
    case .moveConflict(_, let expected, let found):
      "\(customer) was expected at \(expected.order) and is at \(found.order)"
    case .orderChanged: "\(customer) has been moved since"
    case .contentChanged: "\(customer) has been changed since"
    case .tooLongAgo(let edit): "edit \(edit) is no longer in the history"
    case .otherHistory: "the list was restored or repaired, or its history erased, since it was read"
    case .otherStep(let expected, let found):
      "step \(expected) is not next" + (found.map { ": step \($0) is" } ?? "")
    case .duplicateID: "\(customer) is named twice"
    case .untitledSection: "a section must have a title"
    case .titleInUse(let title): "there is already a section \"\(title)\""
    case .noSuchColumn(let name): "there is no column \"\(name)\""
    case .ambiguousColumn(let name, let columns):
      "\"\(name)\" may be \(columns.map { "\"\($0)\"" }.joined(separator: " or "))"
    case .columnsOverlap(let name, let other, let customers):
      "\(customers.count) customer\(customers.count == 1 ? " has" : "s have") both \"\(name)\" and \"\(other)\""
    case .sectionNotEmpty(_, let count):
      "the section is not empty (\(count) customer\(count == 1 ? "" : "s"))"
    case .arrangementDiffers(let missing, let unknown):
      "the arrangement leaves out \(missing.count) and adds \(unknown.count) customers"
    case .historyDiffers(let step, let id):
      "\(id == nil ? "a section" : customer) is not where step \(step) left it, because a program wrote to "
        + "the internal tables"
    case .damaged: "the numbers in the file are damaged"
    case .incomplete(let missing, let count):
      "\(missing) of \(count) row\(count == 1 ? "" : "s") can't be read"
    }
  }
}
