internal import CustomersTestSupport
internal import Foundation
internal import Synchronization

/// A tab of a browser, with nothing kept from other tabs unless they share its context.
package final class Tab: Sendable {
  private let driver: any Driver
  private let found: Found

  private final class Found: Sendable { let problems = Mutex<[String]>([]) }

  /// How the tab is shown.
  package enum Screen: Sendable {
    case desk, phone

    /// Its size in pixels.
    var size: (width: Int, height: Int) { self == .phone ? (390, 844) : (1100, 760) }
  }

  /// What a mouse or a finger does.
  package enum PointerEvent: Sendable {
    case down, up
    case move(isDown: Bool)
  }

  /// A button of the mouse.
  package enum Button: String, Sendable { case left, right }

  /// How many tabs of tests may be used at once: Firefox gives the focus to one window only.
  package static let limit = SharedBrowser.isFirefox ? 1 : 3

  /// Opens a tab.
  ///
  /// - Parameters:
  ///   - url: the page.
  ///   - screen: its size, and whether it is touched.
  ///   - context: the profile of another tab; nil for a new one.
  /// - Throws: `BrowserFailure`.
  package init(_ url: String, _ screen: Screen = .desk, in context: String? = nil) async throws {
    let found = Found()
    self.found = found
    driver = try await SharedBrowser.get().newTab(screen, in: context) { problem in
      found.problems.withLock { $0.append(problem) }
    }
    try await open(url)
  }

  /// The profile of the tab; tabs with the same one share what a browser keeps.
  package var context: String { driver.context }

  /// Goes to a page.
  package func open(_ url: String) async throws { try await driver.open(url) }

  /// Loads the page again, and waits until it is not the old one any more.
  package func reload() async throws {
    try await run("self.isOldPage = true")
    try await driver.reload()
    try await wait(until: "!self.isOldPage")
  }

  /// Closes the tab, and what its context has kept unless `keepingContext`.
  package func close(keepingContext: Bool = false) async throws {
    try await driver.close(keepingContext: keepingContext)
  }

  /// Gives the page another size, in pixels.
  package func resize(width: Int, height: Int) async throws {
    try await driver.resize(width: width, height: height)
  }

  // MARK: Looking

  /// The value of an expression of JavaScript; a promise is waited for.
  package func value<Value: Decodable>(_ script: String, as type: Value.Type = Value.self) async throws
    -> Value
  {
    let text = try await driver.text(
      of: "Promise.resolve(\(script)).then((value) => JSON.stringify([value ?? null]))")
    let values = try JSONDecoder().decode([Value].self, from: Data(text.utf8))
    guard let value = values.first else { throw BrowserFailure("\(script): nothing") }
    return value
  }

  /// Runs a script.
  package func run(_ script: String) async throws { _ = try await value("(\(script), 1)", as: Int.self) }

  /// Waits until an expression is true.
  ///
  /// - Throws: `BrowserFailure` after `longestWait`.
  package func wait(until script: String) async throws {
    let start = ContinuousClock.now
    // A page that reloads while it is asked gives no answer.
    while (try? await value("!!(\(script))", as: Bool.self)) != true {
      guard ContinuousClock.now - start < longestWait else {
        let news = try? await value("document.querySelector('footer p').textContent", as: String.self)
        throw BrowserFailure(
          "not within \(longestWait): \(script); the page says \(news ?? "?"); errors: \(problems)")
      }
      try await Task.sleep(for: .milliseconds(15))
    }
  }

  /// What the page reported to the console, uncaught errors, and violations of its policy.
  package var problems: [String] { found.problems.withLock(\.self) }

  // MARK: Doing

  /// Sends an event of the mouse.
  package func mouse(_ event: PointerEvent, _ point: Point) async throws {
    try await driver.mouse(event, point)
  }

  /// Clicks a point quickly.
  package func click(_ button: Button, times: Int, at point: Point) async throws {
    try await driver.mouse(.move(isDown: false), point)
    try await driver.click(button, times: times, point)
  }

  /// Sends an event of a finger.
  package func touch(_ event: PointerEvent, _ point: Point) async throws {
    try await driver.touch(event, point)
  }

  /// Touches a point shortly.
  package func tap(_ point: Point) async throws { try await driver.tap(point) }

  /// Presses or releases a key, such as `Control`.
  package func key(_ key: String, isDown: Bool) async throws { try await driver.key(key, isDown: isDown) }

  /// Types a string into what has the focus.
  package func type(_ text: String) async throws { try await driver.type(text) }

  // MARK: What only Chromium does

  /// Whether a page on a phone learns that fingers use it.
  package static var tellsOfFingers: Bool { !SharedBrowser.isFirefox }

  /// Whether `pdf` is there.
  package static var prints: Bool { !SharedBrowser.isFirefox }

  /// Sends a command of the DevTools protocol.
  ///
  /// - Throws: `BrowserFailure`, in another browser, too.
  @discardableResult
  func devTools(_ method: String, _ parameters: [String: any Sendable] = [:]) async throws -> [String: Any] {
    guard let tab = driver as? ChromiumTab else { throw BrowserFailure("\(method) needs Chromium") }
    return try await tab.call(method, parameters)
  }

  /// What keeps Chromium from installing the page.
  package func installationProblems() async throws -> [String] {
    let errors = try await devTools("Page.getInstallabilityErrors")["installabilityErrors"]
    return (errors as? [[String: Any]] ?? []).map { "\($0["errorId"] ?? "")" }
  }

  /// The page as it is printed, in the size of paper that its style names.
  package func pdf() async throws -> [UInt8] {
    let data = try await devTools("Page.printToPDF", ["preferCSSPageSize": true])["data"] as? String ?? ""
    return Array(Data(base64Encoded: data) ?? Data())
  }

  /// Runs a script in each page that is loaded from now on, before the page's own, in Chromium.
  package func runFirst(_ script: String) async throws {
    try await devTools("Page.addScriptToEvaluateOnNewDocument", ["source": script])
  }

  /// Delays what comes from the network, in Chromium.
  package func delayNetwork(milliseconds: Int) async throws {
    try await devTools(
      "Network.emulateNetworkConditions",
      ["offline": false, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1])
  }
}
