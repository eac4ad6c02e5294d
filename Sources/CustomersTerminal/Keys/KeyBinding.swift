/// Some keys, their commands, and their strings in the help and the bottom line.
struct KeyBinding {
  /// Their group in the help.
  enum Topic: String, CaseIterable {
    case moving = "Go to a row"
    case changing = "Change the list"
    case arranging = "Move rows"
    case marking = "Mark rows"
    case searching = "Search"
    case viewing = "Columns and order of the view"
    case program = "Undo, help, quit"
    case form = "In the form"
    case text = "While typing"
    case waiting = "Answer a question"
    case trouble = "When the list can't be read"
  }

  /// The names of the keys, separated by spaces, for `KeyPress(named:)`.
  let keys: String
  /// The commands of the first key, the second key, and so on, repeating from the first.
  let commands: [KeyCommand]
  /// The keys as shown in the help, if not by name.
  let label: String
  /// The text in the help.
  let meaning: String
  let topic: Topic
  /// The modes in which they apply.
  let modes: Set<KeyMode>
  /// The text in the bottom line and the number of keys it covers.
  let bar: [KeyMode: Hint]
  /// Whether any other key does this, too.
  let isFallback: Bool

  struct Hint: ExpressibleByStringLiteral {
    var text: String
    var keyCount: Int

    init(_ text: String, keys: Int = 1) { (self.text, keyCount) = (text, keys) }
    init(stringLiteral text: String) { self.init(text) }
  }

  init(
    _ keys: String, _ commands: KeyCommand..., meaning: String, topic: Topic, modes: Set<KeyMode>,
    bar: [KeyMode: Hint] = [:], label: String? = nil, isFallback: Bool = false
  ) {
    (self.keys, self.commands, self.meaning, self.topic) = (keys, commands, meaning, topic)
    (self.modes, self.bar, self.isFallback) = (modes, bar, isFallback)
    self.label = label ?? keys
  }

  /// The keys and what each does.
  var pairs: [(KeyPress, KeyCommand)] {
    zip(keys.split(separator: " ").compactMap { KeyPress(named: String($0)) }, 0...).map { key, index in
      (key, commands[index % commands.count])
    }
  }

  /// The text in the bottom line in a mode; nil for none.
  func hint(in mode: KeyMode) -> String? {
    guard let hint = bar[mode] else { return nil }
    let names = isFallback ? label : label.split(separator: " ").prefix(hint.keyCount).joined(separator: " ")
    return "\(names) \(hint.text)"
  }
}
