/// The style of a screen cell.
public struct ScreenStyle: Hashable, Sendable {
  /// Attributes that a terminal without colors shows, too.
  public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bold = Attributes(rawValue: 1)
    public static let dim = Attributes(rawValue: 2)
    public static let underline = Attributes(rawValue: 4)
    public static let reverse = Attributes(rawValue: 8)
  }

  /// One of the colors of every terminal.
  public enum Color: UInt8, Sendable { case standard = 0, red = 31, green, yellow, cyan = 36 }

  /// Attributes that a terminal without colors shows, too.
  public var attributes: Attributes
  /// The color of the text.
  public var color: Color

  /// Creates a style; without arguments, plain text.
  public init(_ attributes: Attributes = [], _ color: Color = .standard) {
    (self.attributes, self.color) = (attributes, color)
  }

  /// The style of plain text.
  public static let plain = ScreenStyle()

  /// The escape sequence that sets the style, whatever the previous one (ECMA-48, SGR).
  func sequence(colors: Bool) -> String {
    var parameters: [String] = []
    if attributes.contains(.bold) { parameters.append("1") }
    if attributes.contains(.dim) { parameters.append("2") }
    if attributes.contains(.underline) { parameters.append("4") }
    if attributes.contains(.reverse) { parameters.append("7") }
    if colors, color != .standard { parameters.append(String(color.rawValue)) }
    return parameters.isEmpty ? "\u{1B}[m" : "\u{1B}[0;\(parameters.joined(separator: ";"))m"
  }
}
