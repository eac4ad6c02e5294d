internal import TerminalText

/// A file on a machine that `ssh` reaches: `ssh://[user@]host[:port]/path`.
///
/// The path is taken as it is, byte for byte. One that begins with `/~/` is in the home folder there.
struct SSHAddress: Equatable, Sendable {
  /// As it was given.
  let text: String
  /// The name to log in with; nil for what the configuration of ssh says.
  let user: String?
  let host: String
  let port: String?
  /// As it was given, from the slash on.
  let path: String

  /// Whether a text is meant as such an address.
  static func isMeant(by text: String) -> Bool { text.hasPrefix(scheme) }

  private static let scheme = "ssh://"

  /// Takes an address apart.
  ///
  /// - Throws: a `Failure` with code `usage` for one that ssh could take for something else.
  init(_ text: String) throws {
    self.text = text
    let rest = text.dropFirst(SSHAddress.scheme.count)
    let target = rest.prefix { $0 != "/" }
    path = String(rest.dropFirst(target.count))
    guard path.utf8.count > 1 else {
      throw SSHAddress.refusal(of: text, "it needs the path of a file: ssh://host/path, or ssh://host/~/path")
    }
    let at = target.lastIndex(of: "@")
    user = at.map { String(target[..<$0]) }
    (host, port) = SSHAddress.hostAndPort(at.map { target[target.index(after: $0)...] } ?? target)
    for (what, word) in [("user", user), ("host", host)] {
      guard let word else { continue }
      guard !word.isEmpty, !word.hasPrefix("-"), word.unicodeScalars.allSatisfy(SSHAddress.isHarmless) else {
        throw SSHAddress.refusal(of: text, "ssh would not take \(quoted(word)) for a \(what)")
      }
    }
    guard port.map({ UInt16($0) ?? 0 > 0 && $0.utf8.allSatisfy { $0 > 0x2f } }) ?? true else {
      throw SSHAddress.refusal(of: text, "a port is a number from 1 to 65535")
    }
  }

  /// The path on that machine.
  func path(inHome home: String?) -> String {
    guard path.hasPrefix("/~/"), let home, !home.isEmpty else { return path }
    return home + path.dropFirst("/~".count)
  }

  /// The address of another file on that machine, by its path there.
  func text(of path: String) -> String { text.dropLast(self.path.utf8.count) + path }

  /// The words for `ssh` that name the machine.
  var words: [String] {
    (port.map { ["-p", $0] } ?? []) + (user.map { ["-l", $0] } ?? []) + ["--", host]
  }

  /// `host:22`, or `[::1]:22`: the host and the port, without the brackets.
  private static func hostAndPort(_ text: Substring) -> (host: String, port: String?) {
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      let host = String(text[text.index(after: text.startIndex)..<end])
      let rest = text[text.index(after: end)...]
      return rest.hasPrefix(":") ? (host, String(rest.dropFirst())) : (host + rest, nil)
    }
    guard let colon = text.firstIndex(of: ":") else { return (String(text), nil) }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }

  /// Whether neither ssh nor a command in its configuration gives the sign a meaning.
  private static func isHarmless(_ sign: Unicode.Scalar) -> Bool {
    sign.value > 0x20 && sign.value != 0x7f && !"'`\"$\\;&<>|(){}".unicodeScalars.contains(sign)
  }

  private static func refusal(of text: String, _ reason: String) -> Failure {
    .usage("\(quoted(text)): \(reason)", offendingArgument: text)
  }
}
