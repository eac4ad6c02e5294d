internal import CustomerStore
@unsafe @preconcurrency internal import CustomersSystem
internal import CustomersText

/// Hands steps to a program of the user's, each at least once, for `customers watch --exec`.
///
/// The cursor, a file, says which step was the last one that the program has taken: the version of the list
/// after it. It is replaced when the program has ended with 0, so a step is handed out again if anything fails
/// in between, and after a start the next step follows.
struct StepRunner {
  static let exec = Option.value(
    "--exec", .text("CMD"), "run CMD with each step on its standard input")
  static let cursor = Option.value("--cursor", .file(.write), "keep in FILE which steps CMD has taken")

  private let session: Session
  private let command: String
  private let path: String
  /// The last version in the cursor.
  private(set) var version: ListVersion

  /// Reads the cursor; if there is none, it begins with the list as it is now.
  ///
  /// - Throws: a `Failure` with code `refused` if the file is no cursor.
  init(_ session: Session, _ command: String, cursor path: String, _ store: CustomerStore) throws {
    (self.session, self.command, self.path) = (session, command, path)
    guard !command.allSatisfy(\.isWhitespace) else {
      throw Failure.usage("\(StepRunner.exec.name) needs a command", offendingArgument: StepRunner.exec.name)
    }
    _ = try WriteTarget(path: path, list: session.list.address.path).replacesFile()
    if FileIdentity(path) == nil {
      version = try session.reading { try store.read { list in try list.version() } }
      try write(version)
      if !session.isQuiet {
        try session.writeAside("note: \(quoted(path)) is a new cursor; it begins with the next step")
        try session.errors.flush()
      }
    } else if let version = try StepRunner.read(path) {
      self.version = version
    } else {
      throw Failure.refused(
        "\(quoted(path)) is not a cursor of watch", hint: "to begin with the next step, name a new file")
    }
  }

  /// Runs the program until it takes the step, then moves the cursor after it.
  mutating func hand(_ step: StepPresenter) throws {
    let (end, line) = (step.step.version, step.json().text + "\n")
    var pause: Int32 = 1
    while true {
      let code = try run(with: line)
      if code == 0 { break }
      if !session.isQuiet {
        let count = counted(Int(pause), "second")
        try session.writeAside(
          "note: the command has not taken step \(step.step.id): it exited with status \(code); trying again in \(count)"
        )
        try session.errors.flush()
      }
      session.output.pause(milliseconds: pause * 1000)
      pause = min(60, pause * 2)
    }
    guard try StepRunner.read(path) == version else {
      throw Failure.refused(
        "cursor \(quoted(path)) is gone, or another program has changed it",
        hint: "let one watch use a cursor")
    }
    try write(end)
    version = end
  }

  /// The failure for steps that the history does not have.
  func lost() throws -> Failure {
    Failure.refused(
      "the history of \(quoted(try session.list.name)) does not have the steps after cursor \(quoted(path))",
      details: ["The list was restored or replaced, or its history erased."],
      hint: "to begin with the next step, remove the cursor: rm \(typed(path))")
  }

  private func run(with line: String) throws -> Int32 {
    let input = try TemporaryFile()
    try input.write(Array(line.utf8), at: 0)
    return try Child(command, input: input.descriptor.rawValue).wait()
  }

  private func write(_ version: ListVersion) throws {
    try FileError.attributing(.write, path) { () throws(SystemError) in
      let file = try AtomicFile(path)
      try file.write(Array("\(version.text)\n".utf8))
      try file.commit(replacing: true)
    }
  }

  /// The version in a file; nil if it is no cursor, or gone.
  private static func read(_ path: String) throws -> ListVersion? {
    guard FileIdentity(path)?.isRegular == true else { return nil }
    let text = String(decoding: try InputFile(path).read(), as: UTF8.self)
    return text.last == "\n" ? ListVersion(text.dropLast()) : nil
  }
}
