internal import Foundation
internal import Synchronization

/// A tab of Chromium.
final class ChromiumTab: Driver {
  let context: String
  private let browser: Chromium
  private let session: String
  private let target: String
  private let isPhone = Atomic(false)
  /// The modifiers that are pressed, as bits.
  private let modifiers = Atomic(0)

  init(browser: Chromium, session: String, target: String, context: String) {
    (self.browser, self.session, self.target, self.context) = (browser, session, target, context)
  }

  func prepare(_ screen: Tab.Screen) async throws {
    for domain in ["Runtime", "Log", "Page", "Network"] { try await call("\(domain).enable") }
    try await call("Emulation.setFocusEmulationEnabled", ["enabled": true])
    isPhone.store(screen == .phone, ordering: .relaxed)
    let (width, height) = screen.size
    try await resize(width: width, height: height)
    if screen == .phone { try await call("Emulation.setTouchEmulationEnabled", ["enabled": true]) }
  }

  /// Sends a command of the DevTools protocol.
  @discardableResult
  func call(_ method: String, _ parameters: [String: any Sendable] = [:]) async throws -> [String: Any] {
    try await browser.call(method, parameters, of: session)
  }

  func open(_ url: String) async throws { try await call("Page.navigate", ["url": url]) }

  func reload() async throws { try await call("Page.reload") }

  func close(keepingContext: Bool) async throws {
    try await browser.call("Target.closeTarget", ["targetId": target])
    browser.forget(session)
    if !keepingContext {
      try await browser.call("Target.disposeBrowserContext", ["browserContextId": context])
    }
  }

  func text(of expression: String) async throws -> String {
    let result = try await call(
      "Runtime.evaluate", ["expression": expression, "awaitPromise": true, "returnByValue": true])
    if let error = result["exceptionDetails"] { throw BrowserFailure("\(expression): \(error)") }
    return (result["result"] as? [String: Any])?["value"] as? String ?? ""
  }

  func resize(width: Int, height: Int) async throws {
    try await call(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": width, "height": height, "deviceScaleFactor": 1,
        "mobile": isPhone.load(ordering: .relaxed),
      ])
  }

  func mouse(_ event: Tab.PointerEvent, _ point: Point) async throws {
    let (type, isDown) =
      switch event {
      case .down: ("mousePressed", true)
      case .move(let isDown): ("mouseMoved", isDown)
      case .up: ("mouseReleased", false)
      }
    var event: [String: any Sendable] = [
      "type": type, "x": point.x, "y": point.y, "modifiers": modifiers.load(ordering: .relaxed),
      "buttons": isDown ? 1 : 0,
    ]
    if type != "mouseMoved" || isDown { (event["button"], event["clickCount"]) = ("left", 1) }
    try await call("Input.dispatchMouseEvent", event)
  }

  func click(_ button: Tab.Button, times: Int, _ point: Point) async throws {
    for count in 1...times {
      for (type, buttons) in [("mousePressed", button == .left ? 1 : 2), ("mouseReleased", 0)] {
        try await call(
          "Input.dispatchMouseEvent",
          [
            "type": type, "x": point.x, "y": point.y, "button": button.rawValue, "buttons": buttons,
            "clickCount": count,
          ])
      }
    }
  }

  func touch(_ event: Tab.PointerEvent, _ point: Point) async throws {
    let type =
      switch event {
      case .down: "touchStart"
      case .move: "touchMove"
      case .up: "touchEnd"
      }
    let points = if case .up = event { [[String: Double]]() } else { [["x": point.x, "y": point.y]] }
    try await call("Input.dispatchTouchEvent", ["type": type, "touchPoints": points])
  }

  func tap(_ point: Point) async throws {
    // On a busy machine an answer takes longer than a finger may stay until it is a long press.
    let down = Task.immediate { try await touch(.down, point) }
    try await touch(.up, point)
    try await down.value
  }

  private static let codes = [
    "ArrowDown": 40, "ArrowUp": 38, "Home": 36, "End": 35, "Enter": 13, "Escape": 27, "Delete": 46, " ": 32,
    "PageDown": 34, "PageUp": 33, "Tab": 9, "Backspace": 8,
  ]

  func key(_ key: String, isDown: Bool) async throws {
    if let bit = ["Alt": 1, "Control": 2, "Shift": 8][key] {
      let old = modifiers.load(ordering: .relaxed)
      return modifiers.store(isDown ? old | bit : old & ~bit, ordering: .relaxed)
    }
    let pressed = modifiers.load(ordering: .relaxed)
    var event: [String: any Sendable] = [
      "key": key, "modifiers": pressed,
      "windowsVirtualKeyCode": Self.codes[key] ?? key.uppercased().utf8.first.map(Int.init) ?? 0,
    ]
    let text = key == "Enter" ? "\r" : key.count == 1 && pressed == 0 ? key : nil
    event["type"] = isDown ? text == nil ? "rawKeyDown" : "keyDown" : "keyUp"
    if isDown { event["text"] = text }
    try await call("Input.dispatchKeyEvent", event)
  }

  func type(_ text: String) async throws { try await call("Input.insertText", ["text": text]) }

  /// What an event reports as a problem: an error, a message on the console, a violation of the page's policy.
  static func problem(_ method: String, _ data: Data) -> String? {
    guard let parameters = try? Calls.object(data)["params"] as? [String: Any] else { return nil }
    switch method {
    case "Runtime.exceptionThrown": return "\(parameters["exceptionDetails"] ?? "")"
    case "Runtime.consoleAPICalled": return "console: \(parameters["args"] ?? "")"
    case "Log.entryAdded":
      // An answer such as 409 is an answer; the browser logs it all the same, and so it does lost connections.
      guard let entry = parameters["entry"] as? [String: Any], entry["source"] as? String != "network" else {
        return nil
      }
      return "\(entry["text"] ?? "")"
    default: return nil
    }
  }
}
