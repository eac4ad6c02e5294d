internal import CustomerStore
package import CustomersText

/// A conversation with an assistant: the requests of `/v1` as tools of the Model Context Protocol, which is JSON-RPC 2.0 in
/// lines.
///
/// A tool is a row in a table that names a route. So there is no second API: arguments become a request, and whatever
/// answers that answers the tool.
package actor Assistant {
  /// A request of the API that an assistant can make.
  struct Tool: Sendable {
    let name: String
    let description: String
    let route: Route
    /// The parameters or members of the route that it takes.
    let arguments: [String]
    /// The edit whose members it takes, too.
    var edit: String?
  }

  /// The revisions of the protocol, the latest last.
  package static let revisions = ["2024-11-05", "2025-03-26", "2025-06-18"]

  private let open: @Sendable (_ assistant: String) throws -> any ListService
  private let tools: [Tool]
  private let program: String
  /// Nil until the assistant has said who it is.
  private var list: (any ListService)?
  /// What was tried last, without doing it.
  private var tried: Trial?

  /// A call that was tried.
  private struct Trial {
    /// The tool with its arguments.
    let call: String
    /// The arguments by which the same call does what was shown, or is refused because the list was changed since.
    let bounds: [(String, JSON)]

    /// Those that a call may have and the other not.
    static let own = ["dry_run", "seen", "step", "time"]
  }

  /// Begins a conversation.
  ///
  /// - Parameters:
  ///   - mayEdit: whether it gets the tools that change the list.
  ///   - program: the version of the program.
  ///   - open: opens the list for an assistant, whose name the history then has.
  package init(
    mayEdit: Bool, program: String, open: @escaping @Sendable (_ assistant: String) throws -> any ListService
  ) {
    tools = Tool.all.filter { mayEdit || $0.route.isReading }
    (self.program, self.open) = (program, open)
  }

  /// The answer to a line, also to one that is no message; nil if none is expected.
  package func answer(_ line: [UInt8]) async -> JSON? {
    let message: JSON
    do { message = try JSON(reading: line) } catch { return refusal(error.description) }
    guard case .array(let messages) = message else { return await answer(message) }
    guard !messages.isEmpty else { return failure(.null, .noRequest) }
    var answers: [JSON] = []
    for message in messages { if let answer = await answer(message) { answers.append(answer) } }
    return answers.isEmpty ? nil : .array(answers)
  }

  /// The answer to a line that could not be read.
  package nonisolated func refusal(_ reason: String) -> JSON {
    failure(.null, RPCError(code: .parse, message: reason))
  }

  private func answer(_ message: JSON) async -> JSON? {
    guard let members = try? JSONMembers(message) else { return failure(.null, .noRequest) }
    // Nothing is asked here, so an answer means nothing.
    if !members.has("method"), members.has("result") || members.has("error") { return nil }
    guard case .string("2.0") = members["jsonrpc"], case .string(let method) = members["method"],
      members["id"]?.isID ?? true
    else { return failure(members["id"].flatMap { $0.isID ? $0 : nil } ?? .null, .noRequest) }
    // No notification means anything here; nothing is done without an answer.
    guard let id = members["id"] else { return nil }
    do {
      let parameters = try JSONMembers(members["params"] ?? .object([]), path: "params")
      let result = try await result(of: method, parameters)
      return .object([("jsonrpc", .string("2.0")), ("id", id), ("result", result)])
    } catch {
      return failure(id, error as? RPCError ?? RPCError(code: .parameters, message: "\(error)"))
    }
  }

  private nonisolated func failure(_ id: JSON, _ error: RPCError) -> JSON {
    .object([
      ("jsonrpc", .string("2.0")), ("id", id),
      ("error", .object([("code", .int(error.code.rawValue)), ("message", .string(error.message))])),
    ])
  }

  private func result(of method: String, _ parameters: JSONMembers) async throws -> JSON {
    switch method {
    case "initialize": return try initialize(parameters)
    case "ping": return .object([])
    case "tools/list": return .object([("tools", .array(tools.map(\.json)))])
    case "tools/call":
      let name = try parameters.text("name")
      guard let tool = tools.first(where: { $0.name == name }) else {
        throw RPCError(code: .parameters, message: "There is no tool \(name.quotedShort).")
      }
      guard let list else { throw RPCError(code: .request, message: "The request initialize comes first.") }
      return try await call(tool, parameters["arguments"] ?? .object([]), list)
    default: throw RPCError(code: .method, message: "There is no method \(method.quotedShort).")
    }
  }

  private func initialize(_ parameters: JSONMembers) throws -> JSON {
    let asked = try parameters.text("protocolVersion")
    let name = try parameters.object("clientInfo").text("name")
    do { list = try open(printable(String(name.prefix(100)))) } catch {
      throw RPCError(code: .failed, message: "\(error)".sentence)
    }
    let revision =
      Assistant.revisions.contains(asked) ? asked : Assistant.revisions[Assistant.revisions.count - 1]
    return .object([
      ("protocolVersion", .string(revision)), ("capabilities", .object([("tools", .object([]))])),
      ("serverInfo", .object([("name", .string("customers")), ("version", .string(program))])),
      ("instructions", .string(Assistant.instructions)),
    ])
  }

  private func call(_ tool: Tool, _ arguments: JSON, _ list: any ListService) async throws -> JSON {
    do {
      guard case .object(let all) = arguments else { throw JSONMistake("The arguments need an object.") }
      // Some write null for what they leave out.
      let given = all.filter { !$0.1.isNull }
      try JSONMembers(.object(given)).allow(tool.names)
      let answer =
        try await tool.mustBeTried
        ? answerTried(tool, given, list) : list.answer(tool.request(JSONMembers(.object(given))))
      return result(String(decoding: answer.body, as: UTF8.self), isError: answer.status >= 400)
    } catch let mistake as JSONMistake {
      return result(mistake.description, isError: true)
    }
  }

  /// Answers a call that is made after the same one was tried, of the list as it was then.
  private func answerTried(
    _ tool: Tool, _ given: [(String, JSON)], _ list: any ListService
  ) async throws -> APIAnswer {
    func request(_ bounds: [(String, JSON)]) throws -> APIRequest {
      let own = bounds.filter { bound in !given.contains { $0.0 == bound.0 } }
      return try tool.request(JSONMembers(.object(given + own)))
    }
    let call = tool.name + JSON.object(given.filter { !Trial.own.contains($0.0) }).sorted.text
    guard given.contains(where: { $0.0 == "dry_run" && $0.1.text == "true" }) else {
      guard let trial = tried.take(), trial.call == call else {
        throw JSONMistake(
          "Call it with the same arguments and dry_run true first, and look at what would happen.")
      }
      return await list.answer(try request(trial.bounds))
    }
    tried = nil
    // The step that an undo is about has to be known before it is tried.
    let step = tool.route.name == "undo" ? await nextStep(list) : []
    let answer = await list.answer(try request(step))
    if answer.status < 400 {
      let version = try JSONMembers(JSON(reading: answer.body))["version"]
      tried = Trial(
        call: call, bounds: tool.route.name == "undo" ? step : version.map { [("seen", $0)] } ?? [])
    }
    return answer
  }

  /// The step that an undo would undo, and its time.
  private func nextStep(_ list: any ListService) async -> [(String, JSON)] {
    let rows = await list.answer(
      APIRequest(method: "GET", path: "/v1/rows", query: ["limit": "0", "steps": "true"]))
    guard let members = try? JSONMembers(JSON(reading: rows.body)), let undo = members["undo"],
      let step = try? JSONMembers(undo), let number = step["step"], let time = step["time"]
    else { return [] }
    return [("step", number), ("time", time)]
  }

  /// What a tool answers; an error is for the assistant, who can mend it.
  private func result(_ text: String, isError: Bool) -> JSON {
    .object([
      ("content", .array([.object([("type", .string("text")), ("text", .string(text))])])),
      ("isError", .bool(isError)),
    ])
  }

  private static let instructions = """
    A list of customers in an order that people keep by hand: sections, and rows in them. Rows are named by the id of their \
    customer, which never changes. Every edit is one step, which can be undone.
    """
}

/// Why a request was not done.
private struct RPCError: Error {
  enum Code: Int {
    case parse = -32700
    case request = -32600
    case method = -32601
    case parameters = -32602
    case failed = -32603
  }

  let code: Code
  let message: String

  static let noRequest = RPCError(code: .request, message: "This is no request.")
}

// MARK: - The table

extension Assistant.Tool {
  /// All tools.
  static let all: [Assistant.Tool] = [
    .get(
      "/v1/rows", "find", "Finds customers by words or conditions.",
      choosing + ["fields", "sort", "from", "limit"]),
    .get(
      "/v1/rows", "list", "Lists rows in the order of the list, from a number on.",
      ["from", "limit", "section", "fields"]),
    .get("/v1/rows/{id}", "show", "Shows all that is known of a customer.", ["id"]),
    .get("/v1/sections", "sections", "Lists the sections with their ids.", []),
    .get("/v1/columns", "columns", "Lists the fields and extra columns, and what their values are.", []),
    .get("/v1/history", "history", "Lists what was done, the latest first.", ["before", "limit"]),
    .edit(
      "edit",
      "Makes edits of any kind, all or none, as one step. It must be called with dry_run first, which answers what would happen.",
      ["edits"]),
    .edit("move", "Moves customers to another place.", [], "move"),
    .edit("log", "Adds a line to the logs of customers, and says when something is next.", [], "log"),
    Assistant.Tool(
      name: "undo",
      description:
        "Undoes the last step, whoever made it. It must be called with dry_run first, which answers which step that is.",
      route: find("POST", "/v1/undo"), arguments: ["step", "time", "dry_run"]),
  ]

  private static let choosing = ["search", "where", "section", "due"]

  /// The request of the table of routes; there is one, as a test finds out.
  private static func find(_ method: String, _ path: String) -> Route {
    guard let route = Route.all.first(where: { $0.method == method && $0.path == path }) else {
      preconditionFailure("no route \(method) \(path)")
    }
    return route
  }

  private static func get(
    _ path: String, _ name: String, _ description: String, _ arguments: [String]
  ) -> Assistant.Tool {
    Assistant.Tool(name: name, description: description, route: find("GET", path), arguments: arguments)
  }

  private static func edit(
    _ name: String, _ description: String, _ arguments: [String], _ edit: String? = nil
  ) -> Assistant.Tool {
    Assistant.Tool(
      name: name, description: description, route: find("POST", "/v1/edits"),
      arguments: arguments + ["seen", "dry_run"], edit: edit)
  }

  /// Whether it may do anything, or undo what others did, and so has to be tried first.
  var mustBeTried: Bool { arguments.contains("edits") || route.name == "undo" }

  /// What it takes of the path and of what comes after the question mark.
  private var parameters: [Route.Parameter] { route.parameters.filter { arguments.contains($0.name) } }

  /// The members of its edit.
  private var ownMembers: [JSONObjectType.Member] {
    RequestedEdit.types.first { $0.name == edit }?.members ?? []
  }

  /// What it takes of the body.
  private var members: [JSONObjectType.Member] {
    guard case .json(let type) = route.body else { return [] }
    let own = ownMembers
    return own
      + type.members.filter { member in
        arguments.contains(member.name) && !own.contains { $0.name == member.name }
      }
  }

  var names: [String] { parameters.map(\.name) + members.map(\.name) }

  /// The tool as an assistant gets it.
  fileprivate var json: JSON {
    .object([
      ("name", .string(name)), ("description", .string(description)),
      ("inputSchema", OpenAPI.arguments(parameters, members)),
      ("annotations", .object([("readOnlyHint", .bool(route.isReading))])),
    ])
  }

  /// The request that it makes of arguments.
  ///
  /// - Throws: `JSONMistake` if one can't be in a request.
  fileprivate func request(_ arguments: JSONMembers) throws -> APIRequest {
    var request = APIRequest(method: route.method, path: route.path)
    for parameter in parameters {
      guard let value = arguments[parameter.name] else {
        guard parameter.isNeeded else { continue }
        throw JSONMistake("The argument \"\(parameter.name)\" is missing.")
      }
      guard let text = value.text(of: parameter.kind) else {
        throw JSONMistake("The argument \"\(parameter.name)\" is of another type.")
      }
      if parameter.isInPath {
        request.path = request.path.replacing("{\(parameter.name)}", with: text)
      } else {
        request.query[parameter.name] = text
      }
    }
    guard case .json = route.body else { return request }
    func given(_ members: [JSONObjectType.Member]) -> [(String, JSON)] {
      members.compactMap { member in arguments[member.name].map { (member.name, $0) } }
    }
    let own = ownMembers
    var body = given(members.filter { member in !own.contains { $0.name == member.name } })
    if let edit { body.append(("edits", .array([.object([(edit, .object(given(own)))])]))) }
    request.body = Array(JSON.object(body).text.utf8)
    return request
  }
}

extension JSON {
  fileprivate var isNull: Bool { if case .raw("null") = self { true } else { false } }

  /// Whether it is the id of a request.
  fileprivate var isID: Bool {
    switch self {
    case .string, .int: true
    case .raw(let text): Double(text) != nil
    case .bool, .array, .object: false
    }
  }

  /// The text of a parameter; nil for a value of another type.
  fileprivate func text(of kind: Route.Parameter.Kind) -> String? {
    switch (kind, self) {
    case (.number, .string(let text)), (.number, .raw(let text)): Int(text).map(String.init)
    case (.number, .int(let number)): String(number)
    case (.flag, .bool(let flag)): String(flag)
    case (.text, .string(let text)), (.words, .string(let text)): text
    default: nil
    }
  }
}
