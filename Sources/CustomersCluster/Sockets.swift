internal import CustomersPlatform

/// Creates a nonblocking TCP socket that child processes do not inherit; returns -1 on failure.
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

/// Sends bytes; a closed connection raises no signal.
public func sendQuietly(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Darwin)
    unsafe send(descriptor, bytes.baseAddress, bytes.count, 0)
  #else
    unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
  #endif
}
