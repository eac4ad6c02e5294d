import CustomersSQLite
import CustomerFixtures
import CustomersTestSupport

/// Statements on one row at a place, or on rows that come in and go.
extension RandomClient {
  mutating func insertOne() -> Edit {
    guard !model.sections.isEmpty else { return insertWithoutSections() }
    let section = generator.below(model.sections.count)
    let index = generator.below(model.sections[section].rows.count + 1)
    let isLast = index == model.sections[section].rows.count
    let stamp = Int64(generator.below(1_000_000))
    let ownID = generator.oneIn(4) ? model.lastID + 1 : nil
    let leavesSectionOut = section == 0 && generator.oneIn(2)
    return Edit(
      sql: verb("INSERT") + #" INTO customers (id, section, "order", note) VALUES (?, ?, ?, ?)"#,
      values: [
        ownID.map(SQLiteValue.integer) ?? .null,
        leavesSectionOut ? .null : .integer(model.sections[section].id),
        isLast && generator.oneIn(2) ? .null : .integer(index + 1),
        .text("\(stamp)"),
      ],
      outcome: .becomes(changed { $0.insert([stamp], section: section, at: index) }))
  }

  private mutating func insertWithoutSections() -> Edit {
    Edit(
      sql: verb("INSERT") + " INTO customers (first_name) VALUES (?)", values: [.text("Ann")],
      outcome: .refused("section"))
  }

  /// Several rows by one statement, each at the same place: the later push the earlier down.
  mutating func insertMany(_ most: Int) -> Edit {
    guard !model.sections.isEmpty else { return insertWithoutSections() }
    let section = generator.below(model.sections.count)
    let index = generator.below(model.sections[section].rows.count + 1)
    let atEnd = generator.oneIn(3)
    let count = 1 + generator.below(most)
    let sql = #"""
       INTO customers (section, "order", note)
      WITH number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?3)
      SELECT ?1, ?2, n FROM number
      """#
    return Edit(
      sql: verb("INSERT") + sql,
      values: [
        .integer(model.sections[section].id), atEnd ? .null : .integer(index + 1), .integer(count),
      ],
      outcome: .becomes(
        changed { model in
          let end = model.sections[section].rows.count
          for n in 1...count {
            model.insert([Int64(n)], section: section, at: atEnd ? end + n - 1 : index)
          }
        }))
  }

  mutating func deleteOne() -> Edit {
    guard let row = anyRow() else { return insertOne() }
    return Edit(
      sql: "DELETE FROM customers WHERE id = ?", values: [.integer(row.id)], outcome: deleting([row.id]))
  }

  mutating func deleteSome() -> Edit {
    let ids = someRows(upTo: 8)
    return Edit(
      sql: "DELETE FROM customers WHERE id IN (SELECT value FROM json_each(?))", values: [json(ids)],
      outcome: deleting(ids))
  }

  /// Deletes by place; the places of a statement are those before it.
  mutating func deleteRange(of most: Int) -> Edit {
    guard let row = anyRow(), let (section, index) = model.position(of: row.id) else { return insertOne() }
    let rows = model.sections[section].rows
    let end = min(rows.count, index + 1 + generator.below(most))
    return Edit(
      sql: #"DELETE FROM customers WHERE section = ? AND "order" BETWEEN ? AND ?"#,
      values: [.integer(model.sections[section].id), .integer(index + 1), .integer(end)],
      outcome: deleting(Set(rows[index..<end].map(\.id))))
  }

  private func deleting(_ ids: Set<Int64>) -> Outcome {
    let isProtected = model.rows.contains { !$0.canEdit && ids.contains($0.id) }
    return isProtected ? .refused("protected") : .becomes(changed { $0.remove(ids) })
  }

  mutating func move() -> Edit {
    guard let row = anyRow(), let (section, index) = model.position(of: row.id) else { return insertOne() }
    let target = generator.below(model.sections[section].rows.count)
    let after = changed { $0.move([row.id], section: section, at: target) }
    return Edit(
      sql: verb("UPDATE") + #" customers SET "order" = ? WHERE id = ?"#,
      values: [.integer(target + 1), .integer(row.id)],
      outcome: row.canMove || target == index ? .becomes(after) : .refused("protected"))
  }

  mutating func moveToEnd() -> Edit {
    guard let row = anyRow(), let (here, _) = model.position(of: row.id) else { return insertOne() }
    let section = generator.below(model.sections.count)
    let outcome: Outcome =
      if here == section { .becomes(model) } else if !row.canMove { .refused("protected") } else {
        .becomes(changed { $0.move([row.id], section: section, at: $0.sections[section].rows.count) })
      }
    return Edit(
      sql: verb("UPDATE") + " customers SET section = ? WHERE id = ?",
      values: [.integer(model.sections[section].id), .integer(row.id)], outcome: outcome)
  }

  mutating func moveAcross() -> Edit {
    guard let row = anyRow(), let (here, old) = model.position(of: row.id) else { return insertOne() }
    let section = generator.below(model.sections.count)
    let rows = model.sections[section].rows
    let index = generator.below(rows.count + (here == section ? 0 : 1))
    let stays = here == section && index == old
    let names = generator.oneIn(2) ? #"section = ?1, "order" = ?2"# : #""order" = ?2, section = ?1"#
    return Edit(
      sql: verb("UPDATE") + " customers SET \(names) WHERE id = ?3",
      values: [.integer(model.sections[section].id), .integer(index + 1), .integer(row.id)],
      outcome: row.canMove || stays
        ? .becomes(changed { $0.move([row.id], section: section, at: index) }) : .refused("protected"))
  }

  mutating func outOfRange() -> Edit {
    guard let row = model.rows.first(where: \.canMove), let (section, _) = model.position(of: row.id) else {
      return insertOne()
    }
    let count = Int64(model.sections[section].rows.count)
    let orders: [Int64] = [0, -1, count + 1, count + 2, .max, .min, -count]
    return Edit(
      sql: verb("UPDATE") + #" customers SET "order" = ? WHERE id = ?"#,
      values: [.integer(orders[generator.below(orders.count)]), .integer(row.id)],
      outcome: .refused("place"))
  }

  mutating func anyRow() -> ListModel.Row? {
    let rows = model.rows
    return rows.isEmpty ? nil : rows[generator.below(rows.count)]
  }

  mutating func someRows(upTo most: Int) -> Set<Int64> {
    var ids: Set<Int64> = []
    for _ in 0..<generator.below(most + 1) { if let row = anyRow() { ids.insert(row.id) } }
    return ids
  }

  func json(_ ids: Set<Int64>) -> SQLiteValue { .text("\(ids.sorted())") }
}
