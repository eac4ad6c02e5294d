package import CustomersText

/// The one JSON form of an edit: an object with one member, the name of the edit.
///
///     {"move": {"ids": [4, 7], "to": {"before": 2}}}
///     {"insert": {"customers": [{"first_name": "Ann", "extra": {"City": "Bonn"}}], "to": "last", "section": 1}}
///     {"update": {"ids": [4], "set": {"phone": "+1-555-0100"}, "add": {"tags": ["vip"]}}}
///
/// The names are those of the command line's JSON. A member that is not known is refused.
extension ListEdit {
  /// Reads an edit.
  package init(_ edit: JSONMembers) throws(JSONMistake) {
    let (kind, members) = try edit.only(of: ListEdit.types)
    switch kind {
    case "insert":
      var customers: [NewCustomer] = []
      for customer in try members.objects("customers") { customers.append(try NewCustomer(customer)) }
      self = .insert(
        customers, at: try members.given("to", members.destination) ?? .last,
        in: try members.given("section", members.section))
    case "update": self = .update(try members.customers("ids"), try FieldChanges(members))
    case "save":
      let (from, to) = (try members.object("from"), try members.object("to"))
      self = .save(
        CustomerID(rawValue: Int64(try members.number("id"))),
        from: CustomerFields(try from.fields()), to: CustomerFields(try to.fields()))
    case "log": self = try ListEdit(log: members)
    case "done":
      self = .done(
        try members.customers("ids"), try members.given("text", members.logText) ?? ListEdit.doneText)
    case "merge":
      let ids = try members.customers("ids")
      guard !ids.isEmpty else { throw members.wrong("ids", "at least one id") }
      self = .merge(ids)
    case "delete":
      self = .delete(try members.customers("ids"), asSeenAt: try members.given("seen", members.version))
    case "move": self = try ListEdit(move: members)
    case "swap":
      let ids = try members.customers("ids")
      guard ids.count == 2 else { throw members.wrong("ids", "two ids") }
      self = .swap(ids[0], ids[1])
    case "protect":
      self = .protect(
        try members.customers("ids"), canEdit: try members.given("can_edit", members.flag),
        canMove: try members.given("can_move", members.flag))
    case "sort":
      var order = try members.sortOrder("by")
      order.isDescending = try members.given("descending", members.flag) ?? false
      self = .sort(
        order, in: try members.given("section", members.section))
    case "arrange": self = .arrange(try members.customers("ids"), in: try members.section("section"))
    case "rename_column": self = .column(.rename(try members.text("name"), to: try members.text("to")))
    case "join_column":
      guard let field = CustomerField(nameInRequests: try members.text("into")) else {
        throw members.wrong("into", "the name of a field, or extra. and that of an extra column")
      }
      self = .column(.join(try members.text("name"), into: field))
    case "drop_column": self = .column(.drop(try members.text("name")))
    case "set_column_kind":
      let word = try members.text("kind")
      guard let kind = ColumnKind(rawValue: word) else {
        throw members.wrong("kind", ColumnKind.words)
      }
      self = .column(
        .setKind(
          try members.text("name"), kind, choices: members.has("choices") ? try members.texts("choices") : [],
          written: try members.given("written", members.reading),
          keepingText: members.has("keep_text") ? try members.flag("keep_text") : false))
    case "batch": self = .batch(try BatchUpdates(members))
    default: self = .section(try SectionEdit(kind, members))
    }
  }

  private init(log members: JSONMembers) throws(JSONMistake) {
    let destination = try members.given("to", members.destination)
    let section = try members.given("section", members.section)
    // Without a next date, or with null, it stays.
    let next: String? =
      if case .raw("null")? = members["next"] { nil } else {
        try members.given("next", members.nextDate)
      }
    let to = destination ?? (section == nil ? nil : .last)
    self = .log(try members.customers("ids"), try members.logText("text"), next: next, to: to, in: section)
  }

  private init(move members: JSONMembers) throws(JSONMistake) {
    let ids = try members.customers("ids")
    guard members.has("to") != members.has("by") else {
      throw members.wrong("to", "a place, or \"by\" instead")
    }
    if members.has("by") {
      self = .moveBy(ids, try members.number("by"))
    } else {
      self = .move(
        ids, to: try members.destination("to"), in: try members.given("section", members.section),
        asSeenAt: try members.given("seen", members.version))
    }
  }
}

extension SectionEdit {
  fileprivate init(_ kind: String, _ members: JSONMembers) throws(JSONMistake) {
    switch kind {
    case "add_section":
      self = .add(
        title: try members.text("title"), footer: try members.given("footer", members.text) ?? "",
        at: try members.given("to", members.number))
    case "rename_section":
      self = .rename(
        try members.section("id"), title: try members.given("title", members.text),
        footer: try members.given("footer", members.text))
    case "move_section": self = .move(try members.section("id"), to: try members.number("to"))
    default:
      self = .delete(
        try members.section("id"), withCustomers: try members.given("with_customers", members.flag) ?? false)
    }
  }
}

extension BatchUpdates {
  fileprivate init(_ members: JSONMembers) throws(JSONMistake) {
    self.init()
    for update in try members.objects("updates") {
      let (kind, operation) = try update.only(of: BatchUpdates.types)
      switch kind {
      case "delete": delete(try operation.source())
      case "insert":
        insert(CustomerFields(try operation.object("customer").fields()), at: try operation.target())
      case "move": move(try operation.source(), to: try operation.target())
      default: self.update(try operation.source(), try FieldChanges(operation))
      }
    }
  }
}

extension SortOrder.Key {
  /// The key with a name in JSON; nil for any other.
  fileprivate init?(name: String) {
    if name == "name" {
      self = .name
    } else if let field = CustomerField(nameInRequests: name) {
      self = .field(field)
    } else {
      return nil
    }
  }
}

extension SortOrder {
  /// The order by names in JSON; nil if one is no field.
  package init?(names: [String]) {
    self.init(by: [])
    for name in names {
      guard let key = Key(name: name.hasPrefix("-") ? String(name.dropFirst()) : name) else { return nil }
      keys.append(key)
      if name.hasPrefix("-") { reversed.insert(key) }
    }
  }
}

extension CustomerField {
  private static let extraPrefix = "extra."

  /// The name where a field is named in JSON: the column, and for an extra column `extra.` and its name.
  package var nameInRequests: String {
    if case .extra(let name) = self { Self.extraPrefix + name } else { column }
  }

  /// The field with a name in JSON; nil for any other.
  package init?(nameInRequests name: String) {
    if name.hasPrefix(Self.extraPrefix), name.utf8.count > Self.extraPrefix.utf8.count {
      self = .extra(String(name.dropFirst(Self.extraPrefix.count)))
    } else if let part = AddressPart(rawValue: name) {
      self = .part(part)
    } else if name == CustomerField.next.column {
      self = .next
    } else {
      self.init(column: name)
    }
  }
}

// MARK: - Fields

extension CustomerFields {
  fileprivate init(_ values: [CustomerField: FieldValue]) {
    self.init()
    set(FieldChanges(values))
  }
}

extension NewCustomer {
  fileprivate init(_ customer: JSONMembers) throws(JSONMistake) {
    let rights = ["can_edit", "can_move"]
    self.init(
      CustomerFields(try customer.fields(besides: rights)),
      canEdit: try customer.given(rights[0], customer.flag) ?? true,
      canMove: try customer.given(rights[1], customer.flag) ?? true)
  }
}

extension FieldChanges {
  fileprivate init(_ members: JSONMembers) throws(JSONMistake) {
    func lines(_ name: String) throws(JSONMistake) -> [CustomerField: [String]] {
      guard members.has(name) else { return [:] }
      let object = try members.object(name)
      try object.allow(CustomerField.lists.map(\.column))
      var lines: [CustomerField: [String]] = [:]
      for field in CustomerField.lists where object.has(field.column) {
        lines[field] = try object.texts(field.column)
      }
      return lines
    }
    self.init(
      members.has("set") ? try members.object("set").fields() : [:], adding: try lines("add"),
      removing: try lines("remove"))
  }
}

extension JSONMembers {
  /// Fields of a customer by their names; those of extra columns are in the object `extra`.
  ///
  /// The member `name` is a whole name, which is split as by `CustomerFields.setName`.
  fileprivate func fields(besides others: [String] = []) throws(JSONMistake) -> [CustomerField: FieldValue] {
    let parts = AddressPart.allCases
    try allow(
      CustomerField.standard.map(\.column) + parts.map(\.rawValue) + ["name", "contacts", "next", "extra"]
        + others)
    var fields: [CustomerField: FieldValue] = [:]
    if has("name") {
      if let part = [CustomerField.firstName, .lastName].first(where: { has($0.column) }) {
        throw wrong("name", "to be without \"\(part.column)\"")
      }
      let name = CustomerFields(name: try text("name"))
      (fields[.firstName], fields[.lastName]) = (.text(name.firstName), .text(name.lastName))
    }
    for field in CustomerField.standard where has(field.column) {
      switch field.kind {
      case .flag: fields[field] = .flag(try flag(field.column))
      case .lines: fields[field] = .text(try lines(of: field))
      case .text, .multilineText: fields[field] = .text(try text(field.column))
      }
    }
    if let contacts = try given("contacts", objects) {
      guard !has(CustomerField.otherContacts.column) else {
        throw wrong("contacts", "to be without \"\(CustomerField.otherContacts.column)\"")
      }
      var all = CustomerFields()
      try all.setContacts(contacts) { fields[$0]?.text }
      for field in CustomerField.texts where field.contactKind != nil || field == .otherContacts {
        fields[field] = all[field]
      }
    }
    if has("next") { fields[.next] = .text(try text("next")) }
    for part in parts where has(part.rawValue) { fields[.part(part)] = .text(try text(part.rawValue)) }
    guard has("extra") else { return fields }
    let extra = try object("extra")
    for name in extra.names {
      guard !name.isEmpty else { throw wrong("extra", "a name for each column") }
      fields[.extra(name)] =
        switch try extra.value(name) {
        case .string(let text): .text(text)
        case .raw("null"): .text("")
        case let value: .json(value.text)
        }
    }
    return fields
  }

  /// The lines of a field with any number of values: a list, or the text that a form has.
  private func lines(of field: CustomerField) throws(JSONMistake) -> String {
    if case .string(let text)? = self[field.column] { return text }
    return field.lines(try texts(field.column))
  }

  fileprivate func customers(_ name: String) throws(JSONMistake) -> [CustomerID] {
    try numbers(name).map { CustomerID(rawValue: Int64($0)) }
  }

  fileprivate func section(_ name: String) throws(JSONMistake) -> SectionID {
    SectionID(rawValue: Int64(try number(name)))
  }

  /// A version, as text.
  package func version(_ name: String) throws(JSONMistake) -> ListVersion {
    guard let version = ListVersion(try text(name)) else {
      throw wrong(name, "a version that the list has named")
    }
    return version
  }

  /// A text for the log.
  fileprivate func logText(_ name: String) throws(JSONMistake) -> String {
    let text = try text(name)
    guard !text.allSatisfy(\.isWhitespace) else { throw wrong(name, "a text that is not empty") }
    return text
  }

  /// How values are written, such as `day first`.
  fileprivate func reading(_ name: String) throws(JSONMistake) -> String {
    guard let reading = ColumnKindChoice(column: "", word: try text(name))?.reading else {
      throw wrong(name, listed(ColumnReading.words))
    }
    return reading
  }

  /// A next date, in the form in which it is stored, by the day of the caller; empty for none.
  fileprivate func nextDate(_ name: String) throws(JSONMistake) -> String {
    var today = CalendarDay.today
    if has("today") {
      guard let day = CalendarDay(try text("today")) else { throw wrong("today", "a day such as 2026-12-24") }
      today = day
    }
    guard let day = try? ColumnKinds.stored(next: try text(name), today: today) else {
      throw wrong(name, "a date such as 2026-12-24, +1w, or friday; or an empty text")
    }
    return day
  }

  /// A place.
  package func destination(_ name: String) throws(JSONMistake) -> Destination {
    switch try value(name) {
    case .string("first"): return .first
    case .string("last"): return .last
    case .object:
      let place = try object(name)
      try place.allow(["before", "after"])
      guard place.names.count == 1 else { throw wrong(name, "\"before\" or \"after\"") }
      return place.has("before")
        ? .before(CustomerID(rawValue: Int64(try place.number("before"))))
        : .after(CustomerID(rawValue: Int64(try place.number("after"))))
    case .string: throw wrong(name, "\"first\", \"last\", a number, {\"before\": ID}, or {\"after\": ID}")
    default: return .place(try number(name))
    }
  }

  fileprivate func sortOrder(_ name: String) throws(JSONMistake) -> SortOrder {
    let names = try texts(name)
    guard !names.isEmpty else { throw wrong(name, "at least one field") }
    guard let order = SortOrder(names: names) else { throw wrong(name, "names of fields") }
    return order
  }

  fileprivate func source() throws(JSONMistake) -> BatchUpdates.Source {
    let row = try object("row")
    guard row.has("id") else {
      try row.allow(["section", "order"])
      return .place(try row.number("order"), in: try row.section("section"))
    }
    try row.allow(["id"])
    return .customer(CustomerID(rawValue: Int64(try row.number("id"))))
  }

  fileprivate func target() throws(JSONMistake) -> BatchUpdates.Target {
    let place = try object("to")
    try place.allow(["section", "order"])
    let section = try place.section("section")
    switch try place.value("order") {
    case .string("first"): return .first(in: section)
    case .string("last"): return .last(in: section)
    case .string: throw place.wrong("order", "\"first\", \"last\", or a number")
    default: return .place(try place.number("order"), in: section)
    }
  }

  /// The only member, which names one of these objects, and whose own members are those of it.
  fileprivate func only(of types: [JSONObjectType]) throws(JSONMistake) -> (String, JSONMembers) {
    guard names.count == 1, let type = types.first(where: { $0.name == names[0] }) else {
      let known = types.map(\.name).joined(separator: ", ")
      guard names.count == 1 else { throw JSONMistake("An edit has one member: \(known).") }
      throw JSONMistake("There is no edit \"\(names[0].prefix(60))\", but these: \(known).")
    }
    let members = try object(type.name)
    try members.allow(type.members.map(\.name))
    return (type.name, members)
  }
}
