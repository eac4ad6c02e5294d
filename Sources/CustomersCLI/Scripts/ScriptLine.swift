/// A word of a script, and where it stands.
struct Word: Sendable {
  /// The word without its quotes.
  var text = ""
  /// The row named behind `text` by `$name`, if there is one.
  var variable: String?
  /// The physical line (from 1) it begins in.
  var line: Int
  /// Where it stands there, in Unicode scalars from 0.
  var range: Range<Int>
}

/// A command of a script: one line, or several that end in a backslash.
struct ScriptLine: Sendable {
  /// The number of the first physical line, from 1.
  var number: Int
  /// The physical lines as they stand in the file.
  var sources: [String]
  var words: [Word] = []
}
