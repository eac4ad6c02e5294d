internal import Platform
internal import Synchronization

/// What has to be given back when a program lets go of a terminal, in memory that a signal handler can read.
///
/// All of it may be called in a handler: it allocates nothing and takes no lock.
struct TerminalLease {
  /// The terminal, and where its screen is written.
  var terminal: Int32
  var output: Int32
  /// The modes that the terminal had.
  var modes = termios()
  /// Standard error, and the file that takes its place while the screen is in use; -1 for none.
  var errors: Int32 = -1
  var keptErrors: Int32 = -1
  /// Whether the screen is in use.
  var isUp = false

  /// Where the lease of this process is; a process has one terminal.
  private static let address = Atomic<UInt>(0)

  private static var current: UnsafeMutablePointer<TerminalLease>? {
    unsafe UnsafeMutablePointer(bitPattern: address.load(ordering: .acquiring))
  }

  /// Makes this the lease of the process.
  func register() {
    _ = TerminalLease.endingBytes
    let memory = UnsafeMutablePointer<TerminalLease>.allocate(capacity: 1)
    unsafe memory.initialize(to: self)
    TerminalLease.address.store(UInt(bitPattern: memory), ordering: .releasing)
  }

  /// Takes the terminal: keys come one by one and are not shown, and standard error is kept.
  ///
  /// In the background the program is stopped here until the person wants to see it.
  ///
  /// - Returns: whether that could be done.
  static func begin() -> Bool {
    guard let lease = unsafe current else { return false }
    // Who has stopped and continued this program may have changed the modes in the meantime.
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

  /// Gives everything back, as far as that is possible; each step whether or not the one before has failed.
  ///
  /// Does nothing if the screen is not in use.
  static func end() {
    guard let lease = unsafe current, unsafe lease.pointee.isUp else { return }
    unsafe lease.pointee.isUp = false
    // In the background, writing may stop a program that does not hold this signal back.
    var stopping = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&stopping)
    unsafe sigaddset(&stopping, SIGTTOU)
    unsafe pthread_sigmask(SIG_BLOCK, &stopping, &before)
    unsafe endingBytes.withUnsafeBufferPointer { unsafe write($0, to: lease.pointee.output) }
    // There the modes are those of the shell.
    if unsafe tcgetpgrp(lease.pointee.terminal) == getpgrp() {
      unsafe tcsetattr(lease.pointee.terminal, TCSANOW, &lease.pointee.modes)
    }
    unsafe releaseErrors(lease)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Made before the first signal can come.
  private static let endingBytes = ScreenModes.end

  /// Puts standard error back, and writes what was kept.
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

  /// Writes bytes; a terminal that takes none for a second gets no more.
  private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to descriptor: Int32) {
    var rest = unsafe bytes[...]
    while let start = unsafe UnsafeBufferPointer(rebasing: rest).baseAddress, unsafe !rest.isEmpty {
      let count = unsafe Platform.write(descriptor, start, rest.count)
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
