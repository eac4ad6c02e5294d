internal import CustomerStore
internal import CustomersText

/// The targets of the columns of a file and the names of extra columns.
final class ColumnPlan {
  let columns: [String]
  let targets: [ColumnTarget]
  /// The names of columns that are kept as extra columns.
  let keptNames: [String]
  /// Whether the columns begin with those of every exported file.
  let isExported: Bool
  /// Whether all extra columns are members of one object.
  let hasOnlyMembers: Bool
  /// The names of extra columns in the list.
  let names: ColumnNames
  /// The columns that together are the ways to reach a customer; nil if there are none.
  let contacts: ContactPlan?
  /// The columns that together are the birthday.
  let birthday: BirthdayColumns?
  /// The columns with days and what they are.
  let events: [EventColumns]
  /// The columns that mean the same, as "Personal Web Page" and "Web Page" do, the likeliest of each first.
  private let twins: [[Int]]
  /// Whether some columns are understood together, so that their values are read after the others.
  let isUnderstood: Bool
  /// Whether the names of the columns are those that an export writes, so that its values are exact.
  let isOwn: Bool
  /// Whether columns of e-mail addresses, phone numbers, and postal addresses say nothing about other ones.
  let statesContacts: Bool
  /// Whether a customer has more ways to be reached than the file says: those of a card are added to the others.
  let addsContacts: Bool
  /// Whether it is a card or an entry of another program; a list writes the section, too.
  let isForeignCard: Bool
  /// Whether a column of last names may have full names.
  let mayRepeatFirstName: Bool
  /// Whether the file says which version of the list it was written from.
  let hasVersion: Bool
  /// What the values of own columns are; nil if that is not looked at.
  let kinds: ImportedKinds?
  /// The column of the version and that of the section, if there are any.
  let version: Int?
  let section: Int?
  /// Whether the columns are those of a listing with row numbers: JSON of `customers list` or its CSV in
  /// version 0.1.0.
  let isListed: Bool

  /// Matches columns to fields: by the mapping, otherwise by name.
  ///
  /// If two columns match the same field, one gets it and the other is kept: the mapping comes first, a column of first or
  /// last names comes before one of full names, and one of contacts before one of activities.
  ///
  /// - Parameters:
  ///   - columns: their names.
  ///   - mapping: the targets that the caller chose.
  ///   - names: the names of extra columns in the list.
  ///   - hasHeader: whether the file has them; otherwise they are the numbers of the columns, save those that are guessed.
  ///   - isExact: whether only the names that an export writes are fields.
  ///   - isKeyedByID: whether the columns `id` and `version` are those of an export, wherever they are.
  ///   - kinds: what the values of own columns are; nil if that is not looked at.
  /// - Throws: `TransferError` if a mapped name matches several columns or would be the name of two;
  ///   `ListError.ambiguousColumn`.
  init(
    _ columns: [String], _ mapping: [ImportedColumn], _ names: ColumnNames, hasHeader: Bool, isExact: Bool,
    isKeyedByID: Bool = false, kinds: ImportedKinds? = nil
  ) throws {
    self.kinds = kinds
    let own = ColumnPlan.ownNames(columns, names, isKeyedByID: isKeyedByID)
    let known = Set(own)
    isListed = ColumnPlan.listedColumns.allSatisfy(known.contains)
    let hasNames = known.contains("first_name") && known.contains("last_name")
    hasVersion = ColumnPlan.hasVersion(own, isKeyedByID: isKeyedByID)
    let identity = hasVersion ? ExportLayout.identifying + ["uid"] : own.first == "id" ? ["id"] : []
    isExported = own.filter { !identity.contains($0) }.starts(with: ExportLayout.fixed)
    let hasID = hasVersion || isExported && !identity.isEmpty
    var mapped: [Int: ColumnTarget] = [:]
    for column in mapping {
      guard let index = try columnIndex(of: column.name, in: columns, for: .mapping) else { continue }
      guard mapped.updateValue(column.target, forKey: index) == nil else {
        throw TransferError.columnMappedTwice(column.name)
      }
    }
    isOwn = isExact || isListed || isExported || hasVersion
    let understood = isOwn ? UnderstoodColumns() : UnderstoodColumns(columns, besides: mapped, names)
    (contacts, birthday, events) = (understood.contacts, understood.birthday, understood.events)
    var targets: [ColumnTarget] = []
    var ranks: [Int] = []
    for (index, column) in own.enumerated() {
      let target =
        mapped[index] ?? (hasID && column == "id" && (index == 0 || hasVersion) ? .id : nil)
        ?? (hasVersion ? ColumnPlan.handedOut(column, hasNames, known, names) : nil)
        ?? (isListed ? ColumnPlan.listed(column, hasNames) : nil) ?? understood.targets[index]
        ?? (isExported || isListed || isExact ? ColumnPlan.exported(column, known) : nil)
        ?? (isExact ? nil : ColumnPlan.next(column, names)) ?? ColumnTarget(exactly: column)
      targets.append(target)
      let isExact = mapped[index] != nil || target == .field(.extra(column))
      // An activity may be no contact.
      let isVague = target == .name || ColumnMeaning.key(column).hasPrefix("lastactivity")
      ranks.append(isExact ? 0 : isVague ? 2 : 1)
    }
    // Only fields can conflict, and there are few.
    var taken: [ColumnTarget] = []
    var same: [ColumnTarget: [Int]] = [:]
    let order = targets.indices.filter { targets[$0].mayBeWrittenOver }
    // The first section of a contact of Gmail's is the private one.
    func place(_ index: Int) -> Int {
      ColumnMeaning.section(columns[index]) == nil ? index : -index
    }
    for index in order.sorted(by: { (ranks[$0], place($0)) < (ranks[$1], place($1)) }) {
      if case .field(.extra) = targets[index], !isOwn, mapped[index] == nil {
        same[targets[index], default: []].append(index)
      }
      if taken.contains(where: targets[index].writesOver) {
        targets[index] = targets[index] == .name && !isOwn ? .otherName : .extra
      }
      if targets[index].mayBeWrittenOver { taken.append(targets[index]) }
    }
    if !isOwn {
      for (index, column) in columns.enumerated() where targets[index] == .extra {
        let name = ImportedColumn.newName(index + 1)
        let isNumbered = !hasHeader && column == "\(index + 1)"
        guard isNumbered || ImportedColumn(name: column, target: .extra).isWithoutName,
          !columns.contains(name)
        else { continue }
        targets[index] = .field(.extra(name))
      }
    }
    let kept = targets.indices.filter { targets[$0].hasColumnOfItsOwn }
    var keptNames = try ColumnPlan.keptNames(columns, targets)
    for (index, own) in zip(kept, try names.names(for: kept.map { keptNames[$0] })) {
      let name = !isOwn && CustomerField.isTaken(own) && !names.isListed(own) ? "\(own) 2" : own
      if !name.utf8.elementsEqual(keptNames[index].utf8), targets[index] == .extra {
        targets[index] = .field(.extra(name))
      }
      keptNames[index] = name
    }
    twins = same.values.filter { $0.count > 1 }
    mayRepeatFirstName = targets.contains(.lastName)
    isUnderstood =
      contacts != nil || birthday != nil || !events.isEmpty || mayRepeatFirstName
      || targets.contains(.otherName)
    statesContacts = !hasVersion && !targets.contains(.field(.otherContacts))
    addsContacts = isExact && !hasVersion
    isForeignCard = isExact && !known.contains("section")
    version = targets.firstIndex(of: .version)
    section = targets.firstIndex(of: .section)
    hasOnlyMembers = kept.isEmpty && targets.count { $0 == .members } == 1
    self.columns = columns
    self.targets = targets
    self.names = names
    self.keptNames = keptNames
  }

  /// The target of a column that not every file has, some only JSON, where extra columns are in an object of their own.
  private static func exported(_ column: String, _ known: Set<String>) -> ColumnTarget? {
    guard known.contains("extra") else { return nil }
    return switch column {
    case "next": .field(.next)
    case "log": .log
    default: nil
    }
  }

  /// The next date, unless the list has a column of the name from an older version.
  private static func next(_ column: String, _ names: ColumnNames) -> ColumnTarget? {
    isNext(column) && !names.isListed(column) ? .field(.next) : nil
  }

  /// Whether a column of this name is that of the next dates.
  static func isNext(_ column: String) -> Bool {
    [CustomerField.next.column, Name(CustomerField.next.title).key].contains(Name(column).key)
  }

  /// The names in the list of columns that mean the same, in a row.
  ///
  /// - Parameter hasValue: whether a column has a value in the row.
  /// - Returns: their names: the first with a value has that of the first; nil for those that say nothing.
  /// - Complexity: O(columns that mean the same).
  func namesOfTwins(_ hasValue: (Int) -> Bool) -> [Int: String?] {
    var found: [Int: String?] = [:]
    for columns in twins {
      let chosen = columns.firstIndex(where: hasValue)
      for (place, index) in columns.enumerated() {
        let isLater = chosen.map { place > $0 } ?? false
        found[index] = place == chosen ?? 0 ? keptNames[columns[0]] : isLater ? keptNames[index] : .some(nil)
      }
    }
    return found
  }

  /// The unique names of the kept columns.
  private static func keptNames(_ columns: [String], _ targets: [ColumnTarget]) throws -> [String] {
    let asTheyAre = zip(columns, targets).filter { $1.isExtraOfSameName && ExtraName.unescaped($0) == $0 }
      .map(\.0)
    let taken = Set(asTheyAre)
    return try zip(columns, targets).map { column, target in
      if case .field(.extra(let name)) = target {
        guard !taken.contains(name) else { throw TransferError.nameTaken(name) }
        return name
      }
      let name = ExtraName.unescaped(column)
      return taken.contains(name) ? column : name
    }
  }

  /// Whether the names are those of a file with ids.
  private static func hasVersion(_ columns: [String], isKeyedByID: Bool) -> Bool {
    columns.starts(with: ExportLayout.identifying)
      || isKeyedByID && ExportLayout.identifying.allSatisfy(columns.contains)
  }

  /// The names, in a file with ids as an export writes them: a spreadsheet or a colleague may change `id` to `ID`.
  ///
  /// A name that the list or another column has stays.
  private static func ownNames(_ columns: [String], _ names: ColumnNames, isKeyedByID: Bool) -> [String] {
    let taken = Set(columns)
    let known = columns.map { exportedNames[Name($0).key] }
    // Beside both, "Name" is an extra column: an export writes no third.
    let hasNames = known.contains("first_name") && known.contains("last_name")
    let own = zip(columns, known).map { column, own in
      guard let own, !taken.contains(own), !names.contains(column), own != "name" || !hasNames else {
        return column
      }
      return own
    }
    return hasVersion(own, isKeyedByID: isKeyedByID) && Set(own).count == own.count ? own : columns
  }

  /// The names that an export writes, by what does not count as a difference.
  private static let exportedNames = Dictionary(
    (ExportLayout.identifying + ExportLayout.fixed + CustomerField.lists.map(\.column)
      + ["name", "order", "position", "section_title", "next", "log"]).map { (Name($0).key, $0) }
  ) { first, _ in first }

  /// The columns that identify a listing.
  static let listedColumns = ["id", "order", "position"]

  /// The columns of a file with ids that other files have not: the version, the places in that list, and the log.
  private static func handedOut(
    _ column: String, _ hasNames: Bool, _ known: Set<String>, _ names: ColumnNames
  ) -> ColumnTarget? {
    // Files of older versions have an extra column of the list by its name.
    if ["next", ExportLayout.log].contains(column), names.contains(column),
      !known.contains(ExtraName.prefix + column)
    {
      return nil
    }
    return switch column {
    case "next": .field(.next)
    case ExportLayout.log: .log
    case "version": .version
    // JSON has it beside those of the list.
    case "uid" where known.contains("extra") || !names.contains(column): .uid
    case "order", "position", "section_title": .ignored
    case "name" where hasNames: .ignored
    default: nil
    }
  }

  /// The columns of a listing that an import ignores: the places in that list.
  private static func listed(_ column: String, _ hasNames: Bool) -> ColumnTarget? {
    switch column {
    case "id": .id
    case "order", "position", "section", "section_title": .ignored
    case "name" where hasNames: .ignored
    default: nil
    }
  }
}

/// The index of the column that a name means; nil if there is none.
///
/// - Throws: `TransferError.ambiguousColumn` if several are the same but for what is ignored.
func columnIndex(of name: String, in columns: [String], for use: TransferError.ColumnUse) throws -> Int? {
  guard let found = Name(name).best(of: columns.indices, by: { [columns[$0]] }) else { return nil }
  guard found.fit == .exact || found.elements.count == 1 else {
    throw TransferError.ambiguousColumn(name, found.elements.map { columns[$0] }, in: use)
  }
  return found.elements[0]
}

/// The columns of a file of another program that its names explain.
struct UnderstoodColumns {
  /// What they become, by index; the others are extra columns.
  private(set) var targets: [Int: ColumnTarget] = [:]
  /// The columns that together are the ways to reach a customer; nil if there are none.
  private(set) var contacts: ContactPlan?
  /// The columns that together are the birthday; nil if there are none.
  private(set) var birthday: BirthdayColumns?
  /// The columns with days and what they are.
  private(set) var events: [EventColumns] = []

  /// Understands no column.
  init() {}

  /// Understands names, except those of columns that have a target already, and of those that the list has.
  init(_ columns: [String], besides mapped: [Int: ColumnTarget], _ names: ColumnNames) {
    var mapped = mapped
    let keys = columns.map(ColumnMeaning.key)
    let listed = Set(columns.indices.filter { names.isListed(columns[$0]) })
    let taken = listed.union(mapped.keys)
    for index in ColumnVocabulary.ofPrograms(keys).subtracting(taken) {
      (targets[index], mapped[index]) = (.program, .program)
    }
    let isGermanOutlook = ColumnVocabulary.areOfGermanOutlook(keys)
    if isGermanOutlook, let index = keys.firstIndex(of: "ort"), !taken.contains(index) {
      (targets[index], mapped[index]) = (.extra, .extra)
    }
    // "Birth Day" is not the column "Birthday" of the list.
    birthday = BirthdayColumns(
      columns, keys, besides: Set(columns.indices.filter { mapped[$0] != nil || names.contains(columns[$0]) })
    )
    for index in birthday?.indices ?? [] { (targets[index], mapped[index]) = (.birthday, .birthday) }
    events = EventColumns.all(keys, besides: listed.union(mapped.keys))
    for index in events.flatMap({ [$0.label, $0.value] }) {
      (targets[index], mapped[index]) = (.event, .event)
    }
    var meanings = columns.map { ColumnMeaning($0) }
    for index in listed where mapped[index] == nil {
      if case .field(.extra(let title))? = meanings[index]?.whole, !names.isListed(columns[index], as: title)
      {
        mapped[index] = .extra
      }
    }
    let plain = UnderstoodColumns.bareNumbers(columns, besides: mapped)
    let wholes = meanings.enumerated().map { index, meaning in
      mapped[index].map { UnderstoodColumns.whole($0) } ?? (plain[index] == nil ? meaning?.whole : nil)
    }
    for (index, whole) in wholes.enumerated() where mapped[index] == nil {
      switch whole {
      case .field(.tags)?: targets[index] = .tags
      case .field(KnownColumn.title.field)?
      where keys[index] == "title" && UnderstoodColumns.hasJobTitles(wholes, keys)
        && !UnderstoodColumns.isName(wholes.dropFirst(index + 1).first):
        targets[index] = .field(KnownColumn.jobTitle.field)
      case .field(let field)?: targets[index] = .field(field)
      case .name?: targets[index] = .name
      case .anyName?: targets[index] = UnderstoodColumns.anyName(wholes)
      case .phone(let label)?: meanings[index] = ColumnMeaning(phone: label)
      case nil
      where keys[index] == "position" && (isGermanOutlook || UnderstoodColumns.hasJobTitles(wholes, keys)):
        targets[index] = .field(KnownColumn.jobTitle.field)
      case nil:
        if let label = plain[index] { meanings[index] = ColumnMeaning(phone: label) }
      }
    }
    for index in mapped.keys { meanings[index] = nil }
    let plan = ContactPlan(meanings, besides: Set(mapped.values))
    targets.merge(plan.targets) { own, _ in own }
    for index in listed {
      if case .contact(var contact)? = targets[index], contact.role == .part {
        contact.isKept = true
        targets[index] = .contact(contact)
      }
    }
    if !plan.isEmpty { contacts = plan }
  }

  /// Whether "Title" or "Position" is that of a job: no other column is, and none has what is before or after a name.
  private static func hasJobTitles(_ wholes: [ColumnVocabulary.Whole?], _ keys: [String]) -> Bool {
    !wholes.contains(.field(KnownColumn.jobTitle.field))
      && !keys.contains { ["suffix", "middlename"].contains($0) }
  }

  /// Whether a column has a name, before which a title is that of the name.
  private static func isName(_ whole: ColumnVocabulary.Whole??) -> Bool {
    switch whole {
    case .name??, .anyName??, .field(.firstName)??, .field(.lastName)??: true
    default: false
    }
  }

  /// A target as the meaning of a name.
  private static func whole(_ target: ColumnTarget) -> ColumnVocabulary.Whole? {
    if case .field(let field) = target { .field(field) } else { nil }
  }

  /// What "Name" is: the name that the other columns leave out.
  private static func anyName(_ wholes: [ColumnVocabulary.Whole?]) -> ColumnTarget {
    let (hasFirst, hasLast) = (
      wholes.contains(.field(.firstName)), wholes.contains(.field(.lastName))
    )
    return switch (hasFirst, hasLast) {
    case (false, true): .field(.firstName)
    case (true, false): .lastName
    default: .name
    }
  }

  /// The labels of columns such as "Home", "Business 2", "Büro", and "officenumber", which are phone numbers in a file that
  /// has some for home and for work; that of a Yealink phone has "other_number" instead of one for home.
  private static func bareNumbers(_ columns: [String], besides mapped: [Int: ColumnTarget]) -> [Int: String] {
    let labels = columns.enumerated().map { index, column -> String? in
      guard mapped[index] == nil else { return nil }
      let key = ColumnMeaning.key(column).filter { !$0.isNumber }
      return ColumnVocabulary.placesOfPhones[
        key.hasSuffix("number") ? String(key.dropLast("number".count)) : key]
    }
    guard labels.contains("work"),
      labels.contains("home") || columns.contains(where: { ColumnMeaning.key($0) == "othernumber" })
    else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: labels.enumerated().compactMap { index, label in label.map { (index, $0) } })
  }
}

/// Two columns of which one has a day, and the other says what it is: Google's `Event 1 - Label` and `Event 1 - Value`.
struct EventColumns {
  let label: Int
  let value: Int

  /// Finds them.
  ///
  /// - Parameters:
  ///   - keys: the letters and digits of the names.
  ///   - taken: the columns that are something else.
  /// - Returns: the pairs, in the order of the days.
  static func all(_ keys: [String], besides taken: Set<Int>) -> [EventColumns] {
    let open = keys.indices.filter { keys[$0].hasPrefix("event") && !taken.contains($0) }
    let places = Dictionary(open.map { (keys[$0], $0) }) { first, _ in first }
    return open.filter { keys[$0].hasSuffix("value") }.compactMap { value in
      let start = String(keys[value].dropLast("value".count))
      let labels = [start + "label", start + "type"].compactMap { places[$0] }
      return labels.min().map { EventColumns(label: $0, value: value) }
    }
  }

  /// The name of the extra column that a label means; nil for one of another field, and for no label.
  static func name(labeled label: String) -> String? {
    let label = String(label.trimmingBlanks)
    guard let field = CustomerField(named: label) ?? KnownNames.field(label) else {
      return label.isEmpty ? nil : label
    }
    return KnownColumn.allCases.first { $0.field == field && $0.values.kind == .date }?.title
  }
}

/// The columns of a file that together are the birthday: `Birth Year`, `Birth Month`, and `Birth Day`.
struct BirthdayColumns {
  /// The names of Thunderbird's attributes.
  static let ofThunderbird = ["birthyear", "birthmonth", "birthday"]

  private let year: Int?
  private let month: Int
  private let day: Int

  /// - Parameters:
  ///   - columns: the names.
  ///   - keys: their letters and digits.
  ///   - taken: the columns that are something else.
  init?(_ columns: [String], _ keys: [String], besides taken: Set<Int>) {
    func index(_ names: String...) -> Int? {
      let found = keys.indices.filter { !taken.contains($0) && names.contains(keys[$0]) }
      // Beside "Birthday", "Birth Day" is the one that has only the day.
      return found.first { searchFolded(columns[$0]) != keys[$0] } ?? found.first
    }
    guard let month = index("birthmonth", "geburtsmonat", "moisdenaissance"),
      let day = index("birthday", "dayofbirth", "geburtstag", "jourdenaissance")
    else { return nil }
    year = index("birthyear", "yearofbirth", "geburtsjahr", "anneedenaissance")
    (self.month, self.day) = (month, day)
  }

  var indices: [Int] { [year, month, day].compactMap(\.self) }

  /// The day as `2026-11-22`, or as far as it is known, as `--11-22` or `1980`; no one is born after today.
  func text(_ values: [String]) -> String {
    func number(_ index: Int?) -> Int? {
      index.flatMap { $0 < values.count ? Int(String(values[$0].trimmingBlanks)) : nil }
    }
    let parts = indices.map { $0 < values.count ? String(values[$0].trimmingBlanks) : "" }
    guard parts.contains(where: { !$0.isEmpty }) else { return "" }
    let year = number(year)
    if let month = number(month), let day = number(day), (1...12).contains(month), (1...31).contains(day) {
      let full = year.map { $0 < 100 ? CalendarDay.year($0, from: .today) : $0 }
      if let full, let known = CalendarDay(year: full, month: month, day: day) {
        return (full == year || known <= .today ? known : known.aCenturyBefore).description
      }
      let two = [month, day].map { ($0 < 10 ? "0" : "") + String($0) }
      if year == nil { return "--" + two.joined(separator: "-") }
    }
    return parts.filter { !$0.isEmpty }.joined(separator: "-")
  }

  /// Whether one of two days, in whatever order it is written, has no number that the other one has not.
  static func isSame(_ day: String, as other: String) -> Bool {
    let numbers = [day, other].map { text in Set(text.split { !$0.isNumber }.compactMap { Int($0) }) }
    return numbers.allSatisfy { !$0.isEmpty }
      && (numbers[0].isSubset(of: numbers[1]) || numbers[1].isSubset(of: numbers[0]))
  }
}
