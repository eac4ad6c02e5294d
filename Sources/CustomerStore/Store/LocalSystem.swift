internal import CustomersFiles
internal import CustomersPlatform

/// The user and the machine that the history records for a step.
enum LocalSystem {
  /// The login name from the environment, else from the password file: reading that takes as long as an edit.
  static let user = variable("LOGNAME") ?? variable("USER") ?? loginName(of: geteuid()) ?? "\(geteuid())"

  /// The name of the machine or an empty text.
  static let host: String = {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }()

  /// Milliseconds since 1970, by the system clock.
  static var milliseconds: Int64 {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return 0 }
    return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
  }

  /// The name that the password file has for a user; a static program can't ask the C library for it.
  private static func loginName(of user: uid_t) -> String? {
    guard let file = try? InputFile("/etc/passwd") else { return nil }
    var bytes: [UInt8] = []
    while let piece = try? file.read(), !piece.isEmpty { bytes += piece }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count > 2, !fields[0].isEmpty, fields[2].elementsEqual("\(user)".utf8) else { continue }
      return String(decoding: fields[0], as: UTF8.self)
    }
    return nil
  }

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
