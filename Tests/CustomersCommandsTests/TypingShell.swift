import Foundation
import Testing

/// A shell in which a user types, with the completions of `customers`.
enum TypingShell: String, CaseIterable {
  case bash, zsh, fish

  private static let prompt = "READY>"

  /// Types lines, each of which ends in one or more tabs, and Enter after each.
  ///
  /// - Returns: the words after `customers` in each of the lines that the shell would have run. The program
  ///   itself is run for the completions only.
  func words(typing lines: [String], at sandbox: CLISandbox) throws -> [[String]] {
    try requireInstalled(rawValue, package: rawValue)
    let home = "\(sandbox.folder)/home"
    let script = try sandbox.run("completions", rawValue).output
    for (name, text) in files(script) {
      let file = URL(filePath: "\(home)/\(name)")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let program = URL(filePath: CLISandbox.program).deletingLastPathComponent().path
    let environment = [
      "HOME": home, "LC_ALL": "C.UTF-8", "PATH": "\(program):\(sandbox.environment["PATH"] ?? "")",
    ]
    var left = lines.map { $0 + "\n" } + ["exit\n"]
    var prompts = 0
    let terminal = try sandbox.terminal(command, columns: 200, environment: environment) { screen in
      let shown = String(decoding: screen, as: UTF8.self).ranges(of: TypingShell.prompt).count
      guard shown > prompts, !left.isEmpty else { return nil }
      prompts = shown
      return left.removeFirst()
    }
    let run = (try? String(contentsOfFile: "\(home)/run", encoding: .utf8)) ?? ""
    let words = run.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    #expect(words.count == lines.count, "\(rawValue): \(terminal.screen.debugDescription)")
    return words
  }

  private var command: [String] {
    switch self {
    case .bash: ["bash", "--noprofile", "--rcfile", "home/bashrc", "-i"]
    case .zsh: ["zsh", "-d", "-i"]
    case .fish: ["fish", "--private", "-i"]
    }
  }

  /// The files of the user's home, with the script where the README says that it belongs.
  private func files(_ script: String) -> [String: String] {
    // What a line would run is noted instead; the scripts go round functions.
    switch self {
    case .bash:
      [
        "customers.bash": script,
        "bashrc": """
        PS1='\(TypingShell.prompt)'; unset HISTFILE
        source ~/customers.bash
        customers() { printf '%s\\t' "$@" >> ~/run; echo >> ~/run; }
        """,
      ]
    case .zsh:
      [
        "functions/_customers": script,
        ".zshrc": """
        PS1='\(TypingShell.prompt)'; unset zle_bracketed_paste
        fpath+=(~/functions); autoload -U compinit; compinit -D -u
        customers() { printf '%s\\t' "$@" >> ~/run; echo >> ~/run }
        """,
      ]
    case .fish:
      [
        ".config/fish/completions/customers.fish": script,
        ".config/fish/config.fish": """
        set -g fish_greeting
        function fish_prompt; echo -n '\(TypingShell.prompt)'; end
        function customers; printf '%s\\t' $argv >> ~/run; echo >> ~/run; end
        """,
      ]
    }
  }
}

/// Fails, with the name of the package, if a program that tests need is missing.
func requireInstalled(_ program: String, package: String) throws {
  let folders = ProcessInfo.processInfo.environment["PATH", default: ""].split(separator: ":")
  let isThere = folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  try #require(isThere, "\(program) is missing: apt-get install \(package)")
}
