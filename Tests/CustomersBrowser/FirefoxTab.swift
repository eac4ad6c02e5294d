internal import Foundation

/// A tab of Firefox.
final class FirefoxTab: Driver {
  let context: String
  /// Its "browsing context".
  let tab: String
  private let browser: Firefox

  init(browser: Firefox, tab: String, context: String) {
    (self.browser, self.tab, self.context) = (browser, tab, context)
  }

  func open(_ url: String) async throws {
    try await browser.call("browsingContext.navigate", ["context": tab, "url": url, "wait": "none"])
  }

  func reload() async throws {
    try await browser.call("browsingContext.reload", ["context": tab, "wait": "none"])
  }

  func close(keepingContext: Bool) async throws {
    browser.forget(tab)
    try await browser.call("browsingContext.close", ["context": tab])
    if !keepingContext { try await browser.call("browser.removeUserContext", ["userContext": context]) }
  }

  func text(of expression: String) async throws -> String {
    let answer = try await browser.call(
      "script.evaluate", ["expression": expression, "target": ["context": tab], "awaitPromise": true])
    if let error = answer["exceptionDetails"] as? [String: Any] {
      throw BrowserFailure("\(expression): \(error["text"] ?? "")")
    }
    return (answer["result"] as? [String: Any])?["value"] as? String ?? ""
  }

  func resize(width: Int, height: Int) async throws {
    try await browser.call(
      "browsingContext.setViewport",
      ["context": tab, "viewport": ["width": width, "height": height], "devicePixelRatio": 1])
  }

  func mouse(_ event: Tab.PointerEvent, _ point: Point) async throws {
    try await pointer("mouse", [event], point)
  }

  func click(_ button: Tab.Button, times: Int, _ point: Point) async throws {
    let click = ["pointerDown", "pointerUp"].map { type -> [String: any Sendable] in
      ["type": type, "button": button == .left ? 0 : 2]
    }
    let move: [String: any Sendable] = ["type": "pointerMove", "x": point.x, "y": point.y]
    try await perform(
      [
        "type": "pointer", "id": "mouse", "parameters": ["pointerType": "mouse"],
        "actions": [move] + (1...times).flatMap { _ in click },
      ])
  }

  func touch(_ event: Tab.PointerEvent, _ point: Point) async throws {
    try await pointer("touch", [event], point)
  }

  func tap(_ point: Point) async throws {
    // In one call: on a busy machine an answer takes longer than a finger may stay until it is a long press.
    try await pointer("touch", [.down, .up], point)
  }

  private func pointer(_ type: String, _ events: [Tab.PointerEvent], _ point: Point) async throws {
    let move: [String: any Sendable] = ["type": "pointerMove", "x": point.x, "y": point.y]
    let actions = events.flatMap { event -> [[String: any Sendable]] in
      switch event {
      case .down: [move, ["type": "pointerDown", "button": 0]]
      case .move: [move]
      case .up: [["type": "pointerUp", "button": 0]]
      }
    }
    try await perform(
      ["type": "pointer", "id": type, "parameters": ["pointerType": type], "actions": actions])
  }

  private static let codes = [
    "ArrowDown": "\u{e015}", "F2": "\u{e032}", "F10": "\u{e03a}", "ArrowUp": "\u{e013}", "Home": "\u{e011}",
    "End": "\u{e010}",
    "Enter": "\u{e006}",
    "Escape": "\u{e00c}", "Backspace": "\u{e003}", "Delete": "\u{e017}", "PageDown": "\u{e00f}",
    "PageUp": "\u{e00e}", "Tab": "\u{e004}", "Alt": "\u{e00a}", "Control": "\u{e009}", "Shift": "\u{e008}",
  ]

  func key(_ key: String, isDown: Bool) async throws { try await perform(Self.keys([(key, isDown)])) }

  func type(_ text: String) async throws {
    try await perform(Self.keys(text.flatMap { [(String($0), true), (String($0), false)] }))
  }

  private static func keys(_ keys: [(key: String, isDown: Bool)]) -> [String: any Sendable] {
    let actions: [[String: any Sendable]] = keys.map { key, isDown in
      ["type": isDown ? "keyDown" : "keyUp", "value": codes[key] ?? key]
    }
    return ["type": "key", "id": "keys", "actions": actions]
  }

  private func perform(_ source: [String: any Sendable]) async throws {
    try await browser.call("input.performActions", ["context": tab, "actions": [source]])
  }

  /// What an entry of the log reports as a problem: an error, a message on the console, a violation of the policy.
  static func problem(_ data: Data) -> String? {
    guard let entry = try? Calls.object(data)["params"] as? [String: Any] else { return nil }
    return "\(entry["level"] ?? ""): \(entry["text"] ?? "")"
  }
}
