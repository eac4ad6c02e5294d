internal import CustomersPlatform

/// Where a node listens: a numeric IPv4 address, or `localhost`, and a port.
public struct NodeAddress: Hashable, Sendable, CustomStringConvertible {
  /// A numeric address, such as `10.0.0.1`.
  public let host: String
  /// 1…65535.
  public let port: UInt16

  /// Parses `host:port`; nil if the text is not an address.
  ///
  /// Host names are not resolved; dqlite does not resolve them either.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let port = UInt16(parts[1]), port > 0 else { return nil }
    host = parts[0] == "localhost" ? "127.0.0.1" : String(parts[0])
    self.port = port
    guard number != nil else { return nil }
  }

  /// The address in network byte order.
  var number: in_addr? {
    var number = in_addr()
    return unsafe inet_pton(AF_INET, host, &number) == 1 ? number : nil
  }

  /// Whether only this machine can reach the address.
  public var isLoopback: Bool { host.hasPrefix("127.") }

  /// Whether the address is of a private network, so that routers of the Internet don't pass it on.
  public var isPrivate: Bool {
    guard let number else { return false }
    let bits = UInt32(bigEndian: number.s_addr)
    return [
      (0x7f00_0000, 8), (0x0a00_0000, 8), (0xac10_0000, 12), (0xc0a8_0000, 16), (0x6440_0000, 10),
      (0xa9fe_0000, 16),
    ]
    .contains { (network: UInt32, length: UInt32) in bits >> (32 - length) == network >> (32 - length) }
  }

  public var description: String { "\(host):\(port)" }
}

/// The address of a database on a cluster: `dqlite://host:port,host:port/name`.
public struct ClusterAddress: Hashable, Sendable, CustomStringConvertible {
  /// Whether a text is such an address, even if an invalid one.
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
