import CustomersMigrations
import Testing

/// A small mistake in the SQL of the steps, such as a maintainer could make.
struct Mutant: Sendable, CustomTestStringConvertible {
  /// The number of the step, from 1.
  var step: Int
  /// A string that occurs once in the step.
  var text: String
  /// Its replacement.
  var replacement: String

  init(_ step: Int, _ text: String, _ replacement: String) {
    (self.step, self.text, self.replacement) = (step, text, replacement)
  }

  var testDescription: String {
    "\(step): \(text.replacing("\n", with: " ")) → \(replacement.replacing("\n", with: " "))"
  }

  /// The steps with the mistake; nil if the text is not there just once.
  var steps: [String]? {
    var steps = Migrations.steps
    guard steps[step - 1].ranges(of: text).count == 1 else { return nil }
    steps[step - 1].replace(text, with: replacement)
    return steps
  }
}
