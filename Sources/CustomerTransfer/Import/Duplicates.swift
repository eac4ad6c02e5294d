internal import CustomerStore

/// A value by which customers are recognized.
enum CustomerKey: Equatable {
  case id, uid, name
  case field(CustomerField)
}

/// Finds the customer of the list that matches a customer of a file.
///
/// It is the one with the same values in some columns, ignoring case and surrounding spaces, or without such columns the
/// one with any of the same e-mail addresses, or else with the same name and a phone number, or with the same name if both
/// have neither. In a file with ids it is the one with the same id, if the file was written from this list, or the name or
/// that value matches, too; a card with a UID is that of the customer who has it, whatever else it says, unless the UID is
/// only a number that other copies may have given to someone else: see `CustomerUIDs`. One of another list, without an
/// e-mail address, is that of the customer with the same name. Needs some memory per customer.
struct Duplicates {
  struct Match {
    /// The customer, which may have been deleted; nil if several have the value.
    var id: CustomerID?
    /// The column and its value in the file.
    var field: CustomerField
    var value: String
    /// Whether the value is not the customer's main e-mail address.
    var isByOtherAddress = false
    /// Whether only the id was compared.
    var isByID = false
  }

  private let keys: [CustomerKey]
  /// The customer with a key; nil if several have it.
  private var owners: [String: CustomerID?] = [:]
  /// The customers by the e-mail addresses that are not the main one.
  private var others: [String: CustomerID?] = [:]
  /// The customers of the list by name and phone number; two of a file may be two.
  private var reached: [String: CustomerID?] = [:]
  private var ids: Set<Int64> = []
  private var uids: CustomerUIDs?
  /// Those without an e-mail address, by name, with their phone numbers; without UIDs, only those who have none.
  private var byName: [String: [(id: CustomerID, phones: Set<String>)]] = [:]
  /// Whom rows of the file have meant.
  private var used: Set<CustomerID> = []

  init(by keys: [CustomerKey], comparesUIDs: Bool, in list: borrowing CustomerList) throws {
    self.keys = keys
    if comparesUIDs { uids = try CustomerUIDs(in: list) }
    try list.forEach { customer in
      add(customer.fields, customer.id)
      if comparesAddresses {
        for (text, _) in Duplicates.reached(customer.fields) {
          Duplicates.add(customer.id, to: &reached[text])
        }
      }
      return true
    }
  }

  /// Whether customers are recognized by their UIDs alone.
  var areUIDs: Bool { keys == [.uid] }

  /// Whether customers are recognized by any of their e-mail addresses.
  private var comparesAddresses: Bool { keys == [.field(.email)] }

  /// Adds or updates a customer.
  mutating func add(_ fields: CustomerFields, _ id: CustomerID) {
    guard keys != [.id] else {
      ids.insert(id.rawValue)
      return
    }
    uids?.add(fields, id)
    for text in texts(fields, id.rawValue) { Duplicates.add(id, to: &owners[text]) }
    guard comparesAddresses else { return }
    note(fields, id)
    for address in fields.values(of: .email) where address != fields.email {
      Duplicates.add(id, to: &others[folded(address)])
    }
  }

  /// The name with each phone number.
  private static func reached(_ fields: CustomerFields) -> [(key: String, phone: String)] {
    let name = folded(fields.name)
    guard !name.isEmpty else { return [] }
    return fields.values(of: .phone).map { ("\(name)\0\(PhoneDigits.identity(of: $0))", $0) }
  }

  /// Takes note that a row has been imported.
  mutating func use(_ row: ImportedRow, as id: CustomerID?) {
    uids?.use(row)
    if comparesAddresses, let id { used.insert(id) }
  }

  /// Takes note of a customer who may be recognized by the name.
  private mutating func note(_ fields: CustomerFields, _ id: CustomerID) {
    guard !fields.name.isEmpty, fields.values(of: .email).isEmpty else { return }
    let phones = Duplicates.phones(fields)
    guard uids != nil || phones.isEmpty else { return }
    let name = folded(fields.name)
    byName[name, default: []].removeAll { $0.id == id }
    // So many are none by their name.
    if byName[name, default: []].count < 100 { byName[name, default: []].append((id, phones)) }
  }

  private static func phones(_ fields: CustomerFields) -> Set<String> {
    Set(fields.values(of: .phone).map(PhoneDigits.identity(of:)))
  }

  /// The customer with the name of a row without an e-mail address, whom no row before has meant; nil if there is none.
  ///
  /// Neither has a phone number; but if another list has named the row, which does not stay with the customer, they only must
  /// not have different ones. A name of another program is the only one that it has.
  private func match(byName row: ImportedRow) -> CustomerID? {
    let fields = row.customer.fields
    guard fields.values(of: .email).isEmpty, let all = byName[folded(fields.name)] else { return nil }
    let known = all.filter { !used.contains($0.id) }
    let phones = Duplicates.phones(fields)
    guard let uids, uids.isNamed(row) else {
      return phones.isEmpty ? known.first { $0.phones.isEmpty }?.id : nil
    }
    guard uids.isOfAnotherList(row) else { return nil }
    return known.first { !$0.phones.isDisjoint(with: phones) }?.id
      ?? known.first { $0.phones.isEmpty || phones.isEmpty }?.id
  }

  fileprivate static func add(_ id: CustomerID, to owner: inout CustomerID??) {
    if let present = owner, present != id { owner = .some(nil) } else { owner = .some(id) }
  }

  /// The customer of the list; nil if the list does not have it.
  ///
  /// - Parameters:
  ///   - row: the customer of the file.
  ///   - isOfList: whether the ids of the file are certainly those of this list.
  /// - Returns: the customer.
  func match(_ row: ImportedRow, isOfList: Bool) -> Match? {
    let fields = row.customer.fields
    let field = keys.compactMap { if case .field(let field) = $0 { field } else { nil } }.first ?? .firstName
    if let id = row.id, !areUIDs,
      keys == [.id] ? ids.contains(id) || row.plan?.hasVersion == true : isOfList
    {
      return Match(id: CustomerID(rawValue: id), field: field, value: "", isByID: keys == [.id])
    }
    guard keys != [.id] else { return nil }
    // A name that several have is none, unless nothing else is compared.
    if let found = uids?.match(row, isOfList: isOfList), found.id != nil || areUIDs {
      return Match(id: found.id, field: .extra("uid"), value: found.uid)
    }
    for text in texts(fields, row.id) {
      if let owner = owners[text] { return Match(id: owner, field: field, value: fields[field].text) }
    }
    guard comparesAddresses else { return nil }
    for address in fields.values(of: .email) {
      let text = folded(address)
      if let owner = owners[text] { return Match(id: owner, field: field, value: address) }
      if let owner = others[text] {
        return Match(id: owner, field: field, value: address, isByOtherAddress: true)
      }
    }
    for (text, phone) in Duplicates.reached(fields) {
      if let owner = reached[text] { return Match(id: owner, field: .phone, value: phone) }
    }
    return match(byName: row).map { Match(id: $0, field: .firstName, value: fields.name) }
  }

  /// What a customer is recognized by, the most reliable first.
  private func texts(_ fields: CustomerFields, _ id: Int64?) -> [String] {
    let values = keys.map { key in
      switch key {
      case .id, .uid: ""
      case .name: folded(fields.name)
      case .field(let field): folded(fields[field].text)
      }
    }
    let known = values.allSatisfy(\.isEmpty) ? [] : [values.joined(separator: "\0")]
    guard let id, !areUIDs else { return known }
    return known.map { "\(id)@\($0)" } + (fields.name.isEmpty ? [] : ["\(id) \(fields.name)"]) + known
  }
}

/// A text as duplicates are compared by it.
private func folded(_ text: String) -> String { searchFolded(String(text.trimmingBlanks)) }

/// What customers are called in every copy of the list, and by other programs.
///
/// A customer of a list of format 11 whose insertion the history had forgotten is called by its number, which another copy may
/// have given to someone else. So such a UID counts only in a file that was written from this list, or together with the name.
struct CustomerUIDs {
  /// The customers by their UUIDs.
  private let own: [String: CustomerID]
  /// The names of those who are called by their numbers.
  private var numbered: [CustomerID: Names] = [:]
  /// Those that another program has named; nil if several have one name.
  private var others: [String: CustomerID?] = [:]
  /// The names of the rows before.
  private var used: Set<String> = []

  /// - Complexity: O(customers).
  init(in list: borrowing CustomerList) throws {
    own = try list.customersByUUID()
    for (uuid, id) in own where Int64(uuid.suffix(16), radix: 16) == id.rawValue { numbered[id] = Names() }
  }

  /// Takes note of the name of a customer, and of what another program calls it.
  mutating func add(_ fields: CustomerFields, _ id: CustomerID) {
    if numbered[id] != nil { numbered[id] = Names(fields) }
    guard let uid = CustomerUIDs.uid(of: fields).map(CustomerUIDs.plain) else { return }
    Duplicates.add(id, to: &others[uid])
  }

  /// The customer that a row names; nil without a name, or if the list has no such customer.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - isOfList: whether the file was certainly written from this list.
  /// - Returns: the customer, and what the row calls it.
  func match(_ row: ImportedRow, isOfList: Bool) -> (id: CustomerID?, uid: String)? {
    guard let text = row.uid ?? CustomerUIDs.uid(of: row.customer.fields) else { return nil }
    let uid = CustomerUIDs.plain(text)
    // Of two rows with one name, the second may be another one.
    guard !used.contains(uid) else { return nil }
    if let id = own[uid], isOfList || hasName(of: id, row) { return (id, text) }
    return others[uid].map { ($0, text) }
  }

  /// Whether a row has the name of a customer, as far as its file has names; true for one who is not called by a number.
  private func hasName(of id: CustomerID, _ row: ImportedRow) -> Bool {
    guard let known = numbered[id] else { return true }
    let targets = row.plan?.targets ?? []
    let (hasName, hasCompany) = (targets.contains(where: \.isOfName), targets.contains(.field(.company)))
    let names = Names(row.customer.fields)
    return (hasName || hasCompany || !known.values.isEmpty) && (!hasName || names.name == known.name)
      && (!hasCompany || names.company == known.company) && names.values == known.values
  }

  /// What a customer is called, as an import compares it.
  private struct Names {
    private(set) var name = ""
    private(set) var company = ""
    /// The main values of one without a name.
    private(set) var values: [String] = []

    init() {}

    init(_ fields: CustomerFields) {
      name = folded("\(fields.firstName) \(fields.lastName)")
      company = folded(fields.company)
      guard name.isEmpty, company.isEmpty else { return }
      values = [fields.email, fields.phone, fields.address, fields.note].map(folded)
    }
  }

  /// Whether a list or another program has named a row.
  func isNamed(_ row: ImportedRow) -> Bool {
    row.uid != nil || CustomerUIDs.uid(of: row.customer.fields) != nil
  }

  /// Whether another list has named a row: the name does not stay with the customer, as that of another program does.
  func isOfAnotherList(_ row: ImportedRow) -> Bool {
    guard let uid = row.uid, CustomerUIDs.uid(of: row.customer.fields) == nil else { return false }
    return own[CustomerUIDs.plain(uid)].map { !hasName(of: $0, row) } ?? true
  }

  /// Takes note that a row of the file has its name.
  mutating func use(_ row: ImportedRow) {
    let text = row.uid ?? CustomerUIDs.uid(of: row.customer.fields)
    if let text { used.insert(CustomerUIDs.plain(text)) }
  }

  /// Removes a UUID of a list from the card and the column `uid`, which are for the names of other programs.
  ///
  /// - Parameters:
  ///   - list: the beginning of all UUIDs of the list.
  ///   - fields: the customer.
  static func remove(of list: String, from fields: inout CustomerFields) {
    guard fields.extra != "{}" else { return }
    let extra = fields.extraColumns
    if let uid = CardLines.uid(in: extra.cardLines), plain(uid).hasPrefix(list) {
      fields.extraColumns[ExtraColumns.card] = .text(CardLines.withoutUID(extra.cardLines))
    }
    if let column = column(of: extra), plain(column.value.text).hasPrefix(list) {
      fields.extraColumns[column.name] = nil
    }
  }

  private static func column(of extra: ExtraColumns) -> (name: String, value: FieldValue)? {
    extra.columns.first { $0.name.lowercased() == "uid" }
  }

  /// What a card or the column `uid` calls a customer.
  private static func uid(of fields: CustomerFields) -> String? {
    guard fields.extra != "{}" else { return nil }
    let extra = fields.extraColumns
    let text = CardLines.uid(in: extra.cardLines) ?? column(of: extra)?.value.text ?? ""
    return text.isEmpty ? nil : text
  }

  /// A name, of a UUID only the digits.
  private static func plain(_ text: String) -> String {
    let text = String(text.trimmingBlanks)
    let folded = text.lowercased()
    let digits = (folded.hasPrefix("urn:uuid:") ? folded.dropFirst(9) : folded[...]).filter { $0 != "-" }
    return digits.utf8.count == 32 && digits.allSatisfy(\.isHexDigit) ? digits : text
  }
}

extension ImportRows {
  /// The fields or extra columns by which customers are recognized.
  ///
  /// - Parameter names: their names, in the file or in the list; none for the e-mail address.
  /// - Returns: the keys.
  /// - Throws: `TransferError` if the file has no such column.
  func keys(_ names: [String]) throws -> [CustomerKey] {
    try names.isEmpty ? [.field(.email)] : names.map(key)
  }

  private func key(_ name: String) throws -> CustomerKey {
    // If all rows are rejected, that is to be said, and not that there are no columns.
    let plan = try peek()?.plan ?? lastPlan
    if Name(name).key == "uid", options.format.hasExactColumns || plan?.targets.contains(.uid) == true {
      return .uid
    }
    if let plan, let index = try columnIndex(of: name, in: plan.columns, for: .key) {
      switch plan.targets[index] {
      case .extra, .field(.extra), .otherName:
        return Name(name).key == "uid" ? .uid : .field(.extra(plan.keptNames[index]))
      case .contact(let contact) where contact.part != nil: return .field(.part(contact.part ?? .city))
      case .birthday: return .field(KnownColumn.birthday.field)
      case .contact(let contact) where contact.role == .value && contact.field != nil:
        return .field(contact.field ?? .email)
      case .lastName: return .field(.lastName)
      case .field(let field) where field != .isFavorite: return .field(field)
      case .name: return .name
      case .id: return .id
      case .ignored where name == "name": return .name
      case let target: throw TransferError.notAKey(name, target)
      }
    }
    let targets = columns.map(\.target)
    if Name(name).key == Name("name").key, plan == nil || targets.contains(where: \.isOfName) { return .name }
    if let field = Name(name).only(of: CustomerField.texts, by: \.column),
      plan == nil || targets.contains(where: { $0.isValue(of: field) })
    {
      return .field(field)
    }
    throw TransferError.noSuchColumn(name, near: nearest(to: name, among: columns.map(\.name)), in: .key)
  }
}

extension ColumnTarget {
  /// Whether it is a part of the name.
  fileprivate var isOfName: Bool {
    [.name, .lastName, .otherName, .field(.firstName), .field(.lastName)].contains(self)
  }
}

/// Notices customers of a file that a list has already: with the same UID, or with the same name and the same e-mail
/// address or phone number; in a file that was handed out, with the same name if both have neither.
///
/// Needs a few bytes per customer of the list, and nothing for an empty one.
struct KnownCustomers {
  /// Whether a name alone is compared with one alone.
  private let comparesNames: Bool
  private var keys: Set<Int> = []
  private var uids: CustomerUIDs?
  /// How many were noticed.
  private(set) var count = 0
  /// The name of the first.
  private(set) var firstName = ""

  /// - Complexity: O(customers).
  init(in list: borrowing CustomerList, comparesUIDs: Bool, comparesNames: Bool) throws {
    self.comparesNames = comparesNames
    if comparesUIDs { uids = try CustomerUIDs(in: list) }
    try list.forEach { customer in
      keys.formUnion(keys(of: customer.fields))
      uids?.add(customer.fields, customer.id)
      return true
    }
  }

  /// Compares a customer of the file.
  ///
  /// - Parameters:
  ///   - row: the customer.
  ///   - isMatched: whether the list has been found to have no customer with its UID.
  mutating func notice(_ row: ImportedRow, isMatched: Bool) {
    let fields = row.customer.fields
    guard
      uids?.match(row, isOfList: !isMatched) != nil
        || !keys.isEmpty && keys(of: fields).contains(where: keys.contains)
    else { return }
    if count == 0 { firstName = fields.name }
    count += 1
  }

  /// The name with each other value, hashed in the form in which they are compared; the user is asked anyway.
  private func keys(of fields: CustomerFields) -> [Int] {
    let values = [CustomerField.email, .phone].flatMap { field in
      fields.values(of: field).map { (field, field == .phone ? PhoneDigits.identity(of: $0) : folded($0)) }
    }.filter { !$0.1.isEmpty }
    let name = searchFolded(fields.name)
    guard !name.isEmpty, comparesNames || !values.isEmpty else { return [] }
    var start = Hasher()
    start.combine(name)
    guard !values.isEmpty else { return [start.finalize()] }
    return values.map { field, value in
      var hasher = start
      hasher.combine(field)
      hasher.combine(value)
      return hasher.finalize()
    }
  }
}
