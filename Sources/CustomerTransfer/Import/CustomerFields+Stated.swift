internal import CustomerStore
internal import CustomersFormats

extension CustomerFields {
  /// Sets the ways to reach a new customer; a field that has a value already keeps it.
  mutating func set(_ stated: [StatedContact]) {
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
          addOther(contact.line)
        } else if !labels.contains(contact.line.label) {
          labels.append(contact.line.label)
          take(own.filter { $0.line.label == contact.line.label }, labeled: contact.line.label)
        }
      }
    }
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

  private mutating func addOther(_ line: ContactLine) {
    if !contacts.contains(where: { $0.isSame(as: line) }) { add(line) }
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

  /// Writes a line in place of another one; a main value has a line only if it has a label.
  private mutating func replace(_ old: ContactLine, by new: ContactLine) {
    let isMain = old.kind.field.map { self[$0].text == old.value } ?? false
    if isMain, let field = old.kind.field { self[field] = .text(new.value) }
    let lines = otherContacts.split(separator: "\n").map(String.init)
    if lines.contains(old.text) {
      otherContacts = lines.map { $0 == old.text ? new.text : $0 }.joined(separator: "\n")
    } else if !isMain || !new.label.isEmpty {
      append(new)
    }
  }

  /// Adds a value, as the main one if there is none.
  private mutating func add(_ line: ContactLine) {
    guard let field = line.kind.field, self[field].text.isEmpty else { return append(line) }
    self[field] = .text(line.value)
    if !line.label.isEmpty { append(line) }
  }

  private mutating func append(_ line: ContactLine) {
    otherContacts += (otherContacts.isEmpty ? "" : "\n") + line.text
  }
}
