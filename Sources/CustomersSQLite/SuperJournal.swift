internal import CustomersPlatform

/// The name of the super-journal, at the end of a rollback journal that several databases share.
///
/// SQLite deletes that file after rolling the journal back. So anyone who can put a journal beside a list
/// could have any file of its reader deleted (https://sqlite.org/fileformat2.html#the_rollback_journal, and
/// `readSuperJournal` in SQLite's pager).
enum SuperJournal {
  private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  /// SQLite accepts no longer name.
  private static let longestName = 512

  /// The name in the journal of a database, if SQLite would not have chosen it.
  static func plantedName(ofDatabase path: String) -> String? {
    guard let name = name(inJournal: path + "-journal") else { return nil }
    return isGenuine(name, inFolderOf: path) ? nil : name
  }

  /// Whether it is `DATABASE-mj` and 9 hexadecimal digits, the seventh of them a 9, where the database is
  /// a file in the same folder.
  private static func isGenuine(_ name: String, inFolderOf path: String) -> Bool {
    func folder(_ path: String) -> Substring { path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex) }
    let digits = name.suffix(9)
    let database = String(name.dropLast(12))
    return name.dropLast(9).hasSuffix("-mj") && digits.allSatisfy(\.isHexDigit)
      && digits.dropLast(2).last == "9" && folder(name) == folder(path)
      && DatabaseFile.exists(database) && !DatabaseFile.isSpecial(database)
  }

  private static func name(inJournal journal: String) -> String? {
    let file = unsafe open(journal, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    func bytes(_ count: Int, before end: Int) -> [UInt8]? {
      guard end >= count else { return nil }
      var bytes = [UInt8](repeating: 0, count: count)
      return unsafe pread(file, &bytes, count, off_t(end - count)) == count ? bytes : nil
    }
    guard let tail = bytes(16, before: size), Array(tail[8...]) == magic else { return nil }
    let length = tail[..<4].reduce(0) { $0 << 8 | Int($1) }
    guard (1...longestName).contains(length) else { return nil }
    return bytes(length, before: size - 16).map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
