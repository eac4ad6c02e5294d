package import CustomerStore

/// What a column of a file is imported as.
package enum ColumnTarget: Hashable, Sendable {
  /// A field; for an extra column, its name in the list, which may differ from that in the file.
  case field(CustomerField)
  /// First and last name in one column.
  case name
  /// Whether the customer may be edited.
  case canEdit
  /// Whether the customer may be moved.
  case canMove
  /// The title of the section.
  case section
  /// A full name that counts if the customer has no first or last name; else it is kept as an extra column.
  case otherName
  /// A last name, perhaps with the first name before it.
  case lastName
  /// Words to group by, separated as programs do: by commas, semicolons, `:::` or lines.
  case tags
  /// A way to reach the customer.
  indirect case contact(ContactColumn)
  /// The id in the list that the file was written from, to recognize the customer.
  case id
  /// The version of the list that the file was written from.
  case version
  /// What the customer is called in every copy of the list, to recognize it.
  case uid
  /// The lines of the log, as an export writes them.
  case log
  /// An extra column of the same name.
  case extra
  /// Extra columns, one per member of a JSON object.
  case members
  /// A part of the birthday, which several columns have.
  case birthday
  /// A day, or what it is: the name of an extra column.
  case event
  /// Nothing, because only the program that wrote the file needs it.
  case program
  /// Nothing.
  case ignored

  /// The targets with a word of their own.
  private static let words: [(String, ColumnTarget)] = [
    ("name", .name), ("is_favorite", .field(.isFavorite)), ("next", .field(.next)), ("section", .section),
    ("extra", .extra), ("-", .ignored),
  ]

  /// The words for targets; besides them, `extra.NAME` keeps a column under another name.
  package static let targetNames = CustomerField.texts.map(\.column) + words.map(\.0)

  /// The target with a word: one of `targetNames`, `extra.NAME`, or a known column such as Birthday; nil for any other.
  ///
  /// Case, accents, spaces, `-`, and `_` are ignored.
  package init?(named name: String) {
    if let field = Name(name).only(of: CustomerField.texts, by: \.column) {
      self = .field(field)
    } else if let word = Name(name).only(of: ColumnTarget.words, by: \.0) {
      self = word.1
    } else if name.hasPrefix(ExtraName.prefix), name != ExtraName.prefix {
      self = .field(.extra(String(name.dropFirst(ExtraName.prefix.count))))
    } else if let known = Name(name).only(of: KnownColumn.allCases.filter { $0.part == nil }, by: \.title) {
      self = .field(known.field)
    } else {
      return nil
    }
  }

  /// The target of a column that has exactly the name that an export gives it.
  init(exactly column: String) {
    switch column {
    case "name": self = .name
    case "can_edit": self = .canEdit
    case "can_move": self = .canMove
    case "section": self = .section
    case "extra": self = .members
    case CustomerField.addressParts.column: self = .field(.addressParts)
    case VCardFields.nextProperty: self = .field(.next)
    case VCardFields.logProperty: self = .log
    case VCardFields.uid: self = .uid
    default: self = CustomerField(column: column).map { .field($0) } ?? .extra
    }
  }

  /// Whether it is one or more extra columns.
  package var isExtra: Bool {
    switch self {
    case .field(.extra), .extra, .members, .otherName: true
    case .contact(let contact): contact.isKept || contact.isFurther
    default: false
    }
  }

  /// Whether it is one extra column.
  var hasColumnOfItsOwn: Bool { isExtra && self != .members }

  /// Whether it is an extra column with the name that it has in the file.
  var isExtraOfSameName: Bool {
    if case .field = self { return false }
    return hasColumnOfItsOwn
  }

  /// Whether it is a text field that every customer has, or two of them, or a value of one.
  package var isText: Bool {
    switch self {
    case .field(let field): CustomerField.texts.contains(field)
    case .name, .lastName: true
    case .contact(let contact): contact.role != .label
    default: false
    }
  }

  /// Whether it is the value of a field that may have several in a file.
  package func isValue(of field: CustomerField) -> Bool {
    if case .contact(let contact) = self { return contact.role == .value && contact.field == field }
    return self == .field(field)
  }

  /// Whether it is a way to reach the customer, and a column of the list, too.
  var isKept: Bool { if case .contact(let contact) = self { contact.isKept } else { false } }

  /// Whether it is a part of a postal address.
  package var isPart: Bool { if case .contact(let contact) = self { contact.role == .part } else { false } }

  /// The field with any number of values that the column becomes; nil for any other.
  var list: CustomerField? {
    switch self {
    case .tags: .tags
    case .field(let field) where CustomerField.lists.contains(field): field
    default: nil
    }
  }

  /// Whether other columns may have the same target.
  var mayBeWrittenOver: Bool {
    switch self {
    case .extra, .ignored, .otherName, .contact, .birthday, .event, .program: false
    default: true
    }
  }

  /// Whether the values of two columns would go to the same field.
  func writesOver(_ other: ColumnTarget) -> Bool {
    guard mayBeWrittenOver else { return false }
    return switch (self, other) {
    case (.name, .field(let field)), (.field(let field), .name): field == .firstName || field == .lastName
    case (.lastName, .field(.lastName)), (.field(.lastName), .lastName): true
    case (.tags, .field(.tags)), (.field(.tags), .tags): true
    default: self == other
    }
  }
}

extension ColumnTarget: CustomStringConvertible {
  /// The target in words, as in "first_name and last_name".
  package var description: String {
    switch self {
    case .field(.extra(let name)): "extra column \"\(name)\""
    case .field(let field): field.column
    case .name: "first_name and last_name"
    case .canEdit: "can_edit"
    case .canMove: "can_move"
    case .section: "section"
    case .id: "id"
    case .version: "version"
    case .uid: "uid"
    case .log: "log"
    case .lastName: CustomerField.lastName.column
    case .tags: CustomerField.tags.column
    case .contact(let contact): contact.description
    case .extra, .members, .otherName: "extra column"
    case .birthday: KnownColumn.birthday.title
    case .event: "extra column of its label"
    case .program: "left out"
    case .ignored: "ignored"
    }
  }

  /// The target in one word, as `init(named:)` takes most of them.
  package var word: String {
    switch self {
    case .field(.extra(let name)): ExtraName.prefix + name
    case .name: "name"
    case .extra, .members, .otherName, .event: "extra"
    case .contact(let contact): contact.part?.rawValue ?? (contact.field ?? .otherContacts).column
    case .birthday: ExtraName.prefix + KnownColumn.birthday.title
    case .ignored, .program: "-"
    case .field, .lastName, .tags, .canEdit, .canMove, .section, .id, .version, .uid, .log: description
    }
  }
}

extension CustomerFields {
  /// Sets the ways to reach a new customer; a field that has a value already keeps it.
  mutating func set(_ stated: [StatedContact]) {
    defer { keepStatedParts(stated) }
    var all = Contacts()
    for contact in stated { all.add(contact.line, contact.rank) }
    for kind in Set(stated.map(\.line.kind)) {
      guard let field = kind.field else { continue }
      let chosen = self[field].text
      if chosen.isEmpty {
        setText(all.main(kind) ?? "", of: field)
      } else {
        all.add(ContactLine(kind, chosen), .chosen)
      }
    }
    let lines = all.others.map(\.text)
    guard !lines.isEmpty else { return }
    otherContacts = ([otherContacts].filter { !$0.isEmpty } + lines).joined(separator: "\n")
  }

  /// Takes the ways to reach a customer of the list that a file states.
  ///
  /// A value replaces the one with the same label, and a main value the main one; all others stay.
  ///
  /// So many that comparing each with all others would take long are only added, so that nothing is lost.
  mutating func take(_ stated: [StatedContact]) {
    defer { keepStatedParts(stated) }
    guard stated.count <= CustomerFields.mostReplaced else {
      var others = CustomerFields()
      others.set(stated)
      return addContacts(of: others)
    }
    for kind in ContactLine.Kind.allCases {
      let own = stated.filter { $0.line.kind == kind }
      var labels: [String] = []
      for contact in own {
        if contact.isMain, kind.field != nil {
          takeMain(contact)
        } else if contact.line.label.isEmpty, kind.field != nil {
          if !contacts.contains(where: { $0.isSame(as: contact.line) }) { add(contact.line) }
        } else if !labels.contains(contact.line.label) {
          labels.append(contact.line.label)
          take(own.filter { $0.line.label == contact.line.label }, labeled: contact.line.label)
        }
      }
    }
  }

  private mutating func keepStatedParts(_ stated: [StatedContact]) {
    let known = stated.compactMap(\.parts)
    if !known.isEmpty { keepParts(of: known) }
  }

  /// How many values of one customer may replace others.
  private static let mostReplaced = 100

  /// Replaces the main value, which keeps its label.
  private mutating func takeMain(_ stated: StatedContact) {
    let known = contacts.filter { $0.kind == stated.line.kind }
    guard let main = known.first, stated.line.kind.field.map({ !self[$0].text.isEmpty }) ?? false else {
      return known.contains { $0.isSame(as: stated.line) } ? () : add(stated.line)
    }
    guard !known.dropFirst().contains(where: { $0.isSame(as: stated.line) }), !stated.isOnlyPlace else {
      return
    }
    replace(main, by: ContactLine(main.kind, label: main.label, stated.line.value))
  }

  /// Replaces the values with a label that are not stated by those that are new.
  private mutating func take(_ stated: [StatedContact], labeled label: String) {
    let all = contacts.filter { $0.kind == stated[0].line.kind }
    let known = all.filter { $0.label == label }
    var outdated = known.filter { line in !stated.contains { $0.line.isSame(as: line) } }
    for contact in stated where !known.contains(where: { $0.isSame(as: contact.line) }) {
      if let unlabeled = all.first(where: { $0.label.isEmpty && $0.isSame(as: contact.line) }) {
        replace(unlabeled, by: ContactLine(unlabeled.kind, label: label, unlabeled.value))
      } else if outdated.isEmpty {
        add(contact.line)
      } else if !contact.isOnlyPlace {
        replace(outdated.removeFirst(), by: contact.line)
      }
    }
  }

  /// Writes a line in place of another one, or as the main value in place of the main one.
  private mutating func replace(_ old: ContactLine, by new: ContactLine) {
    if let field = old.kind.field, self[field].text == old.value {
      self[field] = .text(new.value)
      return setLabel(new.label, of: new.kind)
    }
    let lines = otherContacts.split(separator: "\n").map(String.init)
    guard lines.contains(old.text) else { return append(new) }
    otherContacts = lines.map { $0 == old.text ? new.text : $0 }.joined(separator: "\n")
  }

  /// Adds a value, as the main one if there is none.
  private mutating func add(_ line: ContactLine) {
    guard let field = line.kind.field, self[field].text.isEmpty else { return append(line) }
    self[field] = .text(line.value)
    setLabel(line.label, of: line.kind)
  }

  private mutating func append(_ line: ContactLine) {
    otherContacts += (otherContacts.isEmpty ? "" : "\n") + line.text
  }
}
