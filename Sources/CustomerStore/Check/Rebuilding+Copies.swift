internal import CustomersSQLite
internal import CustomersSystem

/// What copies of a damaged list know of it.
extension Rebuilding {
  /// Gives the customers that have lost their uids others.
  ///
  /// If runs of uids are lost, or uids are those of others, too, a copy would take the customers for others or new ones, so
  /// the list is no longer the one it is of.
  func nameCustomers() throws {
    let uids = try CustomerList(connection: target).scanRecords().uids
    var areRunsLost = try separate(uids, "customer")
    for id in uids.unnamed {
      let hadID = 1...CustomerList.greatestID ~= id.rawValue
      areRunsLost = areRunsLost || (hadID && !unnamed.contains(id.rawValue))
      try setUID(uids.newUID(of: id), of: "customer", id.rawValue)
    }
    guard areRunsLost else { return }
    try target.executeScript("DELETE FROM uid_run WHERE NOT \(CustomerUIDs.isRun); DELETE FROM identity")
    lose("what other copies of the list call its customers")
  }

  private func setUID(_ uid: UID, of thing: String, _ id: Int64) throws {
    try target.execute("UPDATE \(thing)_record SET uid = ? WHERE id = ?", [.integer(uid), .integer(id)])
  }

  /// Gives a uid of its own to each section that has the one of another.
  func separateSections() throws {
    _ = try separate(CustomerList(connection: target).sectionUIDs(), "section")
  }

  /// - Returns: whether there was one.
  private func separate<ID>(_ uids: UIDs<ID>, _ thing: String) throws -> Bool {
    let repeated = uids.repeated
    for id in repeated {
      try setUID(uids.newUID(of: id), of: thing, id.rawValue)
      note("the uid of \(thing) @\(id.rawValue) was that of another one")
    }
    return !repeated.isEmpty
  }

  /// Forgets what the list has in common with its copies: what is lost would be as good as deleted, and a take would delete it
  /// in the other one, too.
  func forgetStates() throws {
    try target.executeScript(
      "DELETE FROM known_state; DELETE FROM undone_pull; DELETE FROM old_mark; UPDATE history_step SET mark = NULL"
    )
    note("a take no longer knows what the list has in common with its copies, so it deletes nothing")
  }
}

extension UIDs {
  /// Another uid for one that is there.
  ///
  /// It follows from what is in the file, so that copies that are repaired apart call the same by one uid.
  fileprivate func newUID(of id: ID) -> UID {
    var digest = SHA256()
    repeat { digest.update(Array("\(self[id] ?? 0) \(id.rawValue)".utf8)) } while self[digest.uid] != nil
    return digest.uid
  }
}
