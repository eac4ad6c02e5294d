package import CustomerStore
package import CustomersSystem
internal import CustomersText
internal import Synchronization

/// A person who has a key of their own to the page.
package struct PagePerson: Equatable, Sendable {
  /// The id by which the list knows who it is; whoever gets the name later has another one.
  package let id: PersonID
  package let name: String
  package let rights: Rights
  /// The last day on which the key is good, by the clock of the server; nil if it has no end.
  package let lastDay: CalendarDay?
  /// What the key shows of the list; nil for all of it.
  package let limits: PageLimits?

  package init(
    id: PersonID, name: String, rights: Rights, lastDay: CalendarDay? = nil, limits: PageLimits? = nil
  ) {
    (self.id, self.name, self.rights, self.lastDay, self.limits) = (id, name, rights, lastDay, limits)
  }

  /// What a key is for.
  package enum Rights: String, Sendable {
    case edit, read
    /// To add customers, and see none.
    case add
  }

  /// Whether the key is good today.
  package var hasEnded: Bool { lastDay.map { $0 < .today } ?? false }
}

/// The keys of the people who use a list's page.
///
/// They are in a file beside that of the page's own key, of which only the owner can read anything, and of the keys only
/// their digests: whoever reads the file can't use them. The list has the people's names and no keys, so that a copy of it
/// has none either. A server reads the file again for each request and each event, so whoever is removed is out at once.
package struct People: Sendable {
  private let file: StateFile
  /// Whom the list did not have when a server looked last.
  private let missing = Missing()

  private final class Missing: Sendable { let ids = Mutex<Set<PersonID>>([]) }

  /// - Parameter page: the file of the page's address.
  package init(of page: WebAddress.File) { file = StateFile(page.path + "-people") }

  /// All people who have a key, in the order in which they got it, also those whose key has ended.
  ///
  /// - Throws: `FileError` if the file can't be read, if others could have read it, or if it is not whole.
  package func all() throws(FileError) -> [PagePerson] { try lines().compactMap { Entry(line: $0)?.person } }

  /// Makes a key, of 128 random bits as 32 hexadecimal digits.
  ///
  /// - Throws: `FileError`.
  package func add(_ person: PagePerson) throws(FileError) -> String {
    let key = WebAddress().token
    try write(lines() + [Entry(digest: SHA256.hexadecimal(of: key), person: person).line])
    return key
  }

  /// Ends the key of a person.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `FileError`.
  @discardableResult
  package func remove(_ id: PersonID) throws(FileError) -> Bool {
    let lines = try lines()
    let kept = lines.filter { Entry(line: $0)?.person.id != id }
    guard kept.count < lines.count else { return false }
    try write(kept)
    return true
  }

  /// Who has a key; nil if no one has, or not anymore.
  ///
  /// Whether the list has them, `look` finds out.
  ///
  /// - Complexity: O(people).
  func person(withKey key: Substring) -> PagePerson? {
    guard key.utf8.count == 32 else { return nil }
    let digest = SHA256.hexadecimal(of: String(key))
    return entries.first { PageGuard.areSame($0.digest, digest) && !$0.person.hasEnded }?.person
  }

  /// Looks whom the list has, if anyone has a key: adding someone can be undone, and then the key is good for nothing.
  func look(at list: any ListService) async {
    let known = Set(entries.map(\.person.id))
    guard !known.isEmpty, let persons = try? await list.persons() else { return }
    missing.ids.withLock { $0 = known.subtracting(persons) }
  }

  /// Whether the list did not have a person at the last look.
  func isMissing(_ person: PagePerson) -> Bool { missing.ids.withLock { $0.contains(person.id) } }

  fileprivate struct Entry {
    var digest: String
    var person: PagePerson
  }

  /// Whether the keys are known.
  var isReadable: Bool { (try? lines()) != nil }

  private var entries: [Entry] { ((try? lines()) ?? []).compactMap { Entry(line: $0) } }

  /// The last line, without which some people may be missing.
  private static let end = JSON.object([("end", .bool(true))]).text

  /// The lines of the file, also those that only a later version understands.
  private func lines() throws(FileError) -> [String] {
    guard let bytes = try file.content() else { return [] }
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let isWhole =
      lines.popLast() == People.end && lines.allSatisfy { (try? JSON.columns(ofObject: $0)) != nil }
    try FileError.attributing(.readAll, file.path) { () throws(SystemError) in
      guard isWhole else { throw .damaged }
    }
    return lines
  }

  private func write(_ lines: [String]) throws(FileError) {
    try file.write((lines + [People.end]).flatMap { Array("\($0)\n".utf8) })
  }
}

extension People.Entry {
  fileprivate init?(line: String) {
    guard let members = try? JSON.columns(ofObject: line) else { return nil }
    var texts: [String: String] = [:]
    for case (let name, .text(let text)) in members { texts[name] = text }
    // What a later version has added may be a limit, which must not be overlooked.
    let known = ["digest", "id", "name", "rights", "until", "section", "columns"]
    guard members.allSatisfy({ known.contains($0.name) }), let digest = texts["digest"],
      digest.utf8.count == 64,
      let id = texts["id"].flatMap({ Int64($0) }), let name = texts["name"],
      let rights = texts["rights"].flatMap(PagePerson.Rights.init)
    else { return nil }
    let lastDay = texts["until"].flatMap { CalendarDay($0) }
    let section = texts["section"].flatMap { Int64($0) }
    let columns = texts["columns"].map { $0.split(separator: "\n").map { PageLimits.Column(kept: $0) } }
    guard (lastDay == nil) == (texts["until"] == nil), (section == nil) == (texts["section"] == nil),
      columns?.contains(nil) != true
    else { return nil }
    let isLimited = section != nil || columns != nil
    let limits = isLimited ? PageLimits(section: section, columns: columns?.compactMap(\.self)) : nil
    self.init(
      digest: digest,
      person: PagePerson(
        id: PersonID(rawValue: id), name: name, rights: rights, lastDay: lastDay, limits: limits))
  }

  fileprivate var line: String {
    let members: [(String, JSON)] = [
      ("digest", .string(digest)), ("id", .string("\(person.id.rawValue)")), ("name", .string(person.name)),
      ("rights", .string(person.rights.rawValue)),
    ]
    let end: [(String, JSON)] = person.lastDay.map { [("until", .string($0.description))] } ?? []
    let section: [(String, JSON)] = person.limits?.section.map { [("section", .string("\($0)"))] } ?? []
    let columns: [(String, JSON)] =
      person.limits?.columns.map { [("columns", .string($0.map(\.kept).joined(separator: "\n")))] } ?? []
    return JSON.object(members + end + section + columns).text
  }
}

extension PageLimits.Column {
  /// The column in a file of keys: the name of a field, or the number of an extra column.
  fileprivate var kept: String {
    switch self {
    case .field(let field): field.column
    case .extra(let id): "\(id.rawValue)"
    }
  }

  fileprivate init?(kept text: Substring) {
    if let id = Int64(text) {
      self = .extra(DeclaredColumnID(rawValue: id))
    } else if let field = CustomerField.edited.first(where: { $0.column == text }) {
      self = .field(field)
    } else {
      return nil
    }
  }
}
