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
  case section(SectionEdit)

  /// The most customers of one edit or export: their ids fit in a request.
  static let mostCustomers = 100_000

  /// The name of the step in the history.
  var action: String {
    switch self {
    case .move: "move"
    case .delete: "delete"
    case .insert: "add"
    case .update: "edit"
    case .protect: "protect"
    case .section: "section"
    }
  }

  /// Reads the member `edit` of a request.
  init(_ body: RequestBody) throws {
    let kind = try body.onlyMember(of: "edit")
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
    case "section": self = .section(try SectionEdit(object()))
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

extension SectionEdit {
  /// Reads the member `section` of an edit.
  fileprivate init(_ body: RequestBody) throws {
    let kind = try body.onlyMember(of: "section")
    let edit = try body.object(kind)
    switch kind {
    case "add":
      try edit.allow("title", "at")
      self = .add(title: try edit.title(), at: try edit.given("at", edit.number).map { Int($0) })
    case "rename":
      try edit.allow("id", "title")
      self = .rename(try edit.section("id"), title: try edit.title())
    case "move":
      try edit.allow("id", "to")
      self = .move(try edit.section("id"), to: Int(try edit.number("to")))
    case "delete":
      try edit.allow("id", "withCustomers")
      self = .delete(try edit.section("id"), withCustomers: try edit.flag("withCustomers"))
    default: throw APIRefusal.bad("There is no edit of a section \(kind.quotedShort).")
    }
  }
}

extension RequestBody {
  /// The title of a section, as a person has typed it.
  fileprivate func title() throws -> String {
    let title = try text("title", most: 10_000)
    guard !title.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw wrong("title", "no control characters")
    }
    return title
  }

  /// The ids of customers, at least `fewest`.
  func customers(_ name: String, fewest: Int = 1) throws -> [CustomerID] {
    try numbers(name, fewest: fewest, most: AskedEdit.mostCustomers).map { CustomerID(rawValue: $0) }
  }

  fileprivate func section(_ name: String = "section") throws -> SectionID {
    SectionID(rawValue: try number(name))
  }

  /// The name of the only member.
  fileprivate func onlyMember(of name: String) throws -> String {
    guard names.count == 1, let only = names.first else {
      throw APIRefusal.bad("The member \"\(name)\" needs exactly one edit.")
    }
    return only
  }

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
