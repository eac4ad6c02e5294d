public import CustomerStore

/// A form for one customer: a copy of the fields, until one of three outcomes says what to do with it.
///
/// The form writes nothing itself. It can also be used without a table: its owner sends it events and acts on
/// what `update` returns, or on what `owner` is called with.
public struct FormState: Sendable {
  /// The purpose of the form.
  public enum Mode: Hashable, Sendable {
    /// A new customer.
    case add(at: Destination, in: SectionID?)
    /// A customer of the list.
    case edit(CustomerID)
  }

  /// The appearance of a form.
  public struct Options: Sendable {
    /// The fields in sections, in display order: at first one section with the fields that every customer has.
    public var sections = [FormSection(fields: CustomerField.standard)]
    /// The fields of all sections; setting them makes one section without a caption.
    public var fields: [CustomerField] {
      get { sections.flatMap(\.fields) }
      set { sections = [FormSection(fields: newValue)] }
    }
    /// The labels that differ from the fields' titles.
    public var labels: [CustomerField: String] = [:]
    /// The placeholders of empty fields.
    public var placeholders: [CustomerField: String] = [:]
    /// Whether the place is a line of the form, and the allowed places.
    public var places: ClosedRange<Int>?
    /// The title.
    public var title = ""
    /// Whether labels are shown.
    public var showsLabels = true
    /// Whether there is a Delete button; nil for yes in edit mode and no in add mode.
    public var allowsDelete: Bool?
    /// The line that gets the focus first, from 0; none if there is no such line.
    public var firstFocus = 0
    /// The values of the buttons.
    public var deleteTitle = "Delete", saveTitle = "Save", cancelTitle = "Cancel"
    /// Error messages, by field.
    public var check: @Sendable (CustomerFields) -> [CustomerField: String] = { _ in [:] }

    /// The fields that every customer has.
    public init() {}

    /// The label of a field.
    package func label(of field: CustomerField) -> String { labels[field] ?? field.title }
  }

  /// An element that can have the focus.
  public enum Focus: Hashable, Sendable {
    /// A line, from 0.
    case field(Int)
    /// A button.
    case save, cancel, delete
  }

  /// A question of the form, which takes the next key.
  public enum Question: Hashable, Sendable {
    /// Whether to delete the customer.
    case delete
    /// Whether to close the form and lose what was typed.
    case discard
  }

  /// The outcome of a form.
  public enum Outcome: Hashable, Sendable {
    /// Save these fields, at a place if the form has one and the user has changed it.
    case save(CustomerFields, place: Int?)
    /// Do nothing.
    case cancel
    /// Delete the customer.
    case delete
  }

  /// The purpose of the form.
  public let mode: Mode
  /// The appearance of the form.
  public let options: Options
  /// The lines.
  public internal(set) var fields: [FormField]
  /// The element with the focus; nil for none.
  public internal(set) var focus: Focus?
  /// The question that waits for an answer; nil for none.
  public internal(set) var question: Question?
  /// Whether the customer was deleted by someone else; saving asks for it to be added again.
  public internal(set) var isGone = false
  /// Whether the list was restored or replaced, so that the customer's id may be another customer's now.
  var isDetached = false
  /// When the form was opened.
  let start = ContinuousClock.now
  /// The form's message, such as why it was not saved.
  public internal(set) var message: String?
  /// The message, as soon as there is one; until it is withdrawn, events do nothing.
  public internal(set) var outcome: Outcome?
  /// Called once with the outcome, when `update` returns it; whoever owns the form may replace it at any time.
  public var owner: (@Sendable (Outcome) -> Void)?
  /// The fields that the form starts with, updated with others' changes.
  public internal(set) var original: CustomerFields
  let originalPlace: Int?
  /// The section of the customer.
  let section: SectionID?

  /// Opens a form.
  ///
  /// - Parameters:
  ///   - mode: the purpose of the form.
  ///   - values: the initial fields; usually empty in add mode.
  ///   - place: the place of the customer.
  ///   - options: its appearance.
  public init(
    _ mode: Mode, _ values: CustomerFields = CustomerFields(), place: CustomerPlace? = nil,
    options: Options = Options()
  ) {
    (self.mode, self.options, original) = (mode, options, values)
    (originalPlace, section) = (place?.order, place?.section)
    fields = options.fields.flatMap { FormState.rows($0, values[$0], options) }
    if options.places != nil {
      fields.append(
        FormField(.place, .text(place.map { String($0.order) } ?? ""), label: "Place", placeholder: ""))
    }
    focus = fields.indices.contains(options.firstFocus) ? .field(options.firstFocus) : nil
  }

  /// Whether there is a Delete button.
  public var hasDelete: Bool {
    if let allows = options.allowsDelete { return allows }
    if case .edit = mode { return !isGone }
    return false
  }

  /// The current fields of the form.
  public var edited: CustomerFields {
    var edited = original
    for line in fields {
      guard case .field(let field) = line.id else { continue }
      edited[field] = field.kind == .lines ? list(field) : line.value(original: original[field])
    }
    return edited
  }

  /// The place that the user has entered; nil if it is unchanged.
  public var editedPlace: Int? {
    guard let line = fields.first(where: { $0.id == .place }) else { return nil }
    let place = line.text.flatMap { Int($0.text) }
    return place == originalPlace ? nil : place
  }

  /// Whether there is something to save.
  public var hasChanges: Bool { edited != original || editedPlace != nil }
}
