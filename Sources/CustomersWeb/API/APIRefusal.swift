internal import CustomerStore
internal import CustomerTable
internal import CustomersText

extension APIAnswer {
  /// The answer to a request that may succeed later.
  package init(unavailable message: String) { self = APIRefusal(.failed, message).answer }

  /// In place of an answer that is longer than what carries it.
  package static let tooLong = APIRefusal(.refused, "This is too long to be sent.").answer
}

/// The answer to a request that was refused.
struct APIRefusal: Error, Sendable {
  let answer: APIAnswer
  let message: String
  /// Whether another request may take the file that this one has not taken.
  var keepsFile = false

  init(_ status: Int, _ outcome: String, _ message: String = "", _ members: [(String, JSON)] = []) {
    self.message = message
    let words: [(String, JSON)] = message.isEmpty ? [] : [("message", .shown(message))]
    answer = APIAnswer(status, .object([("outcome", .string(outcome))] + words + members))
  }

  init(_ kind: ErrorKind, _ message: String, _ members: [(String, JSON)] = []) {
    self.init(kind.codes.status, kind.codes.outcome, message, members)
  }

  static let noSuchPath = APIRefusal(404, "badRequest", "There is no such request.")

  static func wrongMethod(_ method: String) -> APIRefusal {
    APIRefusal(405, "badRequest", "This request needs the method \(method).")
  }

  static let readOnly = APIRefusal(.readOnly, "This list is read-only.")

  /// A request that no page of this program sends.
  static func bad(_ message: String) -> APIRefusal { APIRefusal(.usage, message) }
}

extension ListAPI {
  /// The answer to a request that failed.
  func refusal(for error: any Error) -> APIRefusal {
    if let refusal = error as? APIRefusal { return refusal }
    let kind = ErrorKind(of: error)
    return switch kind {
    case .locked: APIRefusal(kind, list.obstacle)
    case .readOnly: .readOnly
    case .canceled: APIRefusal(kind, "Nothing was changed.")
    default: APIRefusal(kind, "\(error)".sentence)
    }
  }
}

extension APIRefusal {
  /// Fields that can't be saved as they are, with the reasons.
  static func invalid(_ problems: [CustomerField: String]) -> APIRefusal {
    let fields = problems.sorted { $0.key.column < $1.key.column }.map {
      ($0.key.nameInRequests, JSON.string($0.value))
    }
    return APIRefusal(
      422, "invalid", FormState.invalidMessage(problems.count), [("fields", .object(fields))])
  }

  /// The refusal of an edit, in its transaction; the customer is named as people know it.
  ///
  /// - Throws: `error` itself if the list did not refuse the edit, but failed.
  init(_ error: any Error, in list: borrowing CustomerList) throws {
    let version: [(String, JSON)] = [("version", .version(try list.version()))]
    switch error {
    case let error as FieldConflict: self = .conflict(error, version)
    case let error as ListError where ErrorKind(of: error) != .damaged:
      let customer = try error.customer.flatMap { try list.customers([$0])[$0]?.fields.title($0) }
      let reason = customer.map { error.explanation(naming: $0).reason } ?? error.description
      self.init(
        .refused, "Nothing was changed: \(reason).",
        [
          ("reason", .string(error.reason)),
          ("ids", .array((error.customer ?? error.missing).map { [.id($0)] } ?? [])),
        ] + version)
    default: throw error
    }
  }

  /// Both have changed the same field.
  private static func conflict(_ error: FieldConflict, _ members: [(String, JSON)]) -> APIRefusal {
    let now = error.theirs
    let fields = error.fields.map { field in
      JSON.object([
        ("field", .string(field.nameInRequests)), ("mine", error.mine.json(of: field)),
        ("theirs", now.json(of: field)),
      ])
    }
    return APIRefusal(
      409, "conflict", FormState.conflictMessage, [("fields", .array(fields)), ("now", now.json)] + members)
  }

  /// The customer of a form was deleted.
  static func gone(_ list: borrowing CustomerList) throws -> APIRefusal {
    APIRefusal(
      409, "conflict", FormState.goneMessage,
      [
        ("reason", .string("gone")), ("gone", .bool(true)), ("fields", .array([])),
        ("version", .version(try list.version())),
      ])
  }
}

extension ListError {
  /// The word for a program.
  fileprivate var reason: String {
    switch self {
    case .orderChanged, .moveConflict: "moved"
    case .contentChanged: "changed"
    case .noSuchCustomer: "deleted"
    case .editForbidden, .moveForbidden: "protected"
    case .otherHistory: "otherList"
    case .noSuchSection, .noSections: "section"
    default: "other"
    }
  }
}

extension String {
  /// A reason as a sentence.
  var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
