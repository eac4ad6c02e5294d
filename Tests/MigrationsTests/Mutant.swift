import Migrations
import Testing

/// A small mistake in the SQL of the steps, as somebody who changes them could make it.
struct Mutant: Sendable, CustomTestStringConvertible {
  /// The number of the step, from 1.
  var step: Int
  /// A text that the step has once.
  var text: String
  /// What is there instead.
  var replacement: String

  init(_ step: Int, _ text: String, _ replacement: String) {
    (self.step, self.text, self.replacement) = (step, text, replacement)
  }

  var testDescription: String {
    "000\(step): \(text.replacing("\n", with: " ")) → \(replacement.replacing("\n", with: " "))"
  }

  /// The steps with the mistake; nil if the text is not there just once.
  var steps: [String]? {
    var steps = Migrations.steps
    guard steps[step - 1].ranges(of: text).count == 1 else { return nil }
    steps[step - 1].replace(text, with: replacement)
    return steps
  }
}
