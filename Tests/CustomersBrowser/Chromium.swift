internal import Foundation
internal import CustomersPlatform
internal import Synchronization

/// A Chromium without a window, driven over its debugging pipe: messages are JSON ended by NUL.
///
/// One process serves all tests. A thread of its own reads answers, so that no test that waits for one holds a
/// thread that others need.
public final class Chromium: Sendable {
  /// Why the browser could not be started or asked.
  public struct Failure: Error, CustomStringConvertible {
    /// The reason.
    public var description: String

    /// Creates the error.
    public init(description: String) { self.description = description }
  }

  private struct State {
    var lastNumber = 0
    var waiting: [Int: CheckedContinuation<Data, any Error>] = [:]
    var listeners: [String: @Sendable (String, Data) -> Void] = [:]
    var hasEnded = false
  }

  /// The browser of all tests.
  public static let shared = Result { try Chromium() }

  private let input: Int32
  private let output: Int32
  private let state = Mutex(State())

  private init() throws {
    let program = ProcessInfo.processInfo.environment["CHROMIUM"] ?? "chromium"
    let folder = FileManager.default.temporaryDirectory.path + "/customers-chromium-\(getpid())"
    let (requests, answers) = (try Self.pipe(), try Self.pipe())
    (input, output) = (requests.write, answers.read)
    try Self.start(
      [
        program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking", "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding", "--disable-background-timer-throttling", "--disable-extensions",
        "--remote-debugging-pipe", "--user-data-dir=\(folder)", "about:blank",
      ], reading: requests.read, writing: answers.write)
    close(requests.read)
    close(answers.write)
    atexit {
      try? FileManager.default.removeItem(
        atPath: FileManager.default.temporaryDirectory.path + "/customers-chromium-\(getpid())")
    }
    Thread.detachNewThread { [self] in readAnswers() }
  }

  /// Sends a command of the DevTools protocol, of a tab or of the browser, and returns its result.
  @discardableResult
  public func call(_ method: String, _ parameters: [String: any Sendable] = [:], of session: String? = nil)
    async throws -> [String: Any]
  {
    let data = try await withCheckedThrowingContinuation { continuation in
      let number: Int? = state.withLock { state in
        guard !state.hasEnded else { return nil }
        state.lastNumber += 1
        state.waiting[state.lastNumber] = continuation
        return state.lastNumber
      }
      guard let number else {
        return continuation.resume(throwing: Failure(description: "Chromium has ended"))
      }
      var message: [String: Any] = ["id": number, "method": method, "params": parameters]
      message["sessionId"] = session
      send((try? JSONSerialization.data(withJSONObject: message)) ?? Data())
    }
    let answer = try Self.object(data)
    if let error = answer["error"] { throw Failure(description: "\(method): \(error)") }
    return answer["result"] as? [String: Any] ?? [:]
  }

  /// Calls `body` with the name and the message of each event of a tab, on the thread that reads.
  func listen(to session: String, _ body: (@Sendable (String, Data) -> Void)?) {
    state.withLock { $0.listeners[session] = body }
  }

  static func object(_ data: Data) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  private func send(_ message: Data) {
    let bytes = [UInt8](message) + [0]
    // One message after the other: the pipe may take only a part at a time.
    state.withLock { _ in
      var sent = 0
      while sent < bytes.count {
        let count = unsafe bytes[sent...].withUnsafeBytes { unsafe write(input, $0.baseAddress, $0.count) }
        if count < 0, errno != EINTR { return }
        sent += max(0, count)
      }
    }
  }

  private func readAnswers() {
    var (buffer, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = unsafe read(output, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      buffer += chunk[..<count]
      var start = 0
      while let end = buffer[start...].firstIndex(of: 0) {
        take(Data(buffer[start..<end]))
        start = end + 1
      }
      buffer.removeFirst(start)
    }
    let waiting = state.withLock { state in
      state.hasEnded = true
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume(throwing: Failure(description: "Chromium has ended")) }
  }

  private func take(_ data: Data) {
    guard let message = try? Self.object(data) else { return }
    if let number = message["id"] as? Int {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: data)
    } else if let session = message["sessionId"] as? String, let method = message["method"] as? String {
      state.withLock { $0.listeners[session] }?(method, data)
    }
  }

  // MARK: The process

  /// A pipe that no other child inherits, beyond the two descriptors that Chromium uses.
  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard unsafe Foundation.pipe(&ends) == 0 else { throw Failure(description: "no pipe: \(errno)") }
    let high = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
    ends.forEach { close($0) }
    return (high[0], high[1])
  }

  /// Starts a program with the descriptors 3 and 4; it ends when this process does, since they are closed then.
  private static func start(_ words: [String], reading: Int32, writing: Int32) throws {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, reading, 3)
    unsafe posix_spawn_file_actions_adddup2(&actions, writing, 4)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // The threads that run tests block most signals, and a child would inherit that.
    var noSignals = sigset_t()
    unsafe sigemptyset(&noSignals)
    unsafe posix_spawnattr_setsigmask(&attributes, &noSignals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { unsafe arguments.forEach { unsafe free($0) } }
    var process: pid_t = 0
    let code = unsafe posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
    guard code == 0 else {
      throw Failure(description: "can't start \(words[0]): error \(code); CHROMIUM names another one")
    }
  }
}
