internal import Platform

/// Why a terminal can't be used, or can't be used any longer.
public struct TerminalError: Error, CustomStringConvertible {
  let action: String
  let code: Int32

  init(action: String) { (self.action, code) = (action, errno) }

  /// One line.
  public var description: String { "can't \(action): \(unsafe String(cString: strerror(code)))" }
}
