@_spi(Tools) package import CustomerStore
internal import CustomerTable
package import CustomersText

/// An edit of a request: a `ListEdit`, of which the rows may also be named by a range or a view, and the place by a
/// number in the whole list.
package struct RequestedEdit: Sendable {
  /// The edit; of no rows if they are not named by id.
  package let edit: ListEdit
  /// The rows, unless they are named by id.
  private let selection: RowSelection?
  /// The place in the whole list, from 1, unless it is one in a section.
  private let position: Int?

  /// Edits that may name rows by a range or a view.
  private static let selecting = ["update", "log", "done", "delete", "move", "protect"]

  /// Reads an edit.
  ///
  /// - Throws: `JSONMistake`, `APIError`.
  package init(_ json: JSON, path: String = "") throws {
    let object = try JSONMembers(json, path: path)
    guard case .object(let all) = json, let kind = object.names.first, object.names.count == 1,
      RequestedEdit.selecting.contains(kind), case .object(var members) = all[0].1
    else {
      (edit, selection, position) = (try ListEdit(object), nil, nil)
      return
    }
    let inner = try object.object(kind)
    let ways = ["ids", "range", "view"].filter(inner.has)
    guard ways.count == 1 else { throw inner.wrong("ids", "a list of ids, or \"range\" or \"view\" instead") }
    selection =
      switch ways[0] {
      case "range": try RowSelection(range: inner.object("range"))
      case "view": try RowSelection(view: inner.object("view"))
      default: nil
      }
    if selection != nil { members = members.filter { $0.0 != ways[0] } + [("ids", .array([]))] }
    position = try kind == "move" ? RequestedEdit.position(of: inner) : nil
    if position != nil { members = members.filter { $0.0 != "to" } + [("to", .string("last"))] }
    edit = try ListEdit(JSONMembers(.object([(kind, .object(members))]), path: path))
  }

  private static func position(of move: JSONMembers) throws -> Int? {
    guard case .object? = move["to"] else { return nil }
    let place = try move.object("to")
    guard place.has("position") else { return nil }
    try place.allow(["position"])
    guard !move.has("section") else { throw move.wrong("to", "a place in the section, or no section") }
    return try place.number("position")
  }

  /// The name of its step in the history.
  var action: String { edit.action }

  /// Whether its rows are those of a range or a view.
  var selects: Bool { selection != nil }

  /// The edits by their names, with what a request may say besides a `ListEdit`.
  static let types = ListEdit.types.map { type in
    let members = type.members.flatMap { member -> [JSONObjectType.Member] in
      guard selecting.contains(type.name), member.name == "ids" else {
        return type.name == "move" && member.name == "to"
          ? [.optional("to", .object(to), "the place after the edit")] : [member]
      }
      return [
        .optional("ids", ListEdit.ids.type, "the ids of the customers"),
        .optional("range", .object(RowSelection.range), "instead of `ids`: rows by their numbers"),
        .optional("view", .object(RowSelection.view), "instead of `ids`: rows that match"),
      ]
    }
    return JSONObjectType(type.name, type.meaning, members)
  }

  /// A place, in a section or in the whole list.
  static let to = JSONObjectType(
    "move_destination", ListEdit.place.meaning,
    ListEdit.place.members + [
      .optional("position", .number, "the number in the whole list, from 1")
    ],
    words: ListEdit.place.words, isNumber: true)
}

/// The edits of a request in the transaction in which they are made.
extension RequestedEdit {
  /// Refuses numbers that may be two.
  ///
  /// - Throws: `KindError`.
  func refuseOpenNumbers(in list: borrowing CustomerList) throws { try edit.refuseOpenNumbers(in: list) }

  /// The edit with the ids of its rows, which are those of the list before the request.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - seen: the version in which a range, a view, or the rows of a batch were chosen; nil for now.
  /// - Returns: the edit, the place of its rows in the whole list, and a sentence about rows that are deleted.
  /// - Throws: `ListError`, `BatchError`, `FilterError`, `APIError`.
  func resolved(
    in list: borrowing CustomerList, seen: ListVersion?
  ) throws -> (edit: ListEdit, position: Int?, words: String) {
    guard let selection else { return (try edit.asSeen(at: seen, in: list), position, "") }
    let chosen = try selection.ids(in: list, at: seen)
    if let skipped = chosen.skipped.sentence, !selection.leavesOut {
      throw APIError(
        .refused, "Nothing was changed: \(skipped), so it is not known whether these rows match.",
        remedy: "To leave them out, say \"leave_out\": true in the view.",
        [
          ("reason", .string("skipped")), ("skipped", chosen.skipped.counts.json),
          ("version", .version(try list.version())),
        ])
    }
    return (edit.replacingRows(by: chosen.ids), position, chosen.words)
  }

  /// The edit for a line of a script, of the rows that the list has now.
  ///
  /// - Parameters:
  ///   - list: the list.
  ///   - skipped: takes note of the values that conditions can't compare, unless their rows are to be left out.
  /// - Returns: the edit.
  /// - Throws: `ListError`, `FilterError`, `APIError`.
  package func resolved(
    in list: borrowing CustomerList, noting skipped: SkippedValues
  ) throws -> ListEdit {
    guard let selection else { return try edit.moved(to: position, in: list) }
    let chosen = try selection.ids(in: list)
    if !selection.leavesOut { skipped.note(chosen.skipped.counts) }
    return try edit.replacingRows(by: chosen.ids).moved(to: position, in: list)
  }
}

extension ListEdit {
  /// The same edit of other rows, if it is one that may name them by a range or a view.
  fileprivate func replacingRows(by ids: [CustomerID]) -> ListEdit {
    switch self {
    case .update(_, let changes): .update(ids, changes)
    case .delete(_, let version): .delete(ids, asSeenAt: version)
    case .move(_, let destination, let section, let version):
      .move(ids, to: destination, in: section, asSeenAt: version)
    case .moveBy(_, let distance): .moveBy(ids, distance)
    case .protect(_, let canEdit, let canMove): .protect(ids, canEdit: canEdit, canMove: canMove)
    case .log(_, let text, let next, let destination, let section):
      .log(ids, text, next: next, to: destination, in: section)
    case .done(_, let text): .done(ids, text)
    default: self
    }
  }

  /// The edit with those rows of a batch that had their places at a version.
  fileprivate func asSeen(at version: ListVersion?, in list: borrowing CustomerList) throws -> ListEdit {
    guard let version, case .batch(let updates) = self else { return self }
    var parts: [ListArrangement.Part]?
    return .batch(
      try updates.naming { place in
        let then = try parts ?? list.arrangement(at: version).parts
        parts = then
        guard let rows = then.first(where: { $0.section == place.section })?.rows else {
          throw ListError.noSuchSection(place.section)
        }
        guard rows.indices.contains(place.order - 1) else {
          throw ListError.placeOutOfRange(asked: place.order, allowed: 1..<rows.count + 1)
        }
        return rows[place.order - 1]
      })
  }

  /// The edit, as far as the policy allows it.
  ///
  /// - Throws: `ListError`, `BatchError`, `APIError`.
  func allowed(by policy: EditingPolicy, in list: borrowing CustomerList) throws -> ListEdit {
    switch self {
    case .insert(let customers, _, _):
      guard policy.allowsAdding else { throw APIError(.readOnly, "Customers can't be added here.") }
      for customer in customers { try policy.check(customer.fields, over: CustomerFields()) }
    case .update(let ids, let changes):
      for id in ids {
        let customer = try list.customer(id)
        try policy.checkEdit(of: customer)
        var fields = customer.fields
        fields.set(changes)
        try policy.check(fields, over: customer.fields)
      }
    case .save(let id, let from, let to):
      let customer = try list.customer(id)
      try policy.checkEdit(of: customer)
      // What both leave out is as it is in the list; a text that stays the same leaves a number a number.
      let changed = to.differences(from: from)
      let seen = customer.fields.typed(changed.map { ($0, from[$0]) })
      let wanted = seen.typed(changed.map { ($0, to[$0]) })
      try policy.check(wanted, over: seen)
      return .save(id, from: seen, to: wanted)
    case .delete(let ids, _), .merge(let ids):
      for id in ids { try policy.checkEdit(of: list.customer(id)) }
    case .move(let ids, _, _, _), .moveBy(let ids, _):
      for id in ids { try policy.checkMove(of: list.customer(id)) }
    case .log(let ids, _, _, let destination, _):
      for id in ids { try policy.checkLog(of: list.customer(id), moves: destination != nil) }
    case .done(let ids, _):
      for id in ids { try policy.checkLog(of: list.customer(id), moves: true) }
    case .swap(let one, let other):
      for id in [one, other] { try policy.checkMove(of: list.customer(id)) }
    case .section(.add(let title, let footer, _)): try ListEdit.checkTitles([title, footer])
    case .section(.rename(_, let title, let footer)):
      try ListEdit.checkTitles([title, footer].compactMap(\.self))
    case .section(.delete(let id, withCustomers: true)):
      try list.forEach(in: id) { customer in
        try policy.checkEdit(of: customer)
        return true
      }
    case .column(.rename(_, let name)), .column(.setKind(let name, _, _, _, _)):
      try ListEdit.checkTitles([name])
    case .batch(let updates):
      for case .insert(let fields, _) in updates.operations {
        try policy.check(fields, over: CustomerFields())
      }
      for edit in try updates.edits(in: list) { _ = try edit.allowed(by: policy, in: list) }
    case .protect, .sort, .arrange, .section, .column: break
    }
    return self
  }

  /// Refuses what a person can't type as a title.
  static func checkTitles(_ titles: [String]) throws {
    for title in titles {
      guard title.utf8.count <= 10_000 else { throw APIError(.invalid, "A title has at most 10,000 bytes.") }
      if title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\n" }) {
        throw APIError(.invalid, "A title has no control characters.")
      }
    }
  }

  /// Refuses if a row, a section, or an extra column that the edit names was changed since a version.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - isChosen: whether the rows are those of a range or a view, which others may have moved.
  ///   - list: the list.
  /// - Throws: `ListError`, `BatchError`.
  func refuseChanges(
    since version: ListVersion, isChosen: Bool, in list: borrowing CustomerList
  ) throws {
    try list.refuseChangedColumns(columnNames, since: version)
    switch self {
    case .move, .moveBy: if isChosen { return }
    default: break
    }
    switch self {
    case .update(let ids, _), .delete(let ids, _), .merge(let ids), .protect(let ids, _, _),
      .log(let ids, _, _, _, _), .done(let ids, _):
      try list.refuseChangedContent(of: ids, since: version)
    case .move(let ids, _, _, _), .moveBy(let ids, _), .arrange(let ids, _):
      try list.refuseChangedOrder(of: ids, since: version)
    case .swap(let one, let other): try list.refuseChangedOrder(of: [one, other], since: version)
    case .section(.rename(let id, _, _)), .section(.move(let id, _)), .section(.delete(let id, false)):
      try list.refuseChangedSection(id, since: version)
    case .section(.delete(let id, true)):
      try list.refuseChangedSection(id, withCustomers: true, since: version)
    case .batch(let updates):
      var (changed, moved): ([CustomerID], [CustomerID]) = ([], [])
      for edit in try updates.edits(in: list) {
        switch edit {
        case .move(let ids, _, _, _): moved += ids
        case .update(let ids, _), .delete(let ids, _): changed += ids
        default: break
        }
      }
      try list.refuseChangedContent(of: changed, since: version)
      try list.refuseChangedOrder(of: moved, since: version)
    case .insert, .save, .sort, .section, .column: try list.refuseOtherHistory(than: version)
    }
  }

  /// The edit with its rows at a number of the whole list, from 1.
  ///
  /// - Throws: `ListError.placeOutOfRange`.
  func moved(to position: Int?, in list: borrowing CustomerList) throws -> ListEdit {
    guard let position, case .move(let ids, _, _, let version) = self else { return self }
    let outline = try list.outline()
    let places = try ids.map { try list.place(of: $0) }
      .sorted { outline.position(of: $0) < outline.position(of: $1) }
    guard let target = outline.target(position: position, moving: places) else {
      let end = max(1, (outline.count - places.count).saturatingAdding(2))
      throw ListError.placeOutOfRange(asked: position, allowed: 1..<end)
    }
    return .move(ids, to: target.destination, in: target.section, asSeenAt: version)
  }

  /// Refuses a section beside a row that is in another one.
  ///
  /// - Throws: `ListError.noSuchCustomer`, `APIError`.
  package func refuseOtherSection(in list: borrowing CustomerList) throws {
    let place: (destination: Destination?, section: SectionID?) =
      switch self {
      case .insert(_, let destination, let section): (destination, section)
      case .move(_, let destination, let section, _): (destination, section)
      case .log(_, _, _, let destination, let section): (destination, section)
      default: (nil, nil)
      }
    try list.refuse(place.section, beside: place.destination)
  }

  /// The version in its own JSON.
  var seen: ListVersion? {
    switch self {
    case .delete(_, let version), .move(_, _, _, let version): version
    default: nil
    }
  }

  /// The edit, without the version in which its rows were seen.
  var withoutSeen: ListEdit {
    switch self {
    case .delete(let ids, _): .delete(ids)
    case .move(let ids, let destination, let section, _): .move(ids, to: destination, in: section)
    default: self
    }
  }

  /// The name of the step in the history: the command that makes the edit.
  var action: String {
    switch self {
    case .insert: "add"
    case .update, .save: "edit"
    case .log: "log"
    case .done: "done"
    case .merge: "merge"
    case .delete: "delete"
    case .move, .moveBy: "move"
    case .swap: "swap"
    case .protect: "protect"
    case .sort: "sort"
    case .arrange: "arrange"
    case .section(.add): "section add"
    case .section(.rename): "section rename"
    case .section(.move): "section move"
    case .section(.delete): "section delete"
    case .column(.rename): "columns rename"
    case .column(.drop): "columns drop"
    case .column(.join): "columns join"
    case .column(.setKind): "columns kind"
    case .batch: "apply"
    }
  }
}

extension EditingPolicy {
  fileprivate func checkEdit(of customer: Customer) throws {
    guard canEdit(customer) else { throw ListError.editForbidden(customer.id) }
  }

  fileprivate func checkMove(of customer: Customer) throws {
    guard canMove(customer) else { throw ListError.moveForbidden(customer.id) }
  }

  fileprivate func checkLog(of customer: Customer, moves: Bool) throws {
    try checkEdit(of: customer)
    if moves { try checkMove(of: customer) }
  }

  /// Refuses fields that the form would not save, and changes that a person can't type.
  fileprivate func check(_ fields: CustomerFields, over old: CustomerFields) throws {
    var problems = form.check(fields)
    let known = Set(old.extraColumns.names)
    for field in fields.differences(from: old) {
      if let problem = field.problem(ofTyped: fields[field].text) { problems[field] = problem }
      if case .extra(let name) = field, !known.contains(name) { try ListEdit.checkTitles([name]) }
    }
    if !problems.isEmpty { throw APIError.invalid(problems) }
  }
}

extension CustomerField {
  /// Why a typed text can't be the value; nil if it can.
  ///
  /// Line feeds may be there only if the field has lines, as an extra column may, whose kind says what it takes.
  func problem(ofTyped text: String) -> String? {
    let takesLines =
      switch self {
      case .extra: true
      default: kind == .multilineText || kind == .lines
      }
    let control = text.unicodeScalars.first { scalar in
      switch scalar {
      case "\t": false
      case "\n": !takesLines
      default: scalar.properties.generalCategory == .control
      }
    }
    return control.map {
      $0 == "\n"
        ? "The text has several lines, and the field has one"
        : "The text has a control character (U+\(String($0.value, radix: 16, uppercase: true))); type it again"
    }
  }
}

extension CustomerFields {
  /// The fields after a person has typed these over them; a text that stays the same leaves a number a number.
  fileprivate func typed(_ values: [(field: CustomerField, value: FieldValue)]) -> CustomerFields {
    var fields = self
    for (field, value) in values {
      if case .text(let text) = value {
        fields[field] = self[field].replaced(by: text)
      } else {
        fields[field] = value
      }
    }
    return fields
  }
}

extension CustomerList {
  /// Refuses a section beside a row that is in another one: which of the two is meant is not known.
  ///
  /// - Throws: `ListError.noSuchCustomer`, `APIError`.
  func refuse(_ section: SectionID?, beside destination: Destination?) throws {
    guard let section else { return }
    switch destination {
    case .before(let id), .after(let id):
      guard try place(of: id).section != section else { return }
      throw APIError(
        .invalid, "Nothing was changed: the row in \"to\" is not in section \(section.rawValue).")
    default: return
    }
  }
}
