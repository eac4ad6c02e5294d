import Foundation
import Testing

/// Expects a text to be the one in a file of the samples.
///
/// With `CUSTOMERS_RECORD=1` it writes the file instead, and fails, so that nobody takes that for a test.
func expectSample(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let path = "\(samples)/\(name)"
  if ProcessInfo.processInfo.environment["CUSTOMERS_RECORD"] == "1" {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    Issue.record("\(name) is recorded; read the difference", sourceLocation: sourceLocation)
  } else {
    let expected = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text == expected, sourceLocation: sourceLocation)
  }
}
