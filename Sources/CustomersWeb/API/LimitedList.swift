package import CustomerStore
internal import CustomerTable
internal import CustomersText

/// What a key shows of a list: the rows of a section, some columns, or both.
package struct PageLimits: Equatable, Sendable {
  /// The section, by the uid that it has in every copy of the list; nil for all.
  package let section: Int64?
  /// The columns; nil for all, with the log.
  package let columns: [Column]?

  package enum Column: Hashable, Sendable {
    case field(CustomerField)
    /// An extra column, which stays the same under another name.
    case extra(DeclaredColumnID)
  }

  package init(section: Int64? = nil, columns: [Column]? = nil) {
    (self.section, self.columns) = (section, columns)
  }

  /// Whether the list has the section.
  func isThere(in list: borrowing CustomerList) throws -> Bool {
    try section.map { try list.section(withUID: $0) != nil } ?? true
  }

  /// The columns by the names that they have now, without those that are gone; nil for all.
  ///
  /// - Complexity: O(declared columns).
  package func fields(in list: borrowing CustomerList) throws -> [CustomerField]? {
    guard let columns else { return nil }
    let declared = try list.declaredExtraColumns()
    return columns.compactMap { column in
      switch column {
      case .field(let field): field
      case .extra(let id): declared.first { $0.id == id }.map { .extra($0.name) }
      }
    }
  }
}

/// The part of a list that a key shows.
///
/// The part is a list of its own, in memory, which is made of nothing but what the key shows. Every request is answered from
/// it, so what is hidden is not there: no search, count, sort, number, duplicate, export, outcome, or error can show
/// that it exists. It follows the list, row by row.
///
/// An edit is made in the part first, by its rules; in the same transaction, it is made in the list, too, if nothing that
/// the key shows has changed since the part was brought up to date. Otherwise it is made again, in the part as it is then.
final class LimitedList: ListService {
  /// The list, in the name of whoever has the key.
  private let whole: ListAPI
  let part: ListAPI
  private let mirror: Mirror
  private let edits: PartEdits

  /// - Throws: `StoreError`.
  init(_ list: ListAPI, of person: PagePerson) throws {
    let isReadOnly = list.isReadOnly || person.rights == .read
    let limits = person.limits ?? PageLimits()
    whole = ListAPI(
      list, try list.list.store.opened(for: person.name, isReadOnly: isReadOnly), of: person,
      isReadOnly: isReadOnly)
    edits = PartEdits(whole, limits, of: person)
    mirror = Mirror(limits, edits)
    part = ListAPI(
      whole, try mirror.emptyPart(), of: person, isReadOnly: isReadOnly,
      part: (list.policy.limited(to: limits, person.rights), edits))
  }

  func answer(_ request: APIRequest) async -> APIAnswer {
    do {
      let route = Route.at(request.path[...]).routes.first { $0.method == request.method }
      switch route?.name {
      case "listHistory", "rowHistory":
        // What others did is not told.
        return try APIAnswer([
          ("version", .version(await mirror.refresh(part, from: whole))), ("steps", .array([])),
          ("next", .null),
        ])
      case "backUp":
        // Neither what left the part nor what others did is shown.
        throw APIError(.forbidden, "This key has no backup.", remedy: "Export the rows instead.")
      case "settle" where !part.isReadOnly: return try await edits.settle(request)
      case "edit" where !part.isReadOnly, "undo" where !part.isReadOnly, "redo" where !part.isReadOnly:
        return try await edit(request)
      case "tellPresence" where !edits.addsOnly: break
      case _? where route?.isReading == false && !part.isReadOnly: throw APIError.notForKey
      default: break
      }
      try await mirror.refresh(part, from: whole)
      return await part.answer(request)
    } catch {
      return whole.error(error).answer
    }
  }

  private func edit(_ request: APIRequest) async throws -> APIAnswer {
    for _ in 0..<20 {
      do { return try await mirror.edit(part, of: whole, request) } catch is PartIsOld {}
    }
    throw APIError(.busy, "The list is changed all the time.")
  }

  func follow(_ report: @Sendable (APIEvent) async -> Void) async {
    var told = ToldNews()
    while !Task.isCancelled, let events = await news(after: &told) {
      for event in events { await report(event) }
      try? await Task.sleep(for: .milliseconds(500))
    }
  }

  /// What a stream of this key gets when anything has happened in the whole list.
  func stream(after version: ListVersion?) -> (@Sendable () async -> [UInt8]?)? {
    let last = ToldNews.Last(ToldNews(version: version))
    return { [self] in await last.next { told in await news(after: &told) }?.flatMap(\.bytes) }
  }

  /// That the part has changed since a stream had news, and who is editing it; nothing if it can't be read, and nil if
  /// the section is gone.
  private func news(after told: inout ToldNews) async -> [APIEvent]? {
    let now: (version: ListVersion, present: [Presence.Entry])
    do { now = try await mirror.look(at: part, of: whole) } catch {
      return (error as? APIError)?.kind == .forbidden ? nil : []
    }
    var events: [APIEvent] = []
    if !told.isGreeted { events.append(.hello(now.version, part.program, isReadOnly: part.isReadOnly)) }
    if let version = told.version, version != now.version { events.append(.reload(now.version)) }
    if now.present != told.present { events.append(.presence(now.present)) }
    told = ToldNews(isGreeted: true, version: now.version, present: now.present)
    return events
  }
}

extension EditingPolicy {
  /// The policy for whoever sees and may do this much.
  fileprivate func limited(to limits: PageLimits, _ rights: PagePerson.Rights) -> EditingPolicy {
    var policy = self
    if let columns = limits.columns {
      policy.form.sections = form.sections.map { section in
        FormSection(section.caption, fields: section.fields.filter { columns.contains(.field($0)) })
      }
      // Whoever does not see names can't be asked for one.
      let names: [CustomerField] = [.firstName, .lastName, .company]
      if !names.contains(where: { columns.contains(.field($0)) }) {
        policy.allowsAdding = false
        policy.form.check = { _ in [:] }
      }
    }
    if rights == .add { (policy.allowsEditing, policy.allowsMoving) = (false, false) }
    return policy
  }
}
