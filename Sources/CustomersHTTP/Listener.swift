internal import CustomersSystem
internal import Synchronization

/// A socket on which connections arrive.
package final class Listener: Sendable {
  let descriptor: Int32
  let family: Int32
  /// The file of a Unix socket, which goes away with it.
  private let path: String?
  private let isOpen = Atomic(true)

  /// Why a socket can't be opened.
  package struct Refused: Error, Equatable {
    /// The value of `errno`.
    package let code: Int32
    /// The system's message.
    package var description: String { unsafe String(cString: strerror(code)) }
    /// Whether another program uses the port or the socket.
    package var isTaken: Bool { code == EADDRINUSE }
  }

  deinit { end() }

  /// Closes it, if it is open.
  func end() {
    guard isOpen.exchange(false, ordering: .relaxed) else { return }
    close(descriptor)
    if let path { unsafe unlink(path) }
  }

  /// Opens a port on 127.0.0.1 and on ::1.
  ///
  /// Both, or neither: `localhost` may mean either of them, so a page of another program could otherwise be at the same
  /// address. A system without IPv6 has no ::1.
  ///
  /// - Parameter port: the port; 0 for any that is free.
  /// - Returns: the listeners and the port.
  /// - Throws: `Refused`.
  package static func loopback(port: UInt16) throws(Refused) -> (listeners: [Listener], port: UInt16) {
    // A free port of one address may be taken on the other.
    for _ in 0..<20 {
      let first = try Listener(port)
      let chosen = first.port
      do {
        return ([first, try Listener(chosen, isVersion6: true)], chosen)
      } catch {
        if [EAFNOSUPPORT, EADDRNOTAVAIL].contains(error.code) { return ([first], chosen) }
        guard error.isTaken, port == 0 else { throw error }
      }
    }
    throw Refused(code: EADDRINUSE)
  }

  private convenience init(_ port: UInt16, isVersion6: Bool = false) throws(Refused) {
    if isVersion6 {
      var address = sockaddr_in6()
      (address.sin6_family, address.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
      address.sin6_addr = in6addr_loopback
      try self.init(AF_INET6, at: &address)
    } else {
      var address = sockaddr_in()
      (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      try self.init(AF_INET, at: &address)
    }
  }

  /// Opens a Unix socket that only its owner can connect to (mode 0600).
  ///
  /// One that a program has left there is replaced.
  package convenience init(path: String) throws(Refused) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw Refused(code: ENAMETOOLONG)
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    if Listener.isAbandoned(path, &address) { unsafe unlink(path) }
    try self.init(AF_UNIX, at: &address, path: path)
  }

  /// Uses sockets that another program has opened for this one, which must not be reached from other machines.
  ///
  /// - Returns: the listeners and the port of the first; nil if it is a Unix socket.
  /// - Throws: `Refused`, with `EADDRNOTAVAIL` for one that other machines reach.
  package static func inherited(_ sockets: [Int32]) throws(Refused) -> (listeners: [Listener], port: UInt16?)
  {
    var listeners: [Listener] = []
    for socket in sockets { listeners.append(try Listener(inherited: socket)) }
    return (listeners, listeners.first.flatMap { $0.family == AF_UNIX ? nil : $0.port })
  }

  private init(inherited descriptor: Int32) throws(Refused) {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    guard result == 0 else { throw Refused(code: errno) }
    let family = Int32(address.ss_family)
    let isNear = unsafe withUnsafeBytes(of: &address) { bytes in
      switch family {
      case AF_UNIX: true
      // The first byte of 127.0.0.1, and all of ::1.
      case AF_INET: unsafe bytes.load(as: sockaddr_in.self).sin_addr.s_addr.bigEndian >> 24 == 127
      case AF_INET6:
        unsafe bytes.load(as: sockaddr_in6.self).sin6_addr.bytes == [UInt8](repeating: 0, count: 15) + [1]
      default: false
      }
    }
    guard isNear else { throw Refused(code: EADDRNOTAVAIL) }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    (self.descriptor, self.family, path) = (descriptor, family, nil)
  }

  private init<Address>(_ family: Int32, at address: inout Address, path: String? = nil) throws(Refused) {
    let descriptor = streamSocket(family)
    guard descriptor >= 0 else { throw Refused(code: errno) }
    var one: Int32 = 1
    // After a restart, the old connections do not hold the port.
    if family != AF_UNIX { unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, 4) }
    if family == AF_INET6 { unsafe setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, 4) }
    let isBound = unsafe Listener.with(&address) { unsafe bind(descriptor, $0, $1) } == 0
    // No one can connect before `listen`, so no one does with other permissions.
    guard isBound, path.map({ unsafe chmod($0, 0o600) }) ?? 0 == 0, listen(descriptor, 128) == 0 else {
      let refused = Refused(code: errno)
      close(descriptor)
      if isBound, let path { unsafe unlink(path) }
      throw refused
    }
    (self.descriptor, self.family, self.path) = (descriptor, family, path)
  }

  private static func with<Address>(
    _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  /// Whether there is a socket of this user at the path, to which no program listens.
  private static func isAbandoned(_ path: String, _ address: inout sockaddr_un) -> Bool {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid()
    else { return false }
    let probe = streamSocket(AF_UNIX)
    defer { close(probe) }
    return unsafe with(&address) { unsafe connect(probe, $0, $1) } != 0 && errno == ECONNREFUSED
  }

  /// The port that the system has chosen.
  private var port: UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = unsafe getsockname(descriptor, $0, &size)
      }
    }
    return UInt16(bigEndian: address.sin_port)
  }
}

extension in6_addr {
  fileprivate var bytes: [UInt8] { unsafe withUnsafeBytes(of: self) { unsafe Array($0) } }
}
