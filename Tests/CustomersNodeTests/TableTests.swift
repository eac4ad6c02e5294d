import CustomerFixtures
import CustomersSystem
import CustomersTestSupport
import Foundation
import Testing

/// The table of a list on a cluster.
@Suite(.serialized, .onThreads)
struct TableTests {
  let cluster: TestCluster
  let folder: TemporaryFolder

  init() throws { (cluster, folder) = (try TestCluster(1), try TemporaryFolder()) }

  private var environment: [String: String] {
    ["CUSTOMERS_DB": cluster.url(), "PATH": "/usr/bin:/bin", "HOME": folder.path, "TERM": "xterm"]
  }

  /// Runs `customers` on a terminal; `typing` sees what has been drawn so far, and says what a user types then.
  private func onTerminal(
    _ words: [String], typing: (_ drawn: String) -> String?
  ) throws -> (drawn: String, code: Int32) {
    var size = winsize(ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
    var (terminal, programs) = (Int32(-1), Int32(-1))
    var name = [CChar](repeating: 0, count: 100)
    try #require(unsafe openpty(&terminal, &programs, &name, nil, &size) == 0)
    defer { close(terminal) }
    for end in [terminal, programs] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    let process = try Spawn(
      words: [NodeCopy.program] + words, environment: environment, folder: folder.path, terminal: path
    ).start()
    close(programs)
    var drawn: [UInt8] = []
    while true {
      var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&waiting, 1, 60_000) <= 0 { kill(process, SIGKILL) }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = unsafe read(terminal, &bytes, bytes.count)
      guard count > 0 else { break }
      drawn += bytes.prefix(count)
      guard let typed = typing(String(decoding: drawn, as: UTF8.self)) else { continue }
      let keys = Array(typed.utf8)
      _ = unsafe write(terminal, keys, keys.count)
    }
    return (String(decoding: drawn, as: UTF8.self), Spawn.wait(process))
  }

  @Test(arguments: [[], ["table"]])
  func `a command typed in the table edits the list on the cluster`(words: [String]) throws {
    // The next line is typed once the table shows how many customers there are.
    var script = [
      ("0 customers", ":add 'Ann Lee'\r"), ("1 customer", ":add 'Bob Ray' --first\r"),
      ("2 customers", ":move 1 2\r:delete 1 --yes\rq"),
    ][...]
    let (drawn, code) = try onTerminal(words) { drawn in
      guard let (shown, keys) = script.first, drawn.contains(shown) else { return nil }
      script.removeFirst()
      return keys
    }
    #expect(code == 0 && script.isEmpty, "\(drawn)")
    let listing = folder.path + "/listing"
    var spawn = Spawn(
      words: [NodeCopy.program, "list", "--json"], environment: environment, folder: folder.path)
    spawn.output = listing
    #expect(Spawn.wait(try spawn.start()) == 0)
    let list = try String(contentsOfFile: listing, encoding: .utf8)
    #expect(list.contains("Bob") && !list.contains("Ann"), "\(list)")
  }
}
