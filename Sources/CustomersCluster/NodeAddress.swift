internal import CustomersPlatform

/// Where a node listens: a numeric address or a name and a port.
public struct NodeAddress: Hashable, Sendable, CustomStringConvertible {
  /// A numeric address without brackets, such as `10.0.0.1` or `::1`, or a name.
  public let host: String
  /// 1…65535.
  public let port: UInt16

  /// Parses `host:port`, where an IPv6 address is in brackets; nil if the text is not an address.
  ///
  /// A name is resolved at each connection.
  public init?(_ text: some StringProtocol) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
    else { return nil }
    let host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      self.host = String(host.dropFirst().dropLast())
      guard Self.isNumeric(self.host, AF_INET6) else { return nil }
    } else {
      self.host = host == "localhost" ? "127.0.0.1" : String(host)
      guard Self.isName(self.host) || Self.isNumeric(self.host, AF_INET) else { return nil }
    }
    self.port = port
  }

  private static func isNumeric(_ host: String, _ family: Int32) -> Bool {
    var number = in6_addr()
    return unsafe inet_pton(family, host, &number) == 1
  }

  /// Whether a string can be the name of a machine (RFC 1123); its last part has a letter, unlike a numeric address.
  private static func isName(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return host.utf8.count <= 253
      && parts.allSatisfy { part in
        (1...63).contains(part.utf8.count) && part.first != "-" && part.last != "-"
          && part.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || UnicodeScalar(byte).properties.isASCIIHexDigit
              || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          }
      } && parts.last?.contains { $0.isLetter } == true
  }

  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The address of a database on a cluster: `dqlite://host:port,host:port/name`.
public struct ClusterAddress: Hashable, Sendable, CustomStringConvertible {
  /// Whether a string is such an address, even if an invalid one.
  public static func isMeant(by text: String) -> Bool { text.hasPrefix(scheme) }

  private static let scheme = "dqlite://"

  /// Nodes of the cluster, at least one.
  public let nodes: [NodeAddress]
  /// The name of the database.
  public let database: String

  /// Parses an address; nil if the text is not one.
  public init?(_ text: String) {
    guard Self.isMeant(by: text) else { return nil }
    let parts = text.dropFirst(Self.scheme.count).split(
      separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.count <= 100 else { return nil }
    guard parts[1].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
    let nodes = parts[0].split(separator: ",", omittingEmptySubsequences: false).map { NodeAddress($0) }
    guard !nodes.contains(nil) else { return nil }
    (self.nodes, database) = (nodes.compactMap(\.self), String(parts[1]))
  }

  /// The address of a database on one node, with a name that `init(_:)` may not accept.
  package init(_ node: NodeAddress, database: String) { (nodes, self.database) = ([node], database) }

  public var description: String {
    "\(Self.scheme)\(nodes.map(\.description).joined(separator: ","))/\(database)"
  }
}
