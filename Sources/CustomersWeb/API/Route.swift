internal import CustomerStore
internal import CustomersText

/// A request of the API.
///
/// The guard, the dispatcher, and the documents read the same table of routes.
package struct Route: Sendable {
  /// A parameter after the question mark, or a part of the path.
  struct Parameter: Sendable {
    enum Kind: Sendable {
      case text, flag
      case number(ClosedRange<Int>)
      case words([String])
    }

    let name: String
    let kind: Kind
    let meaning: String
    let isNeeded: Bool
    let isInPath: Bool

    init(_ name: String, _ kind: Kind, _ meaning: String, isNeeded: Bool = false, isInPath: Bool = false) {
      (self.name, self.kind, self.meaning) = (name, kind, meaning)
      (self.isNeeded, self.isInPath) = (isNeeded, isInPath)
    }
  }

  /// What a request has besides its parameters.
  enum Body: Sendable {
    case none
    case json(JSONObjectType)
    /// A piece of a file.
    case bytes
  }

  /// What an answer is.
  enum Content: Sendable {
    case json(JSONObjectType)
    case events
    case other([APIAnswer.MediaType])
    /// The document of the API itself.
    case document
  }

  /// A request that was found in the table.
  struct Call: Sendable {
    let query: Query
    /// The number in the path.
    let id: Int64
    let body: JSONMembers
    let bytes: [UInt8]
    /// The method, the path, and the body without its token, as one value.
    let identity: String
  }

  typealias Handler = @Sendable (ListAPI) -> @Sendable (Call) async throws -> APIAnswer

  let method: String
  /// Such as `/v1/rows/{id}`.
  let path: String
  /// Its name in programs that are generated.
  let name: String
  let summary: String
  let parameters: [Parameter]
  let body: Body
  let content: Content
  /// Whether it needs no right to edit.
  let isReading: Bool
  /// Whether an answer may say how far it is, and the request must be repeated.
  var mayRun = false
  let handler: Handler

  static func get(
    _ path: String, _ name: String, _ handler: @escaping Handler, _ summary: String, _ content: Content,
    _ parameters: [Parameter] = []
  ) -> Route {
    Route(
      method: "GET", path: path, name: name, summary: summary, parameters: inPath(path) + parameters,
      body: .none, content: content, isReading: true, handler: handler)
  }

  static func post(
    _ path: String, _ name: String, _ handler: @escaping Handler, _ summary: String, _ body: Body,
    _ answer: JSONObjectType, _ parameters: [Parameter] = [], isReading: Bool = false, mayRun: Bool = false
  ) -> Route {
    Route(
      method: "POST", path: path, name: name, summary: summary, parameters: inPath(path) + parameters,
      body: body, content: .json(answer), isReading: isReading, mayRun: mayRun, handler: handler)
  }

  private static func inPath(_ path: String) -> [Parameter] {
    guard path.contains("{id}") else { return [] }
    return [
      Parameter(
        "id", .number(1...Int.max), "the id of the customer", isNeeded: true,
        isInPath: true)
    ]
  }

  /// The type of the body.
  var bodyType: String { if case .bytes = body { "application/octet-stream" } else { "application/json" } }
}

extension Route {
  /// The path of the stream.
  static let events: Substring = "/v1/events"

  /// The routes at a path, and the number in it; none if there is nothing.
  static func at(_ path: Substring) -> (routes: [Route], id: Int64) {
    if let routes = byPath[path] { return (routes, 0) }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 3, parts[3].utf8.first.map({ $0 >= 0x31 && $0 <= 0x39 }) == true,
      let id = Int64(parts[3]),
      let routes = byPath[(parts[..<3] + ["{id}"] + parts[4...]).joined(separator: "/")[...]]
    else { return ([], 0) }
    return (routes, id)
  }

  private static let byPath = Dictionary(grouping: all) { $0.path[...] }

  /// Checks a request against the table and takes it apart.
  ///
  /// - Throws: `APIError`, `JSONMistake`.
  func call(_ request: APIRequest, id: Int64) throws -> Call {
    let query = Query(request.query)
    try query.allow(parameters.filter { !$0.isInPath }.map(\.name) + [Parameter.zone.name])
    for parameter in parameters
    where parameter.isNeeded && !parameter.isInPath && query[parameter.name] == nil {
      throw APIError(.badRequest, "The parameter \(parameter.name) is missing.")
    }
    var body = JSON.object([])
    var members = try JSONMembers(body)
    if case .json(let type) = self.body {
      body = try JSON(reading: request.body)
      members = try JSONMembers(body)
      try members.allow(type.members.map(\.name))
    } else if case .none = self.body, !request.body.isEmpty {
      throw APIError(.badRequest, "This request has no body.")
    }
    if case .object(let all) = body { body = .object(all.filter { $0.0 != "token" }) }
    return Call(
      query: query, id: id, body: members, bytes: request.body,
      identity: "\(method) \(request.path)\n\(body.sorted.text)")
  }
}

extension ListAPI {
  /// Answers a request; one that can't be understood or done gets an answer, too.
  ///
  /// If its task is canceled, an edit is done as a whole or not at all.
  package func answer(_ request: APIRequest) async -> APIAnswer {
    do { return try await tryToAnswer(request) } catch { return self.error(error).answer }
  }

  /// Answers a request.
  ///
  /// - Throws: why it can't be understood or done.
  func tryToAnswer(_ request: APIRequest) async throws -> APIAnswer {
    let (routes, id) = Route.at(request.path[...])
    guard !routes.isEmpty else { throw APIError(.notFound, "There is no such request.") }
    guard let route = routes.first(where: { $0.method == request.method }) else {
      throw APIError(
        .wrongMethod, "This request needs the method \(routes.map(\.method).joined(separator: " or ")).")
    }
    guard route.isReading || !isReadOnly else { throw APIError(.readOnly, "This list is read-only.") }
    let call = try route.call(request, id: id)
    let minutes = try call.query.number(
      Route.Parameter.zone.name, in: -Moment.mostMinutes...Moment.mostMinutes)
    return try await CallersClock.$minutes.withValue(minutes ?? CallersClock.minutes) {
      try await route.handler(self)(call)
    }
  }

  func error(_ error: any Error) -> APIError { APIError(error, obstacle: list.obstacle) }
}
