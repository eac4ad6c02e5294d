package import CustomersPlatform
package import CustomersSQLite

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
