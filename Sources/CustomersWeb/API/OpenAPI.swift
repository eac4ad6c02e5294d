internal import CustomerStore
package import CustomersText

/// The description of the API for programs that read one, generated from the table of routes (OpenAPI 3.1).
package enum OpenAPI {
  /// The document, for a version of the program.
  package static func document(version: String) -> JSON {
    var schemas = Schemas()
    var paths: [(String, [(String, JSON)])] = []
    for route in Route.all {
      let operation = (route.method.lowercased(), schemas.operation(of: route))
      if let index = paths.firstIndex(where: { $0.0 == route.path }) {
        paths[index].1.append(operation)
      } else {
        paths.append((route.path, [operation]))
      }
    }
    let error = schemas.schema(of: .object(APIError.type), isSent: false)
    let all = JSON.object(paths.map { ($0, JSON.object($1)) })
    let key = JSON.string(APIError.Kind.unauthorized.remedy)
    return .raw(
      """
      {"openapi":"3.1.0","info":{"title":"customers","version":\(JSON.string(version).text),\
      "description":"A list of customers, in the order that its users choose. A body needs a Content-Length; one in chunks gets 400. \
      A request that HTTP itself does not allow gets 408, 417, 431, or 505; one with If-None-Match, perhaps 304.",\
      "license":{"name":"MIT","identifier":"MIT"}},\
      "servers":[{"url":"/"}],"security":[{"key":[]}],"paths":\(all.text),\
      "components":{"schemas":\(JSON.object(schemas.all).text),\
      "responses":{"error":{"description":"Why the request was refused or failed.",\
      "content":{"application/json":{"schema":{"type":"object","required":["error"],\
      "properties":{"error":\(error.text)}}}}}},\
      "securitySchemes":{"key":{"type":"http","scheme":"bearer","description":\(key.text)}}}}
      """)
  }

  /// The type of the arguments of a tool (JSON Schema).
  static func arguments(_ parameters: [Route.Parameter], _ members: [JSONObjectType.Member]) -> JSON {
    var schemas = Schemas(place: "#/$defs/")
    let properties =
      parameters.map { ($0.name, JSON.object($0.type + [("description", .string($0.meaning))])) }
      + schemas.properties(of: members, isSent: true)
    let needed = parameters.filter(\.isNeeded).map(\.name) + members.filter { !$0.isOptional }.map(\.name)
    return .object([
      ("type", .string("object")), ("properties", .object(properties)),
      ("required", .array(needed.map(JSON.string))), ("additionalProperties", .bool(false)),
      ("$defs", .object(schemas.all)),
    ])
  }

  /// The objects that operations share.
  private struct Schemas {
    /// Where they are in the document.
    private let place: String
    /// By their names, in the order in which they are mentioned.
    private(set) var all: [(String, JSON)] = []
    private var known: Set<String> = []

    init(place: String = "#/components/schemas/") { self.place = place }

    mutating func operation(of route: Route) -> JSON {
      var members: [(String, JSON)] = [
        ("operationId", .string(route.name)), ("summary", .string(route.summary)),
      ]
      members.append(("parameters", .array((route.parameters + [.zone]).map(\.schema))))
      switch route.body {
      case .none: break
      case .json(let type):
        members.append(("requestBody", content("application/json", schema(of: .object(type), isSent: true))))
      case .bytes:
        members.append(("requestBody", content("application/octet-stream", .object([]))))
      }
      let done: [(String, JSON)] =
        switch route.content {
        case .json(let type): [("application/json", schema(of: .object(type), isSent: false))]
        case .document: [("application/json", .object([("type", .string("object"))]))]
        case .events: [(APIAnswer.MediaType.events.rawValue, .object([("type", .string("string"))]))]
        case .other(let types): types.map { ($0.rawValue, .object([])) }
        }
      let contents = JSON.object(done.map { ($0, .object([("schema", $1)])) })
      var answers: [(String, JSON)] = [
        ("200", .object([("description", .string("The answer.")), ("content", contents)]))
      ]
      if route.mayRun {
        let running = JSON.object([
          ("application/json", .object([("schema", schema(of: .object(Route.running), isSent: false))]))
        ])
        answers.append(
          ("202", .object([("description", .string("How far it is.")), ("content", running)])))
      }
      let failed = JSON.object([("$ref", .string("#/components/responses/error"))])
      let statuses = Set(APIError.Kind.allCases.map(\.status)).sorted()
      members.append(
        (
          "responses",
          .object(
            answers + statuses.map { ("\($0)", failed) } + [("default", failed)])
        ))
      return .object(members)
    }

    private func content(_ type: String, _ schema: JSON) -> JSON {
      .object([
        ("required", .bool(true)), ("content", .object([(type, .object([("schema", schema)]))])),
      ])
    }

    /// The schema of a type; what is sent has no other members than those that are listed.
    mutating func schema(of type: JSONType, isSent: Bool) -> JSON {
      switch type {
      case .text: .object([("type", .string("string"))])
      case .number: .object([("type", .string("integer")), ("format", .string("int64"))])
      case .flag: .object([("type", .string("boolean"))])
      case .any: .object([])
      case .map: .object([("type", .string("object"))])
      case .list(let type):
        .object([("type", .string("array")), ("items", schema(of: type, isSent: isSent))])
      case .object(let type): reference(to: type, isSent: isSent)
      case .oneOf(let types):
        .object([
          (
            "oneOf",
            .array(
              types.map { type in
                .object([
                  ("type", .string("object")), ("description", .string(type.meaning)),
                  ("required", .array([.string(type.name)])),
                  ("properties", .object([(type.name, object(type, isSent: isSent))])),
                  ("additionalProperties", .bool(false)),
                ])
              })
          )
        ])
      }
    }

    private mutating func reference(to type: JSONObjectType, isSent: Bool) -> JSON {
      if known.insert(type.name).inserted {
        let index = all.count
        all.append((type.name, .null))
        var schema = object(type, isSent: isSent)
        if type.isNumber {
          let words = JSON.object([("enum", .array(type.words.map(JSON.string)))])
          schema = .object([
            ("oneOf", .array([words, .object([("type", .string("integer"))]), schema]))
          ])
        }
        all[index].1 = schema
      }
      return .object([("$ref", .string(place + type.name))])
    }

    mutating func properties(of members: [JSONObjectType.Member], isSent: Bool) -> [(String, JSON)] {
      members.compactMap { member in
        guard case .object(let schema) = schema(of: member.type, isSent: isSent) else { return nil }
        return (member.name, .object(schema + [("description", .string(member.meaning))]))
      }
    }

    private mutating func object(_ type: JSONObjectType, isSent: Bool) -> JSON {
      let properties = properties(of: type.members, isSent: isSent)
      let needed = type.members.filter { !$0.isOptional }.map { JSON.string($0.name) }
      return .object(
        [("type", .string("object")), ("description", .string(type.meaning))]
          + (needed.isEmpty ? [] : [("required", .array(needed))]) + [("properties", .object(properties))]
          + (isSent ? [("additionalProperties", .bool(false))] : []))
    }
  }
}

extension Route.Parameter {
  /// The type of its value.
  fileprivate var type: [(String, JSON)] {
    switch kind {
    case .text: [("type", .string("string"))]
    case .flag: [("type", .string("boolean"))]
    case .words(let words): [("type", .string("string")), ("enum", .array(words.map(JSON.string)))]
    case .number(let range):
      [
        ("type", .string("integer")), ("format", .string("int64")), ("minimum", .int(range.lowerBound)),
      ] + (range.upperBound == .max ? [] : [("maximum", .int(range.upperBound))])
    }
  }

  /// The parameter in the document.
  fileprivate var schema: JSON {
    .object([
      ("name", .string(name)), ("in", .string(isInPath ? "path" : "query")),
      ("description", .string(meaning)),
      ("required", .bool(isNeeded)), ("schema", .object(type)),
    ])
  }
}

extension ListAPI {
  /// `GET /v1/openapi.json`.
  func document(_ call: Route.Call) async throws -> APIAnswer {
    APIAnswer(200, OpenAPI.document(version: program.version))
  }
}
