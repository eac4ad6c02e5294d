internal import CustomersFiles
internal import CustomersPlatform

/// The accounts and groups of this machine, as its files list them.
///
/// The C library would ask other services, too, but can't in a statically linked program. Then a member that
/// only such a service knows is taken for a stranger.
enum AccountFile {
  /// Whether a user belongs to a group.
  static func isMember(_ user: uid_t, of group: gid_t) -> Bool {
    guard let account = lines("/etc/passwd").first(where: { $0.count > 3 && $0[2] == "\(user)" }) else {
      return false
    }
    if account[3] == "\(group)" { return true }
    let members = lines("/etc/group").first { $0.count > 3 && $0[2] == "\(group)" }.map { $0[3] } ?? ""
    return members.split(separator: ",").contains(account[0])
  }

  private static func lines(_ path: String) -> [[Substring]] {
    guard let file = try? InputFile(path) else { return [] }
    var bytes: [UInt8] = []
    while let piece = try? file.read(), !piece.isEmpty { bytes += piece }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: ":", omittingEmptySubsequences: false)
    }
  }
}
