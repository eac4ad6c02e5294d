internal import CustomersPlatform
internal import Synchronization

/// The state needed to restore a terminal, in memory that a signal handler can read.
///
/// All functions are safe in a signal handler: they allocate nothing and take no locks.
struct TerminalLease {
  /// The descriptors for the terminal's modes and for its screen.
  var terminal: Int32
  var output: Int32
  /// The original modes of the terminal.
  var modes = termios()
  /// The original standard error, and the file that replaces it while the screen is in use; -1 for none.
  var errors: Int32 = -1
  var keptErrors: Int32 = -1
  /// Whether the screen is in use.
  var isUp = false

  /// The address of this process's lease; a process has one terminal.
  private static let address = Atomic<UInt>(0)

  private static var current: UnsafeMutablePointer<TerminalLease>? {
    unsafe UnsafeMutablePointer(bitPattern: address.load(ordering: .acquiring))
  }

  /// Sets the lease of the process.
  func register() {
    _ = TerminalLease.endingBytes
    let memory = UnsafeMutablePointer<TerminalLease>.allocate(capacity: 1)
    unsafe memory.initialize(to: self)
    TerminalLease.address.store(UInt(bitPattern: memory), ordering: .releasing)
  }

  /// Enters raw mode and redirects standard error to the file.
  ///
  /// A background process stops here until it is brought to the foreground.
  ///
  /// - Returns: whether it succeeded.
  static func begin() -> Bool {
    guard let lease = unsafe current else { return false }
    // A shell that stopped and continued this process may have changed the modes since.
    if unsafe !lease.pointee.isUp, unsafe tcgetattr(lease.pointee.terminal, &lease.pointee.modes) != 0 {
      return false
    }
    var modes = unsafe lease.pointee.modes
    unsafe cfmakeraw(&modes)
    unsafe lease.pointee.isUp = true
    while unsafe tcsetattr(lease.pointee.terminal, TCSANOW, &modes) != 0 {
      guard errno == EINTR else { return false }
    }
    if unsafe lease.pointee.keptErrors >= 0 { unsafe dup2(lease.pointee.keptErrors, STDERR_FILENO) }
    return true
  }

  /// Restores the screen, the modes, and standard error; if one step fails, goes on with the next.
  ///
  /// Does nothing if the screen is not in use.
  static func end() {
    guard let lease = unsafe current, unsafe lease.pointee.isUp else { return }
    unsafe lease.pointee.isUp = false
    // Without this, a write may stop a process in the background.
    var stopping = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&stopping)
    unsafe sigaddset(&stopping, SIGTTOU)
    unsafe pthread_sigmask(SIG_BLOCK, &stopping, &before)
    unsafe endingBytes.withUnsafeBufferPointer { unsafe write($0, to: lease.pointee.output) }
    // In the background, the modes belong to the shell.
    if unsafe tcgetpgrp(lease.pointee.terminal) == getpgrp() {
      unsafe tcsetattr(lease.pointee.terminal, TCSANOW, &lease.pointee.modes)
    }
    unsafe releaseErrors(lease)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Initialized by `register`, before a signal can arrive.
  private static let endingBytes = ScreenModes.end

  /// Restores standard error and prints the contents of the file.
  private static func releaseErrors(_ lease: UnsafeMutablePointer<TerminalLease>) {
    let kept = unsafe lease.pointee.keptErrors
    guard kept >= 0 else { return }
    unsafe dup2(lease.pointee.errors, STDERR_FILENO)
    var offset: off_t = 0
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { buffer in
      while case let count = unsafe pread(kept, buffer.baseAddress, buffer.count, offset), count > 0 {
        unsafe write(UnsafeBufferPointer(rebasing: buffer[..<count]), to: STDERR_FILENO)
        offset += off_t(count)
      }
    }
    ftruncate(kept, 0)
    lseek(kept, 0, SEEK_SET)
  }

  /// Writes bytes; gives up if the terminal accepts none for a second.
  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) {
    var rest = unsafe bytes[...]
    while let start = unsafe UnsafeBufferPointer(rebasing: rest).baseAddress, unsafe !rest.isEmpty {
      let count = unsafe CustomersPlatform.write(descriptor, start, rest.count)
      if count > 0 {
        unsafe rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard unsafe poll(&waiting, 1, 1000) > 0 else { return }
      } else if errno != EINTR {
        return
      }
    }
  }
}
