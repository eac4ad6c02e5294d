/// An input event of the terminal.
public enum InputEvent: Hashable, Sendable {
  /// A key.
  case key(KeyPress)
  /// A button or the wheel of the mouse or a drag.
  case mouse(MouseEvent)
  /// A string from the clipboard.
  case paste(String)
}

/// Modifier keys held while another one is pressed.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let shift = KeyModifiers(rawValue: 1)
  public static let alt = KeyModifiers(rawValue: 2)
  public static let control = KeyModifiers(rawValue: 4)
}

/// A key with modifiers.
public struct KeyPress: Hashable, Sendable {
  /// A key, whatever the modifiers.
  public enum Key: Hashable, Sendable {
    /// A letter, digit, or symbol as typed; with control, the lowercase letter.
    case character(Unicode.Scalar)
    case enter, tab, backspace, escape, up, down, left, right, home, end, pageUp, pageDown, insert, delete
    /// F1, and so on.
    case function(Int)
  }

  /// The key.
  public var key: Key
  /// The modifiers.
  public var modifiers: KeyModifiers

  public init(_ key: Key, _ modifiers: KeyModifiers = []) { (self.key, self.modifiers) = (key, modifiers) }
}

/// A mouse event over a cell.
public struct MouseEvent: Hashable, Sendable {
  /// The action of the mouse.
  public enum Action: Hashable, Sendable { case press, release, drag, move, wheelUp, wheelDown }

  /// The action of the mouse.
  public var action: Action
  /// The button, 1 for the left one; 0 for none.
  public var button: Int
  /// The cell, from 0 at the left and top.
  public var column, row: Int
  /// The modifiers.
  public var modifiers: KeyModifiers

  public init(_ action: Action, button: Int, column: Int, row: Int, modifiers: KeyModifiers = []) {
    (self.action, self.button, self.column, self.row) = (action, button, column, row)
    self.modifiers = modifiers
  }
}
