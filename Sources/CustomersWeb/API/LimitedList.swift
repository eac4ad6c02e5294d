package import CustomerStore
internal import CustomerTable
internal import CustomersText
internal import Synchronization

/// What a key shows of a list: the rows of a section, some columns, or both.
package struct PageLimits: Equatable, Sendable {
  /// The section, by the uid that it has in every copy of the list; nil for all.
  package let section: Int64?
  /// The columns; nil for all, with the log.
  package let columns: [CustomerField]?

  package init(section: Int64? = nil, columns: [CustomerField]? = nil) {
    (self.section, self.columns) = (section, columns)
  }
}

/// The part of a list that a key shows.
///
/// The part is a list of its own, in memory, which is made of nothing but what the key shows. Every request is answered from
/// it, so what is hidden is not there: no search, count, sort, number, duplicate, export, outcome, or error can show
/// that it exists. It follows the list, row by row.
///
/// An edit is made in the part first, by its rules; in the same transaction, it is made in the list, too, if the list is
/// exactly as it was when the part was brought up to date. Otherwise it is made again, in the part as it is then.
final class LimitedList: ListService {
  /// The list, in the name of whoever has the key.
  private let whole: ListAPI
  private let part: ListAPI
  private let mirror: Mirror
  private let edits: PartEdits

  /// - Throws: `StoreError`.
  init(_ list: ListAPI, of person: PagePerson) throws {
    let isReadOnly = list.isReadOnly || person.rights == .read
    let limits = person.limits ?? PageLimits()
    whole = ListAPI(
      list, try list.list.store.opened(for: person.name, isReadOnly: isReadOnly), isReadOnly: isReadOnly)
    edits = PartEdits(whole, limits, addsOnly: person.rights == .add)
    part = ListAPI(
      partOf: whole, try CustomerStore.inMemory(), list.policy.limited(to: limits, person.rights), edits)
    mirror = Mirror(limits, addsOnly: person.rights == .add, edits)
  }

  func answer(_ request: APIRequest) async -> APIAnswer {
    do {
      let route = Route.at(request.path[...]).routes.first { $0.method == request.method }
      switch route?.name {
      case "listHistory", "rowHistory":
        // What others did is not told.
        return try APIAnswer(
          200,
          .object([
            ("version", .version(await mirror.refresh(part, from: whole))), ("steps", .array([])),
            ("next", .null),
          ]))
      case "settle": return await whole.answer(request).withoutStep
      case "edit" where !part.isReadOnly, "undo" where !part.isReadOnly, "redo" where !part.isReadOnly:
        return try await edit(request)
      case _? where route?.isReading == false && !part.isReadOnly:
        throw APIError(.forbidden, "This key can't do that.", remedy: "Ask whoever gave you the link.")
      default:
        try await mirror.refresh(part, from: whole)
        return await part.answer(request)
      }
    } catch {
      return whole.error(error).answer
    }
  }

  private func edit(_ request: APIRequest) async throws -> APIAnswer {
    for _ in 0..<20 {
      try await mirror.refresh(part, from: whole, atOnce: true)
      do { return try await part.tryToAnswer(request) } catch is PartIsOld {}
    }
    throw APIError(.busy, "The list is changed all the time.")
  }

  func follow(_ report: @Sendable (APIEvent) async -> Void) async {
    var told: ListVersion?
    while !Task.isCancelled {
      if let events = await news(after: &told) { for event in events { await report(event) } }
      try? await Task.sleep(for: .milliseconds(500))
    }
  }

  /// What a stream of this key gets when anything has happened in the whole list.
  func stream() -> (@Sendable () async -> [UInt8])? {
    let told = Told()
    return { [self] in await told.next { version in await news(after: &version) }?.flatMap(\.bytes) ?? [] }
  }

  /// That the part has changed since a version; nil if it has not, or can't be read.
  private func news(after told: inout ListVersion?) async -> [APIEvent]? {
    guard let version = try? await mirror.refresh(part, from: whole, waiting: true), version != told else {
      return nil
    }
    defer { told = version }
    return [told == nil ? .hello(version, part.program, isReadOnly: part.isReadOnly) : .reload(version)]
  }

  /// What a stream has last.
  private actor Told {
    private var version: ListVersion?

    func next(_ body: (inout ListVersion?) async -> [APIEvent]?) async -> [APIEvent]? {
      var next = version
      let events = await body(&next)
      version = next
      return events
    }
  }
}

extension EditingPolicy {
  /// The policy for whoever sees and may do this much.
  fileprivate func limited(to limits: PageLimits, _ rights: PagePerson.Rights) -> EditingPolicy {
    var policy = self
    if let columns = limits.columns {
      policy.form.sections = form.sections.map { section in
        FormSection(section.caption, fields: section.fields.filter(columns.contains))
      }
      // Whoever does not see names can't be asked for one.
      if ![.firstName, .lastName, .company].contains(where: columns.contains) {
        policy.allowsAdding = false
        policy.form.check = { _ in [:] }
      }
    }
    if rights == .add { (policy.allowsEditing, policy.allowsMoving) = (false, false) }
    return policy
  }
}

/// The part has to be brought up to date before an edit.
private struct PartIsOld: Error {}

extension APIAnswer {
  /// What became of an edit, and nothing of the list.
  fileprivate var withoutStep: APIAnswer {
    guard status == 200, case .object(let members)? = try? JSON(reading: body) else { return self }
    return APIAnswer(
      200,
      .object(
        members.map { name, value in
          switch name {
          case "outcome": (name, value)
          case "text": (name, .string(""))
          default: (name, .null)
          }
        }))
  }
}

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
  /// The extra columns of the part.
  var columns: [DeclaredColumn] = []
}

/// The edits of a part, as edits of the list.
final class PartEdits: Sendable {
  let map = Mutex(PartMap())
  private let whole: ListAPI
  private let limits: PageLimits
  /// Whether nothing is read or kept in the part.
  let addsOnly: Bool

  init(_ whole: ListAPI, _ limits: PageLimits, addsOnly: Bool) {
    (self.whole, self.limits, self.addsOnly) = (whole, limits, addsOnly)
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
      try check(Array(changes.values.keys), map)
      if limits.columns != nil, !changes.added.isEmpty || !changes.removed.isEmpty {
        // A line of the other contacts may become the main one, which may be hidden.
        try check([.email, .phone, .address, .otherContacts, .tags], map)
      }
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
    try check(customer.fields.differences(from: CustomerFields()), map)
  }

  /// Refuses fields that the key does not show.
  private func check(_ fields: [CustomerField], _ map: PartMap) throws {
    for field in fields {
      let isShown =
        switch field {
        case .extra(let name): map.columns.contains { $0.name == name }
        case .part, .addressParts: limits.columns?.contains(.address) ?? true
        default: limits.columns?.contains(field) ?? true
        }
      guard isShown else {
        throw APIError(
          .forbidden, "This key has no field \(field.title.quotedShort).",
          remedy: "Leave it out, or ask whoever gave you the link.")
      }
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
  func revert(_ step: HistoryStep.ID, _ verb: Verb, of call: EditCall) throws {
    guard let known = map.withLock({ $0.steps[step] }) else {
      throw APIError(.conflict, "There is nothing to \(verb.infinitive): others made the last change.")
    }
    guard !call.isDryRun else { return }
    let made = try write(call, verb.infinitive) { list in _ = try list.revert(known, limit: 1) }
    map.withLock { $0.steps[step] = made }
  }

  /// Whether a step of the part is one that the key has made.
  func isOwn(_ step: HistoryStep) -> Bool { map.withLock { $0.steps[step.id] != nil } }

  /// - Returns: the step; nil if nothing was changed.
  private func write(
    _ call: EditCall, _ action: String, _ body: (inout CustomerList) throws -> Void
  ) throws -> HistoryStep.ID? {
    let version = map.withLock(\.version)
    do {
      return try whole.list.store.write(
        action: action, token: call.token, busyTimeout: .milliseconds(20)
      ) { list -> HistoryStep.ID? in
        if let label = try list.receipt(of: call.token) {
          guard label.prefix(while: { $0 != "." }) == call.digest else { throw APIError.otherToken }
          // The answer is in the same words again.
          if addsOnly { return nil }
          throw APIError(.tokenExpired, "This was done before.")
        }
        try list.refuseIfSettled(call.token)
        guard try list.version() == version else { throw PartIsOld() }
        let last = try list.lastEdit()
        list.labelReceipt("\(call.digest).\(last)")
        try body(&list)
        return try list.lastEdit() > last ? list.history(limit: 1).first?.id : nil
      }
    } catch StoreError.replaced { throw PartIsOld() } catch is CancellationError {
      throw APIError(.tokenExpired, "This edit was canceled.")
    } catch  where error is ListError || error is RevertError {
      // Its words may be about what is hidden.
      throw APIError(.refused, "Nothing was changed: this can't be done here.")
    }
  }
}

extension APIError {
  fileprivate static let notForKey = APIError(
    .forbidden, "This key can't do that.", remedy: "Ask whoever gave you the link.")
}
