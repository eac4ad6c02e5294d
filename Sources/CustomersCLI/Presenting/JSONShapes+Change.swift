internal import CustomerStore
internal import CustomersFormats
internal import CustomersWording

extension JSONShapes {
  static let change = JSONShape<(change: Change, outcome: EditOutcome)>(
    "change",
    """
    One change of an edit. To repeat a step on a copy of the list, remove the rows that are deleted or moved, by \
    `from`, and the sections. Then insert the sections, by `order`, and the rows that are added or moved, by `to`, \
    in ascending order.
    """,
    [
      .always("op", .text, "the operation: \(ops.joined(separator: ", "))") { .string($0.change.op) },
      .optional("id", .number, "the id of the customer or section") { $0.change.id.map(JSON.int) },
      .optional("first_id", .number, "the first id of many rows with consecutive ids") {
        $0.change.run.map { .int(Int($0.first.rawValue)) }
      },
      .optional("count", .number, "the number of these rows") { $0.change.run.map { .int($0.count) } },
      .optional("name", .text, "the customer's name or the section's title") {
        $0.change.name.map(JSON.string)
      },
      .optional("from", .object(place.type), "the place before the whole edit; for many rows, of the first") {
        value in value.change.from.map { place.json(($0, value.outcome.before)) }
      },
      .optional("to", .object(place.type), "the place after the whole edit; for many rows, of the first") {
        value in value.change.to.map { place.json(($0, value.outcome.after)) }
      },
      .optional("fields", .list(.text), "the fields that changed") { $0.change.fields },
      .optional("customer", .object(customer.type), "the customer after the edit; if deleted, before it") {
        value in
        let outline = value.change.to == nil ? value.outcome.before : value.outcome.after
        return value.change.customer.map { customer.json(($0, outline)) }
      },
      .optional("before", .object(customer.type), "in history STEP and ROW, the customer before the edit") {
        value in
        guard case .row(let operation, let row) = value.change, operation == .edit || operation == .protect
        else {
          return nil
        }
        return row.before.map { customer.json(($0, value.outcome.before)) }
      },
      .optional("section", .object(section.type), "the section after the edit; if deleted, before it") {
        $0.change.section.flatMap { $0.after ?? $0.before }.map(section.json)
      },
      .optional("from_order", .number, "the old number of a moved section") {
        $0.change.op == "section move" ? $0.change.section?.before.map { .int($0.order) } : nil
      },
      .optional("column", .text, "the extra column") {
        $0.change.column.map { .string($0.from ?? $0.to ?? "") }
      },
      .optional("new_name", .text, "its new name") { value in
        value.change.op == "columns rename" ? value.change.column?.to.map(JSON.string) : nil
      },
    ])

  private static let ops = [
    "add", "delete", "move", "edit", "protect", "section add", "section delete", "section move",
    "section rename", "columns rename", "columns drop", "columns restore",
  ]
}

extension Change {
  fileprivate var id: Int? {
    switch self {
    case .row(_, let row): Int(row.id.rawValue)
    case .section(_, let section): Int(section.id.rawValue)
    case .rows, .column: nil
    }
  }

  fileprivate var name: String? {
    switch self {
    case .row(_, let row): row.customer.name
    case .section(_, let section): (section.after ?? section.before)?.title
    case .rows, .column: nil
    }
  }

  fileprivate var run: EditOutcome.Run? { if case .rows(_, let run) = self { run } else { nil } }

  fileprivate var section: EditOutcome.Section? {
    if case .section(_, let section) = self { section } else { nil }
  }

  fileprivate var column: EditOutcome.Column? {
    if case .column(let column) = self { column } else { nil }
  }

  fileprivate var from: CustomerPlace? {
    switch self {
    case .row(_, let row): row.from
    case .rows(_, let run): run.from
    case .section, .column: nil
    }
  }

  fileprivate var to: CustomerPlace? {
    switch self {
    case .row(_, let row): row.to
    case .rows(_, let run): run.to
    case .section, .column: nil
    }
  }

  /// The customer, if more than its place has changed.
  fileprivate var customer: Customer? {
    guard case .row(let operation, let row) = self, operation != .move else { return nil }
    return row.customer
  }

  fileprivate var fields: JSON? {
    switch self {
    case .row(.edit, let row): .array(row.fields.map { .string($0.column) })
    case .section(.edit, let section):
      .array(
        [("title", \CustomerSection.title), ("footer", \.footer)]
          .filter { section.before?[keyPath: $0.1] != section.after?[keyPath: $0.1] }.map { .string($0.0) })
    case .row, .rows, .section, .column: nil
    }
  }
}
