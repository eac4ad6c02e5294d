internal import CustomerStore
internal import CustomerTransfer
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
    var isNeeded = false
    var isInPath = false
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

  typealias Handler = @Sendable (ListAPI, Call) async throws -> APIAnswer

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
  let handler: Handler

  static func get(
    _ path: String, _ name: String, _ summary: String, _ content: Content, _ parameters: [Parameter] = [],
    _ handler: @escaping Handler
  ) -> Route {
    Route(
      method: "GET", path: path, name: name, summary: summary, parameters: inPath(path) + parameters,
      body: .none, content: content, isReading: true, handler: handler)
  }

  static func post(
    _ path: String, _ name: String, _ summary: String, _ body: Body, _ answer: JSONObjectType,
    _ parameters: [Parameter] = [], isReading: Bool = false, _ handler: @escaping Handler
  ) -> Route {
    Route(
      method: "POST", path: path, name: name, summary: summary, parameters: parameters, body: body,
      content: .json(answer), isReading: isReading, handler: handler)
  }

  private static func inPath(_ path: String) -> [Parameter] {
    guard path.contains("{id}") else { return [] }
    return [
      Parameter(
        name: "id", kind: .number(1...Int.max), meaning: "the id of the customer", isNeeded: true,
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
    do { try query.allow(parameters.filter { !$0.isInPath }.map(\.name)) } catch let refusal as APIRefusal {
      throw APIError(.badRequest, refusal.message)
    }
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
  /// Answers a request of the table.
  func answerRoute(_ request: APIRequest) async -> APIAnswer {
    do {
      let (routes, id) = Route.at(request.path[...])
      guard !routes.isEmpty else { throw APIError(.notFound, "There is no such request.") }
      guard let route = routes.first(where: { $0.method == request.method }) else {
        throw APIError(
          .wrongMethod, "This request needs the method \(routes.map(\.method).joined(separator: " or ")).")
      }
      guard route.isReading || !isReadOnly else { throw APIError(.readOnly, "This list is read-only.") }
      return try await route.handler(self, route.call(request, id: id))
    } catch {
      return self.error(error).answer
    }
  }

  func error(_ error: any Error) -> APIError { APIError(error, obstacle: list.obstacle) }
}

// MARK: - The table

extension Route {
  /// All routes, in the order of the documents.
  static let all: [Route] = [
    .get(
      "/v1/rows", "listRows", "Rows of the list: from a number on, in another order, or those that match.",
      .json(rows), [.from, .limit(0...1000)] + Parameter.rows + [.fields, .sort]
    ) { try await $0.rows($1) },
    .get("/v1/rows/{id}", "showRow", "One row, by the id of its customer.", .json(row)) {
      try await $0.row($1)
    },
    .get(
      "/v1/rows/{id}/history", "rowHistory", "The steps that changed a customer, the latest first.",
      .json(history), [.before, .limit(1...50)]
    ) { try await $0.stepsOfRow($1) },
    .get("/v1/sections", "listSections", "The sections, in their order.", .json(sections)) {
      try await $0.sections($1)
    },
    .get("/v1/columns", "listColumns", "The fields, and the extra columns of the list.", .json(columns)) {
      try await $0.columns($1)
    },
    .get(
      "/v1/history", "listHistory", "The steps, the latest first.", .json(history), [.before, .limit(1...50)]
    ) { try await $0.steps($1) },
    .post(
      "/v1/edits", "edit", "Edits, all or none of them, as one step.", .json(edits), outcome
    ) { try await $0.edit($1) },
    .post("/v1/undo", "undo", "Undoes the last step, whoever made it.", .json(undo), outcome) {
      try await $0.revert(.undo, $1)
    },
    .post("/v1/redo", "redo", "Redoes the step that was undone last.", .json(undo), outcome) {
      try await $0.revert(.redo, $1)
    },
    .post("/v1/revert", "revert", "Undoes one step alone; what was done since stays.", .json(revert), outcome)
    {
      try await $0.revertStep($1)
    },
    .get(
      "/v1/export", "exportRows", "Rows as a file, of up to 16 MB.", .other([.bytes]),
      [
        Parameter(
          name: "format", kind: .words(FileFormat.writable.map(\.name)),
          meaning: "the format; without it, csv")
      ] + Parameter.rows + [.sort]
    ) { try await $0.exportContent($1) },
    .post(
      "/v1/import", "importRows", "Imports a file as one step; with `dry_run`, says what it would do.",
      .json(importing), outcome
    ) { try await $0.importContent($1) },
    .get(
      "/v1/events", "events", "A stream of what changes from now on, or from a version on.", .events,
      [
        Parameter(name: "after", kind: .text, meaning: "a version: its later steps come first, or `reload`"),
        Parameter(name: "page", kind: .text, meaning: "a name; an earlier stream of the same name ends"),
      ]
    ) { try await $0.missedEvents($1) },
    .get("/v1/openapi.json", "openapi", "This description, as OpenAPI 3.1.", .document) { api, _ in
      APIAnswer(200, OpenAPI.document(version: api.program.version))
    },
  ]

  private static func version(_ meaning: String = "the version of the list") -> JSONObjectType.Member {
    .always("version", .text, meaning)
  }

  private static let rows = JSONObjectType(
    name: "rows", meaning: "Rows of the list.",
    members: [
      version(), .always("count", .number, "how many rows there are, with those that are not here"),
      .always("from", .number, "the number of the first of these among them, from 1"),
      .always(
        "rows", .list(.object(partialCustomer)), "the rows; with `fields`, only the id and these members"),
    ])
  /// A customer of which only some members may be there.
  private static let partialCustomer = JSONObjectType(
    name: "row", meaning: "A customer, or some of its fields.",
    members: JSONShapes.customer.type.members.map {
      $0.name == "id" ? $0 : .optional($0.name, $0.type, $0.meaning)
    }, isOpen: true)
  private static let row = JSONObjectType(
    name: "one_row", meaning: "One row.",
    members: [version(), .always("row", .object(JSONShapes.customer.type), "the customer")])
  private static let sections = JSONObjectType(
    name: "sections", meaning: "The sections.",
    members: [version(), .always("sections", .list(.object(JSONShapes.section.type)), "the sections")])
  private static let columns = JSONObjectType(
    name: "columns", meaning: "The fields and extra columns.",
    members: [
      version(),
      .always(
        "columns",
        .list(
          .object(
            JSONObjectType(
              name: "field", meaning: "A field, or an extra column.",
              members: [
                .always("name", .text, "the column; extra.NAME for an extra one"),
                .always("title", .text, "its name for people"),
                .optional("count", .number, "how many customers have the extra column"),
              ]))), "the fields"),
    ])
  private static let history = JSONObjectType(
    name: "history", meaning: "Steps of the history.",
    members: [
      version(), .always("steps", .list(.object(ListAPI.step)), "the steps, the latest first"),
      .always("next", .any, "the number for `before` that gives earlier ones; null if there are none"),
    ])
  private static let token = JSONObjectType.Member.optional(
    "token", .text,
    "32 hexadecimal digits or a UUID, of version 7; a request that is repeated with it is done once")
  private static let seen = JSONObjectType.Member.optional(
    "seen", .text, "the version that the caller has seen: a row that was changed since is refused")
  private static let dryRun = JSONObjectType.Member.optional(
    "dry_run", .flag, "whether to answer what would happen, without doing it")
  private static let page = JSONObjectType.Member.optional(
    "page", .text, "a name of the caller, which its own events have")
  private static let time = JSONObjectType.Member.optional("time", .text, "the time of that step, to be sure")
  private static let edits = JSONObjectType(
    name: "edits", meaning: "Edits that are made together.",
    members: [
      .always("edits", .list(.oneOf(RequestedEdit.types)), "the edits, in their order"), token, seen, dryRun,
      page,
    ])
  private static let undo = JSONObjectType(
    name: "undo_request", meaning: "What to undo or redo.",
    members: [.optional("step", .number, "the step that is expected; another one is not undone"), time]
      + [token, dryRun, page])
  private static let revert = JSONObjectType(
    name: "revert_request", meaning: "The step to revert.",
    members: [.always("step", .number, "the step"), time, token, dryRun, page])
  private static let importing = JSONObjectType(
    name: "import_request", meaning: "A file to import.",
    members: [
      .always("name", .text, "its name, of which the end names the format: new.csv"),
      .always("content", .text, "its content"),
      .optional("duplicates", .text, "what to do with customers that the list has: add, skip, or update"),
      .optional("header", .flag, "whether the first line of a table names the columns; without it, true"),
      .optional("leave_out", .flag, "whether rows that can't be imported are left out"), token, dryRun, page,
    ])
  /// What an edit has done.
  static let outcome = JSONObjectType(
    name: "outcome", meaning: "What an edit has done.",
    members: [
      .always("outcome", .text, "done, or unchanged"), version("the version after the edit"),
      .always("again", .flag, "whether it was done before: this is what it did then"),
      .optional("dry_run", .flag, "true if nothing was done"),
      .always("step", .any, "the number of its step in the history; null if there is none"),
      .always("text", .text, "what was done, as a sentence"),
      .always("ids", .list(.number), "the first customers that it named or changed"),
      .optional("lines", .list(.text), "of the dry run of an import: more, in lines for people"),
      .always("changes", .list(.object(JSONShapes.change.type)), "the changes"),
      .optional("omitted", .number, "how many further changes are not listed"),
    ])
}

extension Route.Parameter {
  static let from = Route.Parameter(
    name: "from", kind: .number(1...Int.max), meaning: "the number of the first row, from 1")
  static let before = Route.Parameter(
    name: "before", kind: .number(1...Int.max), meaning: "only steps before this one")
  static let fields = Route.Parameter(
    name: "fields", kind: .text, meaning: "the members of a row, with commas: name,email,extra.City")
  static let sort = Route.Parameter(
    name: "sort", kind: .text,
    meaning: "the order: name, a field, or extra.NAME, with commas; after a -, descending")

  /// Those that choose rows.
  static let rows = [
    Route.Parameter(name: "section", kind: .number(1...Int.max), meaning: "the id of a section"),
    Route.Parameter(name: "where", kind: .text, meaning: "conditions as after --where: City=Berlin note~tea"),
    Route.Parameter(name: "search", kind: .text, meaning: "words that occur"),
  ]

  static func limit(_ range: ClosedRange<Int>) -> Route.Parameter {
    Route.Parameter(name: "limit", kind: .number(range), meaning: "how many at most")
  }
}
