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
  case `import`, update, skip, export, restore, remove, forget, lose
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
    case .bringBack: "Brought back"
    case .backUp: "Backed up"
    case .skip: "Skipped"
    case .forget: "Forgot"
    case .lose: "Lost"
    default:
      rawValue.prefix(1).uppercased() + rawValue.dropFirst() + (rawValue.hasSuffix("e") ? "d" : "ed")
    }
  }
}
