internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// The files that a command line names, on the machine where it was typed: this one, or the caller's.
///
/// A command that a program on another machine has sent reads at most one of them, and writes at most one. With a limit
/// it may use none of this machine.
struct NamedFiles {
  private let context: Context

  init(_ context: Context) { self.context = context }

  /// Opens a file for reading; `-` is standard input.
  func open(_ path: String) throws -> InputFile {
    if let caller = context.caller { return try caller.open(path) }
    try refuse(path)
    return try InputFile(path, standardInput: context.input.descriptor)
  }

  /// Asks before an existing file is replaced, if `check` does not refuse it.
  ///
  /// - Throws: a `Failure` with code `refused`, or a `BackupError`, if the file must not be written.
  func consent(
    to target: WriteTarget, in session: Session, after check: () throws -> Void = {}
  ) throws -> Consent {
    if let caller = context.caller { return try caller.consent(besides: target.list) }
    try refuse(target.path)
    guard try target.replacesFile() else { return .toCreate }
    try check()
    let name = quoted(target.path)
    return try session.confirm("Replace \(name)?", to: "replacing \(name)") ? .toReplace : .declined
  }

  /// Creates a file that appears under its name only when it is finished.
  func create(_ path: String) throws -> any NamedOutput {
    if let caller = context.caller { return try caller.create() }
    try refuse(path)
    return try OutputFile(path)
  }

  /// Makes a copy of a list available at a path on the machine of the list.
  func fetch(_ path: String) throws -> FetchedFile {
    if let caller = context.caller { return try FetchedFile(copying: caller.open(path, isCopy: true)) }
    try refuse(path)
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
  ) throws -> Result {
    guard let caller = context.caller else {
      try refuse(path)
      return try make(path, replacing)
    }
    let copy = try EditableFile([], suffix: ".sqlite")
    defer { copy.remove() }
    let result = try make(copy.path, true)
    let input = try InputFile(copy.path)
    let output = try caller.create()
    while case let bytes = try input.read(), !bytes.isEmpty { try output.sink.write(bytes) }
    try output.finish()
    return result
  }

  /// Refuses a file of this machine to a command that may use lists only.
  private func refuse(_ path: String) throws {
    guard context.isConfined else { return }
    throw Failure.refused(
      "can't use \(path == "-" ? "standard input" : quoted(path)): only lists are offered here",
      hint: "run the command where the file is, outside the table")
  }
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

  /// Returns whether writing it would replace an existing file.
  ///
  /// - Throws: a `Failure` if the file must not be written.
  func replacesFile() throws -> Bool {
    if isBackup {
      do { try CustomerStore.validateBackup(mayBeAt: path, ofListAt: list) } catch let error as BackupError {
        throw Failure(error, file: path)
      }
      return unsafe access(path, F_OK) == 0
    }
    if let reserved = CustomerStore.reservation(of: path, byListAt: list) {
      throw Failure.refused("can't write \(quoted(path)): \(reserved)", hint: "name another file")
    }
    guard let file = FileIdentity(path) else { return false }
    for input in inputs where FileIdentity(input) == file {
      throw Failure.refused("can't write \(quoted(path)): it is also the input", hint: "name another file")
    }
    return file.isRegular
  }
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

extension OutputFile: NamedOutput {
  var sink: any ByteSink { descriptor }

  func sync(finishing: () throws -> Void) throws {
    try finishing()
    try sync()
  }
}

extension Invocation {
  /// The files that the command line names for reading and for writing, at most one of each.
  var namedFiles: (read: String?, written: String?) {
    var files: (read: String?, written: String?) = (nil, nil)
    func note(_ value: ArgumentType?, _ word: String) {
      switch value?.kind {
      case .file(.read): files.read = word
      case .file(.write) where word != "-": files.written = word
      // Rows from standard input.
      case .row where word == "-": files.read = word
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
