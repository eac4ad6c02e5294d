import CustomersHTTP
import CustomersTestSupport
import Foundation
import Testing

/// Answers that stay open, and the end of the server.
@Suite struct EventTests {
  private static func open(_ port: UInt16) throws -> (wire: Wire, head: String) {
    let wire = try Wire(port: port)
    wire.send(EchoServer.request("GET", "/events"))
    return (wire, wire.receive(through: "\r\n\r\n"))
  }

  @Test func `events arrive as they are sent, with every line of their data`() async throws {
    let server = try EchoServer()
    let (head, text) = try await onOwnThread {
      let (wire, head) = try EventTests.open(server.port)
      server.echo.send("one", "{\"a\":\"\u{2028}\"}")
      let first = wire.receive(through: "\n\n")
      server.echo.send("two", "a\nb\r")
      server.echo.endStreams()
      return (head, first + wire.rest())
    }
    #expect(
      head.contains("Content-Type: text/event-stream\r\n") && head.contains("Cache-Control: no-store\r\n"))
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
      return server.echo.endedStreams.comes()
    }
    #expect(wasLost)
  }

  @Test func `a stream whose reader does not read is cut off, and others go on`() async throws {
    let server = try EchoServer { $0.unsent = 1 << 20 }
    let (wasLost, last) = try await onOwnThread {
      let (slow, _) = try EventTests.open(server.port)
      // More than the system keeps for both ends.
      let data = String(repeating: "x", count: 100_000)
      while server.echo.endedStreams.wait(timeout: .now() + 0.001) != .success { server.echo.send("a", data) }
      let (quick, _) = try EventTests.open(server.port)
      server.echo.send("b", "1")
      withExtendedLifetime(slow) {}
      return (true, quick.receive(through: "\n\n"))
    }
    #expect(wasLost && last == "event: b\ndata: 1\n\n")
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
      #expect(throws: Wire.Lost.self) { try Wire(port: server.port) }
      return [stream.rest(), idle.rest()]
    }
    #expect(rest == ["", ""])
  }

  @Test func `a request that is being answered is answered before the server has stopped`() async throws {
    let server = try EchoServer { $0.stopTime = .seconds(300) }
    let text = try await onOwnThread {
      let wire = try Wire(port: server.port)
      wire.send(EchoServer.request("GET", "/wait"))
      while server.echo.handled.isEmpty { usleep(1000) }
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
      while server.echo.handled.isEmpty { usleep(1000) }
      server.stop()
      return wire.rest()
    }
    server.echo.mayAnswer.continuation.finish()
    #expect(text == "")
  }
}
