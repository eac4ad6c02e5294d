import CustomersCluster
import Foundation
import CustomersSystem

/// A server on a port of its own that accepts one connection.
final class FakeServer: Sendable {
  let address: NodeAddress
  private let listener: Int32

  /// Starts listening, and sends the answers to the first client, whatever it requests.
  init(sending answers: [UInt8]) {
    let listener = streamSocket(AF_INET)
    var (name, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    unsafe withUnsafeMutablePointer(to: &name) { name in
      unsafe name.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        unsafe bind(listener, name, size)
        unsafe getsockname(listener, name, &size)
      }
    }
    listen(listener, 4)
    self.listener = listener
    guard let address = NodeAddress("127.0.0.1:\(UInt16(bigEndian: name.sin_port))") else {
      preconditionFailure("no port is free")
    }
    self.address = address
    Thread.detachNewThread {
      var request = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&request, 1, 10_000) > 0 else { return }
      let socket = accept(listener, nil, nil)
      guard socket >= 0 else { return }
      _ = unsafe answers.withUnsafeBytes { unsafe sendQuietly(socket, $0) }
      close(socket)
    }
  }

  func end() { close(listener) }
}
