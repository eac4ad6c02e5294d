internal import CCustomersLinux
package import CustomersSystem
internal import Dispatch

/// A program to start, with its standard streams on files or on a terminal.
///
/// Not Foundation's `Process`: tests start programs from many threads at once, and here each child opens
/// its streams itself, so that no descriptor of one test is inherited by a child of another.
package struct Spawn: Sendable {
  /// The program and its arguments.
  package var words: [String]
  /// Its environment variables; it inherits no others.
  package var environment: [String: String]
  /// The folder it runs in.
  package var folder: String
  /// The file of its standard input.
  package var input = "/dev/null"
  /// The file of its standard output.
  package var output = "/dev/null"
  /// The file of its standard error.
  package var errors = "/dev/null"
  /// The path of the terminal for all three streams; nil to use the files.
  package var terminal: String?

  /// The error of a program that could not be started.
  package struct Refused: Error {
    /// The value of `errno`.
    package var code: Int32
  }

  /// Creates a program to start, found in `$PATH` or by its path.
  package init(words: [String], environment: [String: String], folder: String, terminal: String? = nil) {
    self.words = words
    self.environment = environment
    self.folder = folder
    self.terminal = terminal
  }

  /// Starts the program.
  ///
  /// - Returns: its process id, which `wait` takes.
  /// - Throws: `Refused`.
  package func start() throws -> pid_t {
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
    // The parent may ignore SIGINT, as a shell does for background jobs.
    var usual = sigset_t()
    unsafe sigfillset(&usual)
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    unsafe posix_spawn_file_actions_addchdir_np(&actions, folder)
    // It replaces itself by the program, so that the process id is the program's.
    let words = terminal == nil ? words : ["setsid", "--ctty"] + words
    var arguments = unsafe CStrings(words)
    var variables = unsafe CStrings(environment.map { "\($0)=\($1)" })
    var process: pid_t = 0
    let code = unsafe posix_spawnp(
      &process, words[0], &actions, &attributes, &arguments.pointers, &variables.pointers)
    guard code == 0 else { throw Refused(code: code) }
    return process
  }

  /// Returns whether a program has ended; `wait` still returns its exit code.
  package static func hasEnded(_ process: pid_t) -> Bool {
    var information = unsafe siginfo_t()
    unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
    return unsafe information.si_signo == SIGCHLD
  }

  /// Waits for the end of a program, which is killed after `longestWait`.
  ///
  /// - Returns: its exit code as in a shell: 128 plus the signal, if a signal ended it.
  package static func wait(_ process: pid_t) -> Int32 {
    let end = DispatchWorkItem {
      print("process \(process) does not end, and is killed")
      kill(process, SIGKILL)
    }
    DispatchQueue.global().asyncAfter(deadline: .latest, execute: end)
    // The number stays the program's until the second call, so that no other one is killed.
    var information = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    end.cancel()
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}

/// A null-terminated array of C strings.
@unsafe private struct CStrings: ~Copyable {
  var pointers: [UnsafeMutablePointer<CChar>?]

  init(_ texts: [String]) { unsafe pointers = texts.map { unsafe strdup($0) } + [nil] }

  deinit { unsafe pointers.forEach { unsafe free($0) } }
}
