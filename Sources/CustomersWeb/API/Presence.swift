internal import CustomerStore
internal import CustomersText
internal import Synchronization

/// Who is editing which rows now.
///
/// Pages say so again and again; it is in memory, and nowhere else.
final class Presence: Sendable {
  /// What a page has said.
  struct Entry: Equatable, Sendable {
    /// Who has the key of the page; nil for the page's own.
    let person: PagePerson?
    /// Its name, by which the pages of a key differ.
    let page: String
    var ids: [CustomerID]
  }

  /// The most pages of a key, and the most rows of a page.
  static let mostPages = 20, mostRows = 20

  private let lifetime: Duration
  private let said = Mutex<[(entry: Entry, end: ContinuousClock.Instant)]>([])

  /// - Parameter lifetime: how long it counts what a page has said.
  init(lifetime: Duration = .seconds(30)) { self.lifetime = lifetime }

  /// Those who edit something now, in the order in which they began.
  var now: [Entry] {
    said.withLock { said in
      said.removeAll { $0.end <= .now }
      return said.map(\.entry)
    }
  }

  /// Takes note of what a page edits, in place of what it has said before; nothing if it has no ids.
  func note(_ entry: Entry) {
    said.withLock { said in
      let new = entry.ids.isEmpty ? nil : (entry, ContinuousClock.now + lifetime)
      let own = said.indices.filter { said[$0].entry.person?.id == entry.person?.id }
      let old = own.first { said[$0].entry.page == entry.page }
      if let old, let new {
        said[old] = new
      } else if let old {
        said.remove(at: old)
      } else if let new {
        if own.count >= Presence.mostPages { said.remove(at: own[0]) }
        said.append(new)
      }
    }
  }

  /// Forgets what those said whom the list does not have.
  func forget(allBut persons: Set<PersonID>) {
    said.withLock { said in
      said.removeAll { said in said.entry.person.map { !persons.contains($0.id) } ?? false }
    }
  }

  /// Forgets all: the list is another one, in which the ids are others'.
  func forget() { said.withLock { $0 = [] } }
}

extension ListAPI {
  /// `POST /v1/presence`: the rows that a page edits now, but for those that are not there.
  func tellPresence(_ call: Route.Call) async throws -> APIAnswer {
    let (page, ids) = (try call.body.text("page"), try call.body.numbers("ids"))
    guard (1...32).contains(page.utf8.count), page.allSatisfy(\.isHexDigit) else {
      throw call.body.wrong("page", "up to 32 hexadecimal digits")
    }
    guard ids.count <= Presence.mostRows else {
      throw call.body.wrong("ids", "at most \(Presence.mostRows) ids")
    }
    let asked = ids.map { CustomerID(rawValue: Int64($0)) }
    let known = try await list.read { list in try list.places(of: asked) }
    var there = asked.filter { known[$0] != nil }
    if let carrier { there = carrier.map.withLock { map in there.compactMap { map.rows[$0] } } }
    presence.note(Presence.Entry(person: person, page: page, ids: there))
    return APIAnswer([("outcome", .string("done"))])
  }
}

extension PartMap {
  /// Those who edit rows of the part, by its ids; of others, nothing.
  func shown(_ present: [Presence.Entry], in part: borrowing CustomerList) throws -> [Presence.Entry] {
    guard !present.isEmpty else { return [] }
    let wanted = Set(present.flatMap(\.ids))
    let found = rows.filter { wanted.contains($0.value) }
    // The list may have rows that have left the part.
    let there = try part.places(of: found.keys)
    let own = Dictionary(found.filter { there[$0.key] != nil }.map { ($0.value, $0.key) }) { first, _ in first
    }
    return present.compactMap { entry in
      var entry = entry
      entry.ids = entry.ids.compactMap { own[$0] }
      return entry.ids.isEmpty ? nil : entry
    }
  }
}

extension APIEvent {
  /// Who is editing what, all of them; without a name, whoever has the page's own key.
  static func presence(_ present: [Presence.Entry]) -> APIEvent {
    APIEvent(
      "presence",
      [
        (
          "people",
          .array(
            present.map { entry in
              .object([
                ("name", entry.person.map { .string($0.name) } ?? .null), ("page", .string(entry.page)),
                ("ids", .ids(entry.ids)),
              ])
            })
        )
      ])
  }
}
