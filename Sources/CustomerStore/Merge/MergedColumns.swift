/// What happened to the columns of two copies of a list that were edited apart, so that their values can be merged: a column that
/// one side renamed has one name on both, and the values of one that a side gave a kind have the form of that kind.
extension ListMerge {
  /// A column of the common state, and what it is called now.
  struct Column: Hashable {
    /// Nil if the common state is not known.
    var base: String?
    var a: String
    var b: String

    /// The name that one side alone gave it, or both; nil if they gave it different ones.
    var agreedName: String? { a == b || b == base ? a : a == base ? b : nil }
  }

  /// A value that is not of the kind that its column got on one side.
  package struct Misfit: Hashable, Sendable {
    package var customer: UID
    package var column: String
    package var kind: ColumnKind
    package var value: String
  }

  /// The columns that a side renamed: those of which its log says so and, if there is no log, the declared ones, which have
  /// uids.
  static func renamedColumns(
    _ base: ListState, _ a: ListState, _ b: ListState, _ logA: MergeLog, _ logB: MergeLog
  ) -> [Column] {
    let (old, x, y) = (base[.entry], a[.entry], b[.entry])
    var columns: Set<Column> = []
    if logA.touched == nil || logB.touched == nil {
      for (uid, record) in x {
        guard let nameA = record.columnName(uid), let nameB = y[uid]?.columnName(uid) else { continue }
        let name = old[uid]?.columnName(uid)
        func isKnown(_ log: MergeLog) -> Bool { log.touched != nil }
        columns.insert(
          Column(
            base: name, a: isKnown(logA) ? logA.columns[name ?? nameA]?.name ?? nameA : nameA,
            b: isKnown(logB) ? logB.columns[name ?? nameB]?.name ?? nameB : nameB))
      }
    }
    let declared = Set(old.compactMap { $1.columnName($0) })
    let known = Set(columns.compactMap(\.base))
    for name in Set(logA.columns.keys).union(logB.columns.keys).subtracting(known) {
      // A log may tell of columns that it got after the common state.
      let field = ListState.extra + name
      guard declared.contains(name) || base[.customer].values.contains(where: { $0[field] != nil }) else {
        continue
      }
      columns.insert(
        Column(base: name, a: logA.columns[name]?.name ?? name, b: logB.columns[name]?.name ?? name))
    }
    return columns.filter { Set([$0.base ?? $0.a, $0.a, $0.b]).count > 1 }.sorted { one, other in
      (one.base ?? "", one.a, one.b) < (other.base ?? "", other.a, other.b)
    }
  }

  /// Whether a side deleted an extra column of the common state, and has none of its name.
  static func isDeleted(
    _ name: String, of base: ListState, called ownName: String, in state: ListState, _ log: MergeLog
  ) -> Bool {
    let field = ListState.extra + ownName
    guard !state[.customer].values.contains(where: { $0[field] != nil }) else { return false }
    let declared = base[.entry].first { $1.columnName($0) == name }?.key
    return declared.map { state[.entry][$0] == nil } ?? (log.isDeleted[name] == true)
  }

  /// The columns whose kinds differ on the two sides, or their choices, with what they are in the merged state.
  static func columnsOfNewKinds(
    _ merged: ListState, _ a: ListState, _ b: ListState
  ) -> [(name: String, column: ColumnKinds.Column, sides: (a: ColumnKinds.Column?, b: ColumnKinds.Column?))] {
    let (kinds, x, y) = (merged.columnKinds, a.columnKinds, b.columnKinds)
    return kinds.filter { !$1.kind.takesAnyText && x[$0] != y[$0] }.sorted { $0.key < $1.key }
      .map { ($0, $1, (x[$0], y[$0])) }
  }
}

extension ListState {
  /// The kinds of the declared extra columns.
  var columnKinds: [String: ColumnKinds.Column] {
    self[.entry].reduce(into: [:]) { kinds, entry in
      guard let name = entry.value.columnName(entry.key) else { return }
      let kind = ColumnKind(rawValue: entry.value["value"]?.text ?? "") ?? .text
      let choices = (entry.value["choices"]?.text ?? "").split(separator: "\n").map(String.init)
      kinds[name] = ColumnKinds.Column(kind, choices: choices)
    }
  }

  /// The state with other names of extra columns.
  ///
  /// A customer who has both columns, because one was added on this side alone, keeps both names.
  func renamingColumns(_ names: [String: String]) -> ListState {
    let names = names.filter { $0 != $1 }
    guard !names.isEmpty else { return self }
    let fields = Dictionary(uniqueKeysWithValues: names.map { (ListState.extra + $0, ListState.extra + $1) })
    var state = self
    for (uid, record) in self[.customer] {
      let moving = fields.filter { record[$0.key] != nil }
      let free = moving.filter { field, name in
        (record[name] == nil || moving[name] != nil)
          && !moving.contains { $0.key != field && $0.value == name }
      }
      guard !free.isEmpty else { continue }
      var renamed = record.filter { free[$0.key] == nil }
      for (field, name) in free where renamed[name] == nil { renamed[name] = record[field] }
      guard renamed.count == record.count else { continue }
      if case .lines(let order)? = record[ListState.columnOrder] {
        renamed[ListState.columnOrder] = .lines(
          order.map { name in
            free[ListState.extra + name].map { String($0.dropFirst(ListState.extra.count)) } ?? name
          })
      }
      state.records[.customer]?[uid] = renamed
    }
    for (uid, record) in self[.entry] {
      if let name = record.columnName(uid).flatMap({ names[$0] }) {
        state.records[.entry]?[uid]?["name"] = .text(name)
      }
    }
    return state
  }

  /// Gives the customers the values that they had in an extra column, which is declared again if it was.
  mutating func restoreColumn(_ name: String, of old: ListState) {
    let field = ListState.extra + name
    func order(_ record: Record) -> [String] {
      if case .lines(let names)? = record[Self.columnOrder] { names } else { [] }
    }
    for (uid, record) in old[.customer] {
      guard let value = record[field], let own = records[.customer]?[uid], own[field] == nil else { continue }
      records[.customer]?[uid]?[field] = value
      if order(own) == order(record).filter({ $0 != name }) {
        records[.customer]?[uid]?[Self.columnOrder] = record[Self.columnOrder]
      }
    }
    for (uid, record) in old[.entry] where record.columnName(uid) == name {
      records[.entry, default: [:]][uid] = record
    }
  }

  /// Brings the values of an extra column into the form of a kind, as far as they can be read.
  mutating func bring(_ name: String, into forms: [String: String]) {
    let field = ListState.extra + name
    for (uid, record) in self[.customer] {
      if let text = record[field]?.text, let form = forms[text], form != text {
        records[.customer]?[uid]?[field] = .text(form)
      }
    }
  }
}

extension ListState.Record {
  /// The name of the extra column that an entry declares; nil for any other entry.
  fileprivate func columnName(_ uid: UID) -> String? {
    uid < 0 && self["type"]?.text == "column" ? self["name"]?.text : nil
  }
}
