import CustomersTestSupport
import Foundation
import Testing

/// `customers web`, started as a program of its own.
struct RunningWeb {
  let started: Started
  let process: pid_t
  /// Its first line.
  let url: String

  /// Starts it and waits for the address.
  init(_ sandbox: CLISandbox, _ words: String..., by program: [String] = []) throws {
    try self.init(sandbox, words: words, by: program)
  }

  /// The same with a list of words.
  init(_ sandbox: CLISandbox, words: [String], by program: [String] = []) throws {
    started = try sandbox.start(program + [CLISandbox.program, "web"] + words)
    process = try started.spawn.start()
    try waitUntil("web prints its address") { [started, process] in
      try started.outcome(code: 0).output.contains("\n") || Spawn.hasEnded(process)
    }
    url = try String(started.outcome(code: 0).output.prefix { $0 != "\n" })
    if Spawn.hasEnded(process) {
      Issue.record("web has ended: \(try started.outcome(code: Spawn.wait(process)))")
    }
  }

  var token: String { String(url.suffix(32)) }

  var port: UInt16 { UInt16(url.prefix { $0 != "#" }.dropFirst("http://localhost:".count).dropLast()) ?? 0 }

  func wire() throws -> Wire { try Wire(port: port) }

  /// The bytes of a request, with the token unless other headers are given.
  func request(_ method: String, _ path: String, _ body: String = "", headers: String? = nil) -> String {
    let known = "Authorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
    return "\(method) \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\n\(headers ?? known)"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  /// Asks, on a connection of its own.
  func ask(_ method: String, _ path: String, _ body: String = "", headers: String? = nil) throws -> Wire
    .Answer?
  {
    let wire = try wire()
    wire.send(request(method, path, body, headers: headers))
    return wire.answer()
  }

  /// Ends it.
  func end(_ signal: Int32 = SIGINT) throws -> ProcessResult {
    kill(process, signal)
    return try started.outcome(code: Spawn.wait(process))
  }
}
