/// A cell of the screen.
public struct ScreenCell: Hashable, Sendable {
  /// One character as a person sees it; empty in the cells that a wide one takes beside its first.
  public var text: String
  /// How many cells the character takes; 0 if it began in a cell further left.
  public var width: Int
  /// How it looks.
  public var style: ScreenStyle

  /// A cell without text.
  public static let blank = ScreenCell(text: " ", width: 1, style: .plain)

  /// Whether every terminal takes as many cells for the character as `width` says.
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

  /// Whether the character is made of parts that some terminals show side by side.
  var isJoined: Bool { text.unicodeScalars.count > 1 }
}
