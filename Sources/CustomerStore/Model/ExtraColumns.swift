package import CustomersText

/// The columns of a customer besides the fields, in order; names are unique.
///
/// Columns can be read, set, removed, and renamed without changing the others. Names are compared byte by
/// byte, as in JSON.
///
///     fields.extraColumns["Fax"] = .text("555-0100")
package struct ExtraColumns: Equatable, Sendable {
  private struct Member {
    var name: String {
      didSet { keyOrigin = nil }
    }
    var value: FieldValue {
      didSet { if value != oldValue { valueOrigin = nil } }
    }
    /// Its number in `source`, until its name changes.
    var keyOrigin: Int?
    /// Its number in `source`, until its value changes.
    var valueOrigin: Int?
  }

  /// Includes columns that are null in the file: they have no value, but must be kept.
  private var members: [Member] = []
  /// The object that was parsed, in which names and values that do not change stay as written.
  private var source: String?

  /// No columns.
  package init() {}

  /// Parses the JSON object in `CustomerFields.extra`.
  ///
  /// The store always returns an object. One that repeats a key, or is nested more than 64 levels deep, is
  /// read as a single column `extra`.
  package init(_ json: String) {
    guard json != "{}" else { return }
    guard let members = try? JSON.columns(ofObject: json, keepsNull: true) else {
      self.members = [Member(name: "extra", value: .json(json))]
      return
    }
    source = json
    self.members = members.enumerated().map { index, member in
      Member(name: member.name, value: FieldValue(member.value), keyOrigin: index, valueOrigin: index)
    }
  }

  /// The names of the columns that have a value, in order.
  package var names: [String] { columns.map(\.name) }

  /// The columns that have a value, in order.
  package var columns: [(name: String, value: FieldValue)] {
    members.filter { $0.value != .json("null") }.map { ($0.name, $0.value) }
  }

  /// All columns in order, also those that are null.
  var all: [(name: String, value: FieldValue)] { members.map { ($0.name, $0.value) } }

  /// Puts the columns in order; those that are not named come last, by name.
  mutating func arrange(_ names: [String]) {
    let places = Dictionary(names.enumerated().map { (Array($1.utf8), $0) }) { first, _ in first }
    members = members.map { (places[Array($0.name.utf8)] ?? .max, $0) }
      .sorted { ($0.0, $0.1.name) < ($1.0, $1.1.name) }.map(\.1)
  }

  /// The column with the lines of an imported address card that no other column holds, such as a photo.
  package static let card = "vcard"

  /// The columns that have a value and mean something to people, in order: all but that of a card, and of what a merge has
  /// left of another one, in `vcard 2`.
  package var shown: [(name: String, value: FieldValue)] {
    columns.filter { column in
      !column.name.hasPrefix(ExtraColumns.card)
        || column.name.dropFirst(ExtraColumns.card.count).contains { !$0.isNumber && $0 != " " }
    }
  }

  /// Whether the text that was parsed is one column, because it is no object with unique names.
  var isWhole: Bool { source == nil && !members.isEmpty }

  /// The value of a column; nil if there is none.
  ///
  /// Setting nil or an empty text removes the column. A new column comes last. Malformed JSON becomes a string.
  package subscript(name: String) -> FieldValue? {
    get {
      let value = index(name).map { members[$0].value }
      return value == .json("null") ? nil : value
    }
    set {
      switch (index(name), (newValue?.valid).flatMap { $0 == .text("") ? nil : $0 }) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Sets several columns to values of a file; if a name is repeated, its last value wins.
  ///
  /// A string replaces a value as if it were typed: the `1` of a CSV file leaves the number 1 as it is.
  ///
  /// - Complexity: O(columns of both); setting them one by one would search all columns for each.
  package mutating func set(_ columns: some Sequence<(name: String, value: FieldValue)>) {
    var places: [[UInt8]: Int] = [:]
    for (index, member) in members.enumerated() { places[Array(member.name.utf8)] = index }
    for (name, value) in columns {
      let key = Array(name.utf8)
      if let index = places[key] {
        if case .text(let text) = value {
          members[index].value = members[index].value.replaced(by: text)
        } else if !members[index].value.isSame(as: value) {
          members[index].value = value
        }
      } else if value != .text("") {
        places[key] = members.count
        members.append(Member(name: name, value: value))
      }
    }
    members.removeAll { $0.valueOrigin == nil && $0.value == .text("") }
  }

  /// Renames a column; it keeps its place and value.
  ///
  /// - Returns: false, without changing anything, if there is no such column or another one has the new name.
  @discardableResult
  package mutating func rename(_ name: String, to newName: String) -> Bool {
    guard let index = index(name), self.index(newName) ?? index == index else { return false }
    members[index].name = newName
    return true
  }

  /// Renames columns, all at once, so that two may swap their names; one whose new name another one has keeps its own.
  ///
  /// - Returns: whether one has another name now.
  /// - Complexity: O(columns), times those that keep their names.
  mutating func rename(_ names: [String: String]) -> Bool {
    let old = members.map(\.name)
    var renamed = old.map { names[$0] ?? $0 }
    var isFree = false
    while !isFree {
      // One that keeps its name may be in the way of a third one.
      let counts = renamed.reduce(into: [:]) { $0[Array($1.utf8), default: 0] += 1 }
      let taken = renamed.indices.filter { renamed[$0] != old[$0] && counts[Array(renamed[$0].utf8)] != 1 }
      for index in taken { renamed[index] = old[index] }
      isFree = taken.isEmpty
    }
    for (index, name) in renamed.enumerated() where old[index] != name { members[index].name = name }
    return renamed != old
  }

  /// The JSON object for `CustomerFields.extra`.
  package var json: String {
    let written = source.flatMap(JSONObject.init)?.contents
    return object { member in
      (
        key: member.keyOrigin.flatMap { written?[$0].key },
        value: member.valueOrigin.flatMap { written?[$0].value }
      )
    }
  }

  /// The JSON object, in which the columns that have the same value as in `before` stay as written
  /// in another string of `before`.
  func json(changedFrom before: ExtraColumns, writtenAs text: String) -> String {
    var written: [[UInt8]: JSONObject.Member] = [:]
    for member in JSONObject(text)?.contents ?? [] {
      if let name = member.name { written[Array(name.utf8)] = member }
    }
    return object { member in
      let own = written[Array(member.name.utf8)]
      let isSame = before.index(member.name).map { before.members[$0].value == member.value } ?? false
      return (own?.key, isSame ? own?.value : nil)
    }
  }

  private func object(_ written: (Member) -> (key: String?, value: String?)) -> String {
    let pairs = members.map { member in
      let (key, value) = written(member)
      return "\(key ?? JSON.string(member.name).text):\(value ?? member.value.json.text)"
    }
    return "{\(pairs.joined(separator: ","))}"
  }

  /// Whether both have the same columns with the same values in the same order.
  package static func == (left: ExtraColumns, right: ExtraColumns) -> Bool {
    left.members.elementsEqual(right.members) {
      $0.name.utf8.elementsEqual($1.name.utf8) && $0.value == $1.value
    }
  }

  /// The columns whose values differ in `other`, those that only `other` has last.
  ///
  /// - Complexity: O(columns of both).
  func differences(from other: ExtraColumns) -> [CustomerField] {
    func values(_ columns: ExtraColumns) -> [[UInt8]: FieldValue] {
      Dictionary(columns.columns.map { (Array($0.name.utf8), $0.value) }) { first, _ in first }
    }
    let (own, others) = (values(self), values(other))
    return names.filter { own[Array($0.utf8)] != others[Array($0.utf8)] ?? .text("") }.map(
      CustomerField.extra)
      + other.names.filter { own[Array($0.utf8)] == nil && others[Array($0.utf8)] != .text("") }
      .map(CustomerField.extra)
  }

  private func index(_ name: String) -> Int? {
    members.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

extension CustomerFields {
  /// The columns in `extra`, one by one.
  package var extraColumns: ExtraColumns {
    get { ExtraColumns(extra) }
    set { extra = newValue.json }
  }
}

extension FieldValue {
  /// A value from a file.
  package init(_ value: Record.Value) {
    self =
      switch value {
      case .text(let text): .text(text)
      case .json(let text): .json(text)
      }
  }

  package var json: JSON {
    switch self {
    case .text(let text): .string(text)
    case .json(let text): .raw(text)
    case .flag(let isSet): .bool(isSet)
    }
  }
}

extension Record.Value {
  /// A value for a file.
  package init(_ value: FieldValue) {
    self =
      switch value {
      case .text(let text): .text(text)
      case .json(let text): .json(text)
      case .flag(let isSet): .json(isSet ? "true" : "false")
      }
  }
}

/// A string that is not a valid value of a field.
package struct FieldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The field.
  package var field: CustomerField

  /// Makes an error.
  package init(field: CustomerField) { self.field = field }

  /// The accepted values, in one line.
  package var description: String { "\(field.title) must be yes, no, true, false, 1, or 0" }
}

/// The value of a field.
public enum FieldValue: Hashable, Codable, Sendable {
  /// A string.
  case text(String)
  /// A mark.
  case flag(Bool)
  /// JSON in an extra column that is not a string: a number, true, false, null, an object, or an array; malformed JSON is
  /// kept as a string.
  case json(String)

  /// The value as displayed text.
  public var text: String {
    switch self {
    case .text(let text), .json(let text): text
    case .flag(let isSet): isSet ? "yes" : "no"
    }
  }
}

extension FieldValue {
  /// Whether both are the same entry: the same text, even if one is a JSON number or mark and the other a
  /// string, as from a CSV file.
  package func isSame(as other: FieldValue) -> Bool { text == other.text }

  /// The value, or a string if it is malformed JSON, with which the other columns could not be read either.
  var valid: FieldValue {
    if case .json(let text) = self, JSON.value(text) == nil { .text(text) } else { self }
  }

  /// Whether it is a number of JSON.
  package var isNumber: Bool { if case .json(let text) = self { jsonKind(text) == .number } else { false } }

  /// The value after a user has typed a string over this one.
  ///
  /// The same text leaves it as it is. JSON stays JSON of its type if the text is: a number typed over a number
  /// is a number, with all the digits as typed. Anything else is a string, even one that looks like a number.
  package func replaced(by text: String) -> FieldValue {
    if self.text.utf8.elementsEqual(text.utf8) { return self }
    guard case .json(let old) = self, case .json? = JSON.value(text), jsonKind(old) == jsonKind(text) else {
      return .text(text)
    }
    return .json(text)
  }
}

/// The kind of a JSON value that is not a string.
private enum JSONKind {
  case number, mark, null, array, object
}

private func jsonKind(_ json: String) -> JSONKind {
  switch json.utf8.first {
  case UInt8(ascii: "{"): .object
  case UInt8(ascii: "["): .array
  case UInt8(ascii: "n"): .null
  case UInt8(ascii: "t"), UInt8(ascii: "f"): .mark
  default: .number
  }
}

extension FieldValue: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral {
  /// A string, as in `[.note: "call back"]` or `[.note: "call \(day)"]`.
  public init(stringLiteral text: String) { self = .text(text) }

  /// A mark, as in `[.isFavorite: true]`.
  public init(booleanLiteral isSet: Bool) { self = .flag(isSet) }
}

/// A column of the list, as `customers list` and a table name it and show it.
package enum ListColumn: Hashable, Sendable {
  /// The customer's id.
  case id
  /// The id of the section and its title.
  case section, sectionTitle
  /// The number in the section and the one in the whole list.
  case order, position
  /// First and last name, otherwise the company.
  case name
  /// A field or an extra column.
  case field(CustomerField)
  /// Whether the customer may be edited and deleted, and moved.
  case canEdit, canMove
  /// All extra columns, as JSON.
  case extra

  /// The columns that a table shows after the name if none were chosen.
  package static let usual: [ListColumn] = [
    .field(.company), .field(.email), .field(.phone), .field(.note),
  ]

  /// The columns of every list, in the order of the view `customers`.
  package static let all: [ListColumn] =
    [.id, .section, .sectionTitle, .order, .position, .name]
    + CustomerField.standard.map(ListColumn.field) + [.canEdit, .canMove, .extra]

  /// Whether a name means one of those of every list, or the row.
  package static func isNamed(_ name: String) -> Bool {
    Name(name).best(of: all.map(\.name) + ["row"], by: { [$0] }) != nil
  }

  /// Whether a name means what every customer has, so that no new extra column can have it.
  package static func isTaken(_ name: String) -> Bool {
    isNamed(name) || CustomerField(named: name) != nil || CustomerField.isTaken(name)
  }

  /// The name by which it is chosen.
  package var name: String {
    switch self {
    case .id: "id"
    case .section: "section"
    case .sectionTitle: "section_title"
    case .order: "order"
    case .position: "position"
    case .name: "name"
    case .field(let field): field.column
    case .canEdit: "can_edit"
    case .canMove: "can_move"
    case .extra: "extra"
    }
  }

  /// The name that people see above it.
  package var title: String {
    switch self {
    case .id: "Id"
    case .section: "Section"
    case .sectionTitle: "Section title"
    case .order: "Order"
    case .position: "Row"
    case .name: "Name"
    case .field(let field): field.title
    case .canEdit: "Can edit"
    case .canMove: "Can move"
    case .extra: "Extra"
    }
  }

  /// The value for a program.
  package func value(_ customer: Customer, _ outline: ListOutline) -> JSON {
    switch self {
    case .id: .int(Int(customer.id.rawValue))
    case .section: .int(Int(customer.place.section.rawValue))
    case .sectionTitle: .string(outline.section(customer.place.section)?.title ?? "")
    case .order: .int(customer.place.order)
    case .position: .int(outline.position(of: customer.place))
    case .name: .string(customer.name)
    case .field(let field) where field.kind == .lines: field.listJSON(customer.fields[field].text)
    case .field(let field): customer.fields[customer.fields.place(of: field)].json
    case .canEdit: .bool(customer.canEdit)
    case .canMove: .bool(customer.canMove)
    case .extra: .raw(customer.fields.extra)
    }
  }

  /// The same, to be asked for each row: what depends on the column alone is looked up once.
  package var reading: @Sendable (Customer, ListOutline) -> JSON {
    guard case .field(let field) = self, field.kind != .lines, let storage = field.storage else {
      return value
    }
    switch storage {
    case .text(let property): return { customer, _ in .string(property.value(in: customer.fields)) }
    case .flag(let property): return { customer, _ in .bool(property.value(in: customer.fields)) }
    }
  }

  /// The value for people, and whether it is a number.
  ///
  /// Of several e-mail addresses, phone numbers, and postal addresses it is the main one, and how many others there
  /// are: `lizzy@longbourn.example +1`.
  package func cell(_ customer: Customer, _ outline: ListOutline) -> (text: String, isNumber: Bool) {
    if case .field(let field) = self, field.contactKind != nil {
      let values = customer.fields.values(of: field)
      return ((values.first ?? "") + (values.count > 1 ? " +\(values.count - 1)" : ""), false)
    }
    if case .field(let field) = self, field.kind == .lines {
      return (customer.fields.values(of: field).joined(separator: ", "), false)
    }
    return switch value(customer, outline) {
    case .int(let number): (String(number), true)
    case .bool(let flag): (flag ? "yes" : "no", false)
    case .raw(let text): (text, Double(text) != nil)
    case .string(let text): (text, false)
    case let value: (value.text, false)
    }
  }
}
