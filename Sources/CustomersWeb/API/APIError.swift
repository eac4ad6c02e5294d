internal import CustomerStore
internal import CustomerTable
internal import CustomersText

/// The answer to a request that was refused or failed: `{"error": {"kind", "message", "remedy"}}`.
struct APIError: Error, Sendable {
  /// What went wrong, for a program; `help api` and the OpenAPI document list them.
  enum Kind: String, CaseIterable, Sendable {
    case badRequest = "bad_request"
    case unauthorized, forbidden
    case readOnly = "read_only"
    case notFound = "not_found"
    case wrongMethod = "wrong_method"
    case conflict, refused, superseded, canceled
    case tokenUsed = "token_used"
    case tokenExpired = "token_expired"
    case tooLarge = "too_large"
    case wrongType = "wrong_type"
    case misdirected
    case invalid, locked, busy, unavailable, damaged, unknown
    case diskFull = "disk_full"

    /// The status code of HTTP.
    var status: Int {
      switch self {
      case .badRequest: 400
      case .unauthorized: 401
      case .forbidden, .readOnly: 403
      case .notFound: 404
      case .wrongMethod: 405
      case .conflict, .refused, .superseded, .canceled, .tokenUsed, .tokenExpired: 409
      case .tooLarge: 413
      case .wrongType: 415
      case .misdirected: 421
      case .invalid: 422
      case .locked: 423
      case .busy: 429
      case .unavailable, .damaged, .unknown: 503
      case .diskFull: 507
      }
    }

    /// What the caller can do.
    var remedy: String {
      switch self {
      case .badRequest: "Compare the request with customers help api."
      case .unauthorized:
        "Send the header \"Authorization: Bearer KEY\"; KEY is what follows the # in the address that customers web prints."
      case .forbidden: "Send the request from the page's own address, or without an Origin."
      case .readOnly:
        "Use a key that may change the list, of a page that was started without --read-only, by an account that may write the file."
      case .notFound: "Read the list again."
      case .wrongMethod: "Use the method in the header Allow."
      case .conflict:
        "Read the rows again, and repeat the edit with the version that you then have and another token."
      case .refused: "Change the request as the message says."
      case .superseded: "Send one request of a session after another."
      case .canceled: "Send it with another token, if it is wanted nevertheless."
      case .tokenUsed: "Use a new token for each edit."
      case .tokenExpired: "Look in the history whether it was done, and use a new token."
      case .tooLarge: "Ask for less, or send it in pieces."
      case .wrongType: "Send the type that customers help api names."
      case .misdirected: "Use the address that customers web prints; --allow-host adds a name."
      case .invalid: "Correct the values that the message names."
      case .locked: "Repeat the request as it is, with the same token."
      case .busy: "Repeat the request in a minute."
      case .unavailable: "Repeat the request as it is, with the same token."
      case .damaged: "Run customers check where the list is: no other request helps."
      case .unknown: "Repeat the request with the same token: it is done once."
      case .diskFull: "Free some space, and repeat the request."
      }
    }
  }

  let kind: Kind
  let message: String
  private let remedy: String
  /// Further members of the error.
  private let members: [(String, JSON)]

  init(_ kind: Kind, _ message: String, remedy: String? = nil, _ members: [(String, JSON)] = []) {
    (self.kind, self.message, self.members) = (kind, message, members)
    self.remedy = remedy ?? kind.remedy
  }

  /// The error of anything that was thrown.
  ///
  /// - Parameters:
  ///   - error: what was thrown.
  ///   - obstacle: who has locked the list, as a sentence.
  init(_ error: any Error, obstacle: String) {
    switch error {
    case let error as APIError: self = error
    case let mistake as JSONMistake: self.init(.badRequest, mistake.description)
    case StoreError.diskFull, StoreError.fileTooLarge: self.init(.diskFull, "\(error)".sentence)
    case StoreError.newerFormat:
      self.init(.unavailable, "\(error)".sentence, remedy: "Start a newer version of the program.")
    case is FieldError: self.init(.invalid, "\(error)".sentence)
    case let error as FilterError:
      self.init(.invalid, "\(error)".sentence, remedy: error.hint?.sentence)
    case let error as SelectionError:
      self.init(.invalid, "There is no section \(error.text.quotedShort), or several.")
    case BatchError.refused(_, let error): self.init(error, obstacle: obstacle)
    case let error as BatchError: self.init(.invalid, "\(error)".sentence)
    case let error as ListError where error.isOfValue: self.init(.invalid, "\(error)".sentence)
    case let error as KindError:
      let field: CustomerField =
        error.column == CustomerField.next.column ? .next : .extra(error.column)
      self.init(
        .invalid, "\(error)".sentence,
        [("fields", .object([(field.nameInRequests, .string("\(error.problem); \(error.hint)"))]))])
    case let error as PullError: self.init(.refused, "Nothing was changed: \(error).")
    default:
      switch ErrorKind(of: error) {
      case .locked: self.init(.locked, obstacle)
      case .readOnly: self.init(.readOnly, "This list is read-only.")
      case .usage: self.init(.invalid, "\(error)".sentence)
      case .notFound where error is ListError: self.init(.notFound, "\(error)".sentence)
      case .refused: self.init(.refused, "\(error)".sentence)
      case .canceled: self.init(.unavailable, "The request was given up; nothing was changed.")
      case .unknown, .incomplete: self.init(.unknown, "\(error)".sentence)
      case .damaged: self.init(.damaged, "\(error)".sentence)
      case .failed, .notFound: self.init(.unavailable, "\(error)".sentence)
      }
    }
  }

  /// The refusal of an edit, in its transaction; the customer is named as people know it.
  ///
  /// - Parameters:
  ///   - error: what was thrown.
  ///   - hasSeen: whether the caller has named the version that it knows.
  ///   - list: the list.
  /// - Throws: `error` itself if the list did not refuse the edit, but failed.
  init(_ error: any Error, hasSeen: Bool, in list: borrowing CustomerList) throws {
    let version = [("version", JSON.string(try list.version().text))]
    switch error {
    case let error as FieldConflict:
      let fields = error.fields.map { field in
        JSON.object([
          ("field", .string(field.nameInRequests)), ("mine", error.mine.json(of: field)),
          ("theirs", error.theirs.json(of: field)),
        ])
      }
      let now = try list.customers([error.id])[error.id].map { try list.json($0) }
      self.init(
        .conflict, FormState.conflictMessage,
        [
          ("fields", .array(fields)), ("ids", .array([.id(error.id)])),
          ("rows", .array(now.map { [$0] } ?? [])),
        ]
          + version)
    case let error as ListError where ErrorKind(of: error) != .damaged:
      let id = error.customer ?? error.missing
      let customer = try id.flatMap { try list.customers([$0])[$0] }
      let reason =
        customer.map { error.explanation(naming: $0.fields.title($0.id)).reason } ?? error.description
      self.init(
        error.kind(hasSeen: hasSeen), "Nothing was changed: \(reason).",
        [
          ("reason", .string(error.reason)), ("ids", .array(id.map { [.id($0)] } ?? [])),
          ("rows", .array(try customer.map { [try list.json($0)] } ?? [])),
        ] + version)
    case BatchError.refused(_, let error): try self.init(error, hasSeen: hasSeen, in: list)
    default: throw error
    }
  }

  /// The remedy if what was asked for is not there to be done.
  static let nothingHelps = "Nothing needs to be done."

  /// Fields that can't be saved as they are, with the reasons.
  static func invalid(_ problems: [CustomerField: String]) -> APIError {
    let fields = problems.sorted { $0.key.column < $1.key.column }.map {
      ($0.key.nameInRequests, JSON.string($0.value))
    }
    let text =
      problems.count == 1
      ? problems.map { "Not saved: \($0.title): \($1)." }[0] : FormState.invalidMessage(problems.count)
    return APIError(.invalid, text, [("fields", .object(fields))])
  }

  /// The answer.
  var answer: APIAnswer {
    APIAnswer(
      kind.status,
      .object([
        (
          "error",
          .object(
            [
              ("kind", .string(kind.rawValue)), ("message", .string(message)), ("remedy", .string(remedy)),
            ] + members)
        )
      ]))
  }

  /// The error in the reference.
  static let type = JSONObjectType(
    "error", "Why a request was refused or failed.",
    [
      .always("kind", .text, "what went wrong: \(Kind.allCases.map(\.rawValue).joined(separator: ", "))"),
      .always("message", .text, "the same for people"), .always("remedy", .text, "what helps"),
      .optional(
        "reason", .text,
        "of an edit: moved, changed, deleted, protected, other_list, section, other_step, skipped, or other"),
      .optional("ids", .list(.number), "the customers that the error is about"),
      .optional("rows", .list(.object(JSONShapes.customer.type)), "these customers as they are now"),
      .optional("fields", .any, "the fields that both changed, or what is wrong with each field"),
      .optional("conflicts", .any, "of a pull or an import: what both changed"),
      .optional("table", .any, "of the dry run of an import: what can be mapped otherwise"),
      .optional("version", .text, "the version of the list"),
      .optional("next", .any, "the step that would be undone or redone instead; null if there is none"),
    ])
}

extension APIError: CustomStringConvertible {
  var description: String { message }
}

extension ListError {
  /// Whether a value of the request is wrong, whatever the list has.
  fileprivate var isOfValue: Bool {
    switch self {
    case .placeOutOfRange, .duplicateID, .untitledSection, .ambiguousColumn, .arrangementDiffers: true
    default: false
    }
  }

  fileprivate func kind(hasSeen: Bool) -> APIError.Kind {
    switch self {
    case .orderChanged, .contentChanged, .sectionChanged, .columnChanged, .moveConflict, .tooLongAgo,
      .otherHistory, .otherStep:
      .conflict
    case .noSuchCustomer: hasSeen ? .conflict : .notFound
    case .noSuchSection, .noSuchLine, .noSections, .noSuchColumn: .notFound
    case _ where isOfValue: .invalid
    default: .refused
    }
  }

  /// The word for a program.
  fileprivate var reason: String {
    switch self {
    case .orderChanged, .moveConflict: "moved"
    case .contentChanged, .sectionChanged, .columnChanged: "changed"
    case .noSuchCustomer: "deleted"
    case .editForbidden, .moveForbidden: "protected"
    case .otherHistory: "other_list"
    case .noSuchSection, .noSections: "section"
    case .otherStep: "other_step"
    default: "other"
    }
  }

  /// The customer that is not in the list.
  var missing: CustomerID? { if case .noSuchCustomer(let id) = self { id } else { nil } }
}

extension CustomerList {
  /// A customer as JSON.
  func json(_ customer: Customer) throws -> JSON { JSONShapes.customer.json((customer, try outline())) }
}

extension APIAnswer {
  /// The answer to a request that may succeed later.
  package init(unavailable message: String) { self = APIError(.unavailable, message).answer }

  /// In place of an answer that is longer than what carries it.
  package static let tooLong = APIError(.tooLarge, "This is too long to be sent.").answer
}
