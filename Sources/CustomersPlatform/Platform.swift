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
public var currentThreadNumber: UInt {
  #if canImport(Darwin)
    unsafe UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}

/// The time of the system clock, in nanoseconds since 1970.
public func currentNanoseconds() -> Int64 {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return time.nanoseconds
}

/// The command of `fcntl` that locks a part of an open file for as long as that is open, `F_OFD_SETLK`, which the
/// headers hide.
#if canImport(Darwin)
  public let setLockOfOpenFile: Int32 = 90
#else
  public let setLockOfOpenFile: Int32 = 37
#endif

extension stat {
  /// When the file was last written, in nanoseconds since 1970.
  public var modificationNanoseconds: Int64 {
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
public func holdingSignals<Result, Failure>(
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
public func handleSignal(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
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
