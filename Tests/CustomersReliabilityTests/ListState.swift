import CustomerFixtures
import CustomerStore
import Foundation
import CustomersSQLite
import CustomersTestSupport

/// Returns the complete state of a file, as another client reads it: the list, the history, and any damage.
///
/// - Throws: the SQLite error if the file can't be read.
func state(of path: String) throws -> String {
  let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
  guard let size, size > 0 else { return "nothing" }
  let connection = try Connection(path: path)
  let isCurrent =
    try connection.fetchOne("PRAGMA user_version") { $0.int(0) } ?? 0 >= CustomerStore.formatVersion
  let steps = try connection.fetchOne(
    "SELECT count(*), (SELECT count(*) FROM history_edit), user_version FROM history_step, pragma_user_version"
  ) { $0.texts(3).joined(separator: " ") }
  let findings = try connection.localFile.findings() + (isCurrent ? connection.brokenInvariants() : [])
  return try "\(connection.contents())\n\(steps ?? "")\n\(findings)"
}

/// Returns whether a file has the receipt of a transaction.
func hasReceipt(_ token: TransactionToken, in path: String) throws -> Bool {
  try Connection(path: path).fetchOne("SELECT 1 FROM receipt WHERE token = ?", [.text(token.rawValue)]) { _ in
    true
  } ?? false
}

/// The list on which the operations run: a file of a few dozen pages, with sections and history.
enum SampleFile {
  static func write(to path: String, for operation: Operation? = nil) throws {
    if let sample = operation?.sample { return try CustomersTestSupport.write(bytes(of: sample), to: path) }
    let store = try CustomerStore(path: path)
    try store.write { list in
      for title in ["Leads", "Friends"] { _ = try list.addSection(title: title) }
      for section: SectionID in [1, 2, 3] {
        var rows = (1...40).map {
          CustomerFields(lastName: "Row \($0)", note: String(repeating: "n", count: $0 * 7))
        }.makeIterator()
        try list.insert(in: section) { rows.next() }
      }
      try list.move([7], to: .first)
    }
    if let operation { try store.write { try operation.prepare(&$0) } }
    guard let damage = operation?.damage else { return }
    let connection = try Connection(path: path)
    try connection.executeScript("PRAGMA ignore_check_constraints = ON; \(damage)")
  }
}
