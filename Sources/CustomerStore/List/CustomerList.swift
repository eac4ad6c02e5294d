internal import CustomersSQLite

/// The list inside a transaction, passed to the closures of `CustomerStore.read` and `write`.
///
/// Reading works on a borrowed list; editing needs the one that `write` passes, so the compiler knows which
/// transaction may change the file. Places are counted from 1. An edit is either refused as a whole, with a
/// `ListError`, or done as a whole.
public struct CustomerList: ~Copyable {
  let connection: Connection
  /// The file, if it has an older format and is not read itself.
  let original: OlderFile?
  /// The author of this transaction, and whether the history has recorded it.
  let recorder = StepRecorder()
  private var schema = SchemaGuard()

  init(connection: Connection, original: OlderFile? = nil) {
    (self.connection, self.original) = (connection, original)
  }

  /// The connection to the file.
  var fileConnection: Connection { original?.connection ?? connection }

  /// Whether this transaction has changed anything so far.
  package var hasEdits: Bool { recorder.isOpen }

  /// Ends a call that was canceled, for work that takes long between its reads and edits, which check it themselves.
  ///
  /// - Throws: `CancellationError`.
  package func checkCancellation() throws { try cancellationCheck() }

  /// The same, to be called while the list is being edited.
  package var cancellationCheck: () throws -> Void {
    let connection = connection
    return { do { try connection.checkCancellation() } catch { throw CancellationError() } }
  }

  /// Refuses a file to which another program has given another format since it was opened.
  ///
  /// - Throws: `StoreError.newerFormat`; `replaced` for an older one, which has to be opened again.
  func guardFormat() throws {
    guard original == nil, !connection.isRemote else { return }
    let format = try connection.fetchOne("PRAGMA user_version") { $0.int(0) } ?? 0
    guard format != CustomerStore.formatVersion else { return }
    guard format > CustomerStore.formatVersion else { throw StoreError.replaced }
    throw StoreError.newerFormat(found: format, known: CustomerStore.formatVersion)
  }

  /// Refuses a file with triggers by other programs on our tables.
  mutating func guardSchema() throws { try schema.refuseUnknownTriggers(connection) }
}

extension CustomerList {
  /// Runs one statement on the views and turns a refusal of their triggers into a typed error.
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - values: its values.
  ///   - reason: the error for a refusal of a kind, the word before the colon in `Migrations`.
  /// - Throws: what `reason` returns, `ListError.damaged`, or a `StoreError`.
  func edit(_ sql: String, _ values: [SQLiteValue], _ reason: (Refusal) -> ListError?) throws {
    try edit(reason) { try connection.execute(sql, values) }
  }

  /// Runs `body`, several statements that must be run `atomically`, as an edit.
  func edit(_ reason: (Refusal) -> ListError?, _ body: () throws -> Void) throws {
    let isFirst = try recorder.open(connection)
    do {
      try body()
    } catch let error as SQLiteError {
      // Some errors have ended the transaction, so this is refused; report the first error.
      if isFirst { try? recorder.abandon(connection) }
      // A reference that another program declared is no rule of ours.
      guard [.constraint, .mismatch].contains(error.code.primary), error.code != .constraintForeignKey else {
        throw error.ofStore
      }
      // The triggers check before they write, so in an intact list the tables themselves refuse nothing.
      let refusal = error.code == .constraintTrigger ? Refusal(message: error.message) : .damaged
      if refusal == .damaged { throw ListError.damaged }
      throw refusal.flatMap(reason) ?? StoreError(error)
    }
  }
}

extension CustomerList {
  /// Runs several statements as one edit: if one is refused, none has happened, even if the caller catches
  /// the error and continues the transaction.
  func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    let wasOpen = recorder.isOpen
    do {
      return try connection.savepoint(body)
    } catch {
      // The author was rolled back with the rest.
      (recorder.isOpen, recorder.titles) = (wasOpen, nil)
      throw error
    }
  }

  /// The same for several edits.
  mutating func atomically<Result>(_ body: (inout CustomerList) throws -> Result) throws -> Result {
    let (connection, recorder, wasOpen) = (connection, recorder, recorder.isOpen)
    do {
      return try connection.savepoint { try body(&self) }
    } catch {
      (recorder.isOpen, recorder.titles) = (wasOpen, nil)
      throw error
    }
  }
}

/// The kinds of refusal that the triggers in `Migrations` know.
enum Refusal: String, CaseIterable {
  case place, section, protected, id, value, count, untitled, title, occupied, history, rows, damaged
  case customer, uid, time, name, kind, field

  init?(message: String) {
    self.init(rawValue: String(message.prefix { $0 != ":" }))
  }
}

/// The values of new customers as parameters of one statement, which runs for one customer after another.
///
/// A parameter keeps its value from one run to the next. Most columns of a file have the same value in every row:
/// none. It is bound once.
struct CustomerParameters {
  static let columns = CustomerFields.columns + ", can_edit, can_move, block"

  static let places = "?" + String(repeating: ", ?", count: CustomerFields.columnNames.count + 2)

  /// Which parameters have their usual value.
  private var areUsual = [Bool](repeating: false, count: CustomerFields.columnNames.count + 2)

  /// Binds the values of `columns`.
  mutating func bind(_ customer: NewCustomer, block: Int, to statement: borrowing Statement) throws {
    var index: Int32 = 1
    for storage in FieldDescriptor.storages {
      switch storage {
      case .text(let property):
        let text = property.value(in: customer.fields)
        if mustBind(index, isUsual: text.isEmpty) { try statement.bind(text, at: index) }
      case .flag(let property):
        let flag = property.value(in: customer.fields)
        if mustBind(index, isUsual: !flag) { try statement.bind(flag ? 1 : 0, at: index) }
      }
      index += 1
    }
    let extra = customer.fields.extra
    if mustBind(index, isUsual: extra == "{}") { try statement.bind(extra, at: index) }
    if mustBind(index + 1, isUsual: customer.canEdit) {
      try statement.bind(customer.canEdit ? 1 : 0, at: index + 1)
    }
    if mustBind(index + 2, isUsual: customer.canMove) {
      try statement.bind(customer.canMove ? 1 : 0, at: index + 2)
    }
    try statement.bind(Int64(block), at: index + 3)
  }

  /// Whether a parameter (1-based) does not have its value yet.
  private mutating func mustBind(_ index: Int32, isUsual: Bool) -> Bool {
    let index = Int(index) - 1
    defer { areUsual[index] = isUsual }
    return !isUsual || !areUsual[index]
  }
}

/// The sections and the number of rows before each, to convert a place in a section to a position in the
/// whole list and back.
package struct ListOutline: Hashable, Sendable {
  /// The sections in order.
  package let sections: [CustomerSection]
  /// The number of customers in all sections.
  package let count: Int
  private let rowsBefore: [SectionID: Int]
  private let indices: [SectionID: Int]

  /// Creates the outline of sections in order.
  package init(_ sections: [CustomerSection]) {
    self.sections = sections
    var before: [SectionID: Int] = [:]
    var count = 0
    for section in sections {
      before[section.id] = count
      count = count.saturatingAdding(max(0, section.count))
    }
    rowsBefore = before
    indices = Dictionary(sections.enumerated().map { ($1.id, $0) }) { first, _ in first }
    self.count = count
  }

  /// The section with an id; nil if there is none.
  package func section(_ id: SectionID) -> CustomerSection? { indices[id].map { sections[$0] } }

  /// The position (from 1) in the whole list of a place in a section.
  package func position(of place: CustomerPlace) -> Int {
    rowsBefore[place.section, default: 0].saturatingAdding(place.order)
  }

  /// The place of the row at a position (from 1) in the whole list; nil beyond the list. O(log sections)
  package func place(at position: Int) -> CustomerPlace? {
    guard position >= 1, position <= count else { return nil }
    // It is in the last section that begins before it; empty ones begin where the next one does.
    let next = sections.partitionIndex { rowsBefore[$0.id, default: 0] >= position }
    let section = sections[max(0, next - 1)].id
    return CustomerPlace(section: section, order: position - rowsBefore[section, default: 0])
  }
}

extension ListOutline {
  /// The destination that puts rows at a position (from 1) of the whole list after the move.
  ///
  /// At a border between two sections it is in the section of the first row, if that is one of them,
  /// otherwise in that of the row there.
  ///
  /// - Returns: nil if the list has no such position once the rows are taken out.
  /// - Complexity: O(sections + rows)
  package func target(
    position: Int, moving: [CustomerPlace]
  ) -> (destination: Destination, section: SectionID?)? {
    var staying = sections
    let taken = moving.reduce(into: [SectionID: Int]()) { $0[$1.section, default: 0] += 1 }
    for index in staying.indices { staying[index].count -= taken[staying[index].id, default: 0] }
    let after = ListOutline(staying)
    guard position >= 1, position - 1 <= after.count else { return nil }
    if let home = moving.first?.section, let own = staying.first(where: { $0.id == home }) {
      let order = position - after.position(of: CustomerPlace(section: home, order: 0))
      if order >= 1, order - 1 <= own.count { return (.place(order), home) }
    }
    if let place = after.place(at: position) { return (.place(place.order), place.section) }
    return (.last, staying.last?.id)
  }
}

extension CustomerList {
  /// The outline of the list. O(sections)
  ///
  /// - Throws: `ListError.incomplete` or `damaged` if a section is missing, `StoreError`.
  package func outline() throws -> ListOutline { ListOutline(try wholeSections()) }
}
