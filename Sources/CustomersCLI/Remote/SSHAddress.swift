internal import CustomersTerminalText

/// The address of a file on a machine that `ssh` reaches: `ssh://[user@]host[:port]/path`.
///
/// The path is used byte for byte; nothing in it is decoded. `/~/` at its beginning is the home folder there.
struct SSHAddress: Equatable, Sendable {
  /// The address as given.
  let text: String
  /// The user to log in as; nil for the default in ssh's configuration.
  let user: String?
  let host: String
  let port: String?
  /// The path as given, with its first slash.
  let path: String

  /// Whether a string is such an address, even if an invalid one.
  static func isMeant(by text: String) -> Bool { text.hasPrefix(scheme) }

  private static let scheme = "ssh://"

  /// Parses an address.
  ///
  /// - Throws: a `Failure` with code `usage` if it is invalid or if ssh could misread it.
  init(_ text: String) throws {
    self.text = text
    let rest = text.dropFirst(SSHAddress.scheme.count)
    let target = rest.prefix { $0 != "/" }
    path = String(rest.dropFirst(target.count))
    guard path.utf8.count > 1 else {
      throw SSHAddress.refusal(of: text, "the path is missing: ssh://host/path or ssh://host/~/path")
    }
    let at = target.lastIndex(of: "@")
    user = at.map { String(target[..<$0]) }
    (host, port) = SSHAddress.hostAndPort(at.map { target[target.index(after: $0)...] } ?? target)
    for (what, word) in [("user", user), ("host", host)] {
      guard let word else { continue }
      guard !word.isEmpty, !word.hasPrefix("-"), word.unicodeScalars.allSatisfy(SSHAddress.isHarmless) else {
        throw SSHAddress.refusal(of: text, "\(quoted(word)) is not a valid \(what)")
      }
    }
    guard port.map({ UInt16($0) ?? 0 > 0 && $0.utf8.allSatisfy { $0 > 0x2f } }) ?? true else {
      throw SSHAddress.refusal(of: text, "a port is a number from 1 to 65535")
    }
  }

  /// Returns the path on that machine, with the home folder in place of `/~`.
  func path(inHome home: String?) -> String {
    guard path.hasPrefix("/~/"), let home, !home.isEmpty else { return path }
    return home + path.dropFirst("/~".count)
  }

  /// Returns the address of another file on that machine, by its path there.
  func text(of path: String) -> String { text.dropLast(self.path.utf8.count) + path }

  /// The arguments of `ssh` that name the machine.
  var words: [String] {
    (port.map { ["-p", $0] } ?? []) + (user.map { ["-l", $0] } ?? []) + ["--", host]
  }

  /// Splits `host:22` or `[::1]:22` into host and port, without the brackets.
  private static func hostAndPort(_ text: Substring) -> (host: String, port: String?) {
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      let host = String(text[text.index(after: text.startIndex)..<end])
      let rest = text[text.index(after: end)...]
      return rest.hasPrefix(":") ? (host, String(rest.dropFirst())) : (host + rest, nil)
    }
    guard let colon = text.firstIndex(of: ":") else { return (String(text), nil) }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }

  /// Whether the character has no special meaning for ssh or for a command in its configuration.
  private static func isHarmless(_ sign: Unicode.Scalar) -> Bool {
    sign.value > 0x20 && sign.value != 0x7f && !"'`\"$\\;&<>|(){}".unicodeScalars.contains(sign)
  }

  private static func refusal(of text: String, _ reason: String) -> Failure {
    .usage("\(quoted(text)): \(reason)", offendingArgument: text)
  }
}
