package import CustomersSystem

/// The port and the token of a list's page, which stay the same so that bookmarks outlive a restart.
///
/// They are in a file of their own for each list, under the path of the list: one that is moved gets others. A page that
/// can only read has others, too, so that its key does not allow more.
package struct WebAddress: Equatable, Sendable {
  /// 0 if none is chosen yet.
  package var port: UInt16
  /// 128 random bits, as 32 hexadecimal digits.
  package let token: String

  /// Creates an address with a new token.
  ///
  /// - Parameter port: the port; 0 for one that is not chosen yet.
  package init(port: UInt16 = 0) {
    self.port = port
    var random = SystemRandomNumberGenerator()
    token = (0..<16).map { _ in
      let byte = String(UInt8.random(in: 0...255, using: &random), radix: 16)
      return byte.count == 2 ? byte : "0" + byte
    }.joined()
  }

  /// Reads what `text` returned; nil for anything else.
  init?(text: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, text.last == "\n", let port = UInt16(words[0]) else { return nil }
    let token = words[1].dropLast()
    guard token.utf8.count == 32, token.allSatisfy({ $0.isHexDigit && $0.isASCII }) else { return nil }
    (self.port, self.token) = (port, String(token))
  }

  private var text: String { "\(port) \(token)\n" }

  /// What links to the page begin with: the first name of its proxy, or the port on this machine.
  package static func base(_ names: [String], port: UInt16) -> String {
    names.first.map { "https://\($0)" } ?? "http://localhost:\(port)"
  }

  /// The file for a list.
  package struct File: Sendable {
    private let file: StateFile
    package var path: String { file.path }

    /// Finds its path below `$XDG_STATE_HOME` or `$HOME`; nil if neither is known.
    ///
    /// - Parameters:
    ///   - list: the path of the list, without links.
    ///   - isReadOnly: whether the page can only read.
    ///   - environment: the variables.
    package init?(ofList list: String, isReadOnly: Bool = false, _ environment: [String: String]) {
      let suffix = isReadOnly ? "-read-only" : ""
      guard let file = StateFile("web", of: list, suffix: suffix, environment) else { return nil }
      self.file = file
    }

    /// The kept address; nil if there is none, or if others could have read it.
    package func read() -> WebAddress? {
      file.read().flatMap { WebAddress(text: String(decoding: $0, as: UTF8.self)) }
    }

    /// Keeps an address.
    ///
    /// - Throws: `FileError`.
    package func write(_ address: WebAddress) throws(FileError) { try file.write(Array(address.text.utf8)) }
  }
}

/// A small file that the program keeps for itself: only its owner can read it (mode 0600).
package struct StateFile: Sendable {
  package let path: String
  /// No file that the program keeps is longer.
  private static let longest = 1 << 20

  package init(_ path: String) { self.path = path }

  /// The file of a list in a folder below `$XDG_STATE_HOME` or `$HOME`; nil if neither is known.
  package init?(
    _ folder: String, of list: String, suffix: String = "", _ environment: [String: String]
  ) {
    var state = environment["XDG_STATE_HOME"] ?? ""
    if !state.hasPrefix("/") {
      guard let home = environment["HOME"], !home.isEmpty else { return nil }
      state = "\(home)/.local/state"
    }
    self.init("\(state)/customers/\(folder)/\(SHA256.hexadecimal(of: list).prefix(32))\(suffix)")
  }

  /// Its content; nil if there is none, or if it can't be used.
  package func read() -> [UInt8]? { try? content() }

  /// Its content; nil if there is none.
  ///
  /// - Throws: `FileError`; one that `isForbidden` if others could have read it, and one that `isExisting` if it is no
  ///   regular file, which might never end.
  func content() throws(FileError) -> [UInt8]? {
    guard let identity = FileIdentity(path) else { return nil }
    try FileError.attributing(.open, path) { () throws(SystemError) in
      guard identity.isRegular else { throw .exists }
      guard FileAccess(path)?.isOpenToOthers == false else { throw .forbidden }
    }
    let file = try InputFile(path)
    var bytes: [UInt8] = []
    while case let more = try file.read(), !more.isEmpty {
      bytes += more
      let isTooLarge = bytes.count > StateFile.longest
      try FileError.attributing(.readAll, path) { () throws(SystemError) in
        guard !isTooLarge else { throw .tooLarge }
      }
    }
    return bytes
  }

  /// Creates or replaces it, in a folder that only its owner can read.
  ///
  /// - Throws: `FileError`; one that `isExisting` if something else is at its path.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    try FileError.attributing(.write, path) { () throws(SystemError) in
      guard FileIdentity(path)?.isRegular != false else { throw .exists }
      try Folder(ofFile: path).create()
    }
    let file = try OutputFile(path)
    try FileError.attributing(.write, path) { () throws(SystemError) in try file.descriptor.write(bytes) }
    try file.finish()
  }
}
