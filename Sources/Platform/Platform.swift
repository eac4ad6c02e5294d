// The C library, imported in one place. A module that imports this one gets it, under whatever name the
// system gives it. Built and tested on Linux with Glibc; never on a Mac.
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

/// A socket for a stream of bytes over TCP that does not block, and that no other program inherits; -1 if
/// there is none.
public func tcpSocket() -> Int32 {
  #if canImport(Glibc)
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(AF_INET, SOCK_STREAM, 0)
  #endif
  guard descriptor >= 0 else { return -1 }
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  var one: Int32 = 1
  unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
  #if canImport(Darwin)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, 4)
  #endif
  return descriptor
}

/// Sends bytes without a signal where the other end is closed.
public func sendQuietly(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Darwin)
    unsafe send(descriptor, bytes.baseAddress, bytes.count, 0)
  #else
    unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
  #endif
}
