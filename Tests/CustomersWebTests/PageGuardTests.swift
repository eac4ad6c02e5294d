import CustomersHTTP
import CustomersTestSupport
import Testing

@testable import CustomersWeb

@Suite(.onThreads) struct PageGuardTests {
  /// All paths, with a 1 in place of a number.
  private static var paths: [Substring] {
    Route.all.map { $0.path.replacing("{id}", with: "1")[...] } + Array(PageFiles.own.files.keys)
      + [SitePath.health, Metrics.path]
  }

  private static let token = "0123456789abcdef0123456789abcdef"
  private static let port: UInt16 = 4711

  /// The status of the refusal, or 200.
  private static func status(
    _ method: String = "GET", _ path: String = "/v1/rows",
    hosts: PageHosts = PageHosts(port: port, names: ["list.example"]), headers: [String: String]
  ) throws -> Int {
    var all = ["Host": "localhost:4711", "Authorization": "Bearer \(token)"]
    if method == "POST" { all["Content-Type"] = SitePath.bodyType(of: path[...]) }
    all.merge(headers) { $1 }
    let lines = all.filter { $0.value != "-" }.map { "\($0.key): \($0.value)\r\n" }.joined()
    let bytes = Array("\(method) \(path) HTTP/1.1\r\n\(lines)\r\n".utf8)
    var parser = HeadParser()
    let found = parser.read(bytes)
    let head = try #require(found)
    switch PageGuard(token: token, hosts: hosts).judge(head) {
    case .refused(let response): return response.status
    case .admitted(let isKnown):
      #expect(isKnown == SitePath.isPrivate(path[...].prefix { $0 != "?" }))
      return 200
    }
  }

  @Test func `each path takes its methods, with the token where there is data`() throws {
    for path in Self.paths.map(String.init) {
      let methods = try #require(SitePath.methods(of: path[...]))
      for method in ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "get", "X"] {
        let expected = methods.contains(method) ? 200 : 405
        #expect(try Self.status(method, path, headers: [:]) == expected, "\(method) \(path)")
        let withoutToken = expected == 200 && SitePath.isPrivate(path[...]) ? 401 : expected
        #expect(
          try Self.status(method, path, headers: ["Authorization": "-"]) == withoutToken, "\(method) \(path)")
        // Whatever the path, a page of another site gets nothing.
        #expect(try Self.status(method, path, headers: ["Origin": "https://evil.example"]) == 403)
        #expect(try Self.status(method, path, headers: ["Host": "evil.example:4711"]) == 421)
      }
    }
    for path in [
      "/v1", "/v1/", "/v1/rows/", "/V1/rows", "//v1/rows", "/api/rows", "/../etc/passwd", "/%2e%2e/", "/page",
      "/x",
    ] {
      #expect(try Self.status("GET", path, headers: [:]) == 404, "\(path)")
    }
  }

  @Test(arguments: [
    ("localhost:4711", 200), ("127.0.0.1:4711", 200), ("[::1]:4711", 200), ("LOCALHOST:4711", 200),
    ("list.example", 200), ("List.Example", 200),
    ("localhost", 421), ("localhost:4712", 421), ("localhost:47110", 421),
    ("localhost:4711.evil.example", 421),
    ("localhost.evil.example:4711", 421), ("127.0.0.1.evil.example", 421), ("evil.example", 421), ("", 421),
    ("127.0.0.2:4711", 421), ("0.0.0.0:4711", 421), ("[::]:4711", 421), ("list.example:443", 421),
    ("list.example.evil.example", 421), ("xlist.example", 421), ("localhost:4711 ", 200),
    ("localhost:4711,x", 421),
    ("user@localhost:4711", 421), ("ｌocalhost:4711", 421),
  ])
  func `the host is compared whole`(host: String, status: Int) throws {
    #expect(try Self.status(headers: ["Host": host]) == status)
    #expect(try Self.status("GET", "/", headers: ["Host": host]) == status)
  }

  @Test(arguments: [
    ("localhost:4711", "http://localhost:4711", 200), ("127.0.0.1:4711", "http://127.0.0.1:4711", 200),
    ("[::1]:4711", "http://[::1]:4711", 200), ("list.example", "https://list.example", 200),
    ("localhost:4711", "null", 403), ("localhost:4711", "", 403), ("localhost:4711", "http://localhost", 403),
    ("localhost:4711", "https://localhost:4711", 403), ("localhost:4711", "http://localhost:4712", 403),
    ("localhost:4711", "http://127.0.0.1:4711", 403), ("localhost:4711", "https://list.example", 403),
    ("list.example", "http://list.example", 403), ("list.example", "https://list.example.evil.example", 403),
    ("localhost:4711", "http://localhost:4711/", 403), ("localhost:4711", "http://evil.example", 403),
  ])
  func `an origin must be that of the page`(host: String, origin: String, status: Int) throws {
    for (method, path) in [("GET", "/v1/rows"), ("POST", "/v1/edits"), ("GET", "/")] {
      #expect(try Self.status(method, path, headers: ["Host": host, "Origin": origin]) == status)
    }
  }

  @Test(arguments: [
    ("Bearer \(token)", 200), ("bearer \(token)", 200), ("Bearer  \(token)", 401),
    ("Bearer \(token.dropLast())", 401),
    ("Bearer \(token)0", 401), ("Bearer 0123456789abcdef0123456789abcdee", 401), ("Bearer", 401), ("", 401),
    ("Basic \(token)", 401), (token, 401), ("Bearer 0123456789ABCDEF0123456789ABCDEF", 401),
  ])
  func `the token is compared whole`(authorization: String, status: Int) throws {
    #expect(try Self.status(headers: ["Authorization": authorization]) == status)
    #expect(
      try Self.status("GET", "/v1/rows?token=\(Self.token)", headers: ["Authorization": authorization])
        == status)
  }

  @Test(arguments: [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200), ("x", 403)])
  func `the browser's word that another site asks is believed`(site: String, status: Int) throws {
    #expect(try Self.status(headers: ["Sec-Fetch-Site": site]) == status)
    #expect(try Self.status("GET", "/", headers: ["Sec-Fetch-Site": site]) == 200)
  }

  @Test(arguments: [
    ("application/json", 200), ("Application/JSON; charset=utf-8", 200), ("text/plain", 415), ("-", 415),
    ("", 415),
    ("application/x-www-form-urlencoded", 415), ("multipart/form-data", 415), ("application/jsonp", 415),
    ("text/plain; application/json", 415),
  ])
  func `a body must be JSON, which a form can't send`(type: String, status: Int) throws {
    #expect(try Self.status("POST", "/v1/edits", headers: ["Content-Type": type]) == status)
  }

  @Test func `a piece of a file is bytes, and nothing else may be`() throws {
    let types = ["application/octet-stream", "application/json"]
    for path in Self.paths.map(String.init) where SitePath.methods(of: path[...])?.contains("POST") == true {
      for type in types {
        let isRight = (type == types[0]) == (path == "/v1/files")
        #expect(try Self.status("POST", path, headers: ["Content-Type": type]) == (isRight ? 200 : 415))
      }
    }
  }

  @Test(arguments: [
    ("localhost:8080", 200), ("localhost", 200), ("127.0.0.1:1", 200), ("[::1]:9", 200), ("localhost:", 421),
    ("localhost:+1", 421), ("localhost:x", 421), ("localhost:99999", 421), ("localhost.evil.example", 421),
    ("localhostx", 421), ("localhost:8080.evil.example", 421), ("evil.example", 421),
  ])
  func `a socket is reached by any port of this machine, and by no other name`(host: String, status: Int)
    throws
  {
    let hosts = PageHosts(port: nil, names: [])
    #expect(try Self.status(hosts: hosts, headers: ["Host": host]) == status)
    if status == 200 {
      #expect(try Self.status(hosts: hosts, headers: ["Host": host, "Origin": "http://\(host)"]) == 200)
      #expect(
        try Self.status(hosts: hosts, headers: ["Host": host, "Origin": "http://localhost:1234"]) == 403)
    }
  }

  @Test func `at the usual port, browsers leave it out`() throws {
    let hosts = PageHosts(port: 80, names: [])
    #expect(
      try Self.status(hosts: hosts, headers: ["Host": "localhost", "Origin": "http://localhost"]) == 200)
    #expect(try Self.status(hosts: hosts, headers: ["Host": "localhost:80"]) == 200)
  }
}

extension HeadParser {
  /// Reads the head at the start of some bytes; nil if they are not a whole one or are refused.
  mutating func read(_ bytes: [UInt8]) -> RequestHead? {
    for byte in bytes { if let head = try? take(byte) { return head } }
    return nil
  }
}
