internal import CustomerStore
internal import CustomersSystem
internal import Synchronization

/// The environment of a run of the program; tests pass something other than the process's own.
struct Context: Sendable {
  /// The variables that `Environment` names.
  var environment: [String: String]
  /// The commit that the program was built from and its date; "development" if it is not a release.
  private(set) var build = "development"
  private(set) var input: StandardInput
  private(set) var output: Stream
  private(set) var errors: Stream
  private(set) var progress = RunProgress()
  /// The program on the machine where the command was typed; nil if that is this machine.
  private(set) var caller: Caller?
  /// What that program may use; nil for people of this machine.
  private(set) var offer: Offer?
  /// Where the run gets its list from.
  private(set) var origin = ChosenList.Origin.environment
  /// The controlling terminal of the process; nil if it has none.
  var terminal: @Sendable () -> StandardInput? = { nil }
  /// The clock, for progress bars.
  var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  /// Called with the id of each history step that the run adds.
  var noteStep: (@Sendable (HistoryStep.ID) -> Void)?
  /// The questions that were already answered with yes, if the others are asked after this run.
  var agreed: [String]?
  /// How long the list is waited for; nil for as long as its address says.
  var busyTimeout: Duration?
  /// Opens the list at an address.
  var openStore: @Sendable (ListAddress, CustomerStore.Options) throws -> CustomerStore = { try $0.open($1) }

  /// The files that the command line names.
  var files: NamedFiles { NamedFiles(self) }

  /// Whether a program on another machine may use only lists here: no other files, no editor, and no pager.
  var isConfined: Bool { offer?.isLimited == true }

  /// Whether the user has chosen an editor.
  var hasChosenEditor: Bool {
    caller?.request.hasEditor ?? ["VISUAL", "EDITOR"].contains { environment[$0]?.isEmpty == false }
  }

  /// Returns the context of a run that this one starts: with a list and streams of its own, everything else
  /// is inherited.
  func starting(
    on list: ChosenList, input: StandardInput? = nil, output: Stream? = nil, errors: Stream? = nil
  ) -> Context {
    var context = self
    context.origin = .run(list)
    context.progress = RunProgress()
    context.input = input ?? self.input
    context.output = output ?? self.output
    context.errors = errors ?? self.errors
    return context
  }

  /// Returns the context of a command that a program on another machine has sent.
  ///
  /// - Parameters:
  ///   - request: the command; of its variables, only those that name neither a program nor a file are taken.
  ///   - caller: that program; nil if it has sent the command on a terminal of this machine.
  ///   - offer: what the command may use.
  /// - Returns: the context, with the streams and the terminal of the user there.
  func serving(_ request: RemoteRequest, from caller: Caller?, _ offer: Offer) -> Context {
    var context = self
    context.origin = .request
    context.progress = RunProgress()
    context.offer = offer
    context.openStore = { [openStore] address, options in try openStore(address, offer.limit(options)) }
    for name in Environment.sent { context.environment[name] = request.environment[name] }
    context.environment["CUSTOMERS_DB"] = request.list
    guard let caller else { return context }
    context.caller = caller
    (context.input, context.terminal) = (caller.input, { caller.terminal })
    context.output = caller.stream(.output, caller.request.outputScreen)
    context.errors = caller.stream(.errors, caller.request.errorsScreen)
    return context
  }

  /// The environment of this process.
  static func ofProcess(build: String = "development") -> Context {
    Context(
      environment: Environment.read(), build: build, input: StandardInput(.standardInput),
      output: Stream(FileDescriptor.standardOutput),
      errors: Stream(FileDescriptor.standardError), progress: RunProgress(isOfProgram: true),
      terminal: { StandardInput.terminal })
  }
}

/// The input of answers and the file named `-`.
struct StandardInput: Sendable {
  /// The descriptor to read; for the input of another machine, this process's standard input.
  let descriptor: FileDescriptor
  /// Whether a person is typing.
  let isTerminal: Bool

  /// The terminal of this process, opened on first use.
  static let terminal: StandardInput? = {
    let descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
    return descriptor < 0 ? nil : StandardInput(FileDescriptor(rawValue: descriptor), isTerminal: true)
  }()

  /// Reads a line from another machine.
  private let readLine: (@Sendable () -> String?)?

  init(_ descriptor: FileDescriptor, isTerminal: Bool? = nil) {
    self.descriptor = descriptor
    self.isTerminal = isTerminal ?? (isatty(descriptor.rawValue) == 1)
    readLine = nil
  }

  /// Creates an input whose lines come from another machine.
  init(isTerminal: Bool, readLine: @escaping @Sendable () -> String?) {
    descriptor = .standardInput
    self.isTerminal = isTerminal
    self.readLine = readLine
  }

  /// The next line without its end; nil at the end of the input, or if the line is too long for a line of a script.
  ///
  /// It reads nothing after the line, which is left for the next reader.
  func line() -> String? {
    if let readLine { return readLine() }
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while true {
      let count = unsafe read(descriptor.rawValue, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
      guard bytes.count <= LineReader.limit else { return nil }
    }
  }
}

/// The progress of a run, for an error that may end it.
final class RunProgress: Sendable {
  /// What a run has done.
  enum Done: String, Sendable {
    case change = "the change was made"
    case file = "the file was written"
  }

  private let finished = Mutex<Done?>(nil)
  private let machine = Mutex<SSHAddress?>(nil)
  /// Whether the program was started for this run alone and ends with it.
  private let isOfProgram: Bool

  init(isOfProgram: Bool = false) { self.isOfProgram = isOfProgram }

  /// What was done so far: the list was changed, or a file written.
  var done: Done? { finished.withLock(\.self) }

  /// Notes what was done.
  ///
  /// From now on it is too late to interrupt the program: a signal that was held back has no effect, and a later one,
  /// which may end the report, does not look as if nothing was done.
  func note(_ done: Done) {
    finished.withLock { $0 = $0 == .change ? .change : done }
    guard isOfProgram else { return }
    SignalSet.ending.take()
    TemporaryNames.removeAll(atSignals: SignalSet.ending.signals, exitingWith: ExitCode.incomplete.rawValue)
  }

  /// The address of a required list on another machine; nil if none is required.
  var neededMachine: SSHAddress? { machine.withLock(\.self) }

  func need(_ machine: SSHAddress) { self.machine.withLock { $0 = machine } }
}
