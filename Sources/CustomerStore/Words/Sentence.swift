/// A sentence of a report, such as "Added …" or, in a dry run, "Would add …".
package struct Sentence: Sendable {
  private let verb: Verb
  /// The object, without the period.
  private let object: String

  package init(_ verb: Verb, _ object: String) { (self.verb, self.object) = (verb, object) }

  /// The whole sentence.
  package func text(isDryRun: Bool) -> String {
    "\(isDryRun ? "Would \(verb.infinitive)" : verb.past) \(object)."
  }

  /// The sentence as a clause of another one.
  package func clause(isDryRun: Bool) -> String {
    "\(isDryRun ? verb.infinitive : verb.past.lowercased()) \(object)"
  }
}

/// The verb of an edit, in the two forms for reports.
package enum Verb: String, Sendable {
  case add, delete, merge, move, edit, protect, unprotect, rename, change, drop, sort, apply, undo, redo, make
  case log, `import`, update, skip, export, restore, remove, forget, lose, upgrade
  case takeIn = "take in"
  case bringBack = "bring back"
  case backUp = "back up"

  package var infinitive: String { rawValue }

  /// The past form, such as "Added".
  package var past: String {
    switch self {
    case .drop: "Dropped"
    case .apply: "Applied"
    case .undo: "Undid"
    case .redo: "Redid"
    case .make: "Made"
    case .takeIn: "Took in"
    case .bringBack: "Brought back"
    case .backUp: "Backed up"
    case .skip: "Skipped"
    case .forget: "Forgot"
    case .lose: "Lost"
    case .log: "Logged"
    default:
      rawValue.prefix(1).uppercased() + rawValue.dropFirst() + (rawValue.hasSuffix("e") ? "d" : "ed")
    }
  }
}

/// One change of an edit: a line for people, an object for a program.
package enum Change: Sendable {
  package enum Operation: String, Sendable {
    case add, delete, move, edit, protect, log
  }

  case row(Operation, EditOutcome.Row)
  /// Long runs of added or deleted rows.
  case rows(Operation, EditOutcome.Run)
  case section(Operation, EditOutcome.Section)
  case column(EditOutcome.Column)
  case entry(Operation, EditOutcome.Entry)

  /// Its name in every report: the command that makes it.
  package var op: String {
    switch self {
    case .row(let operation, _), .rows(let operation, _): operation.rawValue
    case .section(.edit, _): "section rename"
    case .section(let operation, _): "section \(operation.rawValue)"
    case .column(let column):
      column.to == nil ? "columns drop" : column.from == nil ? "columns restore" : "columns rename"
    case .entry(let operation, let entry): "\(entry.either?.kind.rawValue ?? "") \(operation.rawValue)"
    }
  }
}

extension EditOutcome {
  /// The changes in order: sections, columns, rows.
  package var changes: [Change] {
    sections.flatMap(changes) + columns.map(Change.column) + entries.map(change)
      + rows.flatMap { row in operations(row).map { .row($0, row) } }
      + runs.map { .rows($0.to == nil ? .delete : .add, $0) }
  }

  /// What was done to a row.
  func operations(_ row: Row) -> [Change.Operation] {
    var operations: [Change.Operation] = []
    if row.from == nil { operations.append(.add) }
    if row.to == nil { operations.append(.delete) }
    if row.isMoved { operations.append(.move) }
    if !row.fields.isEmpty { operations.append(.edit) }
    if row.hasOtherRights { operations.append(.protect) }
    if !row.lines.isEmpty { operations.append(.log) }
    return operations
  }

  private func change(_ entry: Entry) -> Change {
    .entry(entry.before == nil ? .add : entry.after == nil ? .delete : .edit, entry)
  }

  private func changes(_ section: Section) -> [Change] {
    guard let before = section.before, let after = section.after else {
      return [.section(section.before == nil ? .add : .delete, section)]
    }
    let isEdited = before.title != after.title || before.footer != after.footer
    return (isEdited ? [.section(.edit, section)] : [])
      + (before.order != after.order ? [.section(.move, section)] : [])
  }
}
