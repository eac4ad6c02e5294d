/// The words of a command line, as the system passes them to `main`.
///
/// Swift's `CommandLine.arguments` looks for them in /proc, and has none where that can't be read.
public struct ProgramWords: Sendable {
  /// The words after the program's name; bytes that are not UTF-8 are replaced.
  public let arguments: [String]
  /// The number of the first argument that is not UTF-8, from 1; nil if all are.
  public let unreadable: Int?

  /// Takes the arguments of `main`; nil if there is none, not even the program's name.
  ///
  /// Linux replaces an empty vector by one empty word.
  public init?(_ count: Int32, _ words: UnsafePointer<UnsafePointer<CChar>?>?) {
    let texts = unsafe UnsafeBufferPointer(start: words, count: Int(count)).compactMap(\.self)
    guard let name = unsafe texts.first, unsafe texts.count > 1 || name.pointee != 0 else { return nil }
    arguments = unsafe texts.dropFirst().map { unsafe String(cString: $0) }
    unreadable = unsafe texts.dropFirst().firstIndex { unsafe String(validatingCString: $0) == nil }
  }
}
