/// A point of the screen, in pixels from its upper left corner.
public struct Point: Sendable {
  public var x: Double
  public var y: Double

  /// Creates a point.
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  /// A point beside this one.
  public func moved(_ x: Double = 0, _ y: Double = 0) -> Point { Point(x: self.x + x, y: self.y + y) }
}

/// What a person does with mouse, finger and keys.
extension Tab {
  /// The middle of an element, as soon as there is one and nothing moves.
  public func spot(_ element: String) async throws -> Point {
    try await wait(
      until: """
        (\(element))?.getClientRects().length && document.getAnimations().every((animation) =>
          animation.playState !== 'running' || animation.animationName === 'flash')
        """)
    let place = try await value(
      "(() => { const r = (\(element)).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()",
      as: [Double].self)
    return Point(x: place[0], y: place[1])
  }

  // MARK: Mouse

  /// Sends an event of the mouse.
  public func mouse(_ type: String, _ point: Point, isDown: Bool = true, modifiers: Int = 0) async throws {
    try await call(
      "Input.dispatchMouseEvent",
      [
        "type": type, "x": point.x, "y": point.y, "button": "left", "buttons": isDown ? 1 : 0,
        "clickCount": 1,
        "modifiers": modifiers,
      ])
  }

  /// Clicks an element.
  public func click(_ element: String, modifiers: Int = 0) async throws {
    let point = try await spot(element)
    try await call("Input.dispatchMouseEvent", ["type": "mouseMoved", "x": point.x, "y": point.y])
    try await mouse("mousePressed", point, modifiers: modifiers)
    try await mouse("mouseReleased", point, isDown: false, modifiers: modifiers)
  }

  /// Presses the mouse on an element and moves it, in steps.
  ///
  /// - Returns: where the mouse is; it is still pressed.
  @discardableResult
  public func drag(_ element: String, by distance: Double, steps: Int = 8) async throws -> Point {
    let start = try await spot(element)
    try await call("Input.dispatchMouseEvent", ["type": "mouseMoved", "x": start.x, "y": start.y])
    try await mouse("mousePressed", start)
    for step in 1...steps {
      try await mouse("mouseMoved", start.moved(0, distance * Double(step) / Double(steps)))
    }
    return start.moved(0, distance)
  }

  /// Drags an element and drops it.
  public func drop(_ element: String, by distance: Double) async throws {
    try await mouse("mouseReleased", try await drag(element, by: distance), isDown: false)
  }

  // MARK: Finger

  /// Sends an event of a finger; without a point, it has left the screen.
  public func touch(_ type: String, _ point: Point? = nil) async throws {
    let points: [[String: Double]] = point.map { [["x": $0.x, "y": $0.y]] } ?? []
    try await call("Input.dispatchTouchEvent", ["type": type, "touchPoints": points])
  }

  /// Puts a finger on an element, waits until `isReady`, moves it, and takes it away unless it stays.
  @discardableResult
  public func swipe(
    _ element: String, x: Double = 0, y: Double = 0, steps: Int = 8, until isReady: String? = nil,
    stays: Bool = false
  ) async throws -> Point {
    let start = try await spot(element)
    try await touch("touchStart", start)
    if let isReady { try await wait(until: isReady) }
    for step in 1...steps {
      let part = Double(step) / Double(steps)
      try await touch("touchMove", start.moved(x * part, y * part))
    }
    if !stays { try await touch("touchEnd") }
    return start.moved(x, y)
  }

  /// Touches an element.
  public func tap(_ element: String) async throws {
    try await touch("touchStart", try await spot(element))
    try await touch("touchEnd")
  }

  // MARK: Keys

  /// Presses keys such as `ArrowDown`, `Alt+ArrowDown` or `x`.
  public func keys(_ keys: String...) async throws {
    let codes = [
      "ArrowDown": 40, "ArrowUp": 38, "Home": 36, "End": 35, "Enter": 13, "Escape": 27, "Delete": 46,
      "Space": 32,
      "PageDown": 34, "PageUp": 33, "Tab": 9,
    ]
    for key in keys {
      var parts = key.split(separator: "+").map(String.init)
      let name = parts.removeLast()
      let modifiers = parts.reduce(0) { $0 | (["Alt": 1, "Control": 2, "Shift": 8][$1] ?? 0) }
      let code = codes[name] ?? name.uppercased().utf8.first.map(Int.init) ?? 0
      let value = name == "Space" ? " " : name
      var event: [String: any Sendable] = [
        "key": value, "modifiers": modifiers, "windowsVirtualKeyCode": code,
      ]
      let text = name == "Enter" ? "\r" : value.count == 1 && modifiers == 0 ? value : nil
      event["type"] = text == nil ? "rawKeyDown" : "keyDown"
      event["text"] = text
      try await call("Input.dispatchKeyEvent", event)
      event["type"] = "keyUp"
      event["text"] = nil
      try await call("Input.dispatchKeyEvent", event)
    }
  }

  /// Types a text into what has the focus.
  public func type(_ text: String) async throws { try await call("Input.insertText", ["text": text]) }
}
