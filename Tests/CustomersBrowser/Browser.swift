internal import Foundation

/// Why a browser could not be started or asked.
package struct BrowserFailure: Error, CustomStringConvertible {
  /// The reason.
  package var description: String

  /// Creates the error.
  package init(_ description: String) { self.description = description }
}

/// A browser without a window; one process serves all tests.
protocol Browser: Sendable {
  /// Opens an empty tab.
  ///
  /// - Parameters:
  ///   - screen: its size, and whether it is touched.
  ///   - context: the profile of another tab; nil for a new one.
  ///   - report: takes what the page reports as a problem.
  /// - Returns: what drives the tab.
  /// - Throws: `BrowserFailure`.
  func newTab(
    _ screen: Tab.Screen, in context: String?, report: @escaping @Sendable (String) -> Void
  ) async throws -> any Driver
}

/// What drives one tab, in the language of its browser.
protocol Driver: Sendable {
  /// The profile of the tab.
  var context: String { get }

  func open(_ url: String) async throws
  func reload() async throws
  /// Closes the tab, and what its context has kept unless `keepingContext`.
  func close(keepingContext: Bool) async throws
  /// The value of an expression of JavaScript that gives a string, or a promise of one.
  func text(of expression: String) async throws -> String
  func resize(width: Int, height: Int) async throws
  func mouse(_ event: Tab.PointerEvent, _ point: Point) async throws
  /// Clicks quickly, so that two times are a double click.
  func click(_ button: Tab.Button, times: Int, _ point: Point) async throws
  func touch(_ event: Tab.PointerEvent, _ point: Point) async throws
  func tap(_ point: Point) async throws
  /// Presses or releases a key; a string of one character is the key that types it.
  func key(_ key: String, isDown: Bool) async throws
  func type(_ text: String) async throws
}

/// The browser of all tests: Chromium, or Firefox if `CUSTOMERS_BROWSER` is `firefox`.
package enum SharedBrowser {
  /// Whether there must be one, which holds everywhere but on Ubuntu: the only browsers of its archive are snaps, whose
  /// confinement keeps a test from their files and pipes.
  package static let isExpected =
    isFirefox || Chromium.best != nil
    || (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8))?.contains("\nID=ubuntu\n") != true

  static let isFirefox = ProcessInfo.processInfo.environment["CUSTOMERS_BROWSER"] == "firefox"
  private static let started = Task<any Browser, any Error> {
    if isFirefox { try await Firefox() } else { try Chromium() }
  }

  static func get() async throws -> any Browser { try await started.value }
}
