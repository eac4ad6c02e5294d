import CustomersTestSupport
import Testing

/// Requests that two readers could read in two ways, sent over a socket.
@Suite(.onThreads) struct OddRequestTests {
  /// What is wrong with a request, its bytes, and the status of the answer.
  struct Odd: CustomTestStringConvertible, Sendable {
    let name: String
    let bytes: String
    let status: Int

    var testDescription: String { name }

    init(_ name: String, _ bytes: String, _ status: Int = 400) {
      (self.name, self.bytes, self.status) = (name, bytes, status)
    }
  }

  private static func head(_ headers: String, target: String = "/") -> String {
    "GET \(target) HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\r\n"
  }

  static let requests = [
    Odd("two hosts", head("Host: b")),
    Odd("no host", "GET / HTTP/1.1\r\n\r\n"),
    Odd("no host in HTTP/1.0", "GET / HTTP/1.0\r\n\r\n"),
    Odd("a target with a host", head("A: b", target: "http://evil.example/")),
    Odd("a target that is a star", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"),
    Odd("a target with a letter that is not ASCII", head("A: b", target: "/ä")),
    Odd("a target with a tab", head("A: b", target: "/\ta")),
    Odd("line ends without a carriage return", "GET / HTTP/1.1\nHost: a\n\n"),
    Odd("a carriage return alone", head("A: b\rC: d")),
    Odd("a folded header", head("A: b\r\n c")),
    Odd("a header folded by a tab", head("A: b\r\n\tc")),
    Odd("a NUL in a header", head("A: b\0c")),
    Odd("a NUL in the host", "GET / HTTP/1.1\r\nHost: a\0.evil.example\r\n\r\n"),
    Odd("an escape in a header", head("A: \u{1b}[m")),
    Odd("two lengths", head("Content-Length: 2\r\nContent-Length: 2")),
    Odd("two lengths in one header", head("Content-Length: 2, 2")),
    Odd("a length with a sign", head("Content-Length: +2")),
    Odd("a negative length", head("Content-Length: -2")),
    Odd("no digits in a length", head("Content-Length:")),
    Odd("a length in hexadecimal", head("Content-Length: 0x2")),
    Odd("two tokens", head("Authorization: a\r\nauthorization: b")),
    Odd("a length and chunks", head("Content-Length: 2\r\nTransfer-Encoding: chunked"), 400),
    Odd("chunks, compressed", head("Transfer-Encoding: gzip, chunked"), 400),
    Odd("a space before the colon", head("A : b")),
    Odd("a header without a name", head(": b")),
    Odd("a line without a colon", head("A")),
    Odd("a head of 40 kB", head("A: " + String(repeating: "b", count: 40_000)), 431),
    Odd("101 headers", head((0..<100).map { "A\($0): b" }.joined(separator: "\r\n")), 431),
    Odd("a line before the request", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Odd("two spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
    Odd("no version", "GET /\r\nHost: a\r\n\r\n"),
    Odd("another version", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505),
    Odd("another protocol", "GET / http/1.1\r\nHost: a\r\n\r\n"),
    Odd("an unknown expectation", head("Expect: wonders"), 417),
    Odd("the start of TLS", "\u{16}\u{03}\u{01}\r\n\r\n"),
  ]

  @Test(arguments: requests)
  func `an odd request is refused, and the connection is closed`(_ odd: Odd) async throws {
    let server = try EchoServer()
    // A second request in the same bytes must not be answered, whatever the first one means.
    let text = try await onOwnThread { [port = server.port] in
      let wire = try Wire(port: port)
      wire.send(odd.bytes + EchoServer.request("GET", "/smuggled"))
      wire.endSending()
      return wire.rest()
    }
    #expect(text.hasPrefix("HTTP/1.1 \(odd.status) "), "\(text)")
    #expect(text.matches(of: /HTTP\/1\.1 [0-9]/).count == 1 && text.contains("Connection: close"))
    #expect(server.echo.handled == [])
  }

  @Test func `what looks odd but means one thing is answered`() async throws {
    let server = try EchoServer()
    for headers in [
      "A:b", "A: \t b \t", "A:", "Cookie: ä", "a!#$%&'*+-.^_`|~1: b", "X: 1\r\nX: 2", "Content-Length: 000",
    ] {
      let answer = try await server.answer(to: OddRequestTests.head(headers, target: "/a?b#%00").utf8)
      #expect(answer?.status == 200 && answer?.body == "GET /a?b#%00 \n", "\(headers)")
    }
  }
}
