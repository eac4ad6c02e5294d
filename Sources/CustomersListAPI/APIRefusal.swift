internal import CustomersFormats

extension APIAnswer {
  /// The answer to a request that may succeed later.
  package init(unavailable message: String) { self = APIRefusal(503, "trouble", message).answer }

  /// In place of an answer that is longer than what carries it.
  package static let tooLong = APIRefusal(409, "refused", "This is too long to be sent.").answer
}

/// The answer to a request that was refused.
struct APIRefusal: Error, Sendable {
  let answer: APIAnswer
  /// Whether another request may take the file that this one has not taken.
  var keepsFile = false

  init(_ status: Int, _ outcome: String, _ message: String = "", _ members: [(String, JSON)] = []) {
    let words: [(String, JSON)] = message.isEmpty ? [] : [("message", .shown(message))]
    answer = APIAnswer(status, .object([("outcome", .string(outcome))] + words + members))
  }

  static let noSuchPath = APIRefusal(404, "badRequest", "There is no such request.")

  static func wrongMethod(_ method: String) -> APIRefusal {
    APIRefusal(405, "badRequest", "This request needs the method \(method).")
  }

  static let readOnly = APIRefusal(403, "readOnly", "This list is read-only.")

  /// A request that no page of this program sends.
  static func bad(_ message: String) -> APIRefusal { APIRefusal(400, "badRequest", message) }
}
