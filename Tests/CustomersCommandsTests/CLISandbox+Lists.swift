import Foundation
import Testing

extension CLISandbox {
  /// A sandbox with rows A B C D in the first section and X Y in a second one, `More`; ids 1…6.
  static func withLetters() throws -> CLISandbox { try CLISandbox(list: letters.get()) }

  /// A sandbox with the sample list of `customers demo`.
  static func withDemo() throws -> CLISandbox { try CLISandbox(list: demo.get()) }

  /// A sandbox with letters, and a move that was undone.
  static func withUndoneMove() throws -> CLISandbox { try CLISandbox(list: undone.get()) }

  /// A sandbox with four people, ids 1…4, who have the extra columns `Club` and `Locker Code`.
  static func withPeople() throws -> CLISandbox { try CLISandbox(list: people.get()) }

  /// A sandbox with the sample of an older format.
  static func withOlder(_ format: String) throws -> CLISandbox {
    try CLISandbox(
      list: Data(
        contentsOf: URL(filePath: "\(samples)/../../CustomerStoreTests/Samples/format-\(format).sqlite")))
  }

  /// The ids of the rows that a command shows, as `@1 @2`.
  func ids(_ words: String...) throws -> String {
    let result = try run(words: words + ["--format", "ids"])
    #expect(result.code == 0, "\(words): \(result)")
    return result.output.split(separator: "\n").joined(separator: " ")
  }

  // Made by the program once; each sandbox gets a copy of its file.
  private static let letters = made(by: adding)
  private static let undone = made(by: adding + " && customers move 4 1 -q && customers undo -q")
  private static let demo = made(by: "customers demo -q")

  private static let adding = """
    for name in A B C D; do customers add -q "$name"; done && customers section add -q More &&
      for name in X Y; do customers add -q "$name" --section More; done
    """

  private static let people = file(
    importing: """
      name,email,Club,Locker Code
      Ann Lee,ann@x.example,Berlin,10115
      Palle Ibsen,,Köln,50667
      Zoë Müller,zoe@x.example,berlin,
      Dan Ray,,,09

      """)

  /// The file of a list that is made by an import, for sandboxes to begin with.
  static func file(importing table: String) -> Result<Data, any Error> {
    Result {
      let sandbox = try CLISandbox()
      try #require(try sandbox.run("import", "-", "-q", stdin: table) == .done())
      return try #require(sandbox.bytes)
    }
  }

  private static func made(by script: String) -> Result<Data, any Error> {
    Result {
      let sandbox = try CLISandbox()
      try #require(try sandbox.shell(script) == .done())
      return try #require(sandbox.bytes)
    }
  }

  /// A sandbox with a list.
  convenience init(list: Data) throws {
    try self.init()
    try put(list)
  }

  /// Makes `list` the customers file, as the program would: its owner's alone.
  func put(_ list: Data) throws {
    try list.write(to: URL(filePath: file))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
  }
}

/// Words as a line of a script has them.
func scriptLine(_ words: [String]) -> String {
  words.map { word in
    let escaped = word.replacing("\\", with: "\\\\").replacing("'", with: "\\'").replacing("\n", with: "\\n")
    return "$'\(escaped)'"
  }.joined(separator: " ") + "\n"
}

/// The objects of a JSON array.
func jsonArray(_ text: String) throws -> [[String: Any]] {
  try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
}

/// The members of a JSON object.
func jsonObject(_ text: String) throws -> [String: Any] {
  try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}
