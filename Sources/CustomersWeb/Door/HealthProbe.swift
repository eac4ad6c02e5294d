internal import CustomersSystem

/// Asks a page's server on this machine how it is, as a monitor does.
package enum HealthProbe {
  package enum Answer: String, Sendable {
    /// The server can read the list.
    case well
    /// It answers, but can't read the list.
    case troubled
    /// Something has the port, but gives no answer in time.
    case hung
    /// Nothing answers.
    case silent
  }

  /// Sends `GET /health` to a port of the loopback interface.
  ///
  /// - Parameters:
  ///   - port: the port.
  ///   - patience: how long to wait for each part.
  /// - Returns: how the server is.
  package static func ask(port: UInt16, patience: Duration = .seconds(3)) -> Answer {
    let socket = streamSocket(AF_INET)
    guard socket >= 0 else { return .silent }
    defer { close(socket) }
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_port = port.bigEndian
    name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = unsafe withUnsafePointer(to: &name) { name in
      unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe connect(socket, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 || errno == EINPROGRESS, isReady(socket, POLLOUT, patience) else { return .silent }
    let request = Array("GET /health HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n".utf8)
    guard unsafe request.withUnsafeBytes({ unsafe sendQuietly(socket, $0) }) == request.count else {
      return .silent
    }
    var answer: [UInt8] = []
    let start = "HTTP/1.1 200"
    while answer.count < start.utf8.count {
      guard isReady(socket, POLLIN, patience) else { return .hung }
      guard let bytes = try? FileDescriptor(rawValue: socket).read(), !bytes.isEmpty else {
        return .silent
      }
      answer += bytes
    }
    return answer.starts(with: start.utf8) ? .well : .troubled
  }

  private static func isReady(_ socket: Int32, _ event: Int32, _ patience: Duration) -> Bool {
    var asked = pollfd(fd: socket, events: Int16(event), revents: 0)
    return unsafe poll(&asked, 1, Int32(patience.components.seconds * 1000)) == 1
  }
}
