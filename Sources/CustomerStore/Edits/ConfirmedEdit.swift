/// An edit that a person was asked about, and what it would have done when they were asked.
///
/// `CustomerList.apply` makes it only if it still does the same.
package struct ConfirmedEdit: Sendable {
  package let edit: ListEdit
  /// What the edit would have done.
  package let outcome: EditOutcome
  /// The version of the list before it.
  fileprivate let version: ListVersion
  /// What is in the extra column that it renames or drops.
  fileprivate let column: ColumnContent?
}

/// The list was changed after a person was asked about an edit, which would do something else now.
///
/// Nothing is changed.
package enum StaleConfirmation: Error, Sendable {
  /// The edit has another outcome.
  case otherOutcome(shown: EditOutcome, now: EditOutcome)
  /// An extra column that it renames or drops has other values, or other customers have it.
  case otherColumn(String, shown: Int, now: Int)
  /// The list was restored, or a copy of it that was edited on its own was put in its place.
  case otherHistory
  /// An import would add, change, or skip other rows.
  case otherImport
  /// The edit is refused, or a customer that it deletes was changed.
  case refused(ListError)
}

extension StaleConfirmation: CustomStringConvertible {
  /// What happened, in one line, without the data of customers.
  package var description: String { "the list has been changed since" }
}

extension CustomerList {
  /// Makes an edit in a dry run, to ask a person about it.
  ///
  /// - Throws: the same errors as `apply`.
  package mutating func propose(_ edit: ListEdit) throws -> ConfirmedEdit {
    let (version, column) = (try version(), try contentOfColumn(in: edit))
    return ConfirmedEdit(edit: edit, outcome: try apply(edit), version: version, column: column)
  }

  /// Makes an edit that a user has confirmed.
  ///
  /// Rows that only shifted because of others are still those that were shown.
  ///
  /// - Throws: `StaleConfirmation` if it would not do what was shown; nothing is changed. And the same errors as
  ///   `apply`.
  package mutating func apply(_ confirmed: ConfirmedEdit) throws -> EditOutcome {
    let (shown, now) = (confirmed.version, try version())
    guard try has(shown) else { throw StaleConfirmation.otherHistory }
    guard now.edit != shown.edit else { return try apply(confirmed.edit) }
    do {
      try refuseChangedContent(since: shown, of: confirmed.outcome.deleted.contains)
      if case .column(let edit) = confirmed.edit, let shown = confirmed.column,
        let now = try contentOfColumn(in: confirmed.edit), now != shown, now.count > 0
      {
        throw StaleConfirmation.otherColumn(edit.name, shown: shown.count, now: now.count)
      }
      return try atomically { list in
        let outcome = try list.apply(confirmed.edit)
        guard outcome.names == confirmed.outcome.names else {
          throw StaleConfirmation.otherOutcome(shown: confirmed.outcome, now: outcome)
        }
        return outcome
      }
    } catch let error as ListError {
      throw StaleConfirmation.refused(error)
    }
  }

  private func contentOfColumn(in edit: ListEdit) throws -> ColumnContent? {
    guard case .column(let edit) = edit else { return nil }
    return try content(ofColumn: edit.name)
  }
}

extension ColumnEdit {
  /// The name of the column before the edit.
  fileprivate var name: String {
    switch self {
    case .rename(let name, _), .join(let name, _), .drop(let name), .setKind(let name, _, _, _, _): name
    }
  }
}

extension EditOutcome {
  /// What a user is asked about; shifts of rows do not count.
  fileprivate struct Names: Equatable {
    struct Row: Hashable {
      var id: CustomerID?
      var name: String
      var fields: [CustomerField]
      var hasOtherRights: Bool
      /// The places of a row that is moved, and the new one of a row that is added.
      var from, to: CustomerPlace?
    }

    struct Section: Hashable {
      var id: SectionID
      var titles: [String?]
      var footers: [String?]
      /// The new place, if it is another one.
      var order: Int?
    }

    var deleted: Set<CustomerID>
    var rows: Set<Row>
    var added: Set<Run>
    var sections: Set<Section>
    var columns: [Column]
    var omitted: Int
  }

  fileprivate var names: Names {
    Names(
      deleted: deleted, rows: Set(rows.filter { $0.to != nil }.map(Names.Row.init)),
      added: Set(runs.filter { $0.to != nil }), sections: Set(sections.map(Names.Section.init)),
      columns: columns, omitted: omitted)
  }

  /// The customers that were deleted.
  package var deleted: Set<CustomerID> {
    var ids = Set(rows.filter { $0.to == nil }.map(\.id))
    for run in runs where run.to == nil {
      for offset in 0..<run.count { ids.insert(CustomerID(rawValue: run.first.rawValue + Int64(offset))) }
    }
    return ids
  }
}

extension EditOutcome.Names.Row {
  fileprivate init(_ row: EditOutcome.Row) {
    // A new row may get another id.
    id = row.from == nil ? nil : row.id
    (name, fields, hasOtherRights) = (row.customer.name, row.fields, row.hasOtherRights)
    from = row.isMoved ? row.from : nil
    to = row.isMoved || row.from == nil ? row.to : nil
  }
}

extension EditOutcome.Names.Section {
  fileprivate init(_ section: EditOutcome.Section) {
    id = section.id
    titles = [section.before?.title, section.after?.title]
    footers = [section.before?.footer, section.after?.footer]
    order = section.before?.order == section.after?.order ? nil : section.after?.order
  }
}
