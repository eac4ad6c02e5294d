/// The names by which browsers may reach the page, each with the origin that the page then has.
///
/// A page of another site can have its own name point to this machine, but it can't choose the `Host` that the browser
/// then sends. So that is compared whole.
package struct PageHosts: Sendable {
  private let origins: [String: String]
  /// Whether any port of this machine is right.
  private let isBehindForwarding: Bool

  /// - Parameters:
  ///   - port: the port on this machine; nil for a Unix socket, to which `ssh -L` brings any port.
  ///   - names: names of `--allow-host`, at which a proxy with TLS receives requests.
  package init(port: UInt16?, names: [String]) {
    var origins: [String: String] = [:]
    if let port {
      for name in PageHosts.ownNames {
        origins["\(name):\(port)"] = "http://\(name):\(port)"
        // A browser leaves the usual port out.
        if port == 80 { origins[name] = "http://\(name)" }
      }
    }
    for name in names { origins[name.lowercased()] = "https://\(name.lowercased())" }
    (self.origins, isBehindForwarding) = (origins, port == nil)
  }

  private static let ownNames = ["localhost", "127.0.0.1", "[::1]"]

  /// The origin of the page at a `Host`; nil if the host is not ours.
  func origin(ofHost host: String) -> String? {
    // Two texts of which only one is ASCII may be equal, but they are no two names.
    guard host.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    if let origin = origins[host.lowercased()] { return origin }
    guard isBehindForwarding else { return nil }
    let isOwn = PageHosts.ownNames.contains { name in
      guard host.hasPrefix(name) else { return false }
      let rest = host.dropFirst(name.count)
      return rest.isEmpty
        || rest.first == ":" && UInt16(rest.dropFirst()) != nil && rest.dropFirst().first != "+"
    }
    return isOwn ? "http://\(host)" : nil
  }
}
