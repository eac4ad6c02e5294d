import CustomersHTTP
import CustomersTestSupport
import Foundation
import Testing

/// What a peer may use.
@Suite struct LimitTests {
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
    let hasEnded = try await onOwnThread { [port = server.port] in
      let wire = try Wire(port: port)
      wire.send("GET / HTTP/1.1\r\nHost: a\r\nX: ")
      while wire.send("x") { usleep(1000) }
      return true
    }
    #expect(hasEnded && server.echo.handled == [])
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

  @Test func `a crowd of strangers does not keep others out`() async throws {
    let server = try EchoServer {
      ($0.connections, $0.headTime, $0.idleTime) = (200, .seconds(3600), .seconds(3600))
    }
    let answers = try await onOwnThread { [port = server.port] in
      let known = try Wire(port: port)
      known.send(EchoServer.request("GET", "/known"))
      var answers = [known.answer()?.status]
      // Each waits in the middle of a head.
      let strangers = try (0..<450).map { _ in
        let wire = try Wire(port: port)
        wire.send("GET / HTTP/1.1\r\n")
        return wire
      }
      let newcomer = try Wire(port: port)
      newcomer.send(EchoServer.request("GET", "/new"))
      answers.append(newcomer.answer()?.status)
      known.send(EchoServer.request("GET", "/again"))
      answers.append(known.answer()?.status)
      // The first of them had to make room.
      answers.append(strangers[0].rest() == "" ? 0 : 1)
      return answers
    }
    #expect(answers == [200, 200, 200, 0])
  }

  @Test func `a crowd of streams does not keep others out: the oldest makes room`() async throws {
    let server = try EchoServer { ($0.connections, $0.idleTime) = (20, .seconds(3600)) }
    let (status, first, last) = try await onOwnThread { [port = server.port] in
      let streams = try (0..<30).map { _ in
        let wire = try Wire(port: port)
        wire.send(EchoServer.request("GET", "/events"))
        _ = wire.receive(through: "\r\n\r\n")
        return wire
      }
      let newcomer = try Wire(port: port)
      newcomer.send(EchoServer.request("GET", "/new"))
      let status = newcomer.answer()?.status
      server.echo.send("a", "1")
      return (status, streams[0].rest(), streams[29].receive(through: "\n\n"))
    }
    #expect(status == 200)
    #expect(first == "")
    #expect(last == "event: a\ndata: 1\n\n")
  }

  @Test func `a crowd of those who are known is answered one after another`() async throws {
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
