package import CustomerStore
internal import CustomersText

/// What a key shows of a list: the rows of a section, some columns, or both.
package struct PageLimits: Equatable, Sendable {
  /// The section, by the uid that it has in every copy of the list; nil for all.
  package let section: Int64?
  /// The columns; nil for all.
  package let columns: [CustomerField]?

  package init(section: Int64?, columns: [CustomerField]?) {
    (self.section, self.columns) = (section, columns)
  }
}

/// The part of a list that a key shows, for reading.
///
/// The part is a list of its own, in memory, which is made of nothing but what the key shows. Every request is answered from
/// it, so what is hidden is not there: no search, count, sort, number, duplicate, or export can show that it exists. It
/// has no log and no history. It is made again when the list has changed.
final class LimitedList: ListService {
  private let whole: ListAPI
  private let part: ListAPI
  private let builder: Builder

  /// - Throws: `StoreError`.
  init(_ whole: ListAPI, _ limits: PageLimits) throws {
    self.whole = whole
    part = ListAPI(whole, try CustomerStore.inMemory(), isReadOnly: true)
    builder = Builder(limits)
  }

  func answer(_ request: APIRequest) async -> APIAnswer {
    do {
      try await builder.refresh(part, from: whole)
      return await part.answer(request)
    } catch {
      return whole.error(error).answer
    }
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
    guard let version = try? await builder.refresh(part, from: whole, waiting: true), version != told else {
      return nil
    }
    defer { told = version }
    return [told == nil ? .hello(version, part.program, isReadOnly: true) : .reload(version)]
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

/// Makes the part again when the whole list has changed.
private actor Builder {
  private let limits: PageLimits
  /// The version of the whole list of which the part is made.
  private var source: ListVersion?
  private var made = ListVersion.none
  /// A digest of the content of the part.
  private var digest: Int?
  /// Until when the part is not made again, so that a busy list does not keep the processor.
  private var rest = ContinuousClock.now

  init(_ limits: PageLimits) { self.limits = limits }

  /// Makes the part again, if necessary.
  ///
  /// - Parameters:
  ///   - part: where the part is.
  ///   - whole: the list.
  ///   - waiting: whether to wait for a part that is made of the latest version.
  /// - Returns: the version of the part.
  /// - Throws: `StoreError`; `APIError` if the section is gone.
  /// - Complexity: O(1) if nothing has changed; otherwise O(rows that the key shows).
  @discardableResult
  func refresh(_ part: ListAPI, from whole: ListAPI, waiting: Bool = false) async throws -> ListVersion {
    let (version, hasSection) = try await whole.list.read { [limits] list in
      (try list.version(), try limits.section.map { try list.section(withUID: $0) != nil } ?? true)
    }
    guard hasSection else { throw Builder.gone }
    guard version != source else { return made }
    if source != nil, rest > .now {
      guard waiting else { return made }
      try await Task.sleep(until: rest)
    }
    let start = ContinuousClock.now
    let (content, now) = try await whole.list.readAtLength { [limits] list in
      (try LimitedContent(list, limits), try list.version())
    }
    guard let content else { throw Builder.gone }
    // What has changed elsewhere in the list is no change of the part.
    let digest = content.digest
    if digest != self.digest {
      let store = try await LongWork.onOwnThread { try content.store() }
      made = try await store.read { try $0.version() }
      part.list.put(store)
      self.digest = digest
    }
    let work = start.duration(to: .now)
    (source, rest) = (now, work > .milliseconds(200) ? .now.advanced(by: work * 5) : .now)
    return made
  }

  private static let gone = APIError(
    .forbidden, "The section of this key was deleted.", remedy: "Ask for another link.")
}

/// What a key shows of a list.
private struct LimitedContent: Sendable {
  private var sections: [(title: String, footer: String, rows: [CustomerFields])] = []
  private var columns: [DeclaredColumn]

  /// - Returns: nil if the section is gone.
  init?(_ list: borrowing CustomerList, _ limits: PageLimits) throws {
    let only = try limits.section.map { try list.section(withUID: $0) }
    if case .some(nil) = only { return nil }
    let fields = limits.columns
    columns = try list.declaredExtraColumns().filter { fields?.contains(.extra($0.name)) ?? true }
    for section in try list.sections() where only == nil || only == section.id {
      var rows: [CustomerFields] = []
      try list.forEach(in: section.id) { customer in
        rows.append(fields.map(customer.fields.only) ?? customer.fields)
        return true
      }
      sections.append((section.title, section.footer, rows))
    }
  }

  /// A digest of the content, in one run of the program.
  var digest: Int {
    var hasher = Hasher()
    for section in sections {
      hasher.combine(section.title)
      hasher.combine(section.footer)
      hasher.combine(section.rows)
    }
    hasher.combine(columns)
    return hasher.finalize()
  }

  /// A list in memory that has this and nothing else.
  func store() throws -> CustomerStore {
    let store = try CustomerStore.inMemory()
    try store.write { list in
      for (index, section) in sections.enumerated() {
        let first = index == 0 ? try list.sections().first : nil
        let id = try first?.id ?? list.addSection(title: section.title, footer: section.footer).id
        if first != nil { try list.renameSection(id, title: section.title, footer: section.footer) }
        var rows = section.rows.makeIterator()
        if !section.rows.isEmpty { try list.insert(in: id) { rows.next() } }
      }
      for column in columns {
        try list.declareColumn(column.name, kind: column.kind, choices: column.choices, place: column.place)
      }
      try list.forgetHistory()
    }
    return store
  }
}

extension CustomerFields {
  /// The fields with nothing but the values of some.
  fileprivate func only(_ fields: [CustomerField]) -> CustomerFields {
    var kept = CustomerFields()
    for field in fields { kept[field] = self[field] }
    return kept
  }
}
