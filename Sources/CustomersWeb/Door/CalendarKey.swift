package import CustomersSystem

/// The key of a list's calendar address, which opens the calendar and nothing else.
///
/// Only its digest is kept, in a file beside that of the page's key, so that whoever reads the file can't read the calendar.
/// A server looks at the file for each request: an address that was replaced ends at once.
package struct CalendarKey: Sendable {
  private let file: StateFile

  /// - Parameter page: the file of the page's address.
  package init(of page: WebAddress.File) { file = StateFile(page.path + "-calendar") }

  /// Whether there is a key.
  package var exists: Bool { digest != nil }

  /// Makes a key, of 128 random bits as 32 hexadecimal digits, which takes the place of the one before.
  ///
  /// - Returns: the path of the calendar.
  /// - Throws: `FileError`.
  package func replace() throws(FileError) -> String {
    let key = WebAddress().token
    try file.write(Array((SHA256.hexadecimal(of: key) + "\n").utf8))
    return CalendarKey.start + key + CalendarKey.end
  }

  /// Whether a path has the key.
  func opens(_ path: Substring) -> Bool {
    guard CalendarKey.isPath(path), let digest else { return false }
    let key = path.dropFirst(CalendarKey.start.count).dropLast(CalendarKey.end.count)
    return PageGuard.areSame(SHA256.hexadecimal(of: String(key)), digest)
  }

  /// Whether a path is that of a calendar, whatever its key is.
  static func isPath(_ path: Substring) -> Bool {
    path.hasPrefix(start) && path.hasSuffix(end) && path.utf8.count == start.utf8.count + 32 + end.utf8.count
  }

  /// The path of any calendar, for a log.
  static let name = "/calendar/KEY.ics"
  private static let (start, end) = ("/calendar/", ".ics")

  private var digest: String? {
    file.read().map { String(decoding: $0.prefix { $0 != 0x0a }, as: UTF8.self) }
  }
}
