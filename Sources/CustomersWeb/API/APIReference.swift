internal import CustomerStore

/// What `customers help api` says of the API, from the table of routes.
package enum APIReference {
  /// The requests with their parameters, and what they do.
  package static let requests: [(name: String, meaning: String)] = Route.all.map { route in
    let query = route.parameters.filter { !$0.isInPath }
    let words = query.map { "`\($0.name)`: \($0.meaning)" }
    var meaning = route.summary
    if !words.isEmpty { meaning += " Parameters: \(words.joined(separator: "; "))." }
    if case .json(let type) = route.body {
      meaning += " Members: \(members(of: type))."
    }
    return ("\(route.method) \(route.path)", meaning)
  }

  /// The edits of `POST /v1/edits`, by their names.
  package static let edits: [(name: String, meaning: String)] = RequestedEdit.types.map { type in
    (type.name, "\(type.meaning) Members: \(members(of: type)).")
  }

  /// The objects that are nested in requests.
  package static let objects: [(name: String, meaning: String)] = [
    RequestedEdit.to, RowSelection.range, RowSelection.view, ListEdit.fields, Route.outcome,
  ].map { ($0.name, "\($0.meaning) Members: \(members(of: $0)).") }

  /// The kinds of errors, with the status of each.
  package static let errors: [(name: String, meaning: String)] = APIError.Kind.allCases.map { kind in
    (kind.rawValue, "\(kind.status). \(kind.remedy)")
  }

  private static func members(of type: JSONObjectType) -> String {
    type.members.map { "`\($0.name)`\($0.isOptional ? "?" : "")" }.joined(separator: ", ")
  }
}
