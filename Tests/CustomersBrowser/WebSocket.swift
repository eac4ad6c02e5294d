internal import CustomersSystem
internal import Foundation

/// The client's side of a WebSocket (RFC 6455) for strings, to a server on this machine.
///
/// Foundation's own needs a libcurl with WebSockets, which Debian 12 lacks.
final class WebSocket: Sendable {
  private let descriptor: Int32

  init(port: UInt16, path: String) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw BrowserFailure("the browser does not accept a connection") }
    let head = """
      GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n
      """
    send(bytes: Array(head.utf8))
    var answer: [UInt8] = []
    while !answer.ends(with: "\r\n\r\n".utf8) {
      guard let byte = receive(1) else { throw BrowserFailure("the browser speaks no WebSocket") }
      answer += byte
    }
  }

  deinit { close(descriptor) }

  func send(_ text: Data) {
    var frame: [UInt8] = [0x81]
    switch text.count {
    case ..<126: frame.append(0x80 | UInt8(text.count))
    case ..<65_536: frame += [0x80 | 126, UInt8(text.count >> 8), UInt8(text.count & 0xff)]
    default:
      frame.append(0x80 | 127)
      frame += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: text.count >> $0) }
    }
    // The mask protects proxies, and there is none; but Firefox refuses one of zeros.
    send(bytes: frame + [1, 2, 3, 4] + text.enumerated().map { $1 ^ UInt8($0 % 4 + 1) })
  }

  /// The next text; nil when the connection has ended.
  func next() -> Data? {
    var text = Data()
    while let start = receive(2) {
      var count = Int(start[1] & 0x7f)
      if count >= 126 {
        guard let digits = receive(count == 126 ? 2 : 8) else { return nil }
        count = digits.reduce(0) { $0 << 8 | Int($1) }
      }
      guard let payload = receive(count) else { return nil }
      // A browser on this machine pings no one; what is neither a string nor its continuation ends the connection.
      guard start[0] & 0x0f <= 1 else { return nil }
      text += payload
      if start[0] & 0x80 != 0 { return text }
    }
    return nil
  }

  private func send(bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe sendQuietly(descriptor, $0) }
      if count <= 0, errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }

  /// So many bytes; nil if the connection ends before.
  private func receive(_ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: count - bytes.count) { buffer, used in
        used = max(0, unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0))
      }
      guard !piece.isEmpty else { return nil }
      bytes += piece
    }
    return bytes
  }
}

extension [UInt8] {
  fileprivate func ends(with end: some Collection<UInt8>) -> Bool { suffix(end.count).elementsEqual(end) }
}
