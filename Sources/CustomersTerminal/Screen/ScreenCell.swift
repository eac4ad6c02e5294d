/// A cell of the screen.
public struct ScreenCell: Hashable, Sendable {
  /// One character as a user sees it; empty in the further cells of a wide one.
  public var text: String
  /// The number of cells of the character; 0 if it starts in a cell further left.
  public var width: Int
  /// Its style.
  public var style: ScreenStyle

  /// A cell without text.
  public static let blank = ScreenCell(text: " ", width: 1, style: .plain)

  /// Whether every terminal uses `width` cells for the character.
  var isSure: Bool {
    var scalars = text.unicodeScalars.makeIterator()
    guard let scalar = scalars.next() else { return true }
    guard scalars.next() == nil else { return false }
    if scalar.isASCII { return true }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .otherLetter: return true
    default: return false
    }
  }

  /// Whether the character has parts that some terminals show side by side.
  var isJoined: Bool { text.unicodeScalars.count > 1 }
}
