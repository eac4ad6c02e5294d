// What Linux and Apple's systems do in different ways. Only the Linux branches were built and tested.

/// Waits until everything written to a file is on disk, even if the power fails.
///
/// On Apple's systems `fsync` leaves it in the drive's cache (https://developer.apple.com/library/archive/
/// documentation/System/Conceptual/ManPages_iPhoneOS/man2/fsync.2.html).
///
/// - Returns: 0 or -1 with the error in `errno`.
public func synchronize(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    // Some file systems can't do it.
    fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
  #else
    fsync(descriptor)
  #endif
}

/// The path by which this process can open again what it has open.
public func path(ofDescriptor descriptor: Int32) -> String {
  #if canImport(Darwin)
    "/dev/fd/\(descriptor)"
  #else
    "/proc/self/fd/\(descriptor)"
  #endif
}

/// The event of `poll` when the other end of a connection will send nothing more.
public let hangUpEvent: Int16 = {
  #if canImport(Darwin)
    Int16(POLLHUP)
  #else
    0x2000  // POLLRDHUP, which the headers hide
  #endif
}()

/// Takes one of some blocked signals as soon as it is pending, for example to end in good order.
///
/// - Returns: the signal; nil if none arrived before the time was over.
public func nextSignal(_ signals: sigset_t, for duration: Duration) -> Int32? {
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
