import CustomerFixtures
import CustomersHTTP
@testable import CustomersWeb
import CustomersTestSupport
@testable import CustomerStore
import CustomersSQLite
import CustomersSystem
import Foundation
import Synchronization
import Testing

/// The page's server with a list, over a socket.
@Suite(.onThreads) struct PageSiteTests {
  private static let token = String(repeating: "ab", count: 16)

  /// Runs `body` on a thread of its own, with the port of a server.
  private func withServer<Value: Sendable>(
    of store: CustomerStore? = nil, _ body: @escaping @Sendable (_ port: UInt16) throws -> Value
  ) async throws -> Value {
    let store = try store ?? CustomerStore.inMemory()
    try await store.write { list in _ = try list.insert(CustomerFields(name: "Ann Lee"), at: .last) }
    let (listeners, port) = try Listener.loopback(port: 0)
    let api = ListAPI(store: store, isReadOnly: false, program: "1", build: PageFiles.own.build)
    let server = HTTPServer(
      of: api, on: listeners, hosts: PageHosts(port: port, names: []), token: PageSiteTests.token)
    Thread.detachNewThread { server.run() }
    defer { server.stop() }
    return try await onOwnThread { try body(port) }
  }

  private static func ask(_ port: UInt16, _ line: String, _ more: String = "") throws -> Wire.Answer? {
    try open(port, line, more).answer(hasBody: !line.hasPrefix("HEAD"))
  }

  private static func open(_ port: UInt16, _ line: String, _ more: String = "") throws -> Wire {
    let wire = try Wire(port: port)
    wire.send("\(line) HTTP/1.1\r\nHost: localhost:\(port)\r\nAuthorization: Bearer \(token)\r\n\(more)\r\n")
    return wire
  }

  @Test func `the page is one document, and its policy names the code in it by digests`() async throws {
    let answers = try await withServer { port in
      try PageFiles.own.files.keys.map { ($0, try PageSiteTests.ask(port, "GET \($0)")) }
    }
    #expect(
      Set(answers.map(\.0)) == ["/", "/favicon.ico", "/icon.png", "/manifest.json", "/worker.js"])
    for (path, answer) in answers {
      let (file, answer) = (try #require(PageFiles.own.files[path]), try #require(answer))
      #expect(answer.status == 200 && answer.body == String(decoding: file.bytes, as: UTF8.self))
      let headers = answer.headers
      #expect(headers["content-type"] == file.type && headers["cache-control"] == "no-cache")
      #expect(headers["x-content-type-options"] == "nosniff" && headers["referrer-policy"] == "no-referrer")
      #expect(headers["cross-origin-resource-policy"] == "same-origin")
      #expect(headers["cross-origin-opener-policy"] == "same-origin" && headers["permissions-policy"] != nil)
      let policy = try #require(headers["content-security-policy"])
      for rule in [
        "default-src 'none'", "connect-src 'self'", "trusted-types page", "frame-ancestors 'none'",
        "img-src 'self' blob: data:",
      ] {
        #expect(policy.contains(rule))
      }
      #expect(
        !policy.contains("unsafe") && !policy.contains("script-src 'self'") && headers["set-cookie"] == nil)
    }
    let (document, policy) = try #require(
      answers.first { $0.0 == "/" }.flatMap { _, answer in
        answer.flatMap { answer in answer.headers["content-security-policy"].map { (answer.body, $0) } }
      })
    for (open, close, rule) in [
      ("<style>", "</style>", "style"), ("<script type=\"module\">", "</script>", "script"),
    ] {
      let parts = document.components(separatedBy: open)
      try #require(parts.count == 2)
      let code = try #require(parts[1].components(separatedBy: close).first)
      let start = try #require(policy.range(of: "\(rule)-src 'sha256-")?.upperBound)
      let digest = try #require(Data(base64Encoded: String(policy[start...].prefix { $0 != "'" })))
      #expect(digest.map { String(format: "%02x", $0) }.joined() == SHA256.hexadecimal(of: code))
    }
    #expect(!document.contains("src=") && !document.contains("stylesheet"))
    let worker = try #require(answers.first { $0.0 == "/worker.js" }?.1)
    #expect(worker.body.contains(PageFiles.own.build))
  }

  @Test func `a browser that has the page gets no bytes of it, and one without gzip gets it plain`()
    async throws
  {
    let (tag, again, plain, fewer) = try await withServer { port in
      let first = try PageSiteTests.ask(port, "GET /")
      let tag = first?.headers["etag"] ?? ""
      return (
        tag, try PageSiteTests.ask(port, "GET /", "If-None-Match: \(tag)\r\n"), first,
        try PageSiteTests.open(port, "HEAD /", "Accept-Encoding: gzip\r\n").answer(hasBody: false)
      )
    }
    #expect(!tag.isEmpty && again?.status == 304 && again?.body.isEmpty == true)
    #expect(again?.headers["etag"] == tag && again?.headers["cache-control"] == "no-cache")
    #expect(plain?.headers["content-encoding"] == nil && plain?.body.hasPrefix("<!doctype html>") == true)
    #expect(fewer?.headers["content-encoding"] == "gzip")
    #expect(Int(fewer?.headers["content-length"] ?? "") == PageFiles.own.size)
  }

  @Test func `requests reach the list, and its answers are JSON`() async throws {
    let (rows, malformed, wrong) = try await withServer { port in
      (
        try PageSiteTests.ask(port, "GET /v1/rows?from=1&limit=5"),
        try PageSiteTests.ask(port, "GET /v1/rows?from=%"),
        try PageSiteTests.ask(port, "GET /v1/rows?from=x")
      )
    }
    #expect(rows?.status == 200 && rows?.body.contains(#""name":"Ann Lee""#) == true)
    #expect(
      rows?.headers["content-type"] == "application/json" && rows?.headers["cache-control"] == "no-store")
    #expect(malformed?.status == 400 && wrong?.status == 400)
  }

  @Test func `whether the list can be read is answered without a token, and nothing else about it`()
    async throws
  {
    let whole = try await withServer { port in
      let wire = try Wire(port: port)
      wire.send("GET /health HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
      return wire.answer()
    }
    #expect(whole?.status == 200 && whole?.body == #"{"status":"ok"}"#)
    let store = try CustomerStore.inMemory()
    let broken = try await withServer(of: store) { port in
      try store.write { list in try list.connection.execute("DELETE FROM customer_record") }
      return try PageSiteTests.ask(port, "GET /health")
    }
    #expect(broken?.status == 503 && broken?.body == #"{"status":"trouble"}"#)
  }

  @Test func `the page's own key opens counts, in which there is nothing of the list but its rows`()
    async throws
  {
    let store = try CustomerStore.inMemory("Ann Lee, Bob")
    let (before, after, closed, broken) = try await withServer(of: store) { port in
      let wire = try Wire(port: port)
      wire.send("GET /metrics HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
      _ = try PageSiteTests.ask(port, "GET /v1/rows?text=Lee")
      let before = try PageSiteTests.ask(port, "GET /metrics")
      _ = try PageSiteTests.ask(port, "GET /v1/rows/7?x=Lee")
      _ = try PageSiteTests.ask(port, "GET /Lee")
      let after = try PageSiteTests.ask(port, "GET /metrics")
      try store.write { list in try list.connection.execute("DELETE FROM customer_record") }
      return (before, after, wire.answer(), try PageSiteTests.ask(port, "GET /metrics"))
    }
    #expect(closed?.status == 401)
    #expect(before?.headers["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
    let lines = try #require(after?.body.split(separator: "\n"))
    for line in [
      #"customers_requests_total{method="GET",route="/v1/rows",status="200"} 1"#,
      #"customers_requests_total{method="GET",route="/v1/rows/{id}",status="400"} 1"#,
      #"customers_requests_total{method="-",route="-",status="404"} 1"#,
      #"customers_requests_total{method="GET",route="/metrics",status="200"} 1"#,
      #"customers_requests_total{method="GET",route="/metrics",status="401"} 1"#,
      "customers_list_readable 1", "customers_rows 3", "# TYPE customers_rows gauge",
    ] { #expect(lines.contains(line[...]), "\(line)") }
    #expect(after?.body.contains("Lee") == false)
    #expect(broken?.status == 200 && broken?.body.contains("\ncustomers_list_readable 0\n") == true)
  }

  @Test func `the stream begins with hello`() async throws {
    let text = try await withServer { port in
      let wire = try Wire(port: port)
      wire.send(
        "GET /v1/events?page=1 HTTP/1.1\r\nHost: localhost:\(port)\r\nAuthorization: Bearer \(PageSiteTests.token)\r\n\r\n"
      )
      return wire.receive(through: "\r\n\r\n") + wire.event()
    }
    #expect(text.contains("X-Content-Type-Options: nosniff\r\n"))
    #expect(text.contains("\r\n\r\nevent: hello\ndata: {") && text.contains(PageFiles.own.build))
  }

  @Test func `a stream that goes on from a version begins with one hello`() async throws {
    let store = try CustomerStore.inMemory()
    let text = try await withServer(of: store) { port in
      let after = try store.read { try $0.version() }
      let wire = try PageSiteTests.open(port, "GET /v1/events?after=\(after.text)")
      let start = wire.receive(through: "event: hello")
      try store.write { list in try list.update(1) { $0.note = "x" } }
      return start + wire.receive(through: "event: edit")
    }
    #expect(text.components(separatedBy: "event: hello").count == 2, "\(text)")
  }

  @Test func `a stream that comes later begins with the version that is current then`() async throws {
    let store = try CustomerStore.inMemory()
    let (hello, version) = try await withServer(of: store) { port in
      let first = try PageSiteTests.open(port, "GET /v1/events")
      _ = first.receive(through: "event: hello")
      try store.write { list in try list.update(1) { $0.note = "x" } }
      _ = first.receive(through: "event: edit")
      let later = try PageSiteTests.open(port, "GET /v1/events")
      _ = later.receive(through: "event: hello\n")
      let hello = later.event()
      try store.write { list in try list.update(1) { $0.note = "y" } }
      return (
        hello + later.receive(through: "event: edit"), try store.read { try $0.history(limit: 2)[1].version }
      )
    }
    #expect(hello.contains(#""version":"\#(version.text)""#) && !hello.contains("event: reload"), "\(hello)")
  }

  @Test func `readers may go while changes are sent, and all who stay get them`() async throws {
    let store = try CustomerStore.inMemory()
    let status = try await withServer(of: store) { port in
      let isDone = Atomic(false)
      let editor = Thread {
        for number in 0..<10_000 where !isDone.load(ordering: .relaxed) {
          _ = try? store.write { list in try list.update(1) { $0.note = "\(number)" } }
          usleep(500)
        }
      }
      editor.start()
      defer { isDone.store(true, ordering: .relaxed) }
      DispatchQueue.concurrentPerform(iterations: 6) { reader in
        for round in 0..<12 {
          guard let wire = try? PageSiteTests.open(port, "GET /v1/events?page=\(reader)") else { return }
          usleep(UInt32((reader * 7_919 + round * 15_485) % 60_000))
          withExtendedLifetime(wire) {}
        }
      }
      let reader = try PageSiteTests.open(port, "GET /v1/events")
      _ = reader.receive(through: "event: edit\n")
      return try PageSiteTests.ask(port, "GET /v1/rows?from=1&limit=1")?.status
    }
    #expect(status == 200)
  }

  @Test func `an app learns in a sentence that its port is taken`() async throws {
    let (listeners, port) = try Listener.loopback(port: 0)
    defer { withExtendedLifetime(listeners) {} }
    let api = ListAPI(try CustomerStore.inMemory("Ann"))
    let error = await #expect(throws: (any Error).self) { try await api.serve(port: port) { _ in } }
    #expect(error?.localizedDescription == "the port can't be used: Address already in use")
  }

  @Test func `one who comes later is greeted with the present version and what is wrong`() async throws {
    let greeting = Greeting()
    func text(_ name: String, _ data: String) async -> String {
      String(decoding: await greeting.after(APIEvent(name: name, data: data)), as: UTF8.self)
    }
    func hello(_ version: Int) -> String {
      "event: hello\ndata: {\"version\":\"m:\(version)\",\"list\":\"L\"}\n\n"
    }
    let first = #"{"version":"m:1","list":"L"}"#, trouble = "event: trouble\ndata: locked\n\n"
    #expect(await text("trouble", "locked") == trouble)
    #expect(await text("hello", first) == hello(1))
    #expect(await text("edit", #"{"version":"m:2","steps":[]}"#) == hello(2))
    #expect(await text("trouble", "locked") == hello(2) + trouble)
    #expect(await text("reload", #"{"version":"m:3"}"#) == hello(3) + trouble)
    #expect(await text("well", "{}") == hello(3))
    #expect(await text("hello", first) == hello(1))
  }
}
