internal import CustomersSystem

/// A connection to a server, byte by byte; each call waits, so it belongs on a thread of its own.
package final class Wire: Sendable {
  private let descriptor: Int32

  /// The server did not accept the connection, or the bytes.
  package struct Lost: Error {}

  /// An answer of HTTP.
  package struct Answer: Equatable, Sendable {
    package var status: Int
    /// By their names in lowercase.
    package var headers: [String: String]
    package var body: String
  }

  /// Connects to a port on this machine.
  ///
  /// No call waits for more than `longestWait`.
  package init(port: UInt16, isVersion6: Bool = false) throws {
    descriptor = socket(isVersion6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var result: Int32
    if isVersion6 {
      var address = sockaddr_in6()
      (address.sin6_family, address.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
      address.sin6_addr = in6addr_loopback
      result = Wire.connect(descriptor, &address)
    } else {
      var address = sockaddr_in()
      (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      result = Wire.connect(descriptor, &address)
    }
    try prepare(result)
  }

  /// Connects to a Unix socket.
  package init(path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
    try prepare(Wire.connect(descriptor, &address))
  }

  private func prepare(_ result: Int32) throws {
    guard result == 0 else { throw Lost() }
    var limit = timeval(tv_sec: Int(longestWait.components.seconds), tv_usec: 0)
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe CustomersSystem.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  deinit { close(descriptor) }

  /// Sends bytes.
  ///
  /// - Returns: whether the server took them all.
  @discardableResult
  package func send(_ bytes: some Collection<UInt8>) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe sendQuietly(descriptor, $0) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult
  package func send(_ text: String) -> Bool { send(text.utf8) }

  /// Says that nothing more will be sent, as a half-closed connection.
  package func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// The next bytes; none at the end, or when the connection was reset.
  package func receive(_ limit: Int = 65_536) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = max(0, unsafe recv(descriptor, buffer.baseAddress, limit, 0))
    }
  }

  /// What comes until the server closes the connection.
  package func rest() -> String {
    var bytes: [UInt8] = []
    while case let piece = receive(), !piece.isEmpty { bytes += piece }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What comes up to and with a string; less if the connection ends before.
  package func receive(through end: String) -> String {
    var bytes: [UInt8] = []
    let end = Array(end.utf8)
    while !bytes.suffix(end.count).elementsEqual(end), case let byte = receive(1), !byte.isEmpty {
      bytes += byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The next event of a stream, as text; comments, which come when nothing happens for a while, are left out.
  package func event() -> String {
    while true { if case let text = receive(through: "\n\n"), text != ":\n\n" { return text } }
  }

  /// The next answer; nil if the connection ends before.
  package func answer(hasBody: Bool = true) -> Answer? {
    let head = receive(through: "\r\n\r\n")
    let lines = head.split(separator: "\r\n")
    guard head.hasSuffix("\r\n\r\n"), let status = lines.first?.split(separator: " ")[1] else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
    }
    var body: [UInt8] = []
    let count = hasBody ? Int(headers["content-length"] ?? "") ?? 0 : 0
    while body.count < count, case let piece = receive(count - body.count), !piece.isEmpty { body += piece }
    return Answer(
      status: Int(status) ?? 0, headers: headers, body: String(decoding: body, as: UTF8.self))
  }
}
