import Testing
import CustomersTestSupport

/// Expects a string to be the one in a file of the samples.
///
/// With `CUSTOMERS_RECORD=1` it writes the file instead, and fails, so that recording never passes as a test.
func expectSample(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
  if let expected = try sample(at: "\(samples)/\(name)", recording: text) {
    #expect(text == expected, sourceLocation: sourceLocation)
  } else {
    Issue.record("\(name) is recorded; read the difference", sourceLocation: sourceLocation)
  }
}
