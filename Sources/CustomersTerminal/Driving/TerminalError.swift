internal import CustomersPlatform

/// The error of a terminal that can't be used.
public struct TerminalError: Error, CustomStringConvertible {
  let action: String
  let code: Int32

  init(action: String) { (self.action, code) = (action, errno) }

  /// The message, in one line.
  public var description: String { "can't \(action): \(unsafe String(cString: strerror(code)))" }
}
