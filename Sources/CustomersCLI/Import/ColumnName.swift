internal import CustomerStore
internal import CustomersTerminalText

extension [String] {
  /// The index of the column of a file that a person names.
  ///
  /// - Throws: a `Failure` with code `usage` if several match.
  func index(named name: String, for option: String) throws -> Int? {
    guard let found = Name(name).best(of: indices, by: { [self[$0]] }) else { return nil }
    guard found.fit == .exact || found.elements.count == 1 else {
      throw Failure.usage(
        "\(option): \(quoted(name)) may be \(listed(found.elements.map { quoted(self[$0]) }))",
        hint: "write the name exactly as in the file")
    }
    return found.elements[0]
  }
}
