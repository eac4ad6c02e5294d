import CustomersHTTP
import CustomersTestSupport
import Foundation
import Testing

/// How requests arrive.
@Suite(.onThreads) struct ReadingTests {
  @Test func `a request that arrives in two pieces is the same, wherever it is split`() async throws {
    let server = try EchoServer()
    let bytes = Array(EchoServer.request("POST", "/a", "body\r\n\r\n").utf8)
    let answers = try await onOwnThread { [port = server.port] in
      let wire = try Wire(port: port)
      return try (1..<bytes.count).map { split in
        wire.send(bytes[..<split])
        // A moment for the server to read the first piece alone; without it, the test only shows less.
        usleep(500)
        wire.send(bytes[split...])
        return try #require(wire.answer())
      }
    }
    #expect(answers.count == bytes.count - 1)
    #expect(answers.allSatisfy { $0.status == 200 && $0.body == "POST /a body\r\n\r\n\n" })
  }

  @Test func `a request that arrives byte by byte is read`() async throws {
    let server = try EchoServer()
    let answer = try await onOwnThread { [port = server.port] in
      let wire = try Wire(port: port)
      for byte in EchoServer.request("POST", "/a", "body").utf8 { wire.send([byte]) }
      return wire.answer()
    }
    #expect(answer?.body == "POST /a body\n")
  }

  @Test func `requests that are sent at once are answered in their order`() async throws {
    let server = try EchoServer()
    let bodies = try await onOwnThread { [port = server.port] in
      let wire = try Wire(port: port)
      wire.send((0..<100).map { EchoServer.request("POST", "/\($0)", "\($0)") }.joined())
      return (0..<100).map { _ in wire.answer()?.body }
    }
    #expect(bodies == (0..<100).map { "POST /\($0) \($0)\n" })
  }

  @Test func `a request before a half-closed end is answered, then the connection is closed`() async throws {
    let server = try EchoServer()
    let text = try await onOwnThread { [port = server.port] in
      let wire = try Wire(port: port)
      wire.send(EchoServer.request("GET", "/a"))
      wire.endSending()
      return wire.rest()
    }
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\nGET /a \n"))
  }

  @Test(arguments: [
    "", "GET", "GET / HTTP/1.1\r\nHost: a\r\n", String(EchoServer.request("POST", "/", "body").dropLast(2)),
  ])
  func `a peer that ends within a request gets nothing`(start: String) async throws {
    let server = try EchoServer()
    let text = try await onOwnThread { [port = server.port] in
      let wire = try Wire(port: port)
      wire.send(start)
      wire.endSending()
      return wire.rest()
    }
    #expect(text == "" && server.echo.handled == [])
  }

  @Test func `a peer that expects 100-continue gets it before it sends the body`() async throws {
    let server = try EchoServer()
    let (first, answer) = try await onOwnThread { [port = server.port] in
      let wire = try Wire(port: port)
      wire.send(
        "POST / HTTP/1.1\r\nHost: a\r\nAuthorization: a\r\nExpect: 100-Continue\r\nContent-Length: 4\r\n\r\n")
      let first = wire.receive(through: "\r\n\r\n")
      wire.send("body")
      return (first, wire.answer())
    }
    #expect(first == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(answer?.body == "POST / body\n")
  }

  @Test func `HEAD gets the head of the answer to GET`() async throws {
    let server = try EchoServer()
    let (answer, next) = try await onOwnThread { [port = server.port] in
      let wire = try Wire(port: port)
      wire.send(EchoServer.request("HEAD", "/a") + EchoServer.request("GET", "/b"))
      return (wire.answer(hasBody: false), wire.answer())
    }
    #expect(answer?.status == 200 && answer?.headers["content-length"] == "9")
    #expect(next?.body == "GET /b \n")
  }

  @Test func `the answer to HTTP/1.0 and to Connection: close ends the connection`() async throws {
    let server = try EchoServer()
    for head in [
      "GET / HTTP/1.0\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nConnection: a, Close\r\n\r\n",
    ] {
      let text = try await onOwnThread { [port = server.port] in
        let wire = try Wire(port: port)
        wire.send(head + EchoServer.request("GET", "/next"))
        return wire.rest()
      }
      #expect(text.contains("Connection: close\r\n") && text.hasSuffix("\r\n\r\nGET / \n"), "\(text)")
    }
  }

  @Test func `the answer has the time in the form of HTTP`() async throws {
    let server = try EchoServer()
    let answer = try await server.answer(to: EchoServer.request("GET", "/").utf8)
    let date = try #require(answer?.headers["date"])
    #expect(
      date.wholeMatch(of: /(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/) != nil
    )
  }

  @Test func `both addresses of this machine answer, if it has both`() async throws {
    let server = try EchoServer()
    let answer = try await onOwnThread { [port = server.port] () -> Wire.Answer? in
      guard FileManager.default.fileExists(atPath: "/proc/net/if_inet6"),
        let wire = try? Wire(port: port, isVersion6: true)
      else { return nil }
      wire.send(EchoServer.request("GET", "/six"))
      return wire.answer()
    }
    if let answer { #expect(answer.body == "GET /six \n") }
  }
}
