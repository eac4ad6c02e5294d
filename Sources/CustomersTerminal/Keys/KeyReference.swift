/// The keys of the table on the screen, for its help and its manual.
public enum KeyReference {
  /// Keys and their meaning.
  public struct Keys: Sendable {
    /// The keys, separated by spaces.
    public let keys: String
    /// Their effect, in a few words.
    public let meaning: String
  }

  /// A group of keys.
  public struct Topic: Sendable {
    public let title: String
    public let keys: [Keys]
  }

  /// All keys.
  public static let topics: [Topic] = KeyBinding.Topic.allCases.map { topic in
    let bindings = KeyBindings.all.filter { $0.topic == topic }
    return Topic(
      title: topic.rawValue, keys: bindings.map { Keys(keys: $0.label, meaning: $0.meaning) })
  }

  /// All keys as tables of Markdown.
  public static var markdown: String {
    topics.map { topic in
      let rows = topic.keys.map { keys in
        let names = keys.keys.split(separator: " ").map { "`\($0)`" }.joined(separator: " ")
        return "| \(names) | \(keys.meaning) |"
      }
      return (["### \(topic.title)", "", "| Keys | |", "|---|---|"] + rows).joined(separator: "\n")
    }.joined(separator: "\n\n") + "\n"
  }
}
