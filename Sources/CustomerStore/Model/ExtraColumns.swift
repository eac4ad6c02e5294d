package import CustomersFormats

/// The columns of a customer besides the fields, in order; names are unique.
///
/// Columns can be read, set, removed, and renamed without changing the others. Names are compared byte by
/// byte, as in JSON.
///
///     fields.extraColumns["Fax"] = .text("555-0100")
public struct ExtraColumns: Equatable, Sendable {
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
  public init() {}

  /// Parses the JSON object in `CustomerFields.extra`.
  ///
  /// The store always returns an object. One that repeats a key, or is nested more than 64 levels deep, is
  /// read as a single column `extra`.
  public init(_ json: String) {
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
  public var names: [String] { columns.map(\.name) }

  /// The columns that have a value, in order.
  public var columns: [(name: String, value: FieldValue)] {
    members.filter { $0.value != .json("null") }.map { ($0.name, $0.value) }
  }

  /// The column with the lines of an imported address card that no other column holds, such as a photo.
  package static let card = "vcard"

  /// The columns that have a value and mean something to people, in order: all but that of a card.
  package var shown: [(name: String, value: FieldValue)] { columns.filter { $0.name != ExtraColumns.card } }

  /// Whether the text that was parsed is one column, because it is no object with unique names.
  var isWhole: Bool { source == nil && !members.isEmpty }

  /// The value of a column; nil if there is none.
  ///
  /// Setting nil or an empty text removes the column. A new column comes last.
  public subscript(name: String) -> FieldValue? {
    get {
      let value = index(name).map { members[$0].value }
      return value == .json("null") ? nil : value
    }
    set {
      switch (index(name), newValue.flatMap { $0 == .text("") ? nil : $0 }) {
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
  public mutating func rename(_ name: String, to newName: String) -> Bool {
    guard let index = index(name), self.index(newName) ?? index == index else { return false }
    members[index].name = newName
    return true
  }

  /// The JSON object for `CustomerFields.extra`.
  public var json: String {
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
  public static func == (left: ExtraColumns, right: ExtraColumns) -> Bool {
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
  public var extraColumns: ExtraColumns {
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

  /// The value as JSON.
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
