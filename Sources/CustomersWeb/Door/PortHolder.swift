internal import CustomersSystem

/// Who listens on a port of this machine.
package enum PortHolder {
  /// Whether a program of another user may: a page that is still open sends its key to whoever has the port.
  ///
  /// True as well if the system does not say. It takes time in the number of connections of this machine.
  package static func mayBeAnotherUser(_ port: UInt16) -> Bool {
    let found = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { users(of: port, in: (try? text($0)) ?? "") }
    return found.isEmpty || found.contains { $0 != geteuid() }
  }

  /// The users of the sockets that listen on a port, from a table of the system (proc_net_tcp(5)).
  static func users(of port: UInt16, in table: String) -> [UInt32] {
    table.split(separator: "\n").compactMap { line in
      let columns = line.split(separator: " ")
      guard columns.count > 7, columns[3] == "0A", let end = columns[1].split(separator: ":").last,
        UInt16(end, radix: 16) == port
      else { return nil }
      return UInt32(columns[7])
    }
  }

  private static func text(_ path: String) throws -> String {
    String(decoding: try InputFile(path).readAll(), as: UTF8.self)
  }
}
