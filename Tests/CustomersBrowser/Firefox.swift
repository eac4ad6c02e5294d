internal import CustomersSystem
internal import Foundation

/// A Firefox, driven by WebDriver BiDi.
final class Firefox: Browser {
  private let socket: WebSocket
  private let calls = Calls()
  /// Open while this process lives: then Firefox ends.
  private let lifeline: Int32

  init() async throws {
    // FIREFOX names the program where a distribution calls it otherwise.
    let program = ProcessInfo.processInfo.environment["FIREFOX"] ?? "firefox-esr"
    let folder = BrowserProcess.folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Self.settings.write(toFile: "\(folder)/user.js", atomically: true, encoding: .utf8)
    let (end, unused) = (try BrowserProcess.pipe(), try BrowserProcess.pipe())
    lifeline = end.write
    // Firefox does not notice that a pipe is closed, so a shell does.
    try BrowserProcess.start(
      [
        "sh", "-c", "\"$@\" 3<&- 4<&- & read -r _ <&3; kill -9 $!", "sh", program, "--headless",
        "--no-remote",
        "--profile", folder, "--remote-debugging-port", "0", "about:blank",
      ], reading: end.read, writing: unused.write)
    for descriptor in [end.read, unused.read, unused.write] { close(descriptor) }
    socket = try WebSocket(port: try await Self.port(folder), path: "/session")
    Thread.detachNewThread { [socket, calls] in
      while let message = socket.next() {
        calls.take(message) {
          (($0["params"] as? [String: Any])?["source"] as? [String: Any])?["context"] as? String
        }
      }
      calls.end()
    }
    let nothing: [String: String] = [:]
    try await call("session.new", ["capabilities": nothing])
    try await call("session.subscribe", ["events": ["log.entryAdded"]])
  }

  private static let settings = """
    user_pref("dom.w3c_touch_events.enabled", 1);
    user_pref("browser.shell.checkDefaultBrowser", false);
    user_pref("datareporting.policy.dataSubmissionEnabled", false);
    user_pref("app.update.enabled", false);

    """

  /// The port that Firefox writes into its profile.
  private static func port(_ folder: String) async throws -> UInt16 {
    for _ in 0..<6000 {
      let data = FileManager.default.contents(atPath: "\(folder)/WebDriverBiDiServer.json")
      if let data, let port = try? Calls.object(data)["ws_port"] as? Int { return UInt16(port) }
      try await Task.sleep(for: .milliseconds(100))
    }
    throw BrowserFailure("Firefox does not start; FIREFOX names another one")
  }

  @discardableResult
  func call(_ method: String, _ parameters: [String: any Sendable]) async throws -> [String: Any] {
    try await calls.call(["method": method, "params": parameters]) { [socket] in socket.send($0) }
  }

  func newTab(
    _ screen: Tab.Screen, in context: String?, report: @escaping @Sendable (String) -> Void
  ) async throws -> any Driver {
    let profile =
      if let context { context } else {
        try await call("browser.createUserContext", [:])["userContext"] as? String ?? ""
      }
    let created = try await call("browsingContext.create", ["type": "window", "userContext": profile])
    let tab = FirefoxTab(browser: self, tab: created["context"] as? String ?? "", context: profile)
    calls.listen(to: tab.tab) { if let problem = FirefoxTab.problem($1) { report(problem) } }
    let (width, height) = screen.size
    try await tab.resize(width: width, height: height)
    return tab
  }

  func forget(_ tab: String) { calls.listen(to: tab, nil) }
}
