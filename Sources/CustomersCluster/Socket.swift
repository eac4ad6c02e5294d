package import CustomersSQLite
package import CustomersSystem

/// A TCP connection on which every wait has a time limit.
final class Socket {
  private var descriptor: Int32
  private var isConnected: Bool
  private let address: NodeAddress
  /// Bytes that were received but not read yet.
  private var buffer: [UInt8] = []
  private var position = 0

  /// How long a node may take to accept a connection.
  static let shortTimeout = Duration.seconds(2)

  /// Connects to a node.
  convenience init(_ address: NodeAddress) throws(SQLiteError) {
    try self.init(starting: address)
    try finishConnecting(within: Self.shortTimeout)
  }

  /// Starts to connect to a node.
  init(starting address: NodeAddress) throws(SQLiteError) {
    let target = try SocketAddress(address)
    self.address = address
    (descriptor, isConnected) = (streamSocket(target.family), false)
    guard descriptor >= 0 else { throw .unreachable(Self.errorText(errno)) }
    let socket = descriptor
    isConnected = unsafe target.use { target, size in unsafe connect(socket, target, size) } == 0
    guard isConnected || errno == EINPROGRESS else { throw lost(errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits until the connection is made.
  func finishConnecting(within timeout: Duration) throws(SQLiteError) {
    guard !isConnected else { return }
    guard wait(POLLOUT, timeout) else { throw .unreachable("\(address) does not answer") }
    var (code, size): (Int32, socklen_t) = (0, 4)
    unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    guard code == 0 else { throw lost(code) }
    isConnected = true
  }

  /// Waits until bytes arrive.
  func expectBytes(within timeout: Duration) throws(SQLiteError) {
    guard position < buffer.count || wait(POLLIN, timeout) else {
      throw .unreachable("\(address) does not answer")
    }
  }

  /// Hands the descriptor, which waits in each call from now on, to the caller.
  func release() -> Int32 {
    defer { descriptor = -1 }
    _ = fcntl(descriptor, F_SETFL, 0)
    return descriptor
  }

  func send(_ bytes: [UInt8]) throws(SQLiteError) {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes { unsafe sendQuietly(descriptor, $0) }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN {
        guard wait(POLLOUT, .seconds(20)) else { throw .unreachable("\(address) does not accept data") }
      } else if errno != EINTR {
        throw lost(errno)
      }
    }
  }

  /// Reads the next bytes.
  ///
  /// - Parameters:
  ///   - count: how many; memory is allocated only as they arrive, since a node may announce any number.
  ///   - shouldContinue: whether to keep waiting; called every second with how long the node has been silent.
  /// - Returns: exactly `count` bytes.
  /// - Throws: `SQLiteError` with `.unreachable`.
  func receive(_ count: Int, while shouldContinue: (_ quiet: Duration) -> Bool) throws(SQLiteError) -> [UInt8]
  {
    var found: [UInt8] = []
    while true {
      let taken = min(count - found.count, buffer.count - position)
      found += buffer[position..<position + taken]
      position += taken
      if found.count == count { return found }
      (buffer, position) = (try receiveSome(shouldContinue), 0)
    }
  }

  private func receiveSome(_ shouldContinue: (_ quiet: Duration) -> Bool) throws(SQLiteError) -> [UInt8] {
    let start = ContinuousClock.now
    while true {
      var received = 0
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 65536) { bytes, count in
        received = unsafe recv(descriptor, bytes.baseAddress, bytes.count, 0)
        count = max(0, received)
      }
      if received > 0 { return bytes }
      if received == 0 { throw .unreachable("\(address) closed the connection") }
      guard errno == EAGAIN || errno == EINTR else { throw lost(errno) }
      if !wait(POLLIN, .seconds(1)), !shouldContinue(ContinuousClock.now - start) {
        throw .unreachable("\(address) does not answer")
      }
    }
  }

  /// Waits until the socket is ready; returns false after the timeout.
  private func wait(_ event: Int32, _ timeout: Duration) -> Bool {
    let (seconds, attoseconds) = timeout.components
    let milliseconds = Int32(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    var request = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return unsafe poll(&request, 1, milliseconds) > 0
  }

  private func lost(_ code: Int32) -> SQLiteError { .unreachable("\(address): \(Self.errorText(code))") }

  private static func errorText(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}

/// An address that the system can connect to.
package struct SocketAddress {
  /// `AF_INET` or `AF_INET6`.
  package let family: Int32
  private var storage = sockaddr_storage()
  private let size: socklen_t

  /// Resolves a node's address, and takes the first that the system prefers, as dqlite does to listen on it.
  package init(_ node: NodeAddress) throws(SQLiteError) {
    var hints = unsafe addrinfo()
    unsafe (hints.ai_family, hints.ai_flags) = (AF_UNSPEC, AI_NUMERICSERV)
    unsafe hints.ai_socktype = streamSocketType
    var found: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(node.host, "\(node.port)", &hints, &found)
    guard code == 0, let first = unsafe found else {
      throw .unreachable("can't find \(node.host): \(unsafe String(cString: gai_strerror(code)))")
    }
    defer { unsafe freeaddrinfo(found) }
    unsafe (family, size) = (first.pointee.ai_family, first.pointee.ai_addrlen)
    unsafe withUnsafeMutableBytes(of: &storage) { bytes in
      unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: first.pointee.ai_addr, count: Int(size)))
    }
  }

  /// Calls `body` with the address as the system's functions take it.
  package func use<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    unsafe withUnsafePointer(to: storage) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, size) }
    }
  }

  /// The address with a port as text, without a name.
  package func text(port: UInt16) -> String {
    guard family == AF_INET6 else { return "\(number.map(String.init).joined(separator: ".")):\(port)" }
    let words = stride(from: 0, to: 16, by: 2).map { UInt16(number[$0]) << 8 | UInt16(number[$0 + 1]) }
    return "[\(words.map { String($0, radix: 16) }.joined(separator: ":"))]:\(port)"
  }

  /// The bytes of the numeric address, without the port: 4 or 16.
  private var number: [UInt8] {
    let range = family == AF_INET ? 4..<8 : 8..<24
    return unsafe withUnsafeBytes(of: storage) { bytes in unsafe Array(bytes[range]) }
  }

  package var isIPv6: Bool { family == AF_INET6 }

  /// Whether only this machine can reach the address.
  package var isLoopback: Bool {
    family == AF_INET ? number[0] == 127 : number == Array(repeating: 0, count: 15) + [1]
  }

  /// Whether the address is of a private network, so that routers of the Internet don't pass it on.
  package var isPrivate: Bool {
    let bits = number[..<4].reduce(0) { $0 << 8 | UInt32($1) }
    let networks: [(UInt32, UInt32)] =
      family == AF_INET
      ? [
        (0x7f00_0000, 8), (0x0a00_0000, 8), (0xac10_0000, 12), (0xc0a8_0000, 16), (0x6440_0000, 10),
        (0xa9fe_0000, 16),
      ] : [(0xfc00_0000, 7), (0xfe80_0000, 10)]
    return isLoopback
      || networks.contains { network, length in bits >> (32 - length) == network >> (32 - length) }
  }
}

#if canImport(Glibc)
  private let streamSocketType = Int32(SOCK_STREAM.rawValue)
#else
  private let streamSocketType = SOCK_STREAM
#endif

/// Where a node listens: a numeric address or a name and a port.
package struct NodeAddress: Hashable, Sendable, CustomStringConvertible {
  /// A numeric address without brackets, such as `10.0.0.1` or `::1`, or a name.
  package let host: String
  /// 1…65535.
  package let port: UInt16

  /// Parses `host:port`, where an IPv6 address is in brackets; nil if the text is not an address.
  ///
  /// A name is resolved at each connection.
  package init?(_ text: some StringProtocol) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
    else { return nil }
    let host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      self.host = String(host.dropFirst().dropLast())
      guard Self.isNumeric(self.host, AF_INET6) else { return nil }
    } else {
      self.host = host == "localhost" ? "127.0.0.1" : String(host)
      guard Self.isName(self.host) || Self.isNumeric(self.host, AF_INET) else { return nil }
    }
    self.port = port
  }

  private static func isNumeric(_ host: String, _ family: Int32) -> Bool {
    var number = in6_addr()
    return unsafe inet_pton(family, host, &number) == 1
  }

  /// Whether a string can be the name of a machine (RFC 1123); its last part has a letter, unlike a numeric address.
  private static func isName(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return host.utf8.count <= 253
      && parts.allSatisfy { part in
        (1...63).contains(part.utf8.count) && part.first != "-" && part.last != "-"
          && part.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || UnicodeScalar(byte).properties.isASCIIHexDigit
              || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          }
      } && parts.last?.contains { $0.isLetter } == true
  }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The address of a database on a cluster: `dqlite://host:port,host:port/name`.
package struct ClusterAddress: Hashable, Sendable, CustomStringConvertible {
  /// Whether a string is such an address, even if an invalid one.
  package static func isMeant(by text: String) -> Bool { text.hasPrefix(scheme) }

  private static let scheme = "dqlite://"

  /// Nodes of the cluster, at least one.
  package let nodes: [NodeAddress]
  /// The name of the database.
  package let database: String

  /// Parses an address; nil if the text is not one.
  package init?(_ text: String) {
    guard Self.isMeant(by: text) else { return nil }
    let parts = text.dropFirst(Self.scheme.count).split(
      separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.count <= 100 else { return nil }
    guard parts[1].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
    let nodes = parts[0].split(separator: ",", omittingEmptySubsequences: false).map { NodeAddress($0) }
    guard !nodes.contains(nil) else { return nil }
    (self.nodes, database) = (nodes.compactMap(\.self), String(parts[1]))
  }

  /// The address of a database on one node, with a name that `init(_:)` may not accept.
  package init(_ node: NodeAddress, database: String) { (nodes, self.database) = ([node], database) }

  package var description: String {
    "\(Self.scheme)\(nodes.map(\.description).joined(separator: ","))/\(database)"
  }
}
