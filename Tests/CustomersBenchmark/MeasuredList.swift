internal import CustomerFixtures
internal import CustomerStore
import CustomersTestSupport
internal import CustomersSQLite

/// A list in its own file, and its customers, so that edits can choose at random.
final class MeasuredList {
  let path: String
  let section: SectionID
  private var ids: [CustomerID]
  private var lastID: Int64
  private var random = SplitMix64(seed: 0x4375_7374)

  init(path: String, section: SectionID, ids: [CustomerID]) {
    self.path = path
    self.section = section
    self.ids = ids
    lastID = Int64(ids.count)
  }

  var count: Int { ids.count }

  func randomPlace() -> Int { Int.random(in: 1...count, using: &random) }

  func randomID() -> CustomerID { ids[randomPlace() - 1] }

  private func addNextID() {
    lastID += 1
    ids.append(CustomerID(rawValue: lastID))
  }

  private func removeRandomID() -> CustomerID {
    ids.swapAt(randomPlace() - 1, count - 1)
    return ids.removeLast()
  }
}

/// Random edits through the library.
extension MeasuredList {
  func move(in list: inout CustomerList) throws {
    try list.move([randomID()], to: .place(randomPlace()))
  }

  func insert(into list: inout CustomerList) throws {
    try list.insert(.sample(count), at: .place(randomPlace()))
    addNextID()
  }

  func delete(from list: inout CustomerList) throws {
    try list.delete([removeRandomID()])
  }
}

/// The same edits as any SQLite client would make them, one statement each.
extension MeasuredList {
  func move(on connection: Connection) throws {
    try connection.execute(
      #"UPDATE customers SET "order" = ? WHERE id = ?"#,
      [.integer(randomPlace()), .integer(randomID().rawValue)])
  }

  func insert(on connection: Connection) throws {
    try connection.execute(
      """
      INSERT INTO customers ("order", \(CustomerFields.sampleColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, [.integer(randomPlace())] + CustomerFields.sample(count).sampleValues)
    addNextID()
  }

  func delete(on connection: Connection) throws {
    try connection.execute("DELETE FROM customers WHERE id = ?", [.integer(removeRandomID().rawValue)])
  }
}
