/// A public call that takes a number, for a test that passes it any.
package struct NumberedCall<Subject: ~Copyable>: CustomStringConvertible {
  package let description: String
  private let body: (inout Subject, Int) throws -> Void

  package init(_ description: String, _ body: @escaping (inout Subject, Int) throws -> Void) {
    (self.description, self.body) = (description, body)
  }

  /// Makes the call; errors are answers, and a trap ends the test process.
  package func callAsFunction(_ subject: inout Subject, _ number: Int) {
    do { try body(&subject, number) } catch { _ = "\(error)" }
  }
}

/// The numbers for such calls: the extremes, those around each end of a short list, and the greatest of JSON.
package let anyNumber: [Int] = [
  .min, .min + 1, -(1 << 53), -2, -1, 0, 1, 2, 5, 6, 8, 9, 10, 1 << 53, .max - 1, .max,
]
