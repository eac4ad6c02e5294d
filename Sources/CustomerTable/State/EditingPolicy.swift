public import CustomerStore

/// The edits that a table allows and the labels of its controls.
///
/// The list takes precedence: a protected customer has no controls, whatever the policy says.
public struct EditingPolicy: Sendable {
  /// The rules for one row.
  public enum Answer: Sendable {
    case yes, no
    /// The rules for the table.
    case asTable
  }

  /// Whether rows may be edited and deleted by default.
  public var allowsEditing = true
  /// Whether rows may be moved by default.
  public var allowsMoving = true
  /// Whether customers may be added.
  public var allowsAdding = true
  /// Whether one row may be edited and deleted.
  public var edit: @Sendable (Customer) -> Answer = { _ in .asTable }
  /// Whether one row may be moved.
  public var move: @Sendable (Customer) -> Answer = { _ in .asTable }
  /// The text below or beside the name; empty for none.
  public var subtitle: @Sendable (Customer) -> String = { $0.fields.note }
  /// The text of the button that deletes a row.
  public var deleteTitle: @Sendable (Customer) -> String = { _ in "Delete" }
  /// The text of the row that adds a customer.
  public var addTitle = "(add new)"
  /// The text shown in edit mode for a row without a subtitle; empty for nothing.
  public var emptyNoteHint = "enter notes in customer details"
  /// The most rows that a view sorts, so that no key has to wait.
  public var mostSortedRows = 50_000
  /// The appearance of the table's forms; title, place, and placeholders are set when a form is opened.
  public var form = FormState.Options()

  /// A policy that allows everything.
  public init() {}

  /// A policy that allows nothing.
  public static var readOnly: EditingPolicy {
    var policy = EditingPolicy()
    policy.forbidEverything()
    return policy
  }

  /// Whether nothing is allowed.
  public private(set) var isReadOnly = false

  /// Forbids everything.
  package mutating func forbidEverything() {
    (allowsEditing, allowsMoving, allowsAdding, isReadOnly) = (false, false, false, true)
    (edit, move) = ({ _ in .asTable }, { _ in .asTable })
  }

  /// Whether a customer may be edited and deleted.
  public func canEdit(_ customer: Customer) -> Bool {
    customer.canEdit && Self.decide(edit(customer), allowsEditing)
  }

  /// Whether a customer may be moved.
  public func canMove(_ customer: Customer) -> Bool {
    customer.canMove && Self.decide(move(customer), allowsMoving)
  }

  /// The appearance of the form of a customer; nil for a new one.
  package func form(of customer: Customer?) -> FormState.Options {
    var options = form
    if options.title.isEmpty { options.title = customer?.name ?? "New customer" }
    if let customer {
      options.sections.append(
        FormSection(fields: customer.fields.extraColumns.shown.map { CustomerField.extra($0.name) }))
      options.placeholders = [:]
    }
    return options
  }

  private static func decide(_ answer: Answer, _ table: Bool) -> Bool {
    switch answer {
    case .yes: true
    case .no: false
    case .asTable: table
    }
  }
}
