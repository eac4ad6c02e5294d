internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// Copies of the list that come together.
extension ListAPI {
  /// `POST /v1/pull`: takes in what a copy has that was sent, all or nothing, as one step.
  func pull(_ call: Route.Call) async throws -> APIAnswer {
    let (asked, edit) = (try AskedPull(call.body), try EditCall(call))
    return try await answer(call, as: call.body.given("token", call.body.token)) { [self] _ in
      try await take(asked.file, for: edit, action: "take") { try await pull($0, asked, edit) }
    }
  }

  private func pull(_ file: KeptFiles.File, _ asked: AskedPull, _ edit: EditCall) async throws -> APIAnswer {
    let copy = try await onOwnThread { () throws -> CustomerStore.ListCopy in try file.checkedCopy()
    }
    // Others wait only while it is written.
    let plan = try await list.readAtLength { list in try asked.plan(copy, for: list) }
    return try await perform(edit, action: "take") { list in
      let last = try list.lastEdit()
      let summary: PullSummary
      do { summary = try asked.pull(plan, into: &list, isDryRun: edit.isDryRun) } catch PullError.outdated {
        summary = try asked.pull(asked.plan(copy, for: list), into: &list, isDryRun: edit.isDryRun)
      }
      let lines = PullPresenter(
        summary, of: asked.name, isDryRun: edit.isDryRun, listsConflicts: false
      ).lines
      var more: [(String, JSON)] = []
      if edit.isDryRun {
        more = [
          ("lines", .lines(Array(lines.dropFirst()))), ("relation", .string("\(summary.relation)")),
          ("conflicts", .array(summary.conflicts.map(\.answer))),
        ]
      }
      return MadeEdit(text: lines[0], outcome: try list.outcome(ofEditsAfter: last), more: more)
    }
  }
}

extension KeptFiles.File {
  /// The copy of a list that the file is.
  ///
  /// - Throws: `APIError` if it is none, or damaged; what writing a temporary file throws.
  fileprivate func checkedCopy() throws -> CustomerStore.ListCopy {
    let named = try EditableFile([], suffix: ".sqlite")
    defer { named.remove() }
    let next = reader()
    while case let piece = try next(), !piece.isEmpty { try named.append(piece) }
    do { return try CustomerStore.checkedCopy(at: named.path) } catch let error
      where error is PullError || error is StoreError
    {
      throw APIError(.invalid, "\(error)".sentence)
    }
  }
}

extension MergeConflict {
  /// The key by which a request decides it.
  fileprivate var key: String { EditCall.digest(id.key) }

  fileprivate var answer: JSON { .object([("key", .string(key)), ("text", .string(line))] + json) }
}

/// What is to be pulled, and whose change counts.
private struct AskedPull: Sendable {
  /// The name of the file that was sent in pieces.
  let file: String
  let name: String
  /// Whether the request says whose change counts.
  private let isDecided: Bool
  /// The side whose changes count; nil for the later change.
  private let side: ConflictSide?
  /// The conflicts that are decided one by one, by their keys.
  private let sides: [String: ConflictSide]
  private let acceptsUnrelated: Bool

  init(_ body: JSONMembers) throws {
    file = try body.file("file")
    name = String((try body.given("name", body.text) ?? "the copy").prefix(300))
    let word = try body.given("resolve", body.text)
    isDecided = word != nil
    self.side = word.flatMap { ConflictSide(rawValue: $0) }
    if let word, self.side == nil, word != "latest" {
      throw body.wrong("resolve", "\"latest\", \"ours\", or \"theirs\"")
    }
    sides = try body.sides()
    acceptsUnrelated = try body.given("unrelated", body.flag) ?? false
  }

  /// Works out the pull; nil if there is nothing new.
  func plan(_ copy: CustomerStore.ListCopy, for list: borrowing CustomerList) throws -> PullPlan? {
    let plan = try copy.plan(for: list, PullResolution(side: side))
    let chosen =
      plan?.summary.conflicts.compactMap { conflict in sides[conflict.key].map { (conflict.id, $0) } } ?? []
    guard !chosen.isEmpty else { return plan }
    return try copy.plan(
      for: list, PullResolution(side: side, choices: Dictionary(chosen) { first, _ in first }))
  }

  /// Writes what was worked out.
  ///
  /// - Throws: `PullError`; `APIError` if there are conflicts and the request does not say whose change counts.
  func pull(_ plan: PullPlan?, into list: inout CustomerList, isDryRun: Bool) throws -> PullSummary {
    guard let plan else { return .nothing }
    let conflicts = plan.summary.conflicts
    guard isDryRun || isDecided || conflicts.allSatisfy({ sides[$0.key] != nil }) else {
      throw APIError(
        .refused, "Nothing was changed: both changed \(counted(conflicts.count, "thing")).",
        remedy: "Say whose change counts: with resolve for all, or with sides.",
        [("conflicts", .array(conflicts.map(\.answer)))])
    }
    return try list.pull(plan, acceptsUnrelated: acceptsUnrelated || isDryRun)
  }
}
