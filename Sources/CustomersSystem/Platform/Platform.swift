// The C library, imported in one place. A module that imports this one gets it, under whatever name the
// system gives it. Built and tested on Linux with Glibc; never on a Mac.
@_exported public import CCustomersSystem

#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif

/// A number that no other running thread has; never 0.
package var currentThreadNumber: UInt {
  #if canImport(Darwin)
    unsafe UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

/// The time of the system clock, in nanoseconds since 1970.
package func currentNanoseconds() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return time.nanoseconds
}

/// The command of `fcntl` that locks a part of an open file for as long as that is open, `F_OFD_SETLK`, which the
/// headers hide.
#if canImport(Darwin)
  package let setLockOfOpenFile: Int32 = 90
#else
  package let setLockOfOpenFile: Int32 = 37
#endif

extension stat {
  /// When the file was last written, in nanoseconds since 1970.
  package var modificationNanoseconds: Int64 {
    #if canImport(Darwin)
      st_mtimespec.nanoseconds
    #else
      st_mtim.nanoseconds
    #endif
  }
}

extension timespec {
  fileprivate var nanoseconds: Int64 { Int64(tv_sec) * 1_000_000_000 + Int64(tv_nsec) }
}

/// Runs `body`; signals for this thread that arrive while it runs take effect afterward.
package func holdingSignals<Result, Failure>(
  _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  var (all, before) = (sigset_t(), sigset_t())
  unsafe sigfillset(&all)
  unsafe pthread_sigmask(SIG_BLOCK, &all, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
  return try body()
}

/// Installs a signal handler, which runs on the alternate stack if the thread has one.
///
/// A call of the system that is waiting ends with `EINTR`.
package func handleSignal(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
  var action = sigaction()
  #if canImport(Darwin)
    unsafe action.__sigaction_u.__sa_handler = handler
  #elseif canImport(Musl)
    unsafe action.__sa_handler.sa_handler = handler
  #else
    unsafe action.__sigaction_handler.sa_handler = handler
  #endif
  action.sa_flags = Int32(SA_ONSTACK)
  unsafe sigaction(signal, &action, nil)
}

// What Linux and Apple's systems do in different ways. Only the Linux branches were built and tested.

/// Waits until everything written to a file is on disk, even if the power fails.
///
/// On Apple's systems `fsync` leaves it in the drive's cache (https://developer.apple.com/library/archive/
/// documentation/System/Conceptual/ManPages_iPhoneOS/man2/fsync.2.html).
///
/// - Returns: 0 or -1 with the error in `errno`.
package func synchronize(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    // Some file systems can't do it.
    fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
  #else
    fsync(descriptor)
  #endif
}

/// Gives pieces of memory of more than 256 KB back to the system when they are no longer used, for a server that needs them
/// once in a while: Glibc would keep those of up to 32 MB.
package func keepLittleMemory() {
  #if canImport(Glibc)
    mallopt(M_MMAP_THRESHOLD, 256 << 10)
  #endif
}

/// The path by which this process can open again what it has open.
package func path(ofDescriptor descriptor: Int32) -> String {
  #if canImport(Darwin)
    "/dev/fd/\(descriptor)"
  #else
    "/proc/self/fd/\(descriptor)"
  #endif
}

/// The event of `poll` when the other end of a connection will send nothing more.
package let hangUpEvent: Int16 = {
  #if canImport(Darwin)
    Int16(POLLHUP)
  #else
    0x2000  // POLLRDHUP, which the headers hide
  #endif
}()

/// A set of signals for C.
package func signalSet(_ signals: [Int32]) -> sigset_t {
  var set = sigset_t()
  unsafe sigemptyset(&set)
  for signal in signals { unsafe sigaddset(&set, signal) }
  return set
}

/// Takes one of some blocked signals as soon as it is pending, for example to end in good order.
///
/// - Returns: the signal; nil if none arrived before the time was over.
package func nextSignal(_ signals: sigset_t, for duration: Duration) -> Int32? {
  let end = ContinuousClock.now + duration
  var signals = signals
  while true {
    let left = max(.zero, end - .now)
    #if canImport(Darwin)
      var (pending, number) = (sigset_t(), Int32(0))
      unsafe sigpending(&pending)
      if pending & signals != 0 { return unsafe sigwait(&signals, &number) == 0 ? number : nil }
      guard left > .zero else { return nil }
      usleep(10_000)
    #else
      var time = timespec()
      time.tv_sec = Int(left.components.seconds)
      time.tv_nsec = Int(left.components.attoseconds / 1_000_000_000)
      let number = unsafe sigtimedwait(&signals, nil, &time)
      if number > 0 { return number }
      guard errno == EINTR else { return nil }
    #endif
  }
}

/// The words of a command line, as the system passes them to `main`.
///
/// Swift's `CommandLine.arguments` looks for them in /proc, and has none where that can't be read.
package struct ProgramWords: Sendable {
  /// The words after the program's name; bytes that are not UTF-8 are replaced.
  package let arguments: [String]
  /// The number of the first argument that is not UTF-8, from 1; nil if all are.
  package let unreadable: Int?

  /// Takes the arguments of `main`; nil if there is none, not even the program's name.
  ///
  /// Linux replaces an empty vector by one empty word.
  package init?(_ count: Int32, _ words: UnsafePointer<UnsafePointer<CChar>?>?) {
    let texts = unsafe UnsafeBufferPointer(start: words, count: Int(count)).compactMap(\.self)
    guard let name = unsafe texts.first, unsafe texts.count > 1 || name.pointee != 0 else { return nil }
    arguments = unsafe texts.dropFirst().map { unsafe String(cString: $0) }
    unreadable = unsafe texts.dropFirst().firstIndex { unsafe String(validatingCString: $0) == nil }
  }
}
