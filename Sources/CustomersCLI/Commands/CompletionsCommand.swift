extension Command {
  static let completions = Command(
    name: "completions", summary: "print a shell completion script",
    description: [
      "Completes commands, options, values, file names, rows, and sections.",
      "",
      "bash reads it from ~/.local/share/bash-completion/completions/customers, with the package",
      "bash-completion. fish reads it from ~/.config/fish/completions/customers.fish, and zsh from the file",
      "_customers in a folder of $fpath, such as ~/.zfunc with fpath+=(~/.zfunc) before compinit in",
      "~/.zshrc.",
    ],
    operands: [.one(Argument<Shell>.choice())],
    examples: [
      CommandExample(
        "Install the completions for bash:",
        "folder=~/.local/share/bash-completion/completions\nmkdir -p $folder && customers completions bash > $folder/customers"
      ),
      CommandExample(
        "Install the completions for fish:",
        "folder=~/.config/fish/completions\nmkdir -p $folder && customers completions fish > $folder/customers.fish"
      ),
    ],
    seeAlso: ["help"], need: { _ in .nothing },
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
