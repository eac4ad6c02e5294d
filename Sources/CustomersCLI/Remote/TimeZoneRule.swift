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

  /// Returns a rule from another machine; UTC if it is none.
  ///
  /// The C library takes any other text for the path of a file.
  static func checked(_ text: String) -> String {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isRule =
      parts[0].utf8.first.map { $0 == UInt8(ascii: "<") || ($0 | 0x20) &- UInt8(ascii: "a") < 26 } == true
      && parts.dropFirst().allSatisfy { $0.utf8.first.map { "+-0123456789".utf8.contains($0) } == true }
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } && text.utf8.count < 100
    return isRule ? text : "UTC0"
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
