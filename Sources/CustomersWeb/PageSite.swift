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
      let events = EventStream(api.events(page: query["page"])) { EventStream.Event($0.name, data: $0.data) }
      return Response(200, headers: PageSite.headers, body: .events(events))
    }
    let answer = await api.answer(
      APIRequest(method: request.head.method, path: String(path), query: query, body: request.body))
    return Response(
      answer.status, headers: [("Content-Type", answer.type.rawValue)] + PageSite.headersOfAnswers,
      body: .bytes(answer.body))
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
  package convenience init(
    of api: any ListService, on listeners: [Listener], hosts: PageHosts, token: String,
    limits: Limits = Limits()
  ) {
    let (pageGuard, site) = (PageGuard(token: token, hosts: hosts), PageSite(api))
    self.init(
      listeners, limits: limits, check: { pageGuard.judge($0) }, handle: { await site.answer($0) })
  }
}
