internal import CustomersSystem
internal import Foundation

/// A browser that was started for the tests of this process.
enum BrowserProcess {
  /// Where the browser of this process keeps its profile; removed when the process ends.
  static let folder = FileManager.default.temporaryDirectory.path + "/customers-browser-\(getpid())"

  /// A pipe that no other child inherits, with descriptors above those that a browser uses.
  static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard unsafe Foundation.pipe(&ends) == 0 else { throw BrowserFailure("no pipe: \(errno)") }
    let high = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
    ends.forEach { close($0) }
    return (high[0], high[1])
  }

  /// Starts a program with the descriptors 3 and 4; it must end when they are closed, as they are with this process.
  static func start(_ words: [String], reading: Int32, writing: Int32) throws {
    atexit { try? FileManager.default.removeItem(atPath: BrowserProcess.folder) }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, reading, 3)
    unsafe posix_spawn_file_actions_adddup2(&actions, writing, 4)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // The threads that run tests block most signals, and a child would inherit that.
    var noSignals = sigset_t()
    unsafe sigemptyset(&noSignals)
    unsafe posix_spawnattr_setsigmask(&attributes, &noSignals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let code = unsafe posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
    guard code == 0 else { throw BrowserFailure("can't start \(words[0]): error \(code)") }
  }
}
