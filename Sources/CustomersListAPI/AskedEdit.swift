internal import CustomerStore

/// What a page asks for in `POST /api/edit`.
enum AskedEdit: Sendable {
  /// Where rows shall be.
  enum Place: Sendable {
    case before(CustomerID)
    case end(of: SectionID, Destination)
    /// A position in the whole list, from 1.
    case row(Int)
  }

  case move([CustomerID], Place)
  case delete([CustomerID])
  case insert([CustomerField: FieldValue], SectionID, Destination)
  case update(CustomerID, from: [CustomerField: FieldValue], to: [CustomerField: FieldValue])
  case protect([CustomerID], canEdit: Bool?, canMove: Bool?)

  /// The name of the step in the history.
  var action: String {
    switch self {
    case .move: "move"
    case .delete: "delete"
    case .insert: "add"
    case .update: "edit"
    case .protect: "protect"
    }
  }

  /// Reads the member `edit` of a request.
  init(_ body: RequestBody) throws {
    guard body.names.count == 1, let kind = body.names.first else {
      throw APIRefusal.bad("The member \"edit\" needs exactly one edit.")
    }
    let object = { try body.object(kind) }
    switch kind {
    case "move": self = try AskedEdit(move: object())
    case "delete":
      let edit = try object()
      try edit.allow("ids")
      self = .delete(try edit.customers("ids"))
    case "insert":
      let edit = try object()
      try edit.allow("fields", "section", "at")
      self = .insert(try edit.object("fields").fields(), try edit.section(), try edit.end())
    case "update": self = try AskedEdit(update: object())
    case "protect":
      let edit = try object()
      try edit.allow("ids", "canEdit", "canMove")
      let rights = (try edit.given("canEdit", edit.flag), try edit.given("canMove", edit.flag))
      self = .protect(try edit.customers("ids"), canEdit: rights.0, canMove: rights.1)
    default: throw APIRefusal.bad("There is no edit \(kind.quotedShort).")
    }
  }

  private init(move edit: RequestBody) throws {
    try edit.allow("ids", "before", "section", "at", "row")
    guard ["before", "section", "row"].count(where: edit.has) == 1, edit.has("at") == edit.has("section")
    else {
      throw APIRefusal.bad("A move needs one place: \"before\", \"row\", or \"section\" and \"at\".")
    }
    let place: Place =
      if edit.has("before") {
        .before(CustomerID(rawValue: try edit.number("before")))
      } else if edit.has("row") {
        .row(Int(try edit.number("row")))
      } else {
        .end(of: try edit.section(), try edit.end())
      }
    self = .move(try edit.customers("ids"), place)
  }

  private init(update edit: RequestBody) throws {
    try edit.allow("id", "from", "to")
    let (from, to) = (try edit.object("from").fields(), try edit.object("to").fields())
    if let field = to.keys.first(where: { from[$0] == nil }) {
      throw APIRefusal.bad("The field \(field.nameInRequests.quotedShort) is in \"to\" and not in \"from\".")
    }
    self = .update(CustomerID(rawValue: try edit.number("id")), from: from, to: to)
  }
}

extension RequestBody {
  fileprivate func customers(_ name: String) throws -> [CustomerID] {
    try numbers(name, most: 10_000).map { CustomerID(rawValue: $0) }
  }

  fileprivate func section() throws -> SectionID { SectionID(rawValue: try number("section")) }

  /// The top or the end of a section.
  fileprivate func end() throws -> Destination {
    switch try text("at") {
    case "first": .first
    case "last": .last
    default: throw wrong("at", "\"first\" or \"last\"")
    }
  }

  /// Fields by their names, as a person has typed them.
  fileprivate func fields() throws -> [CustomerField: FieldValue] {
    var fields: [CustomerField: FieldValue] = [:]
    for name in names {
      guard let field = CustomerField(nameInRequests: name) else {
        throw APIRefusal.bad("There is no field \(name.quotedShort).")
      }
      do { fields[field] = try field.value(parsing: try entry(name)) } catch let error as FieldError {
        throw APIRefusal.invalid([field: "\(error)"])
      }
    }
    return fields
  }
}
