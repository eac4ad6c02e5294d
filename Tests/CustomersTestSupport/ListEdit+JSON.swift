@_spi(Tools) package import CustomerStore
package import CustomersText

extension ListEdit {
  /// The edit as the JSON from which it can be read.
  package var json: JSON {
    switch self {
    case .insert(let customers, let destination, let section):
      .edit("insert", [("customers", .array(customers.map(\.json))), ("to", destination.json)], in: section)
    case .update(let ids, let changes): .edit("update", [("ids", .ids(ids))] + changes.members)
    case .save(let id, let from, let to):
      .edit("save", [("id", .int(Int(id.rawValue))), ("from", from.json), ("to", to.json)])
    case .log(let ids, let text, let next, let destination, let section):
      .edit(
        "log",
        [("ids", .ids(ids)), ("text", .string(text))] + (next.map { [("next", .string($0))] } ?? [])
          + (destination.map { [("to", $0.json)] } ?? []), in: section)
    case .done(let ids, let text): .edit("done", [("ids", .ids(ids)), ("text", .string(text))])
    case .merge(let ids): .edit("merge", [("ids", .ids(ids))])
    case .delete(let ids, let version): .edit("delete", [("ids", .ids(ids))], seen: version)
    case .move(let ids, let destination, let section, let version):
      .edit("move", [("ids", .ids(ids)), ("to", destination.json)], in: section, seen: version)
    case .moveBy(let ids, let distance): .edit("move", [("ids", .ids(ids)), ("by", .int(distance))])
    case .swap(let one, let other): .edit("swap", [("ids", .ids([one, other]))])
    case .protect(let ids, let canEdit, let canMove):
      .edit(
        "protect",
        [("ids", .ids(ids))]
          + [("can_edit", canEdit), ("can_move", canMove)].compactMap { name, flag in
            flag.map { (name, .bool($0)) }
          })
    case .sort(let order, let section):
      .edit(
        "sort",
        [("by", .array(order.names.map(JSON.string))), ("descending", .bool(order.isDescending))],
        in: section)
    case .arrange(let ids, let section): .edit("arrange", [("ids", .ids(ids))], in: section)
    case .section(let edit): edit.json
    case .column(.rename(let name, let newName)):
      .edit("rename_column", [("name", .string(name)), ("to", .string(newName))])
    case .column(.join(let name, let field)):
      .edit("join_column", [("name", .string(name)), ("into", .string(field.nameInRequests))])
    case .column(.drop(let name)): .edit("drop_column", [("name", .string(name))])
    case .column(.setKind(let name, let kind, let choices, let written, let keepsText)):
      .edit(
        "set_column_kind",
        [("name", .string(name)), ("kind", .string(kind.rawValue))]
          + (choices.isEmpty ? [] : [("choices", .array(choices.map(JSON.string)))])
          + (written.map { [("written", .string($0))] } ?? [])
          + (keepsText ? [("keep_text", .bool(true))] : []))
    case .batch(let updates): .edit("batch", [("updates", .array(updates.operations.map(\.json)))])
    }
  }
}

extension SectionEdit {
  fileprivate var json: JSON {
    switch self {
    case .add(let title, let footer, let order):
      .edit(
        "add_section",
        [("title", .string(title)), ("footer", .string(footer))] + (order.map { [("to", .int($0))] } ?? []))
    case .rename(let id, let title, let footer):
      .edit(
        "rename_section",
        [("id", .int(Int(id.rawValue)))]
          + [("title", title), ("footer", footer)].compactMap { name, text in
            text.map { (name, .string($0)) }
          })
    case .move(let id, let order):
      .edit("move_section", [("id", .int(Int(id.rawValue))), ("to", .int(order))])
    case .delete(let id, let withCustomers):
      .edit("delete_section", [("id", .int(Int(id.rawValue))), ("with_customers", .bool(withCustomers))])
    }
  }
}

extension BatchUpdates.Operation {
  fileprivate var json: JSON {
    switch self {
    case .delete(let source): .object([("delete", .object([("row", source.json)]))])
    case .insert(let fields, let target):
      .object([("insert", .object([("customer", fields.json), ("to", target.json)]))])
    case .move(let source, let target):
      .object([("move", .object([("row", source.json), ("to", target.json)]))])
    case .update(let source, let changes):
      .object([("update", .object([("row", source.json)] + changes.members))])
    }
  }
}

extension BatchUpdates.Source {
  fileprivate var json: JSON {
    switch self {
    case .place(let order, let section):
      .object([("section", .int(Int(section.rawValue))), ("order", .int(order))])
    case .customer(let id): .object([("id", .int(Int(id.rawValue)))])
    }
  }
}

extension BatchUpdates.Target {
  fileprivate var json: JSON {
    let (section, place): (SectionID, JSON) =
      switch self {
      case .place(let order, let section): (section, .int(order))
      case .first(let section): (section, .string("first"))
      case .last(let section): (section, .string("last"))
      }
    return .object([("section", .int(Int(section.rawValue))), ("order", place)])
  }
}

extension Destination {
  fileprivate var json: JSON {
    switch self {
    case .first: .string("first")
    case .last: .string("last")
    case .place(let order): .int(order)
    case .before(let id): .object([("before", .int(Int(id.rawValue)))])
    case .after(let id): .object([("after", .int(Int(id.rawValue)))])
    }
  }
}

extension SortOrder.Key {
  /// The name in JSON: `name`, a column, or `extra.` and the name of an extra column.
  fileprivate var name: String {
    switch self {
    case .name: "name"
    case .field(let field): field.nameInRequests
    }
  }
}

extension SortOrder {
  /// The names of the keys in JSON; a minus is before those that go the other way.
  fileprivate var names: [String] { keys.map { (reversed.contains($0) ? "-" : "") + $0.name } }
}

extension CustomerFields {
  /// The fields that are not empty.
  fileprivate var json: JSON {
    let fields = CustomerField.standard.filter { self[$0] != $0.emptyValue }.map {
      ($0.column, $0.json(self[$0]))
    }
    let next = next.isEmpty ? [] : [(CustomerField.next.column, JSON.string(next))]
    return .object(fields + next + (extra == "{}" ? [] : [("extra", .raw(extra))]))
  }
}

extension NewCustomer {
  fileprivate var json: JSON {
    guard case .object(let members) = fields.json else { return .null }
    let rights = [("can_edit", canEdit), ("can_move", canMove)].filter { !$0.1 }
    return .object(members + rights.map { ($0, JSON.bool($1)) })
  }
}

extension FieldChanges {
  fileprivate var members: [(String, JSON)] {
    let ordered = values.sorted { $0.key.column < $1.key.column }
    var set = ordered.filter { if case .extra = $0.key { false } else { true } }.map {
      ($0.key.column, $0.key.json($0.value))
    }
    let extra = ordered.filter { if case .extra = $0.key { true } else { false } }.map {
      ($0.key.column, $0.value.json)
    }
    if !extra.isEmpty { set.append(("extra", .object(extra))) }
    func lines(_ name: String, _ lines: [CustomerField: [String]]) -> [(String, JSON)] {
      let fields = lines.sorted { $0.key.column < $1.key.column }
      return fields.isEmpty
        ? [] : [(name, .object(fields.map { ($0.key.column, .array($0.value.map(JSON.string))) }))]
    }
    return (set.isEmpty ? [] : [("set", .object(set))]) + lines("add", added) + lines("remove", removed)
  }
}

extension JSON {
  fileprivate static func ids(_ ids: [CustomerID]) -> JSON { .array(ids.map { .int(Int($0.rawValue)) }) }

  fileprivate static func edit(
    _ name: String, _ members: [(String, JSON)], in section: SectionID? = nil, seen: ListVersion? = nil
  ) -> JSON {
    let section = section.map { [("section", JSON.int(Int($0.rawValue)))] } ?? []
    let seen = seen.map { [("seen", JSON.string($0.text))] } ?? []
    return .object([(name, .object(members + section + seen))])
  }
}

extension CustomerField {
  /// A value of the field as JSON.
  fileprivate func json(_ value: FieldValue) -> JSON {
    kind == .lines ? listJSON(value.text) : value.json
  }
}
