internal import CustomersPlatform
internal import CustomersSockets
internal import CustomersSQLite

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
