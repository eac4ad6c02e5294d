@unsafe @preconcurrency internal import CustomersSystem

/// A `/bin/sh` script that runs as a child process.
struct Child: Sendable {
  private let id: pid_t

  /// Starts a script with the arguments `$1` …; it inherits its streams unless given.
  init(
    _ script: String, _ arguments: [String] = [], input: Int32? = nil, output: Int32? = nil,
    errors: Int32? = nil
  ) throws {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let input { unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
    if let output { unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    if let errors { unsafe posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
    // It does not inherit ignored or blocked signals.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var held = SignalSet([]).set
    unsafe posix_spawnattr_setsigmask(&attributes, &held)
    var usual = SignalSet([SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ]).set
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = unsafe (["sh", "-c", script, "sh"] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var id: pid_t = 0
    let code = unsafe posix_spawn(&id, "/bin/sh", &actions, &attributes, &words, environ)
    guard code == 0 else {
      throw Failure.failed("can't start /bin/sh: \(unsafe String(cString: strerror(code)))")
    }
    self.id = id
  }

  /// Waits for its end for a second, then terminates it.
  func end() {
    for _ in 0..<1000 {
      guard waitpid(id, nil, WNOHANG) == 0 else { return }
      usleep(1000)
    }
    terminate()
    _ = wait()
  }

  /// Asks it to end.
  func terminate() { kill(id, SIGTERM) }

  /// Waits for its end.
  ///
  /// - Returns: its exit code or 128 and the signal that ended it.
  func wait() -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }
}

/// A pipe, whose ends are not inherited by child processes.
struct Pipe {
  let reading: FileDescriptor
  let writing: FileDescriptor

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw Failure.failed("can't make a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
  }
}
