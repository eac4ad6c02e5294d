/// A sentence of a report: what was done, or in a dry run would be.
struct Sentence: Sendable {
  private let verb: Verb
  /// What it was done to, without the full stop.
  private let object: String

  init(_ verb: Verb, _ object: String) { (self.verb, self.object) = (verb, object) }

  /// The whole sentence.
  func text(isDryRun: Bool) -> String { "\(isDryRun ? "Would \(verb.infinitive)" : verb.past) \(object)." }

  /// The sentence inside of another one.
  func clause(isDryRun: Bool) -> String { "\(isDryRun ? verb.infinitive : verb.past.lowercased()) \(object)" }
}

/// What an edit does, in the two forms that reports need.
enum Verb: String, Sendable {
  case add, delete, move, edit, protect, unprotect, rename, change, drop, sort, apply, undo, redo, make
  case bringBack = "bring back"

  var infinitive: String { rawValue }

  /// As in "Added".
  var past: String {
    switch self {
    case .drop: "Dropped"
    case .apply: "Applied"
    case .undo: "Undid"
    case .redo: "Redid"
    case .make: "Made"
    case .bringBack: "Brought back"
    default:
      rawValue.prefix(1).uppercased() + rawValue.dropFirst() + (rawValue.hasSuffix("e") ? "d" : "ed")
    }
  }
}
