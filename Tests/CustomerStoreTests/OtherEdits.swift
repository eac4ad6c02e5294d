@testable import CustomerStore
import CustomersSQLite

/// Edits that the history has of other programs, and of copies of the list.
extension CustomerList {
  /// Changes the text of a line of a log.
  mutating func updateLine(_ id: LogLineID, text: String) throws {
    try edit("UPDATE log_lines SET text = ? WHERE uid = ?", [.text(text), .integer(id.rawValue)]) {
      refusal in
      guard case .protected = refusal else { return nil }
      return try? lines([id])[id].map { .editForbidden($0.line.customer) }
    }
  }

  /// Gives a person another name.
  mutating func renamePerson(_ id: PersonID, to name: String) throws {
    guard try persons().contains(where: { $0.id == id }) else { throw ListError.noSuchPerson }
    try edit("UPDATE persons SET name = ? WHERE uid = ?", [.text(name), .integer(id.rawValue)]) { _ in
      name.isEmpty ? .unnamed : .nameInUse(name)
    }
  }
}
