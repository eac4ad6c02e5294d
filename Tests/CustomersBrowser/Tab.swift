internal import Foundation
internal import Synchronization

/// A tab of a browser, with nothing kept from other tabs unless they share its context.
public final class Tab: Sendable {
  private let browser: Chromium
  private let session: String
  private let target: String
  /// The profile of the tab; tabs with the same one share what a browser keeps.
  public let context: String
  private let found = Mutex<[String]>([])

  /// How the tab is shown.
  public enum Screen: Sendable {
    case desk, phone
  }

  /// Opens a tab.
  ///
  /// - Parameters:
  ///   - url: the page.
  ///   - screen: its size, and whether it is touched.
  ///   - context: the profile of another tab; nil for a new one.
  /// - Throws: `Chromium.Failure`.
  public init(_ url: String, _ screen: Screen = .desk, in context: String? = nil) async throws {
    browser = try Chromium.shared.get()
    func text(_ result: [String: Any], _ name: String) -> String { result[name] as? String ?? "" }
    if let context {
      self.context = context
    } else {
      self.context = text(try await browser.call("Target.createBrowserContext"), "browserContextId")
    }
    target = text(
      try await browser.call(
        "Target.createTarget",
        ["url": "about:blank", "browserContextId": self.context, "newWindow": true]), "targetId")
    session = text(
      try await browser.call("Target.attachToTarget", ["targetId": target, "flatten": true]), "sessionId")
    browser.listen(to: session) { [weak self] method, data in self?.note(method, data) }
    for domain in ["Runtime", "Log", "Page", "Network"] { try await call("\(domain).enable") }
    try await call("Emulation.setFocusEmulationEnabled", ["enabled": true])
    let isPhone = screen == .phone
    try await call(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": isPhone ? 390 : 1100, "height": isPhone ? 844 : 760, "deviceScaleFactor": 1,
        "mobile": isPhone,
      ])
    if isPhone { try await call("Emulation.setTouchEmulationEnabled", ["enabled": true]) }
    try await open(url)
  }

  /// Sends a command of the DevTools protocol.
  @discardableResult
  public func call(_ method: String, _ parameters: [String: any Sendable] = [:]) async throws -> [String: Any]
  {
    try await browser.call(method, parameters, of: session)
  }

  /// Goes to a page.
  public func open(_ url: String) async throws { try await call("Page.navigate", ["url": url]) }

  /// Closes the tab, and what its context has kept unless `keepingContext`.
  public func close(keepingContext: Bool = false) async throws {
    try await browser.call("Target.closeTarget", ["targetId": target])
    browser.listen(to: session, nil)
    if !keepingContext {
      try await browser.call("Target.disposeBrowserContext", ["browserContextId": context])
    }
  }

  // MARK: Looking

  /// The value of an expression of JavaScript; a promise is waited for.
  public func value<Value: Decodable>(_ script: String, as type: Value.Type = Value.self) async throws
    -> Value
  {
    let result = try await call(
      "Runtime.evaluate",
      [
        "expression": "Promise.resolve(\(script)).then((value) => JSON.stringify([value ?? null]))",
        "awaitPromise": true, "returnByValue": true,
      ])
    if let error = result["exceptionDetails"] { throw Chromium.Failure(description: "\(script): \(error)") }
    let text = (result["result"] as? [String: Any])?["value"] as? String ?? ""
    let values = try JSONDecoder().decode([Value].self, from: Data(text.utf8))
    guard let value = values.first else { throw Chromium.Failure(description: "\(script): nothing") }
    return value
  }

  /// Runs a script.
  public func run(_ script: String) async throws { _ = try await value("(\(script), 1)", as: Int.self) }

  /// Waits until an expression is true.
  ///
  /// - Throws: `Chromium.Failure` after twenty minutes; a server in the same process shares its threads with all tests.
  public func wait(until script: String) async throws {
    let start = ContinuousClock.now
    // A page that reloads while it is asked gives no answer.
    while (try? await value("!!(\(script))", as: Bool.self)) != true {
      guard ContinuousClock.now - start < .seconds(1200) else {
        let news = try? await value("document.querySelector('footer p').textContent", as: String.self)
        throw Chromium.Failure(
          description:
            "not within twenty minutes: \(script); the page says \(news ?? "?"); errors: \(problems)")
      }
      try await Task.sleep(for: .milliseconds(15))
    }
  }

  /// What the page reported to the console, uncaught errors, and violations of its policy.
  public var problems: [String] { found.withLock(\.self) }

  private func note(_ method: String, _ data: Data) {
    guard let parameters = try? Chromium.object(data)["params"] as? [String: Any] else { return }
    switch method {
    case "Runtime.exceptionThrown": add("\(parameters["exceptionDetails"] ?? "")")
    case "Runtime.consoleAPICalled": add("console: \(parameters["args"] ?? "")")
    case "Log.entryAdded":
      // An answer such as 409 is an answer; the browser logs it all the same, and so it does lost connections.
      guard let entry = parameters["entry"] as? [String: Any], entry["source"] as? String != "network" else {
        return
      }
      add("\(entry["text"] ?? "")")
    default: break
    }
  }

  private func add(_ problem: String) { found.withLock { $0.append(problem) } }
}
