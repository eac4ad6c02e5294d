internal import CustomerStore
internal import CustomerTransfer
package import CustomersHTTP
internal import CustomersText
internal import Synchronization

/// What the page gets for its requests, after `PageGuard` has admitted them: its own files, or the list's answers.
package struct PageSite: Sendable {
  private let api: any ListService
  private let personal = PersonalLists()
  let metrics = Metrics()

  package init(_ api: any ListService) { self.api = api }

  /// Answers a request of someone who has the key of a person, or of whoever has the page's own.
  func answer(_ request: Request, from visitor: PageGuard.Visitor?) async -> Response {
    if request.head.path == Metrics.path, visitor != .owner {
      return Response(
        APIError(
          .forbidden, "Only the page's own key opens this.",
          remedy: "Use the key in the address that customers web prints."
        ).answer)
    }
    guard case .person(let person)? = visitor else { return await answer(request) }
    do {
      return try await PageSite(personal.list(api, for: person)).answer(request, of: person)
    } catch {
      return Response(APIError(error, obstacle: "The list can't be opened.").answer)
    }
  }

  package func answer(_ request: Request) async -> Response { await answer(request, of: nil) }

  private func answer(_ request: Request, of person: PagePerson?) async -> Response {
    let path = request.head.path
    if let file = PageFiles.own.files[path] {
      return Response(
        200, headers: [("Content-Type", file.type), ("ETag", file.tag)] + PageSite.headersOfFiles,
        body: .bytes(file.bytes))
    }
    if path == SitePath.health { return await health() }
    if path == Metrics.path { return await counts() }
    if CalendarKey.isPath(path) { return await calendar() }
    guard let query = TargetQuery.read(request.head.target) else {
      return Response(APIError(.badRequest, "The query is malformed.").answer)
    }
    let asked = APIRequest(method: request.head.method, path: String(path), query: query, body: request.body)
    if path == Route.events { return await events(asked, of: person) }
    return Response(await api.answer(asked))
  }

  /// A stream, after the events since a version if there is one.
  ///
  /// What begins the streams of others says what they may do, so a person's begins with its own.
  private func events(_ request: APIRequest, of person: PagePerson?) async -> Response {
    // A stream ends none of another key.
    let name = request.query["page"].map { page in person.map { "\($0.id.rawValue) \(page)" } ?? page }
    let news = Response(200, headers: PageSite.headers, body: .news(name: name))
    guard request.query["after"] != nil || person != nil else { return news }
    // A mistake is answered before the stream begins, which then reads again what it has missed.
    let answer = await api.answer(request)
    guard answer.status == 200 else { return Response(answer) }
    let own = api.stream(after: request.query["after"].flatMap { ListVersion($0) })
    return Response(
      200, headers: PageSite.headers,
      body: .news(
        name: name, missed: own ?? { [api] in await api.answer(request).body }, own: own))
  }

  /// Whether the list can be read, for a program that watches over this one; nothing else about the list.
  private func health() async -> Response {
    let answer = await api.answer(
      APIRequest(method: "GET", path: "/v1/rows", query: ["limit": "1"]))
    let (status, word) = answer.status == 200 ? (200, "ok") : (503, "trouble")
    return Response(APIAnswer(status: status, body: Array(#"{"status":"\#(word)"}"#.utf8)))
  }

  /// The counts of the server and the number of rows.
  private func counts() async -> Response {
    let answer = await api.answer(APIRequest(method: "GET", path: "/v1/rows", query: ["limit": "1"]))
    let rows = try? JSONMembers(JSON(reading: answer.body)).number("count")
    return Response(
      200, headers: [("Content-Type", Metrics.type)] + PageSite.headersOfAnswers,
      body: .bytes(Array(metrics.text(rows: rows).utf8)))
  }

  /// The names and dates of the list, for a calendar program.
  private func calendar() async -> Response {
    let answer = await api.answer(
      APIRequest(method: "GET", path: "/v1/export", query: ["format": FileFormat.ics.name]))
    guard answer.status == 200 else { return Response(answer) }
    return Response(
      200, headers: [("Content-Type", "text/calendar; charset=utf-8")] + PageSite.headersOfAnswers,
      body: .bytes(answer.body))
  }

  /// Reports the changes of the list to all pages.
  ///
  /// - Parameters:
  ///   - report: gets the bytes of each event, and those of a greeting.
  ///   - before: runs before each event is reported.
  func follow(
    _ report: @escaping @Sendable (_ events: [UInt8], _ greeting: [UInt8]) -> Void,
    before: @escaping @Sendable () async -> Void = {}
  ) async {
    // One event is reported after another, but the closure may be on another thread each time.
    let greeting = Greeting()
    await api.follow { event in
      await before()
      await report(event.bytes, greeting.after(event))
    }
  }

  /// Nothing is kept, guessed, or shown in a page of another site.
  private static let headers = [
    ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
  ]

  fileprivate static let headersOfAnswers = headers + [("Cache-Control", "no-store")]

  /// The page runs its own code and reaches its own server, and nothing else, whatever a list contains.
  ///
  /// A browser may keep it if it asks each time whether it is still the same.
  private static let headersOfFiles =
    headers + [
      ("Cache-Control", "no-cache"),
      (
        "Content-Security-Policy",
        """
        default-src 'none'; script-src \(PageFiles.own.script); style-src \(PageFiles.own.style); connect-src 'self'; \
        img-src 'self' blob: data:; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
        frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types page
        """
      ),
      ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ]
}

extension Response {
  init(_ answer: APIAnswer) {
    self.init(
      answer.status, headers: [("Content-Type", answer.type.rawValue)] + PageSite.headersOfAnswers,
      body: .bytes(answer.body))
  }
}

extension HTTPServer {
  /// Creates the server of a list's page.
  ///
  /// - Parameters:
  ///   - api: the list.
  ///   - listeners: where browsers connect.
  ///   - hosts: the names by which they do.
  ///   - token: what they must know.
  ///   - calendar: what a calendar program must know; nil if none can.
  ///   - people: those who have keys of their own; nil if no one can.
  ///   - limits: what they may use.
  ///   - access: takes note of each request.
  ///   - pulse: is called after each interval as long as the server comes around.
  ///   - log: writes a line for whoever runs the server.
  package convenience init(
    of api: any ListService, on listeners: [Listener], hosts: PageHosts, token: String,
    calendar: CalendarKey? = nil, people: People? = nil, limits: Limits = Limits(), access: AccessLog? = nil,
    pulse: (interval: Duration, beat: @Sendable () -> Void)? = nil,
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    let pageGuard = PageGuard(token: token, hosts: hosts, calendar: calendar, people: people)
    let site = PageSite(api)
    self.init(
      listeners, limits: limits,
      check: { head in
        let judgment = pageGuard.judge(head)
        if case .refused(let response) = judgment {
          site.metrics.note(head, response.status)
          access?.note(head, response.status)
        }
        return judgment
      },
      goesOn: { pageGuard.knownVisitor($0) != nil },
      handle: { request in
        let start = ContinuousClock.now
        // Again, because the key may have ended since the head was judged.
        if case .person? = pageGuard.visitor(request.head) { await people?.look(at: api) }
        let visitor = pageGuard.knownVisitor(request.head)
        let response =
          visitor == nil && SitePath.isPrivate(request.head.path)
          ? pageGuard.unauthorized
          : await site.answer(request, from: visitor).delivered(to: request.head)
        let time = ContinuousClock.now - start
        site.metrics.note(request.head, response.status, after: time)
        access?.note(request.head, response.status, by: visitor?.name, after: time)
        return response
      },
      news: { report in await site.follow(report, before: { await people?.look(at: api) }) }, pulse: pulse,
      log: log)
  }
}

/// The paths of the page and of the API, with the methods that each of them takes.
enum SitePath {
  /// The path that says whether the list can be read; it needs no key.
  static let health: Substring = "/health"

  /// The methods that a path takes; nil if there is nothing at the path.
  static func methods(of path: Substring) -> [String]? {
    let routes = Route.at(path).routes
    if !routes.isEmpty { return routes.map(\.method) }
    return path == health || path == Metrics.path || PageFiles.own.files[path] != nil
      || CalendarKey.isPath(path)
      ? ["GET", "HEAD"] : nil
  }

  /// The type of the body that a request has.
  static func bodyType(of path: Substring) -> String {
    Route.at(path).routes.first { $0.method == "POST" }?.bodyType ?? "application/json"
  }

  /// Whether only those who know the key get an answer.
  static func isPrivate(_ path: Substring) -> Bool { path == Metrics.path || !Route.at(path).routes.isEmpty }

  /// The path of a request without the number or key in it, for a log; nil if there is nothing, or not for its method.
  static func name(of head: RequestHead) -> String? {
    guard methods(of: head.path)?.contains(head.method) == true else { return nil }
    if CalendarKey.isPath(head.path) { return CalendarKey.name }
    return Route.at(head.path).routes.first?.path ?? String(head.path)
  }
}

/// The query of a target, `?from=1&limit=50`, as names and values.
enum TargetQuery {
  /// Returns the values by their names; nil if an escape is wrong, a text is not UTF-8, or a name is there twice.
  static func read(_ target: String) -> [String: String]? {
    guard let start = target.firstIndex(of: "?") else { return [:] }
    var values: [String: String] = [:]
    for part in target[target.index(after: start)...].split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = unescaped(pair[0]), let value = unescaped(pair.count == 2 ? pair[1] : ""),
        values.updateValue(value, forKey: name) == nil
      else { return nil }
    }
    return values
  }

  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        let digits = Substring(rest.prefix(2))
        guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16)
        else {
          return nil
        }
        bytes.append(value)
        rest = rest.dropFirst(2)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// The list as each person has it: what they do bears their names, and what they search and send is their own.
private final class PersonalLists: Sendable {
  private struct Opened {
    let person: PagePerson
    let list: any ListService
  }

  private let opened = Mutex<[PersonID: Opened]>([:])

  func list(_ api: any ListService, for person: PagePerson) throws -> any ListService {
    // Rights that have changed are those of another list.
    if let known = opened.withLock({ $0[person.id] }), known.person == person { return known.list }
    let list = try api.list(for: person)
    opened.withLock { opened in
      // Those of people who were removed are closed then.
      if opened.count >= 100 { opened = [:] }
      opened[person.id] = Opened(person: person, list: list)
    }
    return list
  }
}
