import CustomersHTTP
import CustomersTestSupport
import Foundation
import Testing

/// Answers that stay open, and the end of the server.
@Suite(.onThreads) struct EventTests {
  /// Opens a stream and waits for its first event.
  private static func open(_ port: UInt16, _ name: String? = nil) throws -> (wire: Wire, head: String) {
    let wire = try Wire(port: port)
    wire.send(EchoServer.request("GET", "/events" + (name.map { "?" + $0 } ?? "")))
    let head = wire.receive(through: "\r\n\r\n")
    #expect(wire.event() == "event: hello\ndata: \n\n")
    return (wire, head)
  }

  @Test func `events arrive as they are sent, with every line of their data`() async throws {
    let server = try EchoServer()
    let (head, text) = try await onOwnThread {
      let (wire, head) = try EventTests.open(server.port)
      server.echo.send("one", "{\"a\":\"\u{2028}\"}")
      let first = wire.receive(through: "\n\n")
      server.echo.send("two", "a\nb\r")
      server.echo.endNews()
      return (head, first + wire.rest())
    }
    #expect(
      head.contains("Content-Type: text/event-stream\r\n") && head.contains("Cache-Control: no-store\r\n"))
    // Otherwise nginx would keep the events.
    #expect(head.contains("X-Accel-Buffering: no\r\n"))
    #expect(!head.contains("Content-Length") && head.contains("Connection: close\r\n"))
    #expect(text == "event: one\ndata: {\"a\":\"\u{2028}\"}\n\nevent: two\ndata: a\ndata: b\ndata: \n\n")
  }

  @Test func `a quiet stream sends comments`() async throws {
    let server = try EchoServer { $0.heartbeatTime = .milliseconds(20) }
    let text = try await onOwnThread {
      let (wire, _) = try EventTests.open(server.port)
      return wire.receive(through: "\n\n") + wire.receive(through: "\n\n")
    }
    #expect(text == ":\n\n:\n\n")
  }

  @Test func `a stream whose reader goes away is given up`() async throws {
    let server = try EchoServer()
    let wasLost = try await onOwnThread {
      var wire: Wire? = try EventTests.open(server.port).wire
      withExtendedLifetime(wire) {}
      wire = nil
      return server.echo.endedNews.comes()
    }
    #expect(wasLost)
  }

  @Test func `a stream whose reader does not read is cut off, and others go on`() async throws {
    let server = try EchoServer { $0.unsent = 1 << 20 }
    let (wasLost, last) = try await onOwnThread {
      let (slow, _) = try EventTests.open(server.port)
      // More than the system keeps for both ends.
      let data = String(repeating: "x", count: 100_000)
      while server.echo.endedNews.wait(timeout: .now() + 0.001) != .success { server.echo.send("a", data) }
      let (quick, _) = try EventTests.open(server.port)
      server.echo.send("b", "1")
      withExtendedLifetime(slow) {}
      return (true, quick.receive(through: "\n\n"))
    }
    #expect(wasLost && last == "event: b\ndata: 1\n\n")
  }

  @Test func `one follows the news for all streams, and late readers know what the others know`() async throws
  {
    let server = try EchoServer()
    let (texts, late) = try await onOwnThread {
      let wires = try (0..<5).map { _ in try EventTests.open(server.port).wire }
      server.echo.send("a", "1")
      let texts = wires.map { $0.receive(through: "\n\n") }
      return (texts, try EventTests.open(server.port).wire.receive(through: "\n\n"))
    }
    #expect(texts == Array(repeating: "event: a\ndata: 1\n\n", count: 5) && late == texts[0])
    #expect(server.echo.follows == 1)
    // The last one has gone.
    #expect(try await onOwnThread { server.echo.endedNews.comes() })
  }

  @Test func `a stream ends if another one has its name, and the others go on`() async throws {
    let server = try EchoServer()
    let texts = try await onOwnThread {
      let wires = try ["a", "b", nil, "a"].map { try EventTests.open(server.port, $0).wire }
      server.echo.send("x", "1")
      return [wires[0].rest()] + wires.dropFirst().map { $0.receive(through: "\n\n") }
    }
    #expect(texts == [""] + Array(repeating: "event: x\ndata: 1\n\n", count: 3))
  }

  @Test func `readers may come and go at any moment`() async throws {
    let server = try EchoServer()
    let (answer, text) = try await onOwnThread {
      DispatchQueue.concurrentPerform(iterations: 6) { number in
        for round in 0..<60 {
          guard let wire = try? Wire(port: server.port) else { continue }
          wire.send(EchoServer.request("GET", round % 2 == 0 ? "/events" : "/events?\(number)"))
          if round % 3 > 0 { _ = wire.receive(1 + (round * 61 + number * 17) % 400) }
          server.echo.send("a", "1")
        }
      }
      let (wire, _) = try EventTests.open(server.port)
      server.echo.send("b", "2")
      let answer = try Wire(port: server.port)
      answer.send(EchoServer.request("GET", "/"))
      defer { server.stop() }
      return (answer.answer()?.status, wire.receive(through: "event: b\ndata: 2\n\n"))
    }
    #expect(answer == 200 && text.hasSuffix("event: b\ndata: 2\n\n"))
  }

  @Test func `HEAD of a stream gets its head only`() async throws {
    let server = try EchoServer()
    let text = try await onOwnThread { [port = server.port] in
      let wire = try Wire(port: port)
      wire.send(EchoServer.request("HEAD", "/events"))
      return wire.rest()
    }
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\n"))
  }

  @Test func `stopping ends streams and idle connections, and accepts no others`() async throws {
    let server = try EchoServer()
    let rest = try await onOwnThread {
      let (stream, _) = try EventTests.open(server.port)
      let idle = try Wire(port: server.port)
      idle.send(EchoServer.request("GET", "/"))
      _ = idle.answer()
      server.stop()
      // Once they have ended, the server has stopped.
      let rest = [stream.rest(), idle.rest()]
      #expect(throws: Wire.Lost.self) { try Wire(port: server.port) }
      return rest
    }
    #expect(rest == ["", ""])
  }

  @Test func `a request that is being answered is answered before the server has stopped`() async throws {
    let server = try EchoServer { $0.stopTime = .seconds(300) }
    let text = try await onOwnThread {
      let wire = try Wire(port: server.port)
      wire.send(EchoServer.request("GET", "/wait"))
      try waitUntil("the request is there") { !server.echo.handled.isEmpty }
      server.server.stop()
      server.echo.mayAnswer.continuation.yield()
      let text = wire.rest()
      server.stop()
      return text
    }
    #expect(text.contains("Connection: close\r\n") && text.hasSuffix("\r\n\r\nGET /wait \n"))
  }

  @Test func `a request that is not answered does not keep the server from stopping`() async throws {
    let server = try EchoServer { $0.stopTime = .milliseconds(20) }
    let text = try await onOwnThread {
      let wire = try Wire(port: server.port)
      wire.send(EchoServer.request("GET", "/wait"))
      try waitUntil("the request is there") { !server.echo.handled.isEmpty }
      server.stop()
      return wire.rest()
    }
    server.echo.mayAnswer.continuation.finish()
    #expect(text == "")
  }

  @Test func `a handler that is stuck keeps the server neither from refusing nor from stopping`() async throws
  {
    let server = try EchoServer { $0.stopTime = .milliseconds(20) }
    let (status, text) = try await onOwnThread {
      let wire = try Wire(port: server.port)
      wire.send(EchoServer.request("GET", "/stuck"))
      try waitUntil("the request is there") { server.echo.handled.last?.hasPrefix("GET /stuck") == true }
      let stranger = try Wire(port: server.port)
      stranger.send(EchoServer.request("GET", "/secret"))
      let status = stranger.answer()?.status
      server.stop()
      return (status, wire.rest())
    }
    server.echo.mayGoOn.signal()
    #expect(status == 401 && text == "")
  }
}
