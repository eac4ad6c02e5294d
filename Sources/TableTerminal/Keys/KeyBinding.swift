/// Some keys, what they do, and what the help and the bottom line say about them.
struct KeyBinding {
  /// Where the help has them.
  enum Topic: String, CaseIterable {
    case moving = "Go to a row"
    case changing = "Change the list"
    case arranging = "Move rows"
    case marking = "Mark rows"
    case searching = "Search"
    case program = "Undo, help, quit"
    case form = "In the form"
    case text = "In a text"
    case waiting = "Answer a question"
    case trouble = "When the list can't be read"
  }

  /// Names of keys with blanks between, as `KeyPress(named:)` reads them.
  let keys: String
  /// What the first key does, the second one and so on, and then the first again.
  let commands: [KeyCommand]
  /// How the help writes the keys, if not by their names.
  let label: String
  /// What the help says.
  let meaning: String
  let topic: Topic
  /// Where the keys mean this.
  let modes: Set<KeyMode>
  /// What the bottom line says, and about how many of the keys.
  let bar: [KeyMode: Hint]
  /// Whether any other key does this too.
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

  /// What the bottom line says in a mode; nil if nothing.
  func hint(in mode: KeyMode) -> String? {
    guard let hint = bar[mode] else { return nil }
    let names = isFallback ? label : label.split(separator: " ").prefix(hint.keyCount).joined(separator: " ")
    return "\(names) \(hint.text)"
  }
}
