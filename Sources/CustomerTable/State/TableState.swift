package import CustomerStore

/// A table of customers as a user works with it, on any screen: a value whose `update` returns, for each
/// event, what to do.
///
/// It knows rows by id only, and only a window of the list around the screen. It has no clock, thread, or file;
/// `TableSession` runs its effects.
///
///     var state = TableState()
///     let effects = state.update(.go(.by(1)))
///     for line in state.lines { draw(line) }
package struct TableState: Sendable {
  /// The greatest number of lines on a screen; the same as for a terminal.
  package static let mostLines = 65_535

  /// The edits that the table allows; none in a file that turns out to be read-only.
  package internal(set) var policy: EditingPolicy
  /// The known rows.
  package internal(set) var contents = TableContents()
  /// How many lines the screen has.
  package internal(set) var height = 20
  /// How many of them the parts of the table take.
  package internal(set) var heights = LineHeights()
  /// The line of the table at the top of the screen, from 0.
  package internal(set) var top = 0
  /// Where the cursor is: on a row or on the "add" row of a section; nil in an empty list.
  package internal(set) var cursor: TableTarget?
  /// Whether the controls of edit mode are shown.
  package internal(set) var isEditing = false
  /// The rows that are marked.
  package internal(set) var marked: Set<CustomerID> = []
  /// The row from which a range is being marked.
  package internal(set) var rangeStart: CustomerID?
  /// Rows to mark between the start of the range and the cursor, of which not all were read.
  var unreadRange: TableMarking?
  /// The rows that were cut and not put anywhere yet.
  package internal(set) var cut: Set<CustomerID> = []
  /// The Delete button, while it is visible.
  package internal(set) var confirmation: TableConfirmation?
  /// The rows in hand.
  package internal(set) var drag: DragSession?
  /// The search, until it is closed.
  package internal(set) var search: TableSearch?
  /// The columns that were chosen; nil for the usual ones.
  package internal(set) var columns: [ListColumn]?
  /// The order in which the rows are shown; nil for the list's.
  package internal(set) var sorting: TableSorting?
  /// The question whether to undo another program's step, while it is visible.
  package internal(set) var question: UndoQuestion?
  /// The form, while it is open; it gets all keys.
  package internal(set) var form: FormState?
  /// The rows about which a line is being typed, until it is closed.
  package internal(set) var held: HeldRows?
  /// The notice of the table, until the next key.
  package internal(set) var notice: TableNotice?
  /// Rows that another program has just changed.
  package internal(set) var flashing: Set<CustomerID> = []
  /// Why the list can't be read or edited, until it can.
  package internal(set) var trouble: TableTrouble?
  /// The write that waits for another program to finish; `escape` abandons it.
  package internal(set) var waiting: TableWrite?

  /// What was last said of another program, which its next step replaces.
  var news: TableNotice?
  /// Whether an unreadable list is shown anyway.
  var isLookingOnly = false
  /// The last known row number of the cursor.
  var cursorRow = 0
  /// The steps that this table made or undid after a question: these are undone without asking.
  var ownSteps: Set<HistoryStep.ID> = []

  /// How often another list has taken the place of the one that was shown.
  package internal(set) var replacements = 0
  /// Whether what Enter was to answer has just gone, so that it answers nothing.
  var hasLostQuestion = false

  /// Creates a table that has not read anything; the first event must be `resize`.
  package init(policy: EditingPolicy = EditingPolicy()) { self.policy = policy }
}

/// A notice of the table.
package struct TableNotice: Hashable, Sendable {
  /// How urgent it is.
  package enum Kind: Sendable { case done, hint, refusal }

  /// How urgent it is.
  package var kind: Kind
  /// One line, which may name customers.
  package var text: String

  /// Creates a notice, such as a message of the face.
  package init(kind: Kind, text: String) { (self.kind, self.text) = (kind, text) }
}

/// The rows about which a line is being typed, as they were when it was opened.
package struct HeldRows: Hashable, Sendable {
  /// The customers, in list order.
  package let customers: [Customer]
  /// Whether another list has taken the place of theirs, in which their ids may mean others.
  package internal(set) var areOfAnotherList = false
}

/// The Delete button and the rows that it deletes.
package struct TableConfirmation: Hashable, Sendable {
  /// The row in which it is shown.
  package let row: CustomerID
  /// The customers that it deletes, as the user saw them.
  package let customers: [CustomerID: Customer]

  /// Whether a customer is still as the user saw it; its place does not matter.
  func matches(_ customer: Customer) -> Bool {
    guard let seen = customers[customer.id] else { return false }
    return (seen.fields, seen.canEdit) == (customer.fields, customer.canEdit)
  }
}

/// Rows in hand.
package struct DragSession: Hashable, Sendable {
  /// Where the rows are shown, by a neighbor, so that changes elsewhere have no effect.
  package enum Anchor: Hashable, Sendable {
    /// Above a row.
    case before(CustomerID)
    /// Below the last row of a section.
    case end(of: SectionID)
  }

  /// The rows.
  package internal(set) var ids: [CustomerID]
  /// Where they are shown.
  package internal(set) var anchor: Anchor
}

/// A step by another program that the user may undo or redo.
package struct UndoQuestion: Hashable, Sendable {
  /// The step.
  package let step: HistoryStep
  /// Whether it would be undone or redone.
  package let reversal: TableWrite.Reversal
}

extension TableState {
  /// The order of the rows while some are in hand.
  var arrangement: Arrangement? {
    guard let drag, !contents.sections.isEmpty else { return nil }
    let taken = drag.ids.compactMap { contents.row(of: $0) }.sorted()
    let target: (Int, Int)
    switch drag.anchor {
    case .end(let section): target = (contents.sections.firstIndex { $0.id == section } ?? 0, .max)
    case .before(let id):
      guard let place = contents[id]?.place,
        let section = contents.sections.firstIndex(where: { $0.id == place.section }),
        let row = contents.row(of: id)
      else { return nil }
      let above = taken.count { $0 < row && $0 > row - place.order }
      target = (section, place.order - 1 - above)
    }
    return Arrangement(contents.sections.map(\.count), taking: taken, to: target)
  }

  /// The layout as shown.
  package var layout: TableLayout {
    if let only = contents.only { return TableLayout([.init(rows: only.count)]) }
    let counts = arrangement?.counts ?? contents.sections.map(\.count)
    return TableLayout(
      zip(contents.sections, counts).map { section, count in
        .init(
          rows: count, hasHeader: !section.title.isEmpty, hasAddRow: isEditing && policy.allowsAdding,
          hasFooter: !section.footer.isEmpty)
      })
  }

  /// Whether only matches of the search are shown.
  package var isFiltered: Bool { search?.isFiltering == true }

  /// Whether only those are shown who are due today.
  package var showsDue: Bool { isFiltered && search?.due != nil }

  /// How many of them there are, as far as they were counted, and whether these are all; nil if others are shown.
  package var dueCount: (count: Int, isComplete: Bool)? {
    showsDue ? search.map { ($0.hits.count, $0.isComplete) } : nil
  }

  /// Whether a customer had a next date before today.
  package func isOverdue(_ customer: Customer) -> Bool {
    guard let today = search?.due, let next = CalendarDay(customer.fields.next) else { return false }
    return next < today
  }

  /// Whether all rows are shown, in the order of the list, so that rows can be moved.
  package var showsWholeList: Bool { contents.only == nil }

  /// The number of a row as shown, from 0; nil if unknown.
  func shownRow(of id: CustomerID) -> Int? {
    guard let row = contents.row(of: id) else { return nil }
    guard let arrangement else { return row }
    if let index = arrangement.taken.firstIndex(of: row) { return arrangement.gap + index }
    return arrangement.shown(row)
  }

  /// The customer that is shown in a row; nil if it was not read yet.
  func customer(inShownRow shown: Int) -> Customer? {
    switch arrangement?.source(of: shown) {
    case nil: return contents[shown]
    case .row(let row): return contents[row]
    case .hand(let index):
      guard let drag else { return nil }
      return drag.ids.indices.contains(index) ? contents[drag.ids[index]] : nil
    }
  }

  /// The line of the cursor or of the rows in hand.
  package var cursorLine: Int? {
    let layout = layout
    if let arrangement { return layout.line(of: .row(arrangement.gap)) }
    switch cursor {
    case .row(let id): return shownRow(of: id).flatMap { layout.line(of: .row($0)) }
    case .end(let section):
      return contents.sections.firstIndex { $0.id == section }.flatMap { layout.line(of: .add($0)) }
    case nil: return nil
    }
  }

  /// The customer at the cursor.
  package var current: Customer? {
    if case .row(let id)? = cursor { contents[id] } else { nil }
  }

  /// The customers that an edit applies to: those about which a line is being typed, or else those at hand.
  package var subject: [Customer] {
    guard let held else { return atHand }
    return held.areOfAnotherList ? [] : inOrder(held.customers.compactMap { contents[$0.id] })
  }

  /// The first one about whom a line is being typed that is no longer in the list; nil if all are.
  package var lost: Customer? {
    held?.customers.first { held?.areOfAnotherList == true || contents.gone.contains($0.id) }
  }

  /// Whether a line is being typed about others than those at hand now.
  package var holdsOthers: Bool {
    held.map { Set($0.customers.map(\.id)) != Set(atHand.map(\.id)) } ?? false
  }

  /// The marked customers, or the one at the cursor, in list order.
  private var atHand: [Customer] {
    guard !marked.isEmpty else { return current.map { [$0] } ?? [] }
    return inOrder(marked.compactMap { contents[$0] })
  }

  func inOrder(_ customers: [Customer]) -> [Customer] {
    let sections = Dictionary(contents.sections.enumerated().map { ($1.id, $0) }) { first, _ in first }
    return customers.sorted {
      (sections[$0.place.section] ?? 0, $0.place.order) < (sections[$1.place.section] ?? 0, $1.place.order)
    }
  }

  /// Customers that are needed, wherever they are.
  var needed: Set<CustomerID> {
    var ids = marked.union(cut)
    if let held { ids.formUnion(held.customers.map(\.id)) }
    if case .row(let id)? = cursor { ids.insert(id) }
    if let rangeStart { ids.insert(rangeStart) }
    if let confirmation { ids.formUnion(confirmation.customers.keys) }
    if let drag {
      ids.formUnion(drag.ids)
      if case .before(let id) = drag.anchor { ids.insert(id) }
    }
    if case .edit(let id)? = form?.mode { ids.insert(id) }
    return ids
  }

  mutating func say(_ kind: TableNotice.Kind, _ text: String) { notice = TableNotice(kind: kind, text: text) }

  /// A message as a notice: with a capital and a period.
  func sentence(_ error: any Error) -> String {
    let text = "\(error)"
    return text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix("?") ? "" : ".")
  }

  /// How customers are named in a notice.
  package func name(_ customers: [Customer]) -> String {
    customers.count == 1 ? "\"\(customers[0].name)\"" : "\(customers.count) customers"
  }
}

/// Deleting, in two steps.
extension TableState {
  mutating func askToDelete(_ id: CustomerID?) -> [TableEffect] {
    guard waiting == nil else { return refuseWhileWaiting() }
    if let lost, id == nil { return refuse(lost) }
    let customers: [Customer]
    if let id {
      guard let customer = contents[id] else { return [] }
      customers = [customer]
    } else {
      customers = subject
    }
    let cursor = held == nil ? current?.id : nil
    guard let row = id ?? cursor ?? customers.first?.id else { return [] }
    if let customer = customers.first(where: { !policy.canEdit($0) }) { return refuseEditing(customer) }
    guard !customers.isEmpty else { return [] }
    confirmation = TableConfirmation(
      row: row, customers: Dictionary(uniqueKeysWithValues: customers.map { ($0.id, $0) }))
    say(.hint, "Delete \(name(customers))?")
    return []
  }

  mutating func confirm() -> [TableEffect] {
    if let question {
      self.question = nil
      return revert(question.step, question.reversal)
    }
    guard let confirmation else { return [] }
    self.confirmation = nil
    let ids = inOrder(confirmation.customers.keys.compactMap { contents[$0] }).map(\.id)
    return write(.edits([.delete(ids, asSeenAt: contents.version)]), "delete")
  }

  /// Hides the button when its customers are no longer as they were shown.
  mutating func followConfirmation() {
    guard let confirmation else { return }
    for (id, seen) in confirmation.customers where contents.gone.contains(id) || contents[id] != nil {
      if let customer = contents[id], confirmation.matches(customer) { continue }
      (self.confirmation, hasLostQuestion) = (nil, true)
      say(
        .hint,
        "\"\(seen.name)\" \(contents[id] == nil ? "is already deleted" : "was changed by another program")."
      )
      return
    }
  }

  /// Requests one transaction, unless another one waits for the file.
  mutating func write(_ work: TableWrite.Work, _ action: String) -> [TableEffect] {
    guard waiting == nil else { return refuseWhileWaiting() }
    return [.write(TableWrite(work: work, action: action))]
  }

  mutating func refuseWhileWaiting() -> [TableEffect] {
    notice = waiting?.refusal
    return []
  }
}

/// Why a list can't be read or edited.
package struct TableTrouble: Hashable, Sendable {
  /// The kinds of trouble, by their remedy.
  package enum Kind: Sendable {
    /// The row numbers or the file are damaged; a repair may help.
    case damaged
    /// Anything else, such as a file that was deleted.
    case unreadable
  }

  /// The kind, which determines the remedy.
  package let kind: Kind
  /// The message, in one line.
  package let text: String
  /// Whether only an edit failed, so that the displayed rows are still right.
  let isOfEdit: Bool

  init(_ error: any Error, isOfEdit: Bool) {
    kind = ErrorKind(of: error) == .damaged ? .damaged : .unreadable
    (text, self.isOfEdit) = ("\(error)", isOfEdit)
  }
}

/// The user's choice.
extension TableState {
  /// Continue with what can be read, without editing.
  mutating func openReadOnly() -> [TableEffect] {
    (isLookingOnly, trouble) = (true, nil)
    becomeReadOnly()
    return []
  }

  /// The file can't be written, so controls are hidden.
  mutating func becomeReadOnly() {
    _ = setEditing(false)
    policy.forbidEverything()
  }

  /// Records an error and reports it if the list can't be shown.
  mutating func note(_ error: any Error, isOfEdit: Bool = false) {
    if isLookingOnly {
      say(.refusal, "\(error)")
    } else {
      trouble = TableTrouble(error, isOfEdit: isOfEdit)
    }
  }
}
