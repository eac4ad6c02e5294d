internal import CustomerTransfer
internal import CustomersFiles

/// The columns of the file that an `import` on the command line reads.
///
/// A file that is missing, special, or unreadable has none, and no error is shown while a user types. For a
/// line that is typed on another machine, the program there reads the file.
struct FileColumns {
  let session: Session

  var names: [String] {
    guard session.context.offer == nil, session.invocation.command?.name == Command.importCommand.name,
      let word = session.invocation.operands.first, word != "-"
    else { return [] }
    return (try? read(pathByShell(word, session.environment))) ?? []
  }

  /// Reads no more than the names and the first customer.
  private func read(_ path: String) throws -> [String] {
    guard FileIdentity(path)?.isRegular == true else { return [] }
    return try CustomerImporter(InputFile(path), ImportOptions(session)).columnNames()
  }
}

/// A path as the shell would give it to the command.
func pathByShell(_ path: String, _ environment: [String: String]) -> String {
  guard path.hasPrefix("~/"), let home = environment["HOME"] else { return path }
  return home + path.dropFirst()
}
