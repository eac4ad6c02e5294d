import CustomerFixtures
import CustomersSystem
import CustomersTestSupport
import Foundation
import Testing

/// `customers web` with a list on a cluster.
@Suite(.serialized, .onThreads)
struct ClusterWebTests {
  let cluster: TestCluster
  let folder: TemporaryFolder

  init() throws { (cluster, folder) = (try TestCluster(1), try TemporaryFolder()) }

  /// A running page, and its address.
  private struct Page {
    let process: pid_t
    let port: UInt16
    let token: String

    func send(_ wire: Wire, _ method: String, _ path: String, _ body: String = "") {
      wire.send(
        """
        \(method) \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nAuthorization: Bearer \(token)\r
        Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)
        """)
    }

    func ask(_ method: String, _ path: String, _ body: String = "") throws -> Wire.Answer {
      let wire = try Wire(port: port)
      send(wire, method, path, body)
      return try #require(wire.answer())
    }
  }

  private func spawn(_ words: String...) -> Spawn {
    var spawn = Spawn(
      words: [NodeCopy.program] + words,
      environment: ["CUSTOMERS_DB": cluster.url(), "PATH": "/usr/bin:/bin", "HOME": folder.path],
      folder: folder.path)
    (spawn.output, spawn.errors) = (folder.path + "/\(words[0])", folder.path + "/errors")
    return spawn
  }

  private func start() throws -> Page {
    let process = try spawn("web").start()
    var printed = ""
    try waitUntil("the address is printed") {
      printed = (try? String(contentsOfFile: folder.path + "/web", encoding: .utf8)) ?? ""
      return printed.contains("\n")
    }
    let address = try #require(printed.firstMatch(of: /http:\/\/localhost:(\d+)\/#(\w{32})/))
    return Page(process: process, port: try #require(UInt16(address.1)), token: String(address.2))
  }

  private func move(_ page: Page) throws -> Wire.Answer {
    let rows = try page.ask("GET", "/v1/rows?limit=1").body
    let version = try #require(rows.firstMatch(of: /"version":("[^"]*")/)).1
    let time = String(UInt64(Date().timeIntervalSince1970 * 1000), radix: 16)
    let token = String(repeating: "0", count: 12 - time.count) + time + String(repeating: "1", count: 20)
    return try page.ask(
      "POST", "/v1/edits",
      #"{"token":"\#(token)","seen":\#(version),"edits":[{"move":{"ids":[5],"to":2}}],"page":"a"}"#)
  }

  @Test func `rows, edits and the news of other programs come from the cluster`() throws {
    #expect(Spawn.wait(try spawn("demo").start()) == 0)
    let page = try start()
    let rows = try page.ask("GET", "/v1/rows?from=1&limit=2")
    #expect(rows.status == 200 && rows.body.contains("Elizabeth"))
    let stream = try Wire(port: page.port)
    page.send(stream, "GET", "/v1/events?page=a")
    #expect(stream.receive(through: "\r\n\r\n").contains("text/event-stream"))
    #expect(stream.event().hasPrefix("event: hello\n"))
    #expect(try move(page).status == 200)
    #expect(stream.event().hasPrefix("event: edit\n"))
    #expect(Spawn.wait(try spawn("move", "1", "4").start()) == 0)
    #expect(stream.event().hasPrefix("event: edit\n"))
    #expect(try page.ask("GET", "/v1/history").body.contains("customers web move"))
    kill(page.process, SIGINT)
    #expect(Spawn.wait(page.process) == 130)
    #expect(stream.rest() == "")
    #expect(Spawn.wait(try spawn("check").start()) == 0)
  }

  @Test func `while the cluster does not answer, the page says so, and goes on with it`() throws {
    #expect(Spawn.wait(try spawn("demo").start()) == 0)
    let page = try start()
    cluster.kill(0)
    let answer = try page.ask("GET", "/v1/rows?from=1&limit=2")
    #expect(answer.status == 503, "\(answer)")
    try cluster.start(0)
    while try page.ask("GET", "/v1/rows?from=1&limit=2").status != 200 {}
    kill(page.process, SIGINT)
    #expect(Spawn.wait(page.process) == 130)
  }
}
