/// A point of the screen, in pixels from its upper left corner.
package struct Point: Sendable {
  package var x: Double
  package var y: Double

  /// Creates a point.
  package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  /// A point beside this one.
  package func moved(_ x: Double = 0, _ y: Double = 0) -> Point { Point(x: self.x + x, y: self.y + y) }
}

/// What a person does with mouse, finger, and keys.
extension Tab {
  /// The middle of an element, as soon as there is one and nothing moves.
  package func spot(_ element: String) async throws -> Point {
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

  /// Clicks an element, with a key such as `Control` held down.
  package func click(_ element: String, holding key: String? = nil) async throws {
    let point = try await spot(element)
    try await mouse(.move(isDown: false), point)
    if let key { try await self.key(key, isDown: true) }
    try await mouse(.down, point)
    try await mouse(.up, point)
    if let key { try await self.key(key, isDown: false) }
  }

  /// Clicks an element twice.
  package func doubleClick(_ element: String) async throws {
    try await click(.left, times: 2, at: try await spot(element))
  }

  /// Clicks an element with the right button.
  package func rightClick(_ element: String) async throws {
    try await click(.right, times: 1, at: try await spot(element))
  }

  /// Presses the mouse on an element and moves it, in steps.
  ///
  /// - Returns: where the mouse is; it is still pressed.
  @discardableResult
  package func drag(_ element: String, by distance: Double, steps: Int = 8) async throws -> Point {
    let start = try await spot(element)
    try await mouse(.move(isDown: false), start)
    try await mouse(.down, start)
    for step in 1...steps {
      try await mouse(.move(isDown: true), start.moved(0, distance * Double(step) / Double(steps)))
    }
    return start.moved(0, distance)
  }

  /// Drags an element and drops it.
  package func drop(_ element: String, by distance: Double) async throws {
    try await mouse(.up, try await drag(element, by: distance))
  }

  // MARK: Finger

  /// Puts a finger on an element, waits until `isReady`, moves it, and takes it away unless it stays.
  @discardableResult
  package func swipe(
    _ element: String, x: Double = 0, y: Double = 0, steps: Int = 8, until isReady: String? = nil,
    stays: Bool = false
  ) async throws -> Point {
    let start = try await spot(element)
    try await touch(.down, start)
    if let isReady { try await wait(until: isReady) }
    for step in 1...steps {
      let part = Double(step) / Double(steps)
      try await touch(.move(isDown: true), start.moved(x * part, y * part))
    }
    let end = start.moved(x, y)
    if !stays { try await touch(.up, end) }
    return end
  }

  /// Touches an element.
  package func tap(_ element: String) async throws {
    try await tap(spot(element))
  }

  // MARK: Keys

  /// Presses keys such as `ArrowDown`, `Alt+ArrowDown`, `Space`, or `x`.
  package func keys(_ keys: String...) async throws {
    for name in keys {
      let parts = name.split(separator: "+").map { $0 == "Space" ? " " : String($0) }
      for part in parts { try await key(part, isDown: true) }
      for part in parts.reversed() { try await key(part, isDown: false) }
    }
  }
}
