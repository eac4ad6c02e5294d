/// A word of a script and its position.
struct Word: Sendable {
  /// The word without its quotes.
  var text = ""
  /// The row named by `$name` after `text`, if any.
  var variable: String?
  /// The physical line (from 1) that it starts in.
  var line: Int
  /// The offset there, in Unicode scalars from 0.
  var range: Range<Int>
}

/// A command of a script: one line or several that end in a backslash.
struct ScriptLine: Sendable {
  /// The number of the first physical line, from 1.
  var number: Int
  /// The physical lines as in the file.
  var sources: [String]
  var words: [Word] = []
}
