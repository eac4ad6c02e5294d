internal import CustomersPlatform

/// The owner and the permissions of a file.
public struct FileAccess: Sendable, CustomStringConvertible {
  private let mode: mode_t

  /// Follows links; nil if nothing is at the path.
  public init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    mode = status.st_mode & 0o777
  }

  /// Whether users other than its owner may read or write it.
  public var isOpenToOthers: Bool { mode & 0o066 != 0 }

  /// As `chmod` takes it, in octal.
  public var description: String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }
}
