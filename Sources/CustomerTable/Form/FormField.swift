public import CustomerStore

/// A line of a form.
public struct FormField: Identifiable, Sendable {
  /// The subject of a form's line.
  public enum Binding: Hashable, Sendable {
    /// A field of the customer or an extra column.
    case field(CustomerField)
    /// One of the other values of a field with one value per line, from 2.
    case value(CustomerField, Int)
    /// The place in the section, from 1.
    case place
  }

  /// The subject of the line.
  public let id: Binding
  /// The name at its left.
  public var label: String
  /// The text shown while the line is empty; it is never saved.
  package var placeholder: String
  /// The text; nil for a mark.
  package internal(set) var text: FormText?
  /// What the values of the next date, or of an extra column that is declared, are.
  package let kind: ColumnKinds.Column?
  /// What the values of the next date or an extra column are, for a suitable control; nil for other lines.
  public var valueKind: ColumnKind? {
    if case .field(.extra) = id { kind?.kind ?? .text } else { kind?.kind }
  }
  /// The values of a column of choices, in their order.
  public var choices: [String] { kind?.choices ?? [] }
  /// Whether the mark is set.
  package internal(set) var isSet = false
  /// Why the line can't be saved as it is.
  public internal(set) var problem: String?
  /// The value that someone else has written to the same field since the form was opened.
  public internal(set) var theirs: FieldValue?
  /// Whether the user has seen `theirs`, so that the next save overwrites it.
  var mayOverwrite = false

  /// The placeholder, while it is shown.
  package var shownPlaceholder: String? {
    text?.text.isEmpty == true && !placeholder.isEmpty ? placeholder : nil
  }

  /// The day, number, or other value that the list keeps of what was typed; nil if that is the same, or none.
  package var reading: String? {
    guard let kind, let typed = text?.text,
      let stored = try? kind.stored(typed: typed, in: "", today: .today), stored != typed, !stored.isEmpty
    else { return nil }
    return stored
  }

  /// Whether the text may have several lines.
  private var takesLines: Bool {
    switch id {
    case .field(.extra): kind?.kind == .lines
    case .field(let field): field.kind == .multilineText || field.kind == .lines
    case .value: true
    case .place: false
    }
  }

  init(
    _ binding: Binding, _ value: FieldValue, label: String, placeholder: String,
    kind: ColumnKinds.Column? = nil
  ) {
    (id, self.label, self.placeholder, self.kind) = (binding, label, placeholder, kind)
    show(value)
  }

  mutating func show(_ value: FieldValue) {
    if case .flag(let isSet) = value {
      self.isSet = isSet
    } else {
      text = FormText(value.text, takesLines: takesLines || value.text.contains(where: \.isNewline))
    }
  }

  /// The value of the line, typed over `original`.
  func value(original: FieldValue) -> FieldValue {
    guard let text else { return .flag(isSet) }
    return original.replaced(by: text.text)
  }
}

/// Fields of a form that belong together.
package struct FormSection: Hashable, Sendable {
  /// The text above the fields; empty for none.
  package var caption: String
  /// The fields, in display order.
  package var fields: [CustomerField]

  /// Creates a section.
  package init(_ caption: String = "", fields: [CustomerField]) {
    (self.caption, self.fields) = (caption, fields)
  }
}

extension FormState {
  /// The sections with their lines, in display order; a line for the place is in the last one.
  package var sections: [(caption: String, lines: Range<Int>)] {
    var start = 0
    var sections = options.sections.map { section in
      defer { start += section.fields.count }
      return (caption: section.caption, lines: start..<start + section.fields.count)
    }
    if start < fields.count {
      let last = sections.popLast() ?? ("", start..<start)
      sections.append((last.caption, last.lines.lowerBound..<fields.count))
    }
    return sections
  }
}

/// A line of text that a user types, with a cursor in it.
package struct FormText: Hashable, Sendable {
  /// The effect of a key on the text.
  package enum Edit: Hashable, Sendable {
    /// Types or pastes a string; line breaks in it become spaces, unless the text takes lines.
    case insert(String)
    /// Deletes the character before, or after, the cursor.
    case deleteBackward, deleteForward
    /// Deletes the text before the cursor, after it, or the word before it.
    case deleteToStart, deleteToEnd, deleteWord
    /// Moves the cursor; the start and the end are those of the line.
    case left, right, start, end
    /// Moves the cursor to just before a character, from 0.
    case cursor(Int)
    /// Replaces the whole text.
    case replace(String)
  }

  /// The characters.
  package private(set) var characters: [Character] = []
  /// The number of characters before the cursor.
  package private(set) var cursor = 0

  /// Whether it may have several lines.
  package let takesLines: Bool

  /// A field with a string and the cursor at its end.
  package init(_ text: String = "", takesLines: Bool = false) {
    self.takesLines = takesLines
    characters = Array(text)
    cursor = characters.count
  }

  /// The places of the characters of each line; at least one.
  package var lines: [Range<Int>] {
    var (lines, start): ([Range<Int>], Int) = ([], 0)
    for (index, character) in characters.enumerated() where character.isNewline {
      lines.append(start..<index)
      start = index + 1
    }
    return lines + [start..<characters.count]
  }

  /// The line with the cursor, from 0.
  package var line: Int { characters[..<cursor].count(where: \.isNewline) }

  /// A line by itself.
  package subscript(line: Range<Int>) -> FormText {
    var text = FormText(String(characters[line]))
    text.cursor = min(max(cursor - line.lowerBound, 0), text.characters.count)
    return text
  }

  /// Moves the cursor to another line.
  ///
  /// - Returns: false if there is none.
  mutating func move(lines distance: Int) -> Bool {
    let (lines, line) = (lines, line)
    guard lines.indices.contains(line + distance) else { return false }
    let new = lines[line + distance]
    cursor = min(new.lowerBound + cursor - lines[line].lowerBound, new.upperBound)
    return true
  }

  /// The text.
  package var text: String { String(characters) }

  /// Makes an edit; an impossible one has no effect.
  package mutating func perform(_ edit: Edit) {
    switch edit {
    case .insert(let new):
      // Typed combining marks may join the character before them, so the text is split again.
      let start =
        String(characters[..<cursor])
        + new.map { $0.isNewline ? takesLines ? "\n" : " " : String($0) }.joined()
      let end = characters[cursor...]
      characters = Array(start + String(end))
      cursor = min(Array(start).count, characters.count)
    case .deleteBackward: remove(cursor - 1..<cursor)
    case .deleteForward: remove(cursor..<cursor + 1)
    case .deleteToStart: remove(lines[line].lowerBound..<cursor)
    case .deleteToEnd: remove(cursor..<lines[line].upperBound)
    case .deleteWord:
      var start = cursor
      while start > 0, characters[start - 1].isWhitespace { start -= 1 }
      while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
      remove(start..<cursor)
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .start: cursor = lines[line].lowerBound
    case .end: cursor = lines[line].upperBound
    case .cursor(let place): cursor = min(max(place, 0), characters.count)
    case .replace(let text): self = FormText(text, takesLines: takesLines)
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

/// Why a form was not saved, in the words of every form.
extension FormState {
  package static let goneMessage = "The customer was deleted; saving adds it as a new one, without its log."

  /// Another program changed a field, too.
  package static let conflictMessage =
    "Not saved: another program changed the same field. Save again to keep your value."

  /// Some fields can't be saved as they are.
  package static func invalidMessage(_ count: Int) -> String {
    "Not saved: \(count) field\(count == 1 ? " has an error" : "s have errors")."
  }
}
