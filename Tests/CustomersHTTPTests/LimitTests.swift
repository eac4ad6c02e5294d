import CustomersHTTP
import CustomersTestSupport
import Foundation
import Testing

/// What a peer may use.
@Suite(.onThreads) struct LimitTests {
  @Test func `a body of the limit is read, a longer one is refused before it is`() async throws {
    let server = try EchoServer { $0.body = 1000 }
    let body = String(repeating: "b", count: 1000)
    #expect(try await server.answer(to: EchoServer.request("POST", "/", body).utf8)?.status == 200)
    for length in ["1001", "99999999999999999999999999"] {
      // Without a byte of the body.
      let head = "POST / HTTP/1.1\r\nHost: a\r\nAuthorization: a\r\nContent-Length: \(length)\r\n\r\n"
      #expect(try await server.answer(to: head.utf8)?.status == 413)
    }
  }

  @Test func `a stranger can't send a body, nor can a request that is refused`() async throws {
    let server = try EchoServer()
    for (target, headers, status) in [("/", "", 413), ("/secret", "Authorization: a\r\n", 401)] {
      let head = "POST \(target) HTTP/1.1\r\nHost: a\r\n\(headers)Content-Length: 1000000\r\n\r\n"
      #expect(try await server.answer(to: head.utf8)?.status == status)
    }
    #expect(server.echo.handled == [])
  }

  @Test func `the refusal is not lost while the peer still sends`() async throws {
    let server = try EchoServer()
    let answer = try await onOwnThread { [port = server.port] in
      let wire = try Wire(port: port)
      wire.send("POST /secret HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
      wire.send([UInt8](repeating: 0, count: 1_000_000))
      return wire.answer()
    }
    #expect(answer?.status == 401 && answer?.body == "no\n")
  }

  @Test(arguments: ["GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n"])
  func `a head that takes too long is refused`(start: String) async throws {
    let server = try EchoServer { $0.headTime = .milliseconds(50) }
    let text = try await onOwnThread { [port = server.port] in
      let wire = try Wire(port: port)
      wire.send(start)
      return wire.rest()
    }
    #expect(text.hasPrefix("HTTP/1.1 408 ") || text == "", "\(text)")
  }

  @Test func `a head that comes drop by drop is refused, too`() async throws {
    let server = try EchoServer { $0.headTime = .milliseconds(50) }
    let drops = try await onOwnThread { [port = server.port] in
      let wire = try Wire(port: port)
      wire.send("GET / HTTP/1.1\r\nHost: a\r\nX: ")
      var drops = 0
      while wire.send("x") {
        drops += 1
        usleep(1000)
      }
      return drops
    }
    // Not because it is too long, which it would be at some time.
    #expect(drops < HeadParser.longestHead / 2 && server.echo.handled == [])
  }

  @Test func `a body that takes too long is refused`() async throws {
    let server = try EchoServer { $0.bodyTime = .milliseconds(50) }
    let text = try await onOwnThread { [port = server.port] in
      let wire = try Wire(port: port)
      wire.send(EchoServer.request("POST", "/", "body").dropLast(1).utf8)
      return wire.rest()
    }
    #expect(text.hasPrefix("HTTP/1.1 408 "), "\(text)")
    #expect(server.echo.handled == [])
  }

  @Test func `a connection without a request is closed silently`() async throws {
    let server = try EchoServer { ($0.headTime, $0.idleTime) = (.milliseconds(50), .milliseconds(50)) }
    let (text, answer, rest) = try await onOwnThread { [port = server.port] in
      let (silent, wire) = (try Wire(port: port), try Wire(port: port))
      wire.send(EchoServer.request("GET", "/"))
      return (silent.rest(), wire.answer(), wire.rest())
    }
    #expect(text == "" && rest == "")
    // It may have been too slow to send its request.
    #expect(answer == nil || answer?.status == 200)
  }

  @Test func `a peer that does not take its answer is cut off`() async throws {
    let server = try EchoServer { $0.answerTime = .zero }
    let count = try await onOwnThread { [port = server.port] in
      let (lazy, other) = (try Wire(port: port), try Wire(port: port))
      lazy.send(EchoServer.request("GET", "/large"))
      var count = lazy.receive(1).count
      // When this one is answered, the server has looked at the deadline of the first.
      other.send(EchoServer.request("GET", "/"))
      _ = other.answer()
      count += lazy.rest().utf8.count
      return count
    }
    #expect((1..<64 << 20).contains(count))
  }

  /// Asks on new connections until there is a place for one.
  private static func patiently(_ port: UInt16, _ target: String) throws -> Int? {
    while true {
      let wire = try Wire(port: port)
      wire.send(EchoServer.request("GET", target))
      let status = wire.answer()?.status
      if status != 503 { return status }
      usleep(10_000)
    }
  }

  @Test func `a crowd of strangers does not keep others out for long`() async throws {
    let server = try EchoServer {
      ($0.connections, $0.headTime, $0.idleTime) = (200, .seconds(3600), .seconds(3600))
    }
    let (status, first) = try await onOwnThread { [port = server.port] in
      // Each waits in the middle of a head.
      let strangers = try (0..<450).map { _ in
        let wire = try Wire(port: port)
        wire.send("GET / HTTP/1.1\r\n")
        return wire
      }
      let status = try LimitTests.patiently(port, "/new")
      // The first of them had to make room.
      return (status, strangers[0].rest())
    }
    #expect(status == 200 && first == "")
  }

  @Test func `whoever comes has time to send its head, however many others come`() async throws {
    let server = try EchoServer { ($0.connections, $0.firstTime) = (10, .seconds(3600)) }
    let (answer, refused) = try await onOwnThread { [port = server.port] in
      let slow = try Wire(port: port)
      slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n")
      var refused = 0
      let others = try (0..<60).map { _ in
        let wire = try Wire(port: port)
        wire.send("GET / HTTP/1.1\r\n")
        return wire
      }
      // The last one was refused, so all were accepted.
      while others[59].answer()?.status == 503 { refused += 1 }
      slow.send("\r\n")
      return (slow.answer(), refused)
    }
    #expect(answer?.status == 200 && refused == 1)
  }

  @Test func `without room a newcomer learns when to come again, which is logged once`() async throws {
    let server = try EchoServer { ($0.connections, $0.idleTime) = (20, .seconds(3600)) }
    let (answers, texts, status) = try await onOwnThread { [port = server.port] in
      let streams = try (0..<19).map { _ in
        let wire = try Wire(port: port)
        wire.send(EchoServer.request("GET", "/events"))
        _ = wire.receive(through: "event: hello\ndata: \n\n")
        return wire
      }
      let running = try Wire(port: port)
      running.send(EchoServer.request("GET", "/wait"))
      try waitUntil("the request is there") { server.echo.handled.last?.hasPrefix("GET /wait") == true }
      // More than may linger.
      let newcomers = try (0..<30).map { _ in
        let wire = try Wire(port: port)
        wire.send(EchoServer.request("GET", "/new"))
        return wire
      }
      let answers = newcomers.suffix(3).map { $0.answer() }
      server.echo.send("a", "1")
      server.echo.mayAnswer.continuation.yield()
      let texts = streams.map { $0.receive(through: "\n\n") }
      return (answers, texts, running.answer()?.status)
    }
    for answer in answers {
      #expect(answer?.status == 503 && answer?.headers["retry-after"] == "1", "\(String(describing: answer))")
    }
    #expect(!server.echo.handled.contains { $0.hasPrefix("GET /new") })
    // No stream and no running request made room.
    #expect(texts == Array(repeating: "event: a\ndata: 1\n\n", count: 19) && status == 200)
    try waitUntil("the refusal is logged") { !server.log.isEmpty }
    #expect(server.log == ["all 20 connections are in use; others are refused until one ends"])
  }

  @Test func `the oldest idle connection makes room, and no stream`() async throws {
    let server = try EchoServer { ($0.connections, $0.idleTime, $0.firstTime) = (5, .seconds(3600), .zero) }
    let (status, idle, kept) = try await onOwnThread { [port = server.port] in
      let stream = try Wire(port: port)
      stream.send(EchoServer.request("GET", "/events"))
      _ = stream.receive(through: "event: hello\ndata: \n\n")
      let idle = try (0..<4).map { _ in
        let wire = try Wire(port: port)
        wire.send(EchoServer.request("GET", "/"))
        _ = wire.answer()
        return wire
      }
      let newcomer = try Wire(port: port)
      newcomer.send(EchoServer.request("GET", "/new"))
      let status = newcomer.answer()?.status
      idle[1].send(EchoServer.request("GET", "/again"))
      server.echo.send("a", "1")
      return (status, idle[0].rest(), (idle[1].answer()?.status, stream.receive(through: "\n\n")))
    }
    #expect(status == 200 && idle == "" && kept == (200, "event: a\ndata: 1\n\n"))
  }

  @Test func `known clients in a crowd are answered in turn`() async throws {
    let server = try EchoServer { $0.connections = 20 }
    let statuses = try await onOwnThread { [port = server.port] in
      let results = Results()
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for number in 0..<100 {
          guard let wire = try? Wire(port: port) else { return results.add(0) }
          wire.send(EchoServer.request("POST", "/\(number)", "body"))
          results.add(wire.answer()?.status ?? 0)
        }
      }
      return results.all
    }
    #expect(statuses == [200: 400])
  }
}

/// How often each status was seen.
private final class Results: @unchecked Sendable {
  private let lock = NSLock()
  private var counts: [Int: Int] = [:]

  func add(_ status: Int) { lock.withLock { counts[status, default: 0] += 1 } }

  var all: [Int: Int] { lock.withLock { counts } }
}
