internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// The files that a command line names, on the machine where it was typed.
protocol NamedFiles: Sendable {
  /// Opens a file for reading; `-` is standard input.
  func open(_ path: String) throws -> InputFile

  /// Asks before an existing file is replaced.
  ///
  /// - Throws: a `Failure` with code `refused`, or a `BackupError`, if the file must not be written.
  func consent(to target: WriteTarget, in session: Session) throws -> Consent

  /// Creates a file that appears under its name only when it is finished.
  func create(_ path: String) throws -> any NamedOutput

  /// Makes a file available at a path on the machine of the list.
  func fetch(_ path: String) throws -> FetchedFile

  /// Puts the backup that `make` writes in its place.
  ///
  /// - Parameters:
  ///   - path: the path of the backup, as typed.
  ///   - replacing: whether it may replace an existing file.
  ///   - make: writes the backup to the path it receives, on the machine of the list.
  /// - Returns: the result of `make`.
  /// - Throws: any error of `make`; `FileError` if the file can't be written.
  func place<Result>(
    backup path: String, replacing: Bool, _ make: (_ path: String, _ replacing: Bool) throws -> Result
  ) throws -> Result
}

/// A file to write.
struct WriteTarget: Sendable {
  let path: String
  /// The input files of the same command.
  var inputs: [String] = []
  /// The customers file; nil if it is on another machine.
  var list: String?
  /// Whether the file is to be a copy of the list.
  var isBackup = false
}

/// Whether a file may be written.
enum Consent: String, Sendable {
  /// It may be created.
  case toCreate
  /// The user lets it be replaced.
  case toReplace
  /// The user does not.
  case declined
}

/// A file that is being written.
protocol NamedOutput {
  var sink: any ByteSink { get }
  /// Whether it is a file on a disk, not a pipe or a device.
  var isRegular: Bool { get }
  /// Calls `finishing`, which writes the last bytes, and waits until all bytes are on disk.
  func sync(finishing: () throws -> Void) throws
  /// Renames the file to its final path.
  func finish() throws
}

/// A file to read by its path; if it is a copy from another machine, it is removed afterward.
final class FetchedFile {
  let path: String
  private let copy: EditableFile?

  /// Creates a reference to a file of this machine.
  init(_ path: String) {
    self.path = path
    copy = nil
  }

  /// Creates an empty file for a copy.
  init() throws {
    let copy = try EditableFile([], suffix: ".sqlite")
    self.copy = copy
    path = copy.path
  }

  /// Creates a copy with the bytes of `input`.
  convenience init(copying input: InputFile) throws {
    try self.init()
    guard let copy else { return }
    while case let bytes = try input.read(), !bytes.isEmpty { try copy.append(bytes) }
  }

  deinit { copy?.remove() }
}

/// The files of this machine.
struct LocalFiles: NamedFiles {
  private let context: Context

  /// Creates the files of a run, with its standard input for `-`.
  init(_ context: Context) { self.context = context }

  func open(_ path: String) throws -> InputFile {
    try InputFile(path, standardInput: context.input.descriptor)
  }

  func consent(to target: WriteTarget, in session: Session) throws -> Consent {
    guard try wouldReplace(target) else { return .toCreate }
    let name = quoted(target.path)
    return try session.confirm("Replace \(name)?", to: "replacing \(name)") ? .toReplace : .declined
  }

  /// Returns whether writing a file would replace an existing one.
  ///
  /// - Throws: a `Failure` if the file must not be written.
  func wouldReplace(_ target: WriteTarget) throws -> Bool {
    if target.isBackup {
      do { try CustomerStore.validateBackup(mayBeAt: target.path, ofListAt: target.list) } catch let error
        as BackupError
      {
        throw Failure(error, file: target.path)
      }
      return unsafe access(target.path, F_OK) == 0
    }
    if let reserved = CustomerStore.reservation(of: target.path, byListAt: target.list) {
      throw Failure(
        code: .refused, message: "can't write \(quoted(target.path)): \(reserved)", hint: "name another file")
    }
    guard let file = FileIdentity(target.path) else { return false }
    for input in target.inputs where FileIdentity(input) == file {
      throw Failure(
        code: .refused, message: "can't write \(quoted(target.path)): it is also the input",
        hint: "name another file")
    }
    return file.isRegular
  }

  func create(_ path: String) throws -> any NamedOutput { try OutputFile(path) }

  func fetch(_ path: String) throws -> FetchedFile {
    if case .ssh(let machine) = try ListAddress(path) { return try fetchBackup(from: machine) }
    guard FileIdentity(path) != nil else {
      throw Failure.notFound("can't open \(quoted(path)): no such file")
    }
    return FetchedFile(path)
  }

  /// Copies and verifies a backup from another machine.
  private func fetchBackup(from machine: SSHAddress) throws -> FetchedFile {
    let copy = try FetchedFile()
    let words = TextSink()
    let context = context.starting(
      on: ChosenList(on: machine), output: Stream(TextSink()), errors: Stream(words))
    let making = Invocation(.backup, [copy.path], flags: [GlobalOptions.yes, GlobalOptions.quiet])
    let code = perform(making, in: context).code
    guard code == .done else {
      let details = words.text.split(separator: "\n").map { "     \($0)" }
      throw Failure(code: code, message: "can't fetch \(quoted(machine.text))", details: details)
    }
    return copy
  }

  func place<Result>(
    backup path: String, replacing: Bool, _ make: (_ path: String, _ replacing: Bool) throws -> Result
  ) throws -> Result {
    try make(path, replacing)
  }
}

extension OutputFile: NamedOutput {
  var sink: any ByteSink { descriptor }

  func sync(finishing: () throws -> Void) throws {
    try finishing()
    try sync()
  }
}

/// The files of a run that may use none, because a program on another machine has requested it: those of the
/// person are on that machine.
struct NoFiles: NamedFiles {
  func open(_ path: String) throws -> InputFile { throw refusal(path) }
  func fetch(_ path: String) throws -> FetchedFile { throw refusal(path) }
  func create(_ path: String) throws -> any NamedOutput { throw refusal(path) }
  func consent(to target: WriteTarget, in session: Session) throws -> Consent { throw refusal(target.path) }

  func place<Result>(
    backup path: String, replacing: Bool, _ make: (_ path: String, _ replacing: Bool) throws -> Result
  ) throws -> Result { throw refusal(path) }

  private func refusal(_ path: String) -> Failure {
    Failure(
      code: .refused,
      message: "can't use \(path == "-" ? "standard input" : quoted(path)): only lists are offered here",
      hint: "run the command where the file is, outside the table")
  }
}

extension Invocation {
  /// The files that the command line names for reading and for writing.
  var namedFiles: (read: Set<String>, written: Set<String>) {
    var files: (read: Set<String>, written: Set<String>) = ([], [])
    func note(_ value: ArgumentType?, _ word: String) {
      switch value?.kind {
      case .file(.read): files.read.insert(word)
      case .file(.write): files.written.insert(word)
      // Rows from standard input.
      case .row where word == "-": files.read.insert(word)
      default: break
      }
    }
    guard let command else { return files }
    for (index, word) in operands.enumerated() {
      for value in command.expected(after: Array(operands.prefix(index))) { note(value, word) }
    }
    for option in command.options {
      for given in given where given.name == option.name { note(option.value, given.word ?? "") }
    }
    return files
  }

  /// Whether the command may open an editor.
  var opensEditor: Bool {
    switch command?.name {
    case Command.arrange.name: true
    case Command.sort.name: has(SortOptions.editor)
    case Command.edit.name:
      has(FieldEdit.usesEditor) || !FieldOptions.areGiven(self) && !Protection.isGiven(self)
    default: false
    }
  }

  /// Whether the command must have written the file that its operand names, when it is done.
  var promisesFile: Bool {
    [Command.backup.name, Command.export.name].contains(command?.name) && !self[GlobalOptions.dryRun]
      && operands.contains { $0 != "-" }
  }

  /// Whether the command may ask a question, besides those of `NamedFiles.consent`.
  var mayAsk: Bool {
    guard let command, !self[GlobalOptions.noInput] else { return false }
    let silent = [Command.table, .list, .find, .show, .watch, .export, .duplicates, .expect, .backup, .info]
    switch command.name {
    case Command.history.name: return has(HistoryOptions.forgets)
    case Command.check.name: return has(CheckRun.repairs)
    case let name:
      return Command.forPeople.contains { $0.name == name } && !silent.contains { $0.name == name }
    }
  }
}
