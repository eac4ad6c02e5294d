internal import Files

/// The time zone of this machine in a form that any other understands.
///
/// A name such as `Europe/Berlin` says nothing to a machine without time zone files. The rule in force does,
/// such as `CET-1CEST,M3.5.0,M10.5.0/3`: it is the last line of such a file.
enum TimeZoneRule {
  /// The rule of the zone that `$TZ` names, or of the machine's.
  static func current(_ variable: String?) -> String {
    guard let variable else { return rule(inFile: "/etc/localtime") ?? "UTC0" }
    let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    guard !name.isEmpty else { return "UTC0" }
    return rule(inFile: name.hasPrefix("/") ? name : "/usr/share/zoneinfo/\(name)") ?? name
  }

  private static func rule(inFile path: String) -> String? {
    guard FileIdentity(path)?.isRegular == true, let file = try? InputFile(path) else { return nil }
    var bytes: [UInt8] = []
    while let piece = try? file.read(), !piece.isEmpty { bytes += piece }
    guard bytes.starts(with: Array("TZif".utf8)), bytes.last == UInt8(ascii: "\n") else { return nil }
    let line = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).last
    return line.flatMap { $0.isEmpty ? nil : String(validating: $0, as: UTF8.self) }
  }
}
