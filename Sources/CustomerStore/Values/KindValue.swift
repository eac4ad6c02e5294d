internal import CustomersText

/// What is typed or read becomes one stored form, by the kind of its column: a date is `2026-12-24`, a time
/// `2026-12-24T17:30`, a number plain digits with a point, a choice as it was declared.
extension ColumnKinds.Column {
  /// The stored form of what a person typed into a column; an empty text, or `none` for a date or time, is no value.
  ///
  /// - Throws: an error with the column, the kind, and an example if the text is no value of the kind.
  package func stored(
    typed text: String, in column: String, today: CalendarDay
  ) throws(KindError) -> String {
    try stored(text, TypedNumber(text), in: column, today: today)
  }

  private func stored(
    _ text: String, _ number: @autoclosure () -> TypedNumber, in column: String, today: CalendarDay
  ) throws(KindError) -> String {
    guard !text.isEmpty else { return "" }
    switch kind {
    case .text, .lines: return text
    case .number:
      switch number() {
      case .number(let number): return number
      case .either(let one, let other): throw error(.either(one, other), text, column)
      // Such as 1e6, which a program may have written.
      case .none where isValue(text): return text
      case .none:
        // A letter may be a slip.
        let unit = MeasuredNumber(text).flatMap { $0.unit.contains(where: \.isLetter) ? nil : $0.unit }
        throw error(unit.map { .meant("write it without \($0)") } ?? .unlike, text, column)
      }
    case .date where Name(text).key == "none", .time where Name(text).key == "none": return ""
    case .date:
      // A list may have a name of its own for it, such as Geburtstag.
      let known = KnownColumn(meantBy: column)
      // A year may be unknown.
      if known == .birthday, let day = CalendarDay.withoutYear(text) { return day }
      let day = try day(text, for: .entry, column, today)
      // No one was called on a day to come.
      if known == .lastContact, TypedDay.lacksYear(text), day > today { return day.aYearBefore.description }
      guard known == .birthday else { return day.description }
      let past = CalendarDay.past(day.description, writtenAs: text, today)
      // Nor born on one.
      guard CalendarDay(past).map({ $0 <= today }) ?? true else {
        throw error(.meant("that day is to come; without a year, write \(day.withoutYear)"), text, column)
      }
      return past
    case .time: return try moment(text, for: .entry, column, today).description
    case .yesNo:
      guard let isSet = Bool(typed: text) else { throw error(.unlike, text, column) }
      return isSet ? "yes" : "no"
    case .choice: return choices[try choice(text, column)]
    case .link:
      guard ColumnKinds.Column.isLink(text) else { throw error(.unlike, text, column) }
      return text
    }
  }

  /// The stored form of a value that a program gives, perhaps of another type of JSON: a number in plain digits is exact;
  /// null, and what a column of any text has, stay.
  ///
  /// - Throws: as for what is typed.
  func stored(_ value: FieldValue, in column: String, today: CalendarDay) throws(KindError) -> FieldValue {
    if case .json(let text) = value, kind.takesAnyText || text == "null" { return value.valid }
    return .text(try stored(value.text, TypedNumber(exact: value.text), in: column, today: today))
  }

  /// The stored form of a text that already is a value: times, yes, and no can be written in several.
  func form(ofValue text: String) -> String? {
    switch kind {
    case .yesNo: Bool(typed: text).map { $0 ? "yes" : "no" } ?? (text.isEmpty ? text : nil)
    case .time: Moment(text)?.description ?? (text.isEmpty ? text : nil)
    case .text, .lines, .number, .date, .choice, .link: isValue(text) ? text : nil
    }
  }

  /// Whether a stored text is a value of the kind; an empty one is no value, and not a wrong one.
  package func isValue(_ text: String) -> Bool {
    switch kind {
    case .text, .lines: true
    case .link: text.isEmpty || ColumnKinds.Column.isLink(text)
    case .number, .date, .time, .yesNo, .choice: text.isEmpty || key(text) != nil
    }
  }

  /// The next value of a day, a choice, or yes or no, or the one before; nil if the kind has no such thing.
  ///
  /// After no value comes today or the first choice, and after the last choice no value.
  package func value(after text: String, by step: Int, today: CalendarDay) -> String? {
    switch kind {
    case .date:
      guard let day = try? day(text, for: .entry, "", today) else { return today.description }
      return CalendarDay(number: day.number + step)?.description
    case .choice, .yesNo:
      let values = [""] + pickable
      let place = values.firstIndex(of: (try? stored(typed: text, in: "", today: today)) ?? "") ?? 0
      return values[(place + step + values.count) % values.count]
    case .text, .lines, .number, .time, .link: return nil
    }
  }

  /// The values of a kind that has few; none for any other kind.
  package var pickable: [String] {
    switch kind {
    case .choice: choices
    case .yesNo: ["yes", "no"]
    case .text, .lines, .number, .date, .time, .link: []
    }
  }

  /// The day that a text means.
  func day(
    _ text: String, for use: TypedDay.Use, _ column: String, _ today: CalendarDay
  ) throws(KindError) -> CalendarDay {
    switch TypedDay(text, from: today, for: use) {
    case .day(let day): return day
    case .either(let one, let other): throw error(.either("\(one)", "\(other)"), text, column)
    case .meant(let meant): throw error(.meant(meant), text, column)
    case .none:
      // As an import reads it.
      let days = ColumnKinds.Column(.date).forms(of: text, today, leavingOutTimes: false).sorted()
      if days.count == 1, let day = CalendarDay(days[0]) { return day }
      if days.count > 1 { throw error(.either(days[0], days[1]), text, column) }
      guard let moment = Moment(text) else { throw error(.unlike, text, column) }
      guard moment.seconds == 0 else { throw error(.meant("a date has no time of day"), text, column) }
      return moment.day
    }
  }

  /// The moment that a text means: a day, perhaps with a time of day after it.
  func moment(
    _ text: String, for use: TypedDay.Use, _ column: String, _ today: CalendarDay
  ) throws(KindError) -> Moment {
    if let moment = Moment(String(text.trimmingBlanks)) { return moment }
    if let colon = text.firstIndex(of: ":"), let space = text[..<colon].lastIndex(where: \.isWhitespace),
      let day = TypedDay(String(text[..<space]), from: today, for: use).day,
      let moment = Moment(on: day, clock: String(text[text.index(after: space)...].trimmingBlanks))
    {
      return moment
    }
    switch TypedDay(text, from: today, for: use) {
    case .day(let day): return Moment(day: day)
    case .either(let one, let other): throw error(.either("\(one)", "\(other)"), text, column)
    case .meant(let meant): throw error(.meant(meant), text, column)
    case .none:
      let moments = ColumnKinds.Column(.time).forms(of: text, today, leavingOutTimes: false).sorted()
      guard let first = moments.first, let moment = Moment(first) else {
        throw error(.unlike, text, column)
      }
      if moments.count > 1 { throw error(.either(first, moments[1]), text, column) }
      return moment
    }
  }

  /// The number of the choice, from 0, that a text means; case and accents make no difference.
  func choice(_ text: String, _ column: String) throws(KindError) -> Int {
    if let exact = choices.firstIndex(of: text) { return exact }
    let wanted = searchFolded(text)
    guard let found = choices.firstIndex(where: { searchFolded($0) == wanted || $0.asChoice == text }) else {
      throw error(.unlike, text, column)
    }
    return found
  }

  package func error(_ reason: KindError.Reason, _ text: String, _ column: String) -> KindError {
    KindError(column: column, kind: self, text: text, reason: reason)
  }

  private static func isLink(_ text: String) -> Bool {
    guard !text.contains(where: \.isWhitespace) else { return false }
    if let colon = text.firstIndex(of: ":") {
      let scheme = text[..<colon]
      return !scheme.isEmpty && text[text.index(after: colon)...].hasPrefix("//")
        && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
    }
    return text.split(separator: "/", omittingEmptySubsequences: false)[0]
      .split(separator: ".", omittingEmptySubsequences: false).count { !$0.isEmpty } > 1
  }
}

extension String {
  /// A choice among others, as it may be typed: in quotes if it has a comma.
  package var asChoice: String {
    contains { ",\"".contains($0) } ? "\"\(replacing("\"", with: "\"\""))\"" : self
  }
}

extension Bool {
  /// What people write for yes and no; nil for any other text.
  package init?(typed text: String) {
    switch caseFolded(text) {
    case "yes", "true", "1": self = true
    case "no", "false", "0": self = false
    default:
      guard let isSet = Marks.mark(text) else { return nil }
      self = isSet
    }
  }
}

/// A text that is no value of the kind of its column.
package struct KindError: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// Nothing like a value.
    case unlike
    /// Two values that it may be.
    case either(String, String)
    /// Nearly a value; a remark that says what was meant.
    case meant(String)
    /// The kind has no order.
    case noOrder
  }

  /// The name of the column.
  package var column: String
  package var kind: ColumnKinds.Column
  package var text: String
  package var reason: Reason

  /// What is wrong and an example, without the text, which may be long or private; no file has words such as friday.
  package var rule: String {
    let example = kind.kind.example.prefix { $0 != "," }
    let hint = reason == .unlike && kind.kind != .choice ? "for example: \(example)" : hint
    return "\(column) is not \(kind.kind.noun); \(hint)"
  }

  /// What to write instead.
  package var hint: String {
    switch reason {
    case .either(let one, let other): return "write \(one) or \(other)"
    case .meant(let meant): return meant
    case .noOrder where kind.kind.takesAnyText:
      return "for the order of the alphabet, put the value in quotes, as in \(column)<\"M\""
    case .noOrder: return "use = or !="
    case .unlike where kind.kind == .choice && kind.choices.isEmpty: return "it has none yet"
    case .unlike where kind.kind == .choice:
      let choices = kind.choices.map(\.asChoice).joined(separator: ", ")
      return nearest(to: searchFolded(text), among: kind.choices.map(searchFolded))
        .flatMap { near in kind.choices.first { searchFolded($0) == near } }
        .map { "did you mean \($0)? The choices are \(choices)" }
        ?? "the choices are \(choices)"
    case .unlike: return "for example: \(kind.kind.example)"
    }
  }

  /// What is wrong, without what to write instead.
  package var problem: String {
    switch reason {
    case .either(let one, let other): return "\"\(text)\" may be \(one) or \(other)"
    case .noOrder where kind.kind.takesAnyText: return "\"\(text)\" is neither a number nor a date"
    case .noOrder: return "no value is less or greater than another one"
    case .meant where kind.kind.takesAnyText: return "\"\(text)\" is neither a number nor a date"
    case .unlike, .meant: return "\"\(text)\" is not \(kind.kind.noun)"
    }
  }
}

extension KindError: ExplainedError {
  package var description: String { "\(column): \(problem); \(hint)" }

  package var explanation: Explanation { .usage(description) }
}

extension ListEdit {
  /// The edit with the values of declared columns in the form in which a list keeps them, however they were typed.
  ///
  /// - Throws: `KindError` for a value that is not of the kind of its column; `FieldError` for a mark that is neither yes nor no.
  func parsed(in list: borrowing CustomerList) throws -> ListEdit {
    if case .update(_, let changes) = self {
      for (field, value) in changes.values { _ = try field.value(parsing: value.text) }
    }
    if case .log(let ids, let text, let next?, let destination, let section) = self {
      let day = try ColumnKinds.stored(next: next, today: .today)
      return .log(ids, text, next: day, to: destination, in: section)
    }
    return try parsed { names in
      try list.refuseTaken(names)
      return try list.columnKinds(with: names)
    }
  }

  /// The edit with the extra columns that a list has, where a program has named them otherwise only in what is ignored.
  ///
  /// - Throws: `ListError.ambiguousColumn` if one may be several, or is named twice; `noSuchColumn` if the list has none to
  ///   sort by; `KindError`.
  /// - Complexity: O(customers) for a name that is not exactly that of a declared column.
  package func naming(columnsOf list: borrowing CustomerList) throws -> ListEdit {
    if case .column(let edit) = self { return .column(try edit.named(in: list)) }
    if case .sort(let order, let section) = self {
      for name in order.extraNames where try list.ownName(ofColumn: name) == nil {
        throw ListError.noSuchColumn(name)
      }
      return .sort(try order.naming(columnsOf: list), in: section)
    }
    let names = Set(extraValues.map(\.name))
    var kinds = ColumnKinds()
    for name in names {
      guard let own = try list.ownName(ofColumn: name), own != name else { continue }
      guard !names.contains(own) else { throw ListError.ambiguousColumn(name, among: [own, name]) }
      kinds.spellings[name] = own
    }
    guard !kinds.spellings.isEmpty else { return self }
    let named = try parsed { _ in kinds }
    guard case .save(let id, let from, let to) = named else { return named }
    return .save(id, from: try from.parsed(by: kinds, from: CustomerFields()), to: to)
  }

  private func parsed(_ kinds: (_ names: [String]) throws -> ColumnKinds) throws -> ListEdit {
    let names = extraValues.map(\.name)
    switch self {
    case .update(let ids, let changes) where changes.values.keys.contains(where: \.isParsed):
      return .update(ids, try changes.parsed(by: kinds(names)))
    case .save(let id, let from, let to) where from.extra != to.extra || from.next != to.next:
      return .save(id, from: from, to: try to.parsed(by: kinds(names), from: from))
    case .insert(let customers, let destination, let section)
    where customers.contains { $0.fields.extra != "{}" || !$0.fields.next.isEmpty }:
      let kinds = try kinds(names)
      let parsed = try customers.map { customer in
        var parsed = customer
        parsed.fields = try customer.fields.parsed(by: kinds, from: CustomerFields())
        return parsed
      }
      return .insert(parsed, at: destination, in: section)
    case .batch(let updates): return .batch(try updates.parsed(by: kinds(names)))
    default: return self
    }
  }
}

extension SortOrder {
  /// The order by the extra columns that a list has, where a program has named them otherwise only in what is ignored.
  ///
  /// - Throws: `ListError.ambiguousColumn` if one may be several.
  /// - Complexity: O(customers) for a name that is not exactly that of a declared column.
  package func naming(columnsOf list: borrowing CustomerList) throws -> SortOrder {
    func named(_ key: Key) throws -> Key {
      guard case .field(.extra(let name)) = key, let own = try list.ownName(ofColumn: name) else {
        return key
      }
      return .field(.extra(own))
    }
    var order = self
    order.keys = try keys.map { try named($0) }
    order.reversed = Set(try reversed.map { try named($0) })
    return order
  }

  /// Refuses an order by an extra column that a list does not have, as a condition on it is refused.
  ///
  /// - Throws: `FilterError`; `ListError.ambiguousColumn` if one may be several.
  /// - Complexity: O(customers) for a name that is not exactly that of a declared column.
  package func refuseUnknown(in list: borrowing CustomerList) throws {
    for name in extraNames where try list.ownName(ofColumn: name) == nil {
      throw FilterError(reason: .noSuchField(name, near: try list.fieldName(near: name)), word: name)
    }
  }

  /// The names of the extra columns.
  fileprivate var extraNames: [String] {
    keys.compactMap { if case .field(.extra(let name)) = $0 { name } else { nil } }
  }
}

extension ListEdit {
  /// The names of extra columns that the edit sets in customers.
  var extraNames: [String] {
    switch self {
    case .update(_, let changes): changes.extraNames
    case .save(_, let from, let to): from.extra == to.extra ? [] : to.extraColumns.names
    case .insert(let customers, _, _):
      customers.flatMap { $0.fields.extra == "{}" ? [] : $0.fields.extraColumns.names }
    default: []
    }
  }
}

extension CustomerList {
  /// The kinds of the columns, with those of known columns among these that the list does not have yet.
  ///
  /// A name that no column has means a declared one that differs only in what is ignored, or that is the known column of this
  /// title under another name.
  package func columnKinds(with names: [String]) throws -> ColumnKinds {
    let new = try newKnownColumns(among: names)
    var kinds = try columnKinds().adding(new.map { ($0.title, $0.values) })
    let all = names.isEmpty ? [] : kinds.names
    let ofKnown = try names.contains { KnownColumn($0) != nil } ? namesOfKnownColumns() : [:]
    for name in Set(names) where kinds.declared(name) == nil {
      guard let declared = all.first(where: { Name($0).key == Name(name).key }) ?? ofKnown[name],
        try extraColumns(like: name)?.fit != .exact
      else { continue }
      kinds.spellings[name] = declared
    }
    return kinds
  }

  /// The name of the extra column that has a name exactly, or but for what is ignored; nil if there is none.
  ///
  /// - Throws: `ListError.ambiguousColumn`.
  /// - Complexity: O(customers).
  package func ownName(ofColumn name: String) throws -> String? {
    guard let own = try extraColumns(like: name)?.elements else { return nil }
    guard own.count == 1 else { throw ListError.ambiguousColumn(name, among: own) }
    return own[0]
  }

  /// Declares the known columns among these that the list does not have yet.
  mutating func declareKnownColumns(among names: [String]) throws {
    for column in try newKnownColumns(among: names) {
      try declareColumn(column.title, kind: column.values.kind)
    }
  }

  private func newKnownColumns(among names: [String]) throws -> [KnownColumn] {
    let known = Set(names).compactMap { KnownColumn($0) }.filter { $0.values.kind != .text }
    let ofKnown = try known.isEmpty ? [:] : namesOfKnownColumns()
    return try known.filter { column in
      try ofKnown[column.title] == nil && extraColumns(like: column.title) == nil
    }.sorted { $0.title < $1.title }
  }
}

extension ListEdit {
  /// Refuses numbers that a person has typed into columns of numbers, and that may be two; what a program gives is exact.
  ///
  /// - Throws: `KindError`.
  package func refuseOpenNumbers(in list: borrowing CustomerList) throws {
    let typed = extraValues
    guard !typed.isEmpty else { return }
    let kinds = try list.columnKinds(with: typed.map(\.name))
    for case (let name, .text(let text)) in typed {
      let column = kinds[.extra(kinds.name(name))]
      if column.kind == .number { _ = try column.stored(typed: text, in: name, today: .today) }
    }
  }
}

extension ListEdit {
  /// Texts that may be meant for a day, such as `monday`, and stay texts, because their columns may have any text.
  ///
  /// - Parameters:
  ///   - list: the list, before the edit or after it.
  ///   - today: the day that the words are relative to.
  /// - Returns: a sentence for each column and text.
  /// - Throws: `StoreError`.
  package func wordsForDays(in list: borrowing CustomerList, today: CalendarDay = .today) throws -> [String] {
    let words = extraValues.compactMap { name, value -> (name: String, text: String, days: String)? in
      guard case .text(let text) = value, text.utf8.count < 40, TypedDay.written(text).day == nil else {
        return nil
      }
      switch TypedDay(text, from: today, for: .entry) {
      case .day(let day): return (name, text, "\(day)")
      case .either(let one, let other): return (name, text, "\(one) or \(other)")
      case .meant, .none: return nil
      }
    }
    guard !words.isEmpty else { return [] }
    let kinds = try list.columnKinds(with: words.map(\.name))
    return words.filter { kinds.declared(kinds.name($0.name)) == nil }.map { name, text, days in
      "\(quoted(name)) has any text, so \(quoted(text)) stays as it is; for the day, write \(days)"
    }
  }

  /// The names of the extra columns that the edit is about.
  package var columnNames: Set<String> {
    switch self {
    case .sort(let order, _): Set(order.extraNames)
    case .column(.rename(let name, _)), .column(.drop(let name)), .column(.setKind(let name, _, _, _, _)):
      [name]
    case .column(.join(let name, into: .extra(let other))): [name, other]
    case .column(.join(let name, _)): [name]
    default: Set(extraValues.map(\.name))
    }
  }

  /// The values of extra columns that the edit sets.
  private var extraValues: [(name: String, value: FieldValue)] {
    switch self {
    case .update(_, let changes): changes.extraValues
    case .save(_, let from, let to):
      from.extra == to.extra ? [] : to.extraColumns.columns.filter { from.extraColumns[$0.name] != $0.value }
    case .insert(let customers, _, _): customers.flatMap(\.fields.extraValues)
    case .batch(let updates):
      updates.operations.flatMap(\.extraValues)
    default: []
    }
  }
}

extension ColumnEdit {
  /// The edit of the column that a list has under this name, or but for what is ignored.
  fileprivate func named(in list: borrowing CustomerList) throws -> ColumnEdit {
    func own(_ name: String) throws -> String { try list.ownName(ofColumn: name) ?? name }
    return switch self {
    case .rename(let name, let newName): .rename(try own(name), to: newName)
    case .join(let name, into: .extra(let other)): .join(try own(name), into: .extra(try own(other)))
    case .join(let name, let field): .join(try own(name), into: field)
    case .drop(let name): .drop(try own(name))
    case .setKind(let name, let kind, let choices, let written, let keepsText):
      .setKind(try own(name), kind, choices: choices, written: written, keepingText: keepsText)
    }
  }
}

extension BatchUpdates.Operation {
  fileprivate var extraValues: [(name: String, value: FieldValue)] {
    switch self {
    case .insert(let fields, _): fields.extraValues
    case .update(_, let changes): changes.extraValues
    case .delete, .move: []
    }
  }
}

extension CustomerFields {
  fileprivate var extraValues: [(name: String, value: FieldValue)] {
    extra == "{}" ? [] : extraColumns.columns.map { ($0.name, $0.value) }
  }
}

extension FieldChanges {
  fileprivate var extraValues: [(name: String, value: FieldValue)] {
    values.compactMap { field, value in
      if case .extra(let name) = field { (name, value) } else { nil }
    }
  }

  var extraNames: [String] {
    values.compactMap { field, value in
      if case .extra(let name) = field, !value.text.isEmpty { name } else { nil }
    }
  }

  /// The changes with the values of declared columns in the form in which a list keeps them.
  func parsed(by kinds: ColumnKinds) throws(KindError) -> FieldChanges {
    var parsed = self
    for (field, value) in values {
      guard field.isParsed else { continue }
      let named = if case .extra(let name) = field { CustomerField.extra(kinds.name(name)) } else { field }
      if named != field { parsed.values[field] = nil }
      parsed.values[named] = try kinds[named].stored(value, in: named.column, today: .today)
    }
    return parsed
  }
}

extension CustomerFields {
  /// The fields with the next date and the values of declared columns, if they differ from those before, in the form in
  /// which a list keeps them.
  func parsed(by kinds: ColumnKinds, from before: CustomerFields) throws(KindError) -> CustomerFields {
    var parsed = self
    if next != before.next { parsed.next = try ColumnKinds.stored(next: next, today: .today) }
    guard extra != before.extra else { return parsed }
    var columns = extraColumns
    let old = before.extraColumns
    var isChanged = false
    for name in columns.names {
      let named = kinds.name(name)
      guard named != name || kinds.declared(named) != nil, let value = columns[name], old[name] != value
      else { continue }
      let stored = try kinds[.extra(named)].stored(value, in: named, today: .today)
      if named != name { columns[name] = nil }
      if stored != value || named != name { (columns[named], isChanged) = (stored, true) }
    }
    if isChanged { parsed.extraColumns = columns }
    return parsed
  }
}

extension CustomerField {
  /// Whether what is typed becomes a value of a kind: the next date and extra columns.
  package var isParsed: Bool {
    switch self {
    case .next, .extra: true
    default: false
    }
  }
}
