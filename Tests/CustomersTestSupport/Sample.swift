internal import Foundation

/// Reads the expected text from a sample file; with `CUSTOMERS_RECORD=1`, writes `text` to the file instead.
///
/// - Returns: the text in the file; nil if it was just written, so that the caller can fail the test.
package func sample(at path: String, recording text: String) throws -> String? {
  guard ProcessInfo.processInfo.environment["CUSTOMERS_RECORD"] == "1" else {
    return try String(contentsOfFile: path, encoding: .utf8)
  }
  try text.write(toFile: path, atomically: true, encoding: .utf8)
  return nil
}
