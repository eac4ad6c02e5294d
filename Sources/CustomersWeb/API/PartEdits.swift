@_spi(Tools) internal import CustomerStore
internal import CustomersSystem
internal import CustomersText
internal import Synchronization

/// The part has to be brought up to date before an edit.
struct PartIsOld: Error {}

/// How a part of a list and the list belong together: which row is which.
struct PartMap: Sendable {
  /// The version of the list of which the part is made.
  var version: ListVersion?
  /// The ids in the list, by those in the part; also of rows that were deleted.
  var rows: [CustomerID: CustomerID] = [:]
  /// The sections of the list, in the order of those of the part.
  var sections: [SectionID] = []
  /// The sections of the part.
  var ownSections: [SectionID] = []
  /// The steps of the list, by those of the part that did the same.
  var steps: [HistoryStep.ID: HistoryStep.ID] = [:]
  /// The fields that the part shows, if the key has limits for them.
  var fields: [CustomerField] = []
  /// The extra columns of the part.
  var columns: [DeclaredColumn] = []
  /// The names of the extra columns that the part shows, declared or not.
  var columnNames: Set<String> = []
  /// The history of the list of which the part is made; another one when it was forgotten.
  var history = ""
  /// A digest of what the part shows.
  var digest = 0
}

extension PartMap {
  /// Those rows of an outcome of the list that the part has, with its ids and places.
  ///
  /// - Complexity: O(rows of the part).
  fileprivate func own(_ rows: [EditOutcome.Row]) -> [EditOutcome.Row] {
    let named = Set(rows.map(\.id))
    let ids = Dictionary(self.rows.lazy.filter { named.contains($1) }.map { ($1, $0) }) { first, _ in first }
    return rows.compactMap { row in ids[row.id].flatMap { own(row, as: $0) } }
  }

  private func own(_ row: EditOutcome.Row, as id: CustomerID) -> EditOutcome.Row? {
    func place(_ place: CustomerPlace) -> CustomerPlace? {
      sections.firstIndex(of: place.section).map {
        CustomerPlace(section: ownSections[$0], order: place.order)
      }
    }
    guard let now = place(row.customer.place) else { return nil }
    var own = row
    (own.customer.id, own.customer.place) = (id, now)
    (own.from, own.to) = (row.from.flatMap(place), row.to.flatMap(place))
    return own
  }
}

/// The edits of a part, as edits of the list.
final class PartEdits: Sendable {
  let map = Mutex(PartMap())
  private let whole: ListAPI
  let limits: PageLimits
  let person: PagePerson
  /// Whether nothing is read or kept in the part.
  var addsOnly: Bool { person.rights == .add }

  init(_ whole: ListAPI, _ limits: PageLimits, of person: PagePerson) {
    (self.whole, self.limits, self.person) = (whole, limits, person)
  }

  /// What a page has to know of the key.
  func shown(isReadOnly: Bool) -> [(String, JSON)] {
    let columns = shownFields(map.withLock(\.self))?.map { field in
      JSON.object([("name", .string(field.nameInRequests)), ("title", .string(field.title))])
    }
    return [("key", .string((isReadOnly ? .read : person.rights).rawValue))]
      + (columns.map { [("columns", .array($0))] } ?? [])
  }

  /// The fields that the key shows; nil for all.
  private func shownFields(_ map: PartMap) -> [CustomerField]? { limits.columns == nil ? nil : map.fields }

  /// The token of an edit in the list: those of one key are not those of another.
  private func own(_ token: TransactionToken) -> TransactionToken {
    // It begins with its time, which decides how long its outcome is known.
    let text = token.rawValue
    let digest = SHA256.hexadecimal(of: "\(text) \(person.id.rawValue)")
    return TransactionToken(request: String(text.prefix(16) + digest.prefix(16))) ?? token
  }

  /// What became of an edit.
  func settle(_ request: APIRequest) async throws -> APIAnswer {
    let members = try JSONMembers(JSON(reading: request.body))
    try members.allow(["token"])
    return try await whole.settle(own(members.token("token")), showingStep: false)
  }

  /// The edits of the list that do what an edit has just done in the part.
  ///
  /// - Throws: `APIError` if the key may not make it.
  func translated(_ edit: ListEdit, madeIn part: borrowing CustomerList) throws -> [ListEdit] {
    let map = map.withLock(\.self)
    func row(_ id: CustomerID) throws -> CustomerID {
      guard let known = map.rows[id] else { throw PartIsOld() }
      return known
    }
    func section(_ id: SectionID?) throws -> SectionID {
      let index = id.map { map.ownSections.firstIndex(of: $0) } ?? 0
      guard let index, index < map.sections.count else { throw PartIsOld() }
      return map.sections[index]
    }
    func place(_ destination: Destination) throws -> Destination {
      switch destination {
      case .first, .last, .place: destination
      case .before(let id): .before(try row(id))
      case .after(let id): .after(try row(id))
      }
    }
    /// The rows as they lie now, in their section.
    func order(of id: SectionID) throws -> ListEdit {
      var ids: [CustomerID] = []
      try part.forEach(in: id) { customer in
        ids.append(try row(customer.id))
        return true
      }
      return .arrange(ids, in: try section(id))
    }
    if addsOnly {
      guard case .insert(let customers, _, _) = edit else { throw APIError.notForKey }
      for customer in customers { try check(customer, map) }
      return [.insert(customers, at: .last, in: try section(nil))]
    }
    switch edit {
    case .insert(let customers, let destination, let id):
      for customer in customers { try check(customer, map) }
      return [.insert(customers, at: try place(destination), in: try section(id))]
    case .update(let ids, let changes):
      try check(Array(changes.values.keys) + changes.added.keys + changes.removed.keys, map)
      return [.update(try ids.map(row), changes)]
    case .save(let id, let from, let to):
      try check(to.differences(from: from), map)
      return [.save(try row(id), from: from, to: to)]
    case .delete(let ids, _): return [.delete(try ids.map(row))]
    case .move(let ids, let destination, let id, _):
      return [.move(try ids.map(row), to: try place(destination), in: try id.map(section))]
    case .moveBy(let ids, _):
      // Beyond the section there may be others.
      let places = try ids.map { try part.place(of: $0) }
      guard let first = places.min(by: { $0.order < $1.order }) else { return [] }
      return [.move(try ids.map(row), to: .place(first.order), in: try section(first.section))]
    case .swap(let one, let other): return [.swap(try row(one), try row(other))]
    case .sort(_, let id):
      return try id.map { [try order(of: $0)] } ?? map.ownSections.map { try order(of: $0) }
    case .arrange(_, let id): return [try order(of: id)]
    case .log(let ids, let text, let next, let destination, let id) where limits.columns == nil:
      return [
        .log(try ids.map(row), text, next: next, to: try destination.map(place), in: try id.map(section))
      ]
    case .done(let ids, let text) where limits.columns == nil: return [.done(try ids.map(row), text)]
    case .merge(let ids) where limits.columns == nil: return [.merge(try ids.map(row))]
    case .log, .done, .merge, .protect, .section, .column, .batch: throw APIError.notForKey
    }
  }

  private func check(_ customer: NewCustomer, _ map: PartMap) throws {
    guard customer.canEdit, customer.canMove, customer.log.isEmpty else { throw APIError.notForKey }
    try check(customer.fields.differences(from: CustomerFields()), map, isNew: true)
  }

  /// The fields of which one may take a value from another: a line of the contacts becomes the main one.
  private static let contacts: [CustomerField] = [.email, .phone, .address, .otherContacts]

  /// Refuses fields that the key does not show, and contacts of which it shows some only.
  private func check(_ fields: [CustomerField], _ map: PartMap, isNew: Bool = false) throws {
    for field in fields {
      let column: CustomerField =
        switch field {
        case .part, .addressParts: .address
        default: field
        }
      let isShown =
        if let columns = shownFields(map) { columns.contains(column) } else if case .extra(let name) = column
        {
          map.columnNames.contains(name)
        } else {
          true
        }
      guard isShown else {
        throw APIError(
          .forbidden, "This key has no field \(field.title.quotedShort).",
          remedy: "Leave it out, or ask whoever gave you the link.")
      }
      guard PartEdits.contacts.contains(column), !isNew || column == .otherContacts,
        let columns = shownFields(map), !PartEdits.contacts.allSatisfy(columns.contains)
      else { continue }
      throw APIError(
        .forbidden,
        "This key shows not all of \(PartEdits.contacts.map(\.title).joined(separator: ", ")), and so changes none.",
        remedy: "Leave it out, or ask whoever gave you the link.")
    }
  }

  /// Makes edits in the list.
  ///
  /// - Throws: `APIError`; `StoreError.locked`. Nothing was changed.
  func make(_ edits: [ListEdit], step: HistoryStep.ID?, of call: EditCall, action: String) throws {
    guard !call.isDryRun else { return }
    let made = try write(call, action) { list in for edit in edits { try list.apply(edit) } }
    if let step { map.withLock { $0.steps[step] = made } }
  }

  /// Reverts what a step of the part did in the list, or what undid it.
  ///
  /// - Throws: `APIError`; `StoreError.locked`. Nothing was changed.
  func revert(_ reverted: RevertedStep, _ verb: Verb, of call: EditCall) throws {
    let (step, rows) = (reverted.step.id, reverted.outcome.rows)
    let map = map.withLock(\.self)
    guard let known = map.steps[step] else {
      throw APIError(
        .conflict, "There is nothing to \(verb.infinitive): others made the last change.",
        remedy: APIError.nothingHelps)
    }
    guard !call.isDryRun else { return }
    let made = try write(call, verb.infinitive) { list in
      if !rows.isEmpty, rows.allSatisfy({ $0.to == nil }), reverted.outcome.runs.isEmpty {
        // Others may have filled hidden columns of rows that were added; they go with the rows, as in any deletion.
        try list.apply(.delete(rows.compactMap { map.rows[$0.id] }))
      } else {
        _ = try list.revert(known, limit: 1)
      }
    }
    self.map.withLock { $0.steps[step] = made }
  }

  /// Whether a step of the part is one that the key has made.
  func isOwn(_ step: HistoryStep) -> Bool { map.withLock { $0.steps[step.id] != nil } }

  /// What an edit has done in the list, as far as the part shows it, which may not know the edit any more; nil if the list
  /// does not have it.
  ///
  /// - Throws: `APIError` if another request had its token; `StoreError.locked`.
  func outcome(of call: EditCall, in part: borrowing CustomerList) throws -> EditOutcome? {
    let made = try whole.list.store.read(busyTimeout: .milliseconds(20)) {
      [token = own(call.token)] list -> (digest: Substring, outcome: EditOutcome?)? in
      guard let label = try list.receipt(of: token), let made = try list.request(labeled: label) else {
        return nil
      }
      return (made.digest, try made.step.map { try list.outcome(of: $0) })
    }
    guard let made else { return nil }
    guard made.digest == call.digest else { throw APIError.otherToken }
    var shown = try part.outcome(ofEditsAfter: .max)
    let map = map.withLock(\.self)
    if let outcome = made.outcome { shown.rows = map.own(outcome.rows).map { visible($0, map) } }
    // What it does not show of it has happened, too.
    shown.omitted = made.outcome.map { $0.rows.count + $0.omitted - shown.rows.count } ?? 1
    return shown
  }

  /// A row of an outcome with nothing but what the key shows.
  private func visible(_ row: EditOutcome.Row, _ map: PartMap) -> EditOutcome.Row {
    guard let columns = shownFields(map) else { return row }
    var row = row
    row.customer.fields = row.customer.fields.only(columns)
    if let before = row.before { row.before?.fields = before.fields.only(columns) }
    (row.fields, row.lines) = (row.fields.filter(columns.contains), [])
    return row
  }

  /// - Returns: the step; nil if nothing was changed.
  private func write(
    _ call: EditCall, _ action: String, _ body: (inout CustomerList) throws -> Void
  ) throws -> HistoryStep.ID? {
    let (version, digest) = map.withLock { ($0.version, $0.digest) }
    // A change of a row that the key shows may be one of a column that it does not show.
    let canHide = limits.columns != nil || addsOnly
    let token = own(call.token)
    do {
      return try whole.list.store.write(
        action: action, token: token, busyTimeout: .milliseconds(20)
      ) { list -> HistoryStep.ID? in
        guard try list.receipt(of: token) == nil else { throw PartIsOld() }
        try list.refuseIfSettled(token)
        guard
          try list.version() == version || !list.mayHaveChanged(limits, since: version)
            || canHide && PartContent(list, limits, addsOnly: addsOnly)?.digest == digest
        else { throw PartIsOld() }
        let last = try list.lastEdit()
        list.labelReceipt("\(call.digest).\(last)")
        try body(&list)
        guard try list.lastEdit() > last else {
          try list.withdrawReceipt()
          return nil
        }
        return try list.history(limit: 1).first?.id
      }
    } catch StoreError.replaced { throw PartIsOld() } catch is CancellationError {
      throw APIError.settled
    } catch let error where error is ListError || error is RevertError {
      // Its words may be about what is hidden.
      throw APIError(.refused, "Nothing was changed: this can't be done here.")
    }
  }
}

extension APIError {
  static let notForKey = APIError(
    .forbidden, "This key can't do that.", remedy: "Ask whoever gave you the link.")
}
