internal import CustomerStore
internal import CustomersFiles
internal import CustomersPlatform
internal import CustomersTerminalText

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
        throw Failure(error, to: target.path)
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
