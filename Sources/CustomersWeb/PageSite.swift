package import CustomersHTTP
package import CustomersListAPI

/// What the page gets for its requests, after `PageGuard` has admitted them: its own files, or the list's answers.
package struct PageSite: Sendable {
  private let api: any ListService

  package init(_ api: any ListService) { self.api = api }

  package func answer(_ request: Request) async -> Response {
    let path = request.head.path
    if let file = PageFiles.own.files[path] {
      return Response(
        200, headers: [("Content-Type", file.type)] + PageSite.headersOfFiles, body: .bytes(file.bytes))
    }
    guard let query = Query.read(request.head.target) else {
      return Response(400, text: "The query is malformed.")
    }
    if path == Route.events {
      return Response(200, headers: PageSite.headers, body: .news(name: query["page"]))
    }
    let answer = await api.answer(
      APIRequest(method: request.head.method, path: String(path), query: query, body: request.body))
    return Response(
      answer.status, headers: [("Content-Type", answer.type.rawValue)] + PageSite.headersOfAnswers,
      body: .bytes(answer.body))
  }

  /// Reports the changes of the list to all pages.
  func follow(_ report: @escaping @Sendable (_ events: [UInt8], _ greeting: [UInt8]) -> Void) async {
    // One event is reported after another, but the closure may be on another thread each time.
    let greeting = Greeting()
    await api.follow { event in await report(event.bytes, greeting.after(event)) }
  }

  /// Nothing is kept, guessed, or shown in a page of another site.
  private static let headers = [
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  private static let headersOfAnswers = headers + [("Cache-Control", "no-store")]

  /// The page runs its own scripts and reaches its own server, and nothing else, whatever a list contains.
  private static let headersOfFiles =
    headersOfAnswers + [
      (
        "Content-Security-Policy",
        """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob:; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
        """
      ),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ]
}

extension HTTPServer {
  /// Creates the server of a list's page.
  ///
  /// - Parameters:
  ///   - api: the list.
  ///   - listeners: where browsers connect.
  ///   - hosts: the names by which they do.
  ///   - token: what they must know.
  ///   - limits: what they may use.
  ///   - log: writes a line for whoever runs the server.
  package convenience init(
    of api: any ListService, on listeners: [Listener], hosts: PageHosts, token: String,
    limits: Limits = Limits(), log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    let (pageGuard, site) = (PageGuard(token: token, hosts: hosts), PageSite(api))
    self.init(
      listeners, limits: limits, check: { pageGuard.judge($0) }, handle: { await site.answer($0) },
      news: { await site.follow($0) }, log: log)
  }
}
