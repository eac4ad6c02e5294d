public import Platform

/// A program that is started with its three streams on files or on a terminal.
///
/// Not Foundation's `Process`: tests start programs from many threads at once, and here each child opens
/// its streams itself, so that no descriptor of one test is inherited by a child of another.
public struct Spawn: Sendable {
  /// The program and its arguments.
  public var words: [String]
  /// Its environment variables; nothing else is handed on.
  public var environment: [String: String]
  /// The folder it runs in.
  public var folder: String
  /// The file it reads.
  public var input = "/dev/null"
  /// The file of its standard output.
  public var output = "/dev/null"
  /// The file of its standard error.
  public var errors = "/dev/null"
  /// The path of a terminal that the program gets as all three streams.
  public var terminal: String?

  /// Why a program could not be started.
  public struct Refused: Error {
    /// The number of the error.
    public var code: Int32
  }

  /// A program that is found in `$PATH`, or at its path.
  public init(words: [String], environment: [String: String], folder: String, terminal: String? = nil) {
    self.words = words
    self.environment = environment
    self.folder = folder
    self.terminal = terminal
  }

  /// Starts the program.
  ///
  /// - Returns: its process id, which `wait` takes.
  /// - Throws: `Refused`.
  public func start() throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let terminal {
      for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
        unsafe posix_spawn_file_actions_addopen(&actions, stream, terminal, O_RDWR, 0)
      }
    } else {
      let writing = O_WRONLY | O_CREAT | O_TRUNC
      unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
      unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, writing, 0o600)
      unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, writing, 0o600)
    }
    // The threads that run tests block most signals, and a child would inherit that.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    unsafe sigemptyset(&noSignals)
    unsafe posix_spawnattr_setsigmask(&attributes, &noSignals)
    // Who runs the tests may ignore the interrupt key, as a shell does for what is in the background.
    var usual = sigset_t()
    unsafe sigfillset(&usual)
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    // Both put another program in their own place, so that the process is the one that is asked for.
    let prefix = ["env", "-C", folder] + (terminal == nil ? [] : ["setsid", "--ctty"])
    var arguments = unsafe CStrings(prefix + words)
    var variables = unsafe CStrings(environment.map { "\($0)=\($1)" })
    var process: pid_t = 0
    let code = unsafe posix_spawnp(
      &process, "env", &actions, &attributes, &arguments.pointers, &variables.pointers)
    guard code == 0 else { throw Refused(code: code) }
    return process
  }

  /// Whether a program has ended; `wait` still returns its exit code.
  public static func hasEnded(_ process: pid_t) -> Bool {
    var information = unsafe siginfo_t()
    unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
    return unsafe information.si_signo == SIGCHLD
  }

  /// Waits for the end of a program.
  ///
  /// - Returns: its exit code as a shell has it: 128 and the signal, if one ended it.
  public static func wait(_ process: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}

/// A list of texts as C wants it, ended by a null.
@unsafe private struct CStrings: ~Copyable {
  var pointers: [UnsafeMutablePointer<CChar>?]

  init(_ texts: [String]) { unsafe pointers = texts.map { unsafe strdup($0) } + [nil] }

  deinit { unsafe pointers.forEach { unsafe free($0) } }
}
