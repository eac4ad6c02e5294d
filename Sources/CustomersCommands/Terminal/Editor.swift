internal import CustomersSystem
internal import CustomersText

/// The user's text editor: `$VISUAL`, else `$EDITOR`, else `vi`.
struct Editor: Sendable {
  private let command: String
  private let context: Context

  init(_ context: Context) {
    self.context = context
    command = ["VISUAL", "EDITOR"].compactMap { context.environment[$0] }.first { !$0.isEmpty } ?? "vi"
  }

  /// Lets the user edit a string in a temporary file that only they can read.
  ///
  /// - Returns: what was saved, which need not be UTF-8.
  /// - Throws: a `Failure` with code `failed` if the editor can't be run or fails.
  func edit(_ text: String) throws -> [UInt8] {
    if let caller = context.caller { return try caller.edit(text) }
    guard !context.isConfined else {
      throw Failure.refused("only lists are offered here, and no editor")
    }
    var isInterrupted = false
    let edited = try SignalSet([SIGTERM, SIGHUP]).held {
      try leavingInterruptsToChild {
        let file = try EditableFile(Array(text.utf8), suffix: ".txt")
        defer { file.remove() }
        switch try run(file.path) {
        case 0: return try file.read()
        case 128 + SIGINT:
          isInterrupted = true
          return []
        case 127:
          throw Failure(
            code: .failed, message: "can't run the editor \(quoted(command))",
            outcome: "Nothing was changed.", hint: "set $EDITOR")
        case let code:
          throw Failure.failed(
            "the editor \(quoted(command)) exited with status \(code); nothing was changed")
        }
      }
    }
    if isInterrupted { endInterrupted() }
    return edited
  }

  private func run(_ path: String) throws -> Int32 {
    var terminal = termios()
    let hasTerminal = unsafe tcgetattr(context.input.descriptor.rawValue, &terminal) == 0
    // The shell waits for the editor, which may use the interrupt key. The editor's output is not part of the
    // result.
    let code = try Child(
      "trap : INT QUIT; \(command) \"$@\"", [path], output: context.output.isTerminal ? nil : STDERR_FILENO
    ).wait()
    if code != 0, hasTerminal { unsafe tcsetattr(context.input.descriptor.rawValue, TCSADRAIN, &terminal) }
    return code
  }
}

extension Session {
  /// - Throws: a `Failure` with code `refused` if there is no terminal for the editor that `command` opens, with the
  ///   hint `instead`.
  func checkEditor(of command: String, instead: String) throws {
    // A chosen editor may not need a terminal; the default one would draw on it.
    guard canAsk || context.hasChosenEditor && options.mayAsk else {
      throw Failure(
        code: .refused, message: "\(command) needs a terminal, because it opens an editor", hint: instead,
        needsPerson: true)
    }
  }

  /// Opens a string in the editor and passes the edited text to `use`, repeatedly until it is valid.
  ///
  /// Problems are reported, and on a terminal the editor can be opened again.
  ///
  /// - Parameters:
  ///   - text: what is edited.
  ///   - command: the command that opens the editor.
  ///   - instead: the hint if there is no terminal for an editor.
  ///   - use: gets the edited text.
  /// - Returns: what `use` returns; `declined` if the user gave up.
  /// - Throws: what `use` throws, if there is no terminal to ask on.
  func inEditor(
    _ text: String, of command: String, instead: String, _ use: (String) throws -> ExitCode
  ) throws -> ExitCode {
    try checkEditor(of: command, instead: instead)
    let editor = Editor(context)
    var text = text
    while true {
      let bytes = try editor.edit(text)
      text = String(decoding: bytes, as: UTF8.self)
      do {
        guard String(validating: bytes, as: UTF8.self) != nil else {
          throw Failure.usage("the edited text is not UTF-8")
        }
        return try use(text)
      } catch {
        guard canAsk else { throw error }
        let failure = self.failure(error)
        for line in failure.lines { try writeAside(line) }
        guard try ask("Edit again? [Y/n]", default: true) else { return .declined }
      }
    }
  }
}

/// One line of text in a file for an editor: nothing is lost, and nothing controls a terminal.
///
/// A backslash is doubled; control characters are escaped, and so is whitespace at the ends, which editors
/// and people lose.
func escapedForEditor(_ text: String) -> String {
  let scalars = printable(doublingBackslashes(text)).unicodeScalars
  let isBlank: (Unicode.Scalar) -> Bool = \.properties.isWhitespace
  let start = scalars.firstIndex { !isBlank($0) } ?? scalars.endIndex
  let end = scalars.lastIndex { !isBlank($0) }.map(scalars.index(after:)) ?? scalars.endIndex
  func escape(_ blanks: Substring.UnicodeScalarView) -> String {
    blanks.map { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }.joined()
  }
  return escape(scalars[..<start]) + String(scalars[start..<end]) + escape(scalars[end...])
}

private func doublingBackslashes(_ text: String) -> String {
  var doubled = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    doubled.append(contentsOf: scalar == "\\" ? [scalar, scalar] : [scalar])
  }
  return String(doubled)
}

/// Parses a line that `escapedForEditor` or a user wrote.
///
/// - Throws: a `Failure` with code `usage` for an invalid escape.
func unescapedFromEditor(_ text: String) throws -> String {
  var plain = String.UnicodeScalarView()
  var rest = text.unicodeScalars[...]
  while let scalar = rest.popFirst() {
    plain.append(scalar == "\\" ? try escape(&rest) : scalar)
  }
  return String(plain)
}

private func escape(_ rest: inout Substring.UnicodeScalarView) throws -> Unicode.Scalar {
  switch rest.popFirst() {
  case "\\": return "\\"
  case "n": return "\n"
  case "r": return "\r"
  case "t": return "\t"
  case "u" where rest.first == "{":
    let digits = rest.dropFirst().prefix { $0 != "}" }
    rest = rest.dropFirst(digits.count + 2)
    if let value = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(value) { return scalar }
    throw Failure.usage("no character has the code \\u{\(printable(String(digits)))}")
  default: throw Failure.usage("write a backslash twice")
  }
}

/// The lines of an edited text, trimmed, with their numbers from 1, without empty lines and comments.
func linesOfTemplate(_ text: String) -> [(number: Int, text: Substring.UnicodeScalarView)] {
  // By scalars: an accent must not hide the character before it, nor CR the LF.
  let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
  return lines.enumerated().map { ($0 + 1, trimmed($1)) }.filter { !$1.isEmpty && $1.first != "#" }
}

/// Without whitespace at the ends.
func trimmed(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
  let isBlank: (Unicode.Scalar) -> Bool = { " \t\r\u{feff}".unicodeScalars.contains($0) }
  let start = text.drop(while: isBlank)
  let end = start.lastIndex { !isBlank($0) }.map(start.index(after:)) ?? start.startIndex
  return start[..<end]
}
