/// Keys by name, as in the help: `j`, `Ctrl-R`, `Shift-↓`, `PgDn`, `F1`.
extension KeyPress {
  private static let names: [(Key, String)] = [
    (.enter, "Enter"), (.tab, "Tab"), (.backspace, "Backspace"), (.escape, "Esc"), (.up, "↑"), (.down, "↓"),
    (.left, "←"), (.right, "→"), (.home, "Home"), (.end, "End"), (.pageUp, "PgUp"), (.pageDown, "PgDn"),
    (.insert, "Insert"), (.delete, "Delete"), (.character(" "), "Space"),
  ]
  private static let held: [(KeyModifiers, String)] = [
    (.control, "Ctrl-"), (.alt, "Alt-"), (.shift, "Shift-"),
  ]

  /// The key with a name; nil for a name that no key has.
  init?(named name: String) {
    var (rest, modifiers) = (name[...], KeyModifiers())
    for (modifier, prefix) in Self.held where rest.hasPrefix(prefix) {
      rest = rest.dropFirst(prefix.count)
      modifiers.insert(modifier)
    }
    if let key = Self.names.first(where: { $0.1 == rest })?.0 {
      self.init(key, modifiers)
    } else if rest.first == "F", let number = Int(rest.dropFirst()) {
      self.init(.function(number), modifiers)
    } else if let scalar = rest.unicodeScalars.first, rest.unicodeScalars.count == 1 {
      let letter = modifiers == .control ? Character(scalar).lowercased().unicodeScalars.first : scalar
      self.init(.character(letter ?? scalar), modifiers)
    } else {
      return nil
    }
  }

  /// The same key, however a terminal sends it: a letter with Shift is uppercase.
  var normalized: KeyPress {
    guard case .character(let scalar) = key, modifiers == .shift else { return self }
    let capital = Character(scalar).uppercased().unicodeScalars
    return KeyPress(.character(capital.count == 1 ? capital.first ?? scalar : scalar))
  }

  /// The character that the key types; nil for a key without one.
  var typed: String? {
    guard case .character(let scalar) = key, modifiers.subtracting(.shift).isEmpty else { return nil }
    return String(Character(scalar))
  }
}
