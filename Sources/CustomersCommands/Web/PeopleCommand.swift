internal import CustomerStore
internal import CustomersSystem
internal import CustomersText
internal import CustomersWeb

/// `customers web people`: who has a key of their own to the page.
struct PeopleCommand {
  private static let lastDay = Option.value(
    "--until", .text("DAY"), "the key's last day, such as 2026-12-31")

  private static let section = Option.value(
    "--section", short: "-s", .section, "of people add: nothing but this section")
  private static let columns = Option.value(
    "--fields", short: "-f", .text("FIELD,…"), "of people add: nothing but these fields")
  private static let earlierColumns = Option.spelling(
    "--columns", columns.value, of: columns, "--fields FIELD,…"
  ) { $0 }
  private static let addOnly = Option.flag("--add-only", "of people add: add customers, and see none")

  static let forms: [Form] = [
    .verb(
      "people", [Operand(value: .choice(["add"])), .one(.text("NAME"))],
      [
        .oneOf([WebOptions.readOnly, addOnly]), .optional(section), .optional(columns),
        .optional(earlierColumns),
        .optional(lastDay),
        .optional(WebOptions.allowedHost),
      ]),
    .verb("people", [Operand(value: .choice(["remove"])), .one(.text("NAME"))]),
    .verb("people"),
  ]

  private let session: Session
  private let people: People
  private let address: WebAddress?

  /// Finds the keys of the list.
  ///
  /// - Parameters:
  ///   - session: the run.
  ///   - place: the text by which the keys of the list's page are kept.
  /// - Throws: a `Failure` if another account or another machine has them.
  init(_ session: Session, of place: String) throws {
    self.session = session
    guard let path = try session.list.address.path else {
      throw Failure.refused(
        "only a list in a file of this machine has keys for people",
        hint: "run customers web people where the list is")
    }
    guard let page = WebAddress.File(ofList: place, session.environment) else {
      throw Failure.failed("there is no home folder to keep the keys in")
    }
    // The server reads the keys in the home of its own account.
    if let owner = FileAccess(path)?.owner, owner != geteuid() {
      let name = LocalSystem.loginName(of: owner) ?? "\(owner)"
      throw Failure.refused(
        "the list belongs to the account \(printable(name)), whose page has its keys",
        hint: "run it as that account: sudo -u \(printable(name)) customers web people …")
    }
    people = People(of: page)
    address = page.read() ?? WebAddress.File(ofList: place, isReadOnly: true, session.environment)?.read()
    do { _ = try people.all() } catch {
      guard !error.reason.isDamaged else {
        throw Failure(
          code: .damaged, message: "the keys of people in \(quoted(error.path)) are damaged, so none is used",
          hint: "restore that file; or remove it, which ends all keys, and add people again",
          isFinding: true)
      }
      guard error.reason.isForbidden else { throw error }
      throw Failure.refused(
        "others can read \(quoted(error.path)), so the keys in it are not used, and none is added",
        hint: "to use them again: chmod 600 \(typed(error.path))")
    }
  }

  func run() throws -> ExitCode {
    let words = session.invocation.operands
    switch words.dropFirst().first {
    case nil: return try list()
    case "add": return try add(words[2])
    case "remove": return try remove(words[2])
    case let word?: throw Failure.unknown("word", word, of: " of web people", among: ["add", "remove"])
    }
  }

  private func list() throws -> ExitCode {
    let all = try session.read(session.openList(creating: false)) { list in
      // Whoever the list does not have, because adding them was undone, has no key that is good.
      let listed = Set(try list.persons().map(\.id))
      return try people.all().filter { listed.contains($0.id) }.map { try ListedPerson($0, in: list) }
    }
    guard try session.format() != .json else {
      try session.output.write(JSON.array(all.map(JSONShapes.pagePerson.json)).text + "\n")
      return .done
    }
    let table = session.table([
      TableColumn(title: "Name", importance: .name), TableColumn(title: "May", importance: .fixed),
      TableColumn(title: "Until", importance: .fixed), TableColumn(title: "Shows", importance: .fixed),
    ])
    for listed in all {
      let person = listed.person
      try table.row([
        TableCell(person.name), TableCell(person.rights.rawValue),
        TableCell((person.lastDay?.description ?? "") + (person.hasEnded ? " (ended)" : ""), .detail),
        TableCell(listed.part, .detail),
      ])
    }
    try table.end()
    return .done
  }

  private func add(_ name: String) throws -> ExitCode {
    guard name.count <= 100, !name.allSatisfy(\.isWhitespace), printable(name) == name else {
      throw Failure.usage(
        "a name has 1 to 100 characters that can be seen, not \(quoted(name))",
        hint: "leave out invisible characters, and those that control a terminal or the direction of text",
        offendingArgument: name)
    }
    // The history and the page show it after a command.
    guard !name.hasPrefix("-"), !name.split(separator: " ").contains("·") else {
      throw Failure.usage(
        "\(quoted(name)) is no name: it would look like an option, or like two names",
        hint: "leave out the - before it, and the · in it", offendingArgument: name)
    }
    let rights: PagePerson.Rights =
      session.invocation[WebOptions.readOnly]
      ? .read : session.invocation[PeopleCommand.addOnly] ? .add : .edit
    let lastDay = try session.invocation[PeopleCommand.lastDay].map { text in
      guard let day = TypedDay(text, from: .today, for: .entry).day else {
        throw Failure.usage(
          "\(PeopleCommand.lastDay.name) needs a day, not \(quoted(text))", hint: "for example: 2026-12-31",
          offendingArgument: text)
      }
      guard day >= .today else {
        throw Failure.usage("\(PeopleCommand.lastDay.name) \(day) is over", offendingArgument: text)
      }
      return day
    }
    let names = try WebOptions.names(session.invocation)
    let port = address?.port ?? 0
    guard !names.isEmpty || port > 0 else { throw WebOptions.noPage("the link") }
    var key = ""
    var added: Person?
    do {
      // The lock of the list is that of the keys, too: no other command changes them then.
      try session.write(creating: false) { list in
        let limits = try limits(&list)
        let known = try known(name, in: list)
        if let known, try people.all().contains(where: { $0.id == known.id }) {
          throw Failure.refused(
            "there is a person named \(quoted(known.name))",
            hint: "to end the key: customers web people remove \(typed(known.name))")
        }
        // Whoever has no key, because removing them was undone, or in a copy of the list, is another one with this name: no
        // step of before may end the new key, and this one does.
        if let known { try list.removePerson(known.id) }
        let person = try list.addPerson(named: known?.name ?? name)
        guard !session.isDryRun else { return }
        key = try people.add(
          PagePerson(
            id: person.id, name: person.name, rights: rights, lastDay: lastDay, limits: limits))
        added = person
      }
    } catch {
      // A key must not outlive its name in the list.
      if let added { _ = try? people.remove(added.id) }
      throw error
    }
    guard !session.isDryRun else {
      try session.answer("web people add", [("name", .string(name))]) {
        try session.tell(["Would add \(quoted(name)) to the page."])
      }
      return .done
    }
    let url = "\(WebAddress.base(names, port: port))/#\(key)"
    try session.answer("web people add", [("name", .string(name)), ("url", .string(url))]) {
      try session.output.write(url + "\n")
      try session.draw(url)
      try session.tell(["Whoever knows this link is \(quoted(name)) to the page. It is not shown again."])
    }
    return .done
  }

  /// What the command line says that the key shows; nil for all.
  ///
  /// An extra column is declared, if it is not, because only then it stays the same under another name.
  private func limits(_ list: inout CustomerList) throws -> PageLimits? {
    let section = try session.invocation[PeopleCommand.section].map { text in
      try list.uid(of: RowResolver(list, takesParts: false).section(titled: text).id)
    }
    guard let text = session.invocation[PeopleCommand.columns] else {
      return section.map { PageLimits(section: $0) }
    }
    guard text.contains(where: { $0 != "," && !$0.isWhitespace }) else {
      throw Failure.usage("\(PeopleCommand.columns.name) needs a field")
    }
    var columns: [PageLimits.Column] = []
    for word in text.split(separator: ",") {
      let name = String(word).trimmed
      if Name(name).key == "name" {
        columns += [.field(.firstName), .field(.lastName)]
        continue
      }
      guard let field = try list.field(named: name), field != .addressParts else {
        throw Failure.unknown(
          "field", name, among: CustomerField.standard.map(\.title),
          remedy: "to list the extra columns: customers columns")
      }
      switch field {
      case .part:
        throw Failure.usage("\(quoted(name)) is a part of the address; name the address, or leave it out")
      case .extra(let column):
        let declared = try list.declaredExtraColumns().first { $0.name.utf8.elementsEqual(column.utf8) }
        columns.append(.extra(try declared?.id ?? list.declareColumn(column).id))
      default: columns.append(.field(field))
      }
    }
    return PageLimits(section: section, columns: columns)
  }

  /// Who has a name in the list, but for case and accents.
  private func known(_ name: String, in list: borrowing CustomerList) throws -> Person? {
    try list.persons().first { Name($0.name).key == Name(name).key }
  }

  private func remove(_ name: String) throws -> ExitCode {
    let person = try session.write(creating: false) { list in
      guard let person = try known(name, in: list) else {
        throw Failure.notFound(
          "there is no person \(quoted(name))", hint: "to list them: customers web people")
      }
      try list.removePerson(person.id)
      // Before the commit: a person without a key is better than a key without a person.
      if !session.isDryRun { try people.remove(person.id) }
      return person
    }
    try session.answer("web people remove", [("name", .string(person.name))]) {
      try session.tell([
        "\(session.isDryRun ? "Would remove" : "Removed") \(quoted(person.name)) from the page."
      ])
    }
    return .done
  }
}

/// A person, with what the key shows of the list.
struct ListedPerson {
  let person: PagePerson
  /// The title of the section; nil for all, or if it was deleted.
  let section: String?
  /// The titles of the columns; nil for all.
  fileprivate let columns: [String]?
  let hasEnded: Bool

  fileprivate init(_ person: PagePerson, in list: borrowing CustomerList) throws {
    self.person = person
    let uid = person.limits?.section
    section = try uid.flatMap { try list.section(withUID: $0) }.map { try list.section($0).title }
    columns = try person.limits?.fields(in: list)?.map(\.title)
    hasEnded = person.hasEnded || uid != nil && section == nil
  }

  /// The section and the columns, in words.
  fileprivate var part: String {
    let section = person.limits?.section == nil ? nil : section ?? "a deleted section (ended)"
    let gone = columns.map { $0.count < person.limits?.columns?.count ?? 0 ? ["a deleted column"] : [] } ?? []
    return [section, columns.map { ($0 + gone).joined(separator: ", ") }].compactMap(\.self).joined(
      separator: ": ")
  }
}

extension JSONShapes {
  static let pagePerson = JSONShape<ListedPerson>(
    "page_person", "A person who has a key to the page, as `customers web people` lists them.",
    [
      .always("name", .text, "the name") { .string($0.person.name) },
      .always("rights", .text, "edit, read, or add") { .string($0.person.rights.rawValue) },
      .always("limited", .flag, "whether the key shows only a section or some columns") {
        .bool($0.person.limits != nil)
      },
      .optional("section", .text, "the section that the key shows, unless it was deleted") {
        $0.section.map(JSON.string)
      },
      .optional("fields", .list(.text), "the columns that the key shows") {
        $0.columns.map { .array($0.map(JSON.string)) }
      },
      .optional("until", .text, "the last day of the key") {
        ($0.person.lastDay?.description).map(JSON.string)
      },
      .always("ended", .flag, "whether that is over, or the section was deleted") { .bool($0.hasEnded) },
    ])
}

extension Session {
  /// Prints the address of the list's page, which has its key.
  func printAddress(of place: String) throws -> ExitCode {
    let names = try WebOptions.names(invocation)
    let file = WebAddress.File(ofList: place, isReadOnly: invocation[WebOptions.readOnly], environment)
    guard let address = file?.read(), address.port > 0 || !names.isEmpty else {
      throw Failure.notFound("the list has no page yet", hint: "to serve it: customers web")
    }
    let url = "\(WebAddress.base(names, port: address.port))/#\(address.token)"
    try answer("web address", [("url", .string(url))]) {
      try output.write(url + "\n")
      if !names.isEmpty { try draw(url) }
    }
    return .done
  }
}
