import Foundation
import Testing

extension Desk {
  /// A desk with rows A B C D in the first section and X Y in a second one, `More`; ids 1…6.
  static func withLetters() throws -> Desk {
    let desk = try Desk()
    let made = try desk.shell(
      """
      for name in A B C D; do customers add -q "$name"; done && customers section add -q More &&
        for name in X Y; do customers add -q "$name" --section More; done
      """)
    #expect(made == .done())
    return desk
  }

  func run(words: [String], stdin: String? = nil, environment: [String: String] = [:]) throws -> Outcome {
    var started = try start([Desk.program] + words, stdin: stdin)
    started.spawn.environment.merge(environment) { $1 }
    return try started.outcome()
  }
}

/// The objects of a JSON array.
func jsonArray(_ text: String) throws -> [[String: Any]] {
  try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
}

/// The members of a JSON object.
func jsonObject(_ text: String) throws -> [String: Any] {
  try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}
