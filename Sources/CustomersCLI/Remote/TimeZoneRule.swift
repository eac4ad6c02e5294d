internal import CustomersFiles

/// The time zone of this machine in a form that needs no time zone files.
///
/// A machine without those files does not know a name such as `Europe/Berlin`, but it understands a rule such
/// as `CET-1CEST,M3.5.0,M10.5.0/3`. The last line of each time zone file has the current rule.
enum TimeZoneRule {
  /// Returns the rule of the zone in `$TZ`, or of the machine's zone if the variable is not set.
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
