internal import CustomersWording

/// The page for `man`, generated from the table of commands.
enum ManPage {
  static let option = Option.flag("--man", "print the manual page: customers help --man | man -l -")

  static var text: String {
    """
    .TH CUSTOMERS 1 "\(versionDate)" "customers \(version)" "User Commands"
    .nh
    .ad l
    .SH NAME
    customers \\- keep a list of customers in the order you give it
    .SH SYNOPSIS
    \(Roff.usage("customers COMMAND [OPTION]…"))
    .SH DESCRIPTION
    \(Roff.prose(Manual.description))\
    .SH COMMANDS
    \(Command.groups.map { ".SS \($0.title)\n" + $0.commands.map(text).joined() }.joined())\
    .SH OPTIONS OF EVERY COMMAND
    \(GlobalOptions.all.map(item).joined())\
    .SH NAMING A ROW
    \(Manual.rowNames.map { Roff.item(Roff.bold($0.0), $0.1) }.joined())\
    .SH SCRIPTS
    \(Roff.prose(Manual.scripts))\
    \(Roff.example(Manual.script))\
    .SH OTHER MACHINES
    \(Manual.ssh.map(Roff.prose).joined(separator: ".PP\n"))\
    .SH A LIST ON SEVERAL MACHINES
    \(Manual.cluster.map(Roff.prose).joined(separator: ".PP\n"))\
    .SH FORMATS
    \(CommandFormats.manual.map { Roff.item(Roff.bold($0.name), $0.summary) }.joined())\
    .SH EXIT STATUS
    \(Manual.exitCodes.map { Roff.item(Roff.bold($0.0), $0.1) }.joined())\
    .SH ENVIRONMENT
    \(Environment.variables.map { Roff.item(Roff.bold($0.name), $0.meaning) }.joined())\
    .SH FILES
    \(Roff.item(Roff.bold("~/.local/share/customers/customers.sqlite"), Manual.file))\
    .SH EXAMPLES
    \(Manual.examples.map { Roff.prose($0.purpose) + Roff.example($0.line) }.joined(separator: ".PP\n"))\
    .SH SEE ALSO
    .BR sqlite3 (1)

    """
  }

  private static func text(_ command: Command) -> String {
    let names = ([command.name] + command.aliases).map(Roff.bold).joined(separator: ", ")
    let tags = command.forms.map { $0.usage.isEmpty ? names : "\(names) \(Roff.usage($0.usage))" }
    let formats = command.formats.areUnusual ? ["Formats: \(listed(command.formats.names))."] : []
    let seeAlso = command.seeAlso.isEmpty ? [] : ["See also \(listed(command.seeAlso))."]
    let prose = [command.summary.asSentence] + command.description + formats + seeAlso
    let details =
      command.options.map(item).joined()
      + command.examples.map { Roff.prose($0.purpose) + Roff.example($0.line) }.joined()
    return Roff.item(tags, prose.joined(separator: " ")) + (details.isEmpty ? "" : ".RS\n\(details).RE\n")
  }

  private static func item(_ option: any DeclaredOption) -> String {
    let names = [option.short, option.name].compactMap { $0 }.map(Roff.bold).joined(separator: ", ")
    return Roff.item(names + Roff.usage(option.placeholder), option.summary)
  }
}

extension String {
  /// The text as a sentence, capitalized and with a period.
  fileprivate var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
