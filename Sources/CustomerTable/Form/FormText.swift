/// A line of text that a user types, with a cursor in it.
public struct FormText: Hashable, Sendable {
  /// The effect of a key on the text.
  public enum Edit: Hashable, Sendable {
    /// Types or pastes a string; line breaks in it become spaces.
    case insert(String)
    /// Deletes the character before, or after, the cursor.
    case deleteBackward, deleteForward
    /// Deletes the text before the cursor, after it, or the word before it.
    case deleteToStart, deleteToEnd, deleteWord
    /// Moves the cursor.
    case left, right, start, end
    /// Moves the cursor to just before a character, from 0.
    case cursor(Int)
    /// Replaces the whole text.
    case replace(String)
  }

  /// The characters.
  public private(set) var characters: [Character] = []
  /// The number of characters before the cursor.
  public private(set) var cursor = 0

  /// A field with a string and the cursor at its end.
  public init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  /// The text.
  public var text: String { String(characters) }

  /// Makes an edit; an impossible one has no effect.
  public mutating func perform(_ edit: Edit) {
    switch edit {
    case .insert(let new):
      // Typed combining marks may join the character before them, so the text is split again.
      let start = String(characters[..<cursor]) + new.map { $0.isNewline ? " " : String($0) }.joined()
      let end = characters[cursor...]
      characters = Array(start + String(end))
      cursor = min(Array(start).count, characters.count)
    case .deleteBackward: remove(cursor - 1..<cursor)
    case .deleteForward: remove(cursor..<cursor + 1)
    case .deleteToStart: remove(0..<cursor)
    case .deleteToEnd: remove(cursor..<characters.count)
    case .deleteWord:
      var start = cursor
      while start > 0, characters[start - 1].isWhitespace { start -= 1 }
      while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
      remove(start..<cursor)
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .start: cursor = 0
    case .end: cursor = characters.count
    case .cursor(let place): cursor = min(max(place, 0), characters.count)
    case .replace(let text): self = FormText(text)
    }
  }

  private mutating func remove(_ range: Range<Int>) {
    let range = range.clamped(to: 0..<characters.count)
    characters.removeSubrange(range)
    if cursor > range.lowerBound { cursor = max(range.lowerBound, cursor - range.count) }
    // After a deletion, two characters may have become one.
    characters = Array(String(characters))
    cursor = min(cursor, characters.count)
  }
}
