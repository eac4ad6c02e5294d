internal import CustomerStore
internal import CustomersText

/// A customer of a file, with its values sorted by target; a class, so that passing it on copies nothing.
final class ImportedRow {
  let record: Record
  /// What its columns are imported as; nil for a row that can only be added.
  let plan: ColumnPlan?
  /// The number of the customer in the file, from 1.
  let number: Int
  private(set) var customer: NewCustomer
  /// The title of the section; nil if the file has none.
  let section: String?
  /// The id in the list that the file was written from.
  let id: Int64?
  /// What the file calls the customer in every copy of the list.
  private(set) var uid: String?
  /// The sections that the file describes between the row before and this one.
  var headings: [SectionHeading] = []

  /// Copying them takes a third of the time of making them.
  private static let noFields = CustomerFields()

  /// Sorts the values of a customer.
  ///
  /// - Parameters:
  ///   - record: the customer as it is in the file.
  ///   - plan: the targets of its columns.
  ///   - number: its number in the file, from 1.
  ///   - nulls: the values that mean "no value".
  ///   - known: the values for columns not in the file, if the customer is in the list.
  ///   - isWhole: whether an empty value of the file says that the customer has none; otherwise the customer keeps the
  ///     one of the list, and all ways to be reached that the file does not name.
  /// - Throws: `ParseError` for an invalid value of a field, or if no field of a new customer has a value.
  init(
    _ record: Record, _ plan: ColumnPlan, number: Int, nulls: [String], onto known: Customer? = nil,
    isWhole: Bool = false
  ) throws {
    // No table can hold it; only a list that has one writes it.
    guard plan.isOwn && !plan.isForeignCard || !record.values.contains(where: \.hasNUL) else {
      throw ParseError(line: record.line, message: "a NUL character")
    }
    let record = plan.isOwn || plan.isForeignCard ? record : record.withoutGuards
    let isUpdate = known != nil && !isWhole
    var fields = known?.fields ?? ImportedRow.noFields
    var (canEdit, canMove) = (known?.canEdit ?? true, known?.canMove ?? true)
    var section: String?
    var log: [LogLine] = []
    var id: Int64?
    var uid: String?
    var extra: [(name: String, value: FieldValue)] = []
    // All extra columns, as the file writes them.
    var object: String?
    var isExported = false
    var otherNames: [Int] = []
    var stated: [StatedContact] = []
    // What a card adds to the customer.
    var added: CustomerFields?
    // The addresses of the row in parts, of which the customer may have some.
    var addresses: [PostalAddress] = []
    // A value as it was handed out is no news, however the others are written.
    let handedOut = isWhole ? known?.fields.extraColumns : nil
    func parsed(_ value: Record.Value, of name: String, header: String) throws -> FieldValue {
      if let own = handedOut?[name], own.text == value.plain { return own }
      return try plan.parsed(value, of: name, header: header, record)
    }
    var values = record.values
    let missing = plan.targets.count - values.count
    // What a row leaves out matters only for a customer that is to be exactly so.
    if isWhole, missing > 0 { values += Array(repeating: .text(""), count: missing) }
    let twins = plan.namesOfTwins { index in
      index < values.count && !values[index].plain.isEmpty && !nulls.contains(values[index].plain)
    }
    for index in values.indices {
      let (written, target) = (values[index], plan.targets[index])
      let list = target.list.flatMap(written.lines)
      let value =
        list.map(Record.Value.text)
        ?? (plan.isForeignCard ? written.cleaned(for: target) : written)
      if isUpdate, value.plain.allSatisfy(\.isWhitespace) || !nulls.isEmpty && nulls.contains(value.plain) {
        continue
      }
      if !nulls.isEmpty, nulls.contains(value.plain) { continue }
      switch target {
      case .field(.isFavorite): fields.isFavorite = try value.flag(target, record, index) ?? false
      case .extra where isUpdate && plan.addsContacts && plan.keptNames[index] == ExtraColumns.card:
        let lines = CardLines.merged(fields.extraColumns.cardLines, with: value.plain)
        extra.append((plan.keptNames[index], .text(lines)))
      case .extra, .field(.extra):
        // A column that says nothing where another one means the same.
        guard let name = twins[index] ?? plan.keptNames[index] else { continue }
        extra.append((name, try parsed(value, of: name, header: plan.columns[index])))
      case .field(let field) where isUpdate && plan.addsContacts && field.isOfContacts:
        var card = added ?? ImportedRow.noFields
        card.setText(value.plain, of: field)
        added = card
      case .field(let field) where plan.statesContacts && !isWhole && field.contactKind != nil:
        let isExact = plan.isOwn || value.isOneValue(of: field)
        if isExact, known == nil {
          fields.setText(value.plain, of: field)
        } else {
          stated += StatedContact.all(in: value.plain, of: field, isExact: isExact)
        }
      case .field(.next):
        // What the list has is no news, whatever another program wrote into it.
        guard value.plain != fields.next else { break }
        do throws(KindError) {
          if let kinds = plan.kinds {
            fields.next = try kinds.next(
              value.plain, header: plan.columns[index], line: record.line)
          } else {
            fields.next = try ColumnKinds.stored(next: value.plain, today: .today)
          }
        } catch {
          throw ParseError(line: record.line, message: error.rule)
        }
      case .field(.addressParts) where isUpdate:
        addresses += CustomerFields.addresses(inParts: value.plain)
      case .field(.addressParts): fields.setText(CustomerFields.plainParts(value.plain), of: .addressParts)
      case .field(let field): fields.setText(value.plain, of: field)
      case .name:
        // The list may split the same name in another place.
        if let known, known.name == value.plain { break }
        fields.setWrittenName(value.plain)
      case .lastName: fields.lastName = value.plain
      case .otherName: otherNames.append(index)
      // What the list has is no news, however another program would split it.
      case .tags where value.plain == fields.tags: break
      case .tags: fields.tags = list ?? value.plain.writtenTags
      case .canEdit:
        canEdit = try value.flag(target, record, index) ?? true
        isExported = plan.isExported && !value.plain.isEmpty
        plan.kinds?.note(flag: value.plain)
      case .canMove: canMove = try value.flag(target, record, index) ?? true
      case .section: section = value.plain
      case .id: id = try value.id(record, index)
      case .members:
        let members = value.members(mayBeText: plan.isListed) ?? [(plan.keptNames[index], value)]
        let names = try plan.names.names(for: members.map(\.name))
        if extra.isEmpty, case .json(let text) = value, names == members.map(\.name) { object = text }
        extra += try zip(names, members).map {
          ($0, try parsed($1.value, of: $0, header: $1.name))
        }
      case .uid: uid = value.plain
      case .log: log = try value.log(record)
      case .contact(let contact) where contact.isKept:
        let name = plan.keptNames[index]
        extra.append((name, try parsed(value, of: name, header: plan.columns[index])))
      case .contact, .birthday, .event, .version, .program, .ignored: break
      }
    }
    if let column = plan.section, column >= values.count, !isUpdate, !nulls.contains("") { section = "" }
    if plan.isUnderstood {
      for index in otherNames {
        let name = record.values[index].plain
        if known == nil, fields.firstName.isEmpty, fields.lastName.isEmpty, fields.name != name {
          fields.setWrittenName(name)
        } else if known == nil, fields.company.isEmpty, name.isCompany {
          fields.company = name
        } else if fields.name != name {
          extra.append((plan.keptNames[index], .text(name)))
        }
      }
      if plan.mayRepeatFirstName { fields.dropFirstNameFromLast() }
      stated += plan.contacts?.stated(record, nulls: nulls) ?? []
      for index in plan.contacts?.further(record, nulls: nulls) ?? [] where !plan.targets[index].isKept {
        let (name, header) = (plan.keptNames[index], plan.columns[index])
        extra.append((name, try parsed(record.values[index], of: name, header: header)))
      }
      var written = plan.events.isEmpty ? [] : Set(extra.map(\.name))
      for event in plan.events where max(event.label, event.value) < record.values.count {
        let (value, header) = (record.values[event.value], plan.columns[event.value])
        guard !value.plain.isEmpty, !nulls.contains(value.plain) else { continue }
        let label = EventColumns.name(labeled: record.values[event.label].plain)
        let named = try plan.names.names(for: [label ?? header])[0]
        let name = written.contains(named) ? header : named
        written.insert(name)
        extra.append((name, try parsed(value, of: name, header: header)))
      }
      if let birthday = plan.birthday?.text(record.values.map(\.plain)), !birthday.isEmpty {
        let known = KnownColumn.birthday.title
        let whole = extra.first { $0.name == known }?.value.text ?? ""
        if !BirthdayColumns.isSame(birthday, as: whole) {
          let name = whole.isEmpty ? known : "\(known) 2"
          extra.append((name, try parsed(.text(birthday), of: name, header: name)))
        }
      }
    }
    if !stated.isEmpty { if known == nil { fields.set(stated) } else { fields.take(stated) } }
    if let added { fields.add(added) }
    // The lines of a card have the parts of its addresses.
    if case .text(let card)? = extra.last(where: { $0.name == ExtraColumns.card })?.value {
      addresses += VCardContacts.addresses(inCard: card)
    }
    if !addresses.isEmpty { fields.keepParts(of: addresses) }
    if known == nil, let object, object.hasPrefix("{"), plan.hasOnlyMembers {
      fields.extra = object
    } else if !extra.isEmpty {
      fields.extraColumns.set(extra)
    }
    // A list may have a blank customer, and its export is complete.
    guard known != nil || isExported || id != nil || !fields.isEmptyRow else {
      throw ParseError(line: record.line, message: "an empty customer: no field has a value")
    }
    (self.record, self.plan, self.number) = (record, plan, number)
    var customer = NewCustomer(fields, canEdit: canEdit, canMove: canMove)
    customer.log = log
    self.customer = customer
    (self.section, self.id, self.uid) = (section, id, uid)
  }

  /// A row that was read before.
  init(
    _ record: Record, _ plan: ColumnPlan?, number: Int, _ customer: NewCustomer, section: String?, id: Int64?,
    uid: String?
  ) {
    (self.record, self.plan, self.number) = (record, plan, number)
    (self.customer, self.section, self.id, self.uid) = (customer, section, id, uid)
  }
}

extension ColumnPlan {
  /// A value of an own column, noted or in the form in which a list keeps it.
  ///
  /// - Throws: `ParseError` if it is not of the kind that the list has declared.
  fileprivate func parsed(
    _ value: Record.Value, of column: String, header: String, _ record: Record
  ) throws -> FieldValue {
    let written = FieldValue(value)
    guard let kinds else { return written }
    if case .text = written {
    } else {
      guard kinds.hasForm(column), written != .json("null") else { return written }
    }
    do {
      return .text(
        try kinds.value(
          written.text, of: column, header: header, isOwn: isOwn, isNumber: written.isNumber,
          line: record.line)
      )
    } catch {
      throw ParseError(line: record.line, message: error.rule)
    }
  }
}

extension ImportedRow {
  /// Gives the values the form in which a list keeps them.
  func convert(by kinds: ImportedKinds) { kinds.convert(&customer.fields) }

  /// What the row was written from; nil if the file doesn't say.
  var handOut: HandOut? {
    plan?.version.flatMap { $0 < record.values.count ? HandOut(record.values[$0].plain) : nil }
  }

  /// The customer that these values make of one of the list; values for columns that the file does not have stay.
  ///
  /// - Parameters:
  ///   - known: the customer of the list.
  ///   - nulls: the values that mean "no value".
  ///   - isWhole: whether an empty value says that the customer has none; otherwise it changes nothing.
  /// - Returns: the customer.
  /// - Throws: `ParseError` for an invalid value of a field.
  func onto(_ known: Customer, nulls: [String], isWhole: Bool = false) throws -> NewCustomer {
    guard let plan else { return customer }
    return try ImportedRow(record, plan, number: number, nulls: nulls, onto: known, isWhole: isWhole).customer
  }
}

extension Record.Value {
  fileprivate var hasNUL: Bool {
    switch self {
    case .text(let text): text.utf8.contains(0)
    case .json(let text): text.contains(#"\u0000"#)
    }
  }

  /// The lines of a log, as an export writes them.
  ///
  /// - Throws: `ParseError` if it is anything else.
  fileprivate func log(_ record: Record) throws -> [LogLine] {
    var reader = JSONReader([], readChunk: onePiece(Array(plain.utf8)))
    var lines: [LogLine] = []
    func next() throws -> Record? {
      do { return try reader.next() } catch is ParseError { throw notExported }
    }
    let notExported = ParseError(line: record.line, message: "the log is not one that an export wrote")
    while let line = try next() {
      let members = Dictionary(zip(line.columns, line.values.map(\.plain))) { first, _ in first }
      guard let uid = members["uid"].flatMap(Int64.init), uid < 0, let time = members["time"] else {
        throw notExported
      }
      lines.append(
        LogLine(
          id: LogLineID(rawValue: uid), customer: 0, time: time, author: members["author"] ?? "",
          text: members["text"] ?? ""))
    }
    return lines
  }
}

extension CustomerField {
  /// Whether a customer of several lists has the values of all of them.
  fileprivate var isOfContacts: Bool { contactKind != nil || self == .otherContacts || self == .tags }
}

extension CustomerFields {
  /// Removes the first name from the start of the last name, where some files have both.
  fileprivate mutating func dropFirstNameFromLast() {
    let start = firstName + " "
    if !firstName.isEmpty, lastName.hasPrefix(start) { lastName.removeFirst(start.count) }
  }

  /// Adds the ways to reach a customer and the tags of a card.
  fileprivate mutating func add(_ card: CustomerFields) {
    addContacts(of: card)
    let known = Set(tags.split(separator: "\n"))
    let new = card.tags.split(separator: "\n").filter { !known.contains($0) }
    guard !new.isEmpty else { return }
    tags = (tags.isEmpty ? "" : tags + "\n") + new.joined(separator: "\n")
  }

  /// Whether no field has a value; fast for a row with a first name.
  fileprivate var isEmptyRow: Bool {
    if let first = firstName.utf8.first, first > 0x20, first < 0x80 { return false }
    return isBlank
  }
}
