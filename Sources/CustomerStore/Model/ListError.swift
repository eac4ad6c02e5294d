internal import CustomersText

/// Why an edit of the list was refused.
///
/// Nothing has changed.
public enum ListError: Error, Hashable, Sendable {
  /// No customer has this id.
  case noSuchCustomer(CustomerID)
  /// No section has this id.
  case noSuchSection(SectionID)
  /// No customer of the list has a line of the log with this id.
  case noSuchLine
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
  /// The title, the footer, or the place of the section has changed since the caller saw it.
  case sectionChanged(SectionID)
  /// The extra column that had this name was renamed or dropped since the caller saw it.
  case columnChanged(String)
  /// The edit at which the caller saw the list is no longer in the history.
  case tooLongAgo(edit: Int64)
  /// The list never was as the caller saw it: an older backup was restored, or it is a copy that was edited on its own.
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
  /// A column, a setting, or a person needs a name.
  case unnamed
  /// Another declared column, or another person, has this name.
  case nameInUse(String)
  /// The name and the kind of a field that every customer has never change.
  case fieldFixed(String)
  /// No person has this id.
  case noSuchPerson
  /// None of these columns has exactly this name, but all have it but for case, accents, spaces, `-`, and `_`.
  case ambiguousColumn(String, among: [String])
  /// These customers have both extra columns, so the two can't be joined.
  case columnsOverlap(String, String, in: [CustomerID])
  /// These customers have a value in the extra column that is not of the wanted kind.
  case valuesOfOtherKind(String, in: [CustomerID])
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

extension ListError: ExplainedError {
  /// The error in one line, with the requested and the allowed values.
  public var description: String { explanation.reason }

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

  package func task(with file: String) -> String? {
    if case .incomplete = self { "read \(quoted(file))" } else { nil }
  }

  package var explanation: Explanation {
    explanation(naming: customer.map { "customer @\($0.rawValue)" } ?? "")
  }

  /// The explanation, with the customer as the user knows it.
  package func explanation(naming customer: String) -> Explanation {
    switch self {
    case .noSuchCustomer(let id): .notFound("there is no customer @\(id.rawValue)")
    case .noSuchSection(let id): .notFound("there is no section with id \(id.rawValue)")
    case .noSuchLine: .notFound("there is no such line in the log")
    case .noSections: .notFound("the list has no section", .run(.addSection, to: "add a section"))
    case .placeOutOfRange(let asked, let allowed):
      .notFound(
        allowed.isEmpty
          ? "number \(asked) is out of range: there are no rows"
          : "number \(asked) is out of range (\(allowed.lowerBound)–\(allowed.upperBound - 1))")
    case .editForbidden(let id):
      .refused(
        "\(customer) is protected against editing and deleting", .run(.allowEditing(id), to: "allow editing"))
    case .moveForbidden(let id):
      .refused("\(customer) is protected against moving", .run(.allowMoving(id), to: "allow moving"))
    case .moveConflict(_, let expected, let found):
      .refused("\(customer) was expected at \(expected.order) and is at \(found.order)")
    case .orderChanged: .refused("\(customer) has been moved since")
    case .contentChanged: .refused("\(customer) has been changed since")
    case .sectionChanged: .refused("the section has been changed since")
    case .columnChanged(let name): .refused("the column \"\(name)\" has been renamed or deleted since")
    case .tooLongAgo(let edit): .refused("edit \(edit) is no longer in the history")
    case .otherHistory:
      .refused(
        "this is another list than the one that was read: it was restored, or it is a copy that was edited on its own"
      )
    case .otherStep(let expected, let found):
      .refused("step \(expected) is not next" + (found.map { ": step \($0) is" } ?? ""))
    case .duplicateID: .usage("\(customer) is named twice")
    case .untitledSection: .usage("a section must have a title")
    case .titleInUse(let title): .refused("there is already a section \"\(title)\"")
    case .noSuchColumn(let name): .notFound("there is no column \"\(name)\"")
    case .unnamed: .usage("a name is needed")
    case .nameInUse(let name): .refused("there is already one called \"\(name)\"")
    case .fieldFixed(let name):
      .refused("\(name) is a field of every customer, so its name and kind never change")
    case .noSuchPerson: .notFound("there is no such person")
    case .ambiguousColumn(let name, let columns):
      .notFound(
        "\"\(name)\" may be \(columns.map { "\"\($0)\"" }.joined(separator: " or "))",
        .advice("write the name exactly"))
    case .columnsOverlap(let name, let other, let customers):
      .refused(
        "\(customers.count) customer\(customers.count == 1 ? " has" : "s have") both \"\(name)\" and \"\(other)\""
      )
    case .valuesOfOtherKind(let name, let customers):
      .refused(
        "\(customers.count) customer\(customers.count == 1 ? " has a value" : "s have values") in \"\(name)\" of another kind"
      )
    case .sectionNotEmpty(_, let count):
      .refused("the section is not empty (\(counted(count, "customer")))", .emptySection)
    case .arrangementDiffers(let missing, let unknown):
      .usage("the arrangement leaves out \(missing.count) and adds \(unknown.count) customers")
    case .historyDiffers(let step, let id):
      .refused(
        "\(id == nil ? "what step \(step) changed is not as it" : "\(customer) is not where step \(step)") left it, "
          + "because the list was repaired, or a program wrote to the internal tables",
        .run(.check, to: "look for damage"))
    case .damaged:
      Explanation(
        kind: .damaged, reason: "the numbers in the file are damaged",
        remedies: [.run(.repair, to: "keep the file and repair the list")])
    case .incomplete(let missing, let count):
      .damage("\(missing) of \(counted(count, "row")) can't be read")
    }
  }
}
