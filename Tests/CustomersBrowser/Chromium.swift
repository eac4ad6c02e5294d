internal import CustomersSystem
internal import Foundation

/// A Chromium, driven over its debugging pipe: messages of the DevTools protocol, each ended by NUL.
///
/// A thread of its own reads answers, so that no test that waits for one holds a thread that others need.
final class Chromium: Browser {
  private let input: Int32
  private let output: Int32
  private let calls = Calls()

  /// What `CHROMIUM` names, else the shell without windows, which takes a third of the time, else the browser.
  private static var program: String { best ?? "chromium" }

  /// The program, unless it is the browser with windows, which may be none that tests can drive.
  static var best: String? {
    let environment = ProcessInfo.processInfo.environment
    let folders = environment["PATH", default: ""].split(separator: ":")
    let shell = "chromium-headless-shell"
    let hasShell = folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(shell)") }
    return environment["CHROMIUM"] ?? (hasShell ? shell : nil)
  }

  init() throws {
    let program = Self.program
    let (requests, answers) = (try BrowserProcess.pipe(), try BrowserProcess.pipe())
    (input, output) = (requests.write, answers.read)
    try BrowserProcess.start(
      [
        program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking", "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding", "--disable-background-timer-throttling", "--disable-extensions",
        "--remote-debugging-pipe", "--user-data-dir=\(BrowserProcess.folder)", "about:blank",
      ], reading: requests.read, writing: answers.write)
    close(requests.read)
    close(answers.write)
    Thread.detachNewThread { [self] in readAnswers() }
  }

  /// Sends a command, of a tab or of the browser, and returns its result.
  @discardableResult
  func call(_ method: String, _ parameters: [String: any Sendable] = [:], of session: String? = nil)
    async throws -> [String: Any]
  {
    var message: [String: any Sendable] = ["method": method, "params": parameters]
    message["sessionId"] = session
    return try await calls.call(message) { [input] in Self.send($0, to: input) }
  }

  func newTab(
    _ screen: Tab.Screen, in context: String?, report: @escaping @Sendable (String) -> Void
  ) async throws -> any Driver {
    func text(_ result: [String: Any], _ name: String) -> String { result[name] as? String ?? "" }
    let profile =
      if let context { context } else {
        text(try await call("Target.createBrowserContext"), "browserContextId")
      }
    let target = text(
      try await call(
        "Target.createTarget", ["url": "about:blank", "browserContextId": profile, "newWindow": true]),
      "targetId")
    let session = text(
      try await call("Target.attachToTarget", ["targetId": target, "flatten": true]), "sessionId")
    let tab = ChromiumTab(browser: self, session: session, target: target, context: profile)
    calls.listen(to: session) { if let problem = ChromiumTab.problem($0, $1) { report(problem) } }
    try await tab.prepare(screen)
    return tab
  }

  func forget(_ session: String) { calls.listen(to: session, nil) }

  private static func send(_ message: Data, to input: Int32) {
    let bytes = [UInt8](message) + [0]
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes { unsafe write(input, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR { return }
      sent += max(0, count)
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
        calls.take(Data(buffer[start..<end])) { $0["sessionId"] as? String }
        start = end + 1
      }
      buffer.removeFirst(start)
    }
    calls.end()
  }
}
