/// Something that both copies of a list changed, and whose change counts.
package struct MergeConflict: Hashable, Identifiable, Sendable {
  /// What it is about; the same as long as neither copy is edited.
  package struct ID: Hashable, Sendable {
    let kind: ListState.Kind
    let uid: UID
    let matter: ListMerge.Conflict.Matter

    /// A text for it, which no other conflict of a pull has.
    package var key: String { "\(kind) \(uid) \(matter)" }
  }

  /// What both changed.
  package enum Matter: Hashable, Sendable {
    /// A value of a customer, by its column.
    case value(column: String)
    /// The title or the footer of a section.
    case section(column: String)
    /// A line of the log of a customer.
    case line
    /// The place of a customer.
    case place
    /// The place of a section.
    case sectionPlace
    /// The order of all rows of a section.
    case order
    /// The order of all sections.
    case sectionOrder
    /// One deleted a customer whom the other changed.
    case deletion
    /// One deleted a section that the other changed, or that has rows.
    case sectionDeletion
    /// One deleted a line that the other changed.
    case lineDeletion
    /// A column, a setting, or a person, by what is changed.
    case entry(column: String)
    /// One deleted a declared column, a setting, or a person that the other changed.
    case entryDeletion
  }

  /// What it is about.
  package let id: ID
  /// What both changed.
  package let matter: Matter
  /// The customer in this list; nil if it is about a section, or if the list does not have the customer.
  package let customer: CustomerID?
  /// The name of the customer or the title of the section; `setting` or the like, and a name.
  package let name: String
  /// What it was before both changed it; nil if that is nothing, or is not known.
  package let base: String?
  /// What it is here; nil if that is nothing, or if it was deleted here.
  package let ours: String?
  /// What it is there.
  package let theirs: String?
  /// When it was changed here, in UTC; empty if unknown.
  package let ourTime: String
  /// When it was changed there.
  package let theirTime: String
  /// Whose change counts.
  package let winner: ConflictSide
}

/// A side of a conflict.
package enum ConflictSide: String, CaseIterable, Codable, Sendable {
  /// The list.
  case ours
  /// The file, or the other copy of the list.
  case theirs
}

/// Whose change counts in a conflict, besides the rule.
package struct PullResolution: Hashable, Sendable {
  /// The side whose changes always count; nil for the later change.
  package var side: ConflictSide?
  /// The conflicts that are decided one by one.
  package var choices: [MergeConflict.ID: ConflictSide]

  /// Creates a resolution.
  package init(side: ConflictSide? = nil, choices: [MergeConflict.ID: ConflictSide] = [:]) {
    (self.side, self.choices) = (side, choices)
  }

  /// The later change counts, and a change counts more than a deletion.
  package static let latest = PullResolution()

  /// The side that counts, by this or by the rule.
  func side(for conflict: ListMerge.Conflict, isA: Bool) -> MergeSide {
    guard let side = choices[MergeConflict.ID(conflict)] ?? side else { return conflict.winner }
    return (side == .ours) == isA ? .a : .b
  }
}

extension MergeConflict.ID {
  fileprivate init(_ conflict: ListMerge.Conflict) {
    self.init(kind: conflict.kind, uid: conflict.uid, matter: conflict.matter)
  }
}

extension MergeConflict.Matter {
  fileprivate init(_ conflict: ListMerge.Conflict) {
    self =
      switch (conflict.matter, conflict.kind) {
      case (.value(let column), .customer): .value(column: column)
      case (.value(let column), .section): .section(column: column)
      case (.value, .line): .line
      case (.place, .customer): .place
      case (.place, _): .sectionPlace
      case (.order, _): conflict.uid == 0 ? .sectionOrder : .order
      case (.deletion, .customer): .deletion
      case (.deletion, .section): .sectionDeletion
      case (.deletion, .line): .lineDeletion
      case (.value(let column), .entry): .entry(column: column)
      // One renamed it, and the other deleted it.
      case (.column, _) where conflict.a == nil || conflict.b == nil: .entryDeletion
      case (.column, _): .entry(column: "name")
      case (.deletion, .entry): .entryDeletion
      }
  }
}

/// What there is to know about the conflicts of a merge.
struct ConflictReport {
  let ours: ListState
  let theirs: ListState
  let merged: ListState
  let logs: (ours: MergeLog, theirs: MergeLog)
  /// Whether the list that pulls is `a`.
  let isA: Bool
  let reader: CopyReader

  /// Describes conflicts.
  ///
  /// - Complexity: O(rows + conflicts).
  func describe(
    _ conflicts: [ListMerge.Conflict], in list: borrowing CustomerList
  ) throws -> [MergeConflict] {
    guard !conflicts.isEmpty else { return [] }
    let subjects = conflicts.map(subject)
    let owners = conflicts.filter(\.isOfOwner).flatMap { [$0.base, $0.a, $0.b].compactMap { $0?.uid } }
    let known = Set((subjects.compactMap(\.self) + owners).compactMap { reader.customers[$0] })
    let names = try list.customers(known).mapValues(\.name)
    func name(_ uid: UID) -> String {
      reader.customers[uid].flatMap { names[$0] } ?? self.name(of: uid)
    }
    let moved = Set(conflicts.filter { $0.matter == .place && $0.kind == .customer }.map(\.uid))
    let places = (places(of: moved, in: ours), places(of: moved, in: theirs))
    return zip(conflicts, subjects).map { conflict, subject in
      let customer = subject.flatMap { reader.customers[$0] }
      let title =
        switch conflict.kind {
        case .section:
          [merged, ours, theirs].map { $0.title(of: conflict.uid) }.first { !$0.isEmpty } ?? ""
        case .entry: entry(of: conflict)
        case .customer, .line: subject.map(name) ?? ""
        }
      var base = text(conflict.base, of: conflict)
      var (ours, theirs) = values(of: conflict, places)
      if conflict.isOfOwner {
        func owner(_ text: String?) -> String? { text.flatMap { UID($0) }.map(name) ?? text }
        (base, ours, theirs) = (owner(base), owner(ours), owner(theirs))
      }
      var winner: ConflictSide = (conflict.winner == .a) == isA ? .ours : .theirs
      if conflict.kind == .section, conflict.matter == .deletion {
        // It stays for the rows that came to it, whoever wins.
        winner = (ours == nil) == (merged.rows[conflict.uid] != nil) ? .theirs : .ours
      }
      return MergeConflict(
        id: MergeConflict.ID(conflict), matter: MergeConflict.Matter(conflict), customer: customer,
        name: title, base: base, ours: ours, theirs: theirs,
        ourTime: time(of: conflict, logs.ours), theirTime: time(of: conflict, logs.theirs), winner: winner)
    }
  }

  /// The customer that a conflict is about.
  private func subject(of conflict: ListMerge.Conflict) -> UID? {
    switch conflict.kind {
    case .customer: conflict.uid
    case .line: (ours[.line][conflict.uid] ?? theirs[.line][conflict.uid]).flatMap(ListState.customer)
    case .section, .entry: nil
    }
  }

  private func entry(of conflict: ListMerge.Conflict) -> String {
    if case .column(let name) = conflict.matter { return "column \(name)" }
    let uid = conflict.uid
    let record = merged[.entry][uid] ?? ours[.entry][uid] ?? theirs[.entry][uid] ?? [:]
    return "\(record["type"]?.text ?? "") \(record["name"]?.text ?? "")"
  }

  /// A value as people read it: choices in one line.
  private func text(_ value: MergedValue?, of conflict: ListMerge.Conflict) -> String? {
    guard conflict.kind == .entry, conflict.matter == .value("choices") else { return value?.text }
    return value?.text.replacing("\n", with: ", ")
  }

  /// Describes the values that are not of the kind of their column.
  func describe(_ misfits: [ListMerge.Misfit], in list: borrowing CustomerList) throws -> [PullSummary.Misfit]
  {
    guard !misfits.isEmpty else { return [] }
    let names = try list.customers(Set(misfits.compactMap { reader.customers[$0.customer] })).mapValues(
      \.name)
    return misfits.map { misfit in
      let customer = reader.customers[misfit.customer]
      return PullSummary.Misfit(
        column: misfit.column, kind: misfit.kind, customer: customer,
        name: customer.flatMap { names[$0] } ?? name(of: misfit.customer), value: misfit.value)
    }
  }

  /// The name of a customer that the list does not have.
  private func name(of uid: UID) -> String {
    guard let record = theirs[.customer][uid] ?? ours[.customer][uid] else { return "" }
    var customer = Customer(id: 0, place: CustomerPlace(section: 0, order: 0), fields: CustomerFields())
    customer.take(record, insteadOf: [:])
    return customer.name
  }

  private func values(
    of conflict: ListMerge.Conflict, _ places: (ours: [UID: String], theirs: [UID: String])
  ) -> (ours: String?, theirs: String?) {
    let uid = conflict.uid
    switch (conflict.matter, conflict.kind) {
    case (.value, _), (.column, _):
      let (a, b) = (text(conflict.a, of: conflict), text(conflict.b, of: conflict))
      return isA ? (a, b) : (b, a)
    case (.place, .customer): return (places.ours[uid], places.theirs[uid])
    case (.place, _):
      func number(_ state: ListState) -> String? { state.sections.firstIndex(of: uid).map { "\($0 + 1)" } }
      return (number(ours), number(theirs))
    case (.deletion, let kind):
      func text(_ state: ListState) -> String? {
        guard let record = state[kind][uid] else { return nil }
        return switch kind {
        case .line: record["text"]?.text ?? ""
        case .entry: record["value"]?.text ?? ""
        case .section: state.title(of: uid)
        case .customer: name(of: uid)
        }
      }
      return (text(ours), text(theirs))
    case (.order, _): return (nil, nil)
    }
  }

  /// Places such as `Leads/1`.
  private func places(of customers: Set<UID>, in state: ListState) -> [UID: String] {
    guard !customers.isEmpty else { return [:] }
    var places: [UID: String] = [:]
    for section in state.sections {
      for (index, row) in (state.rows[section] ?? []).enumerated() where customers.contains(row) {
        places[row] = "\(state.title(of: section))/\(index + 1)"
      }
    }
    return places
  }

  private func time(of conflict: ListMerge.Conflict, _ log: MergeLog) -> String {
    switch (conflict.matter, conflict.kind) {
    case (.value(let field), let kind): log.time(of: field, conflict.uid, kind)
    case (.column(let name), _): log.columns[name]?.time ?? ""
    case (.place, .customer): log.placed[conflict.uid] ?? ""
    case (.place, _): log.placedSections[conflict.uid] ?? ""
    case (.order, _), (.deletion, _): ""
    }
  }
}

extension ListMerge.Conflict {
  /// Whether it is about whose log a line is in; its values are uids.
  fileprivate var isOfOwner: Bool { kind == .line && matter == .value("customer") }
}

extension MergedValue {
  /// The uid that a value is.
  fileprivate var uid: UID? { UID(text) }
}
