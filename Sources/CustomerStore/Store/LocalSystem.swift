internal import CustomersPlatform

/// The user and the machine that the history records for a step.
enum LocalSystem {
  /// The login name from the environment: reading the password file would take as long as an edit.
  static let user = variable("LOGNAME") ?? variable("USER") ?? "\(geteuid())"

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

  private static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
