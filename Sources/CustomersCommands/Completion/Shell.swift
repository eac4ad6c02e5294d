internal import CustomerStore
internal import CustomersText

extension Command {
  static let completions = Command(
    name: "completions", summary: "print a shell completion script", earlier: "help completions SHELL",
    operands: [.one(Argument<Shell>.choice())], common: [], need: { _ in .nothing },
    run: { session in
      try session.output.write(Shell(named: session.invocation.operands[0]).script)
      return .done
    })

  /// The command that the scripts run: the shell, and the line up to the cursor in the form of that shell.
  static let complete = Command(
    name: "__complete", summary: "complete a command line",
    operands: [.one(.text("SHELL")), .any(.text("WORD"))],
    need: { _ in .completion },
    run: { session in
      let shell = try Shell(named: session.invocation.operands[0])
      let lines = shell.lines(for: Array(session.invocation.operands.dropFirst()), session)
      if let machine = session.progress.neededMachine { return try RemoteRun(session, on: machine).run() }
      for line in lines { try session.output.write(line + "\n") }
      return .done
    })
}

/// A shell that completes command lines.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// - Throws: a `Failure` with code `usage` for an unknown shell.
  init(named name: String) throws {
    guard let shell = Shell(rawValue: name) else {
      let names = Shell.allCases.map(\.rawValue)
      throw Failure.usage(
        "unknown shell \(quoted(name))",
        hint: nearest(to: name, among: names).map(didYouMean)
          ?? "the shells are \(listed(names, "and"))",
        offendingArgument: name)
    }
    self = shell
  }

  /// The completions at the cursor, as the lines that the shell's script reads: an empty line for files.
  ///
  /// bash passes the line up to the cursor and its word breaks; the others pass the words without quotes, the
  /// last one incomplete.
  func lines(for words: [String], _ session: Session) -> [String] {
    switch self {
    case .bash:
      guard words.count == 2, let line = BashLine(words[0], breaks: words[1]) else { return [] }
      var completer = Completer(typed: line.typed, session: session)
      return lines(completer.complete(after: Array(line.words.dropFirst())), line.inserted)
    case .zsh, .fish:
      var completer = Completer(typed: words.last ?? "", session: session)
      return lines(completer.complete(after: words.dropLast())) { candidate in
        self == .zsh
          ? "\(Shell.described(candidate.word)):\(candidate.about)" : "\(candidate.word)\t\(candidate.about)"
      }
    }
  }

  private func lines(_ completion: Completion, _ line: (Candidate) -> String?) -> [String] {
    switch completion {
    case .words(let candidates): candidates.compactMap(line)
    case .files: [""]
    }
  }

  /// A word for zsh's `_describe`: a colon ends the word, a backslash escapes a character.
  private static func described(_ word: String) -> String {
    var text = String.UnicodeScalarView()
    for letter in word.unicodeScalars {
      if letter == ":" || letter == "\\" { text.append("\\") }
      text.append(letter)
    }
    return String(text)
  }
}

extension Shell {
  /// The script that makes the shell ask the program for completions.
  ///
  /// The program's output is only text to the shell: nothing of it is run or expanded.
  var script: String {
    switch self {
    case .bash:
      """
      # Completion of customers for bash 4.4 or newer.
      _customers() {
        mapfile -t COMPREPLY < <(
          command customers __complete bash -- "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
        if [[ ${#COMPREPLY[@]} -eq 1 && -z ${COMPREPLY[0]} ]]; then
          COMPREPLY=()
          compopt -o default
        fi
      }
      complete -o nosort -F _customers customers

      """
    case .zsh:
      """
      #compdef customers
      # Completion of customers for zsh.
      _customers() {
        local answer
        local -a words_before found
        words_before=("${(@Q)words[2,CURRENT-1]}")
        answer=$(command customers __complete zsh -- "${words_before[@]}" "${(Q)PREFIX}" 2>/dev/null; print -n x)
        case $answer in
          x) return 1 ;;
          $'\\nx')
            compset -P 1 '--*='
            _files ;;
          *)
            found=("${(@f)${answer%$'\\nx'}}")
            _describe -V customers found -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' ;;
        esac
      }
      if [[ ${funcstack[1]} == _customers ]]; then
        _customers "$@"
      else
        compdef _customers customers
      fi

      """
    case .fish:
      """
      # Completion of customers for fish 3.4 or newer.
      function __customers_answer
          set -l token (commandline -ct)
          set -l typed (string unescape -- $token; or string unescape -- $token\\"; or string unescape -- $token\\')
          command customers __complete fish -- (commandline -opc)[2..] "$typed[1]" 2>/dev/null
      end
      function __customers_wants_files
          set -l answer (__customers_answer)
          test (count $answer) -eq 1 -a -z "$answer[1]"
      end
      complete -c customers -f
      complete -c customers -F -n __customers_wants_files
      complete -c customers -k -a '(__customers_answer | string match -v "")'

      """
    }
  }
}
