/// What started this program as a service: systemd, or a program that speaks its protocol (`sd_notify(3)`,
/// `sd_listen_fds(3)`).
package struct ServiceManager: Sendable {
  /// The address of its socket; nil if it wants to hear nothing.
  private let address: String?
  /// Within which time it wants to hear that the program is well; nil if it does not.
  package let patience: Duration?
  /// The sockets that it has opened for this program, which child processes do not inherit.
  package let sockets: [Int32]

  /// The environment variables in which it speaks.
  package static let variables = [
    "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID",
  ]

  /// Reads what the environment says of it.
  package init(_ environment: [String: String]) {
    address = environment["NOTIFY_SOCKET"].flatMap { $0.hasPrefix("/") || $0.hasPrefix("@") ? $0 : nil }
    /// Whether a number is meant for this process, and not for one that started it.
    func isOwn(_ name: String) -> Bool { environment[name] == "\(getpid())" }
    let isWatched = environment["WATCHDOG_PID"] == nil || isOwn("WATCHDOG_PID")
    patience = environment["WATCHDOG_USEC"].flatMap(Int64.init).flatMap { microseconds in
      isWatched && microseconds > 0 ? .microseconds(microseconds) : nil
    }
    let count = isOwn("LISTEN_PID") ? environment["LISTEN_FDS"].flatMap(Int32.init) ?? 0 : 0
    // They begin at 3, and a system has no more than a few thousand.
    sockets = Array(3..<3 + max(0, min(count, 1000)))
    for socket in sockets { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
  }

  /// Whether there is one: it keeps what the program prints, where others may read it.
  package var isThere: Bool { address != nil }

  /// Reports how this program is, such as `READY=1`; never waits.
  package func report(_ state: String) {
    guard let address else { return }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(address.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: name.sun_path) else { return }
    unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: bytes) }
    // A name without a file begins with a zero, and ends with its last byte.
    if address.hasPrefix("@") { name.sun_path.0 = 0 }
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    let size = socklen_t(start + bytes.count + (address.hasPrefix("@") ? 0 : 1))
    #if canImport(Glibc)
      let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    #else
      let descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
    #endif
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let text = Array(state.utf8)
    unsafe withUnsafePointer(to: &name) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = unsafe sendto(descriptor, text, text.count, Int32(MSG_DONTWAIT), $0, size)
      }
    }
  }
}
