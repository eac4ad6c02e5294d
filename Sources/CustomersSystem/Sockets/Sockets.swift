/// Creates a nonblocking stream socket that child processes do not inherit.
///
/// - Parameter family: `AF_INET`, `AF_INET6`, or `AF_UNIX`.
/// - Returns: its descriptor; -1 on failure.
package func streamSocket(_ family: Int32) -> Int32 {
  #if canImport(Glibc)
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
  #else
    let descriptor = socket(family, SOCK_STREAM, 0)
  #endif
  return descriptor < 0 ? -1 : prepared(descriptor, family)
}

/// Accepts a waiting connection, which is then as if from `streamSocket`; returns -1 if none waits or on failure.
package func acceptConnection(_ listener: Int32, _ family: Int32) -> Int32 {
  let descriptor = accept(listener, nil, nil)
  return descriptor < 0 ? -1 : prepared(descriptor, family)
}

private func prepared(_ descriptor: Int32, _ family: Int32) -> Int32 {
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  var one: Int32 = 1
  // Small answers are not held until there are more.
  if family != AF_UNIX { unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4) }
  #if canImport(Darwin)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, 4)
  #endif
  return descriptor
}

/// Sends bytes; a closed connection raises no signal.
package func sendQuietly(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Darwin)
    unsafe send(descriptor, bytes.baseAddress, bytes.count, 0)
  #else
    unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
  #endif
}
