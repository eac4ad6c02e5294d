import CustomersSQLite
import CustomerFixtures
import CustomersTestSupport

/// Statements on many rows, on their fields, and on the sections.
extension RandomClient {
  /// Many rows to the top: which of them comes first depends on the order SQLite visits them in.
  mutating func pullUp() -> Edit {
    let ids = someRows(upTo: 6)
    let before = model
    let isForbidden = before.sections.contains { section in
      section.rows.enumerated().contains { $0 > 0 && ids.contains($1.id) && !$1.canMove }
    }
    return Edit(
      sql: verb("UPDATE") + #" customers SET "order" = 1 WHERE id IN (SELECT value FROM json_each(?))"#,
      values: [json(ids)],
      outcome: isForbidden
        ? .refused("protected")
        : .accepted { after in
          zip(before.sections, after.sections).allSatisfy { old, new in
            let pulled = old.rows.filter { ids.contains($0.id) }
            return Set(new.rows.prefix(pulled.count)) == Set(pulled)
              && Array(new.rows.dropFirst(pulled.count)) == old.rows.filter { !ids.contains($0.id) }
          }
        })
  }

  /// Many rows to the end of one section, in the order SQLite visits them in.
  mutating func gather() -> Edit {
    guard !model.sections.isEmpty else { return insertSection() }
    let target = generator.below(model.sections.count)
    let before = model
    let coming = before.sections.enumerated().filter { $0.offset != target }.flatMap(\.element.rows)
    let ids = someRows(upTo: 6)
    let moved = coming.filter { ids.contains($0.id) }
    return Edit(
      sql: verb("UPDATE") + " customers SET section = ? WHERE id IN (SELECT value FROM json_each(?))",
      values: [.integer(before.sections[target].id), json(ids)],
      outcome: moved.contains { !$0.canMove }
        ? .refused("protected")
        : .accepted { after in
          zip(before.sections, after.sections).enumerated().allSatisfy { index, sections in
            let (old, new) = sections
            guard index == target else { return new.rows == old.rows.filter { !ids.contains($0.id) } }
            return Array(new.rows.prefix(old.rows.count)) == old.rows
              && Set(new.rows.dropFirst(old.rows.count)) == Set(moved)
              && new.rows.count == old.rows.count + moved.count
          }
        })
  }

  mutating func change() -> Edit {
    let ids = someRows(upTo: 6)
    let stamp = Int64(generator.below(1_000_000)) + 1
    let isForbidden = model.rows.contains { ids.contains($0.id) && !$0.canEdit && $0.stamp != stamp }
    return Edit(
      sql: verb("UPDATE") + " customers SET note = ? WHERE id IN (SELECT value FROM json_each(?))",
      values: [.text("\(stamp)"), json(ids)],
      outcome: isForbidden
        ? .refused("protected") : .becomes(changed { $0.change(ids) { row in row.stamp = stamp } }))
  }

  /// Setting the protection is always allowed, the other one stays.
  mutating func protect() -> Edit {
    let ids = someRows(upTo: 5)
    let (edit, move) = (!generator.oneIn(4), !generator.oneIn(4))
    return Edit(
      sql: verb("UPDATE")
        + " customers SET can_edit = ?, can_move = ? WHERE id IN (SELECT value FROM json_each(?))",
      values: [.bool(edit), .bool(move), json(ids)],
      outcome: .becomes(changed { $0.change(ids) { row in (row.canEdit, row.canMove) = (edit, move) } }))
  }

  /// A client that writes back whatever it read moves nothing, not even what is protected.
  mutating func writeBack() -> Edit {
    Edit(
      sql: verb("UPDATE")
        + #"""
         customers SET id = id, section = section, "order" = "order", first_name = first_name, note = note,
        is_favorite = is_favorite, can_edit = can_edit, can_move = can_move, extra = extra
        """#,
      outcome: .becomes(model))
  }

  mutating func editSections() -> Edit {
    guard !model.sections.isEmpty, !(model.sections.count < 3 && generator.oneIn(2)) else {
      return insertSection()
    }
    let index = generator.below(model.sections.count)
    let id = SQLiteValue.integer(model.sections[index].id)
    switch generator.below(4) {
    case 0:
      let target = generator.below(model.sections.count)
      return Edit(
        sql: verb("UPDATE") + #" sections SET "order" = ? WHERE id = ?"#, values: [.integer(target + 1), id],
        outcome: .becomes(changed { $0.sections.insert($0.sections.remove(at: index), at: target) }))
    case 1:
      let title = Int64(generator.below(30)) + 1
      let isTaken = model.sections.contains { $0.title == title && $0.id != model.sections[index].id }
      return Edit(
        sql: verb("UPDATE") + " sections SET title = ? WHERE id = ?", values: [.text("\(title)"), id],
        outcome: isTaken ? .refused("title") : .becomes(changed { $0.sections[index].title = title }))
    case 2:
      return Edit(
        sql: "DELETE FROM sections WHERE id = ?", values: [id],
        outcome: model.sections[index].rows.isEmpty
          ? .becomes(changed { $0.sections.remove(at: index) }) : .refused("occupied"))
    default:
      return Edit(
        sql: "DELETE FROM sections WHERE count = 0",
        outcome: .becomes(changed { $0.sections.removeAll(where: \.rows.isEmpty) }))
    }
  }

  mutating func insertSection() -> Edit {
    let index = generator.below(model.sections.count + 1)
    let isLast = index == model.sections.count
    let title = Int64(generator.below(30)) + 1
    return Edit(
      sql: verb("INSERT") + #" INTO sections (title, "order") VALUES (?, ?)"#,
      values: [.text("\(title)"), isLast && generator.oneIn(2) ? .null : .integer(index + 1)],
      outcome: model.sections.contains { $0.title == title }
        ? .refused("title")
        : .becomes(
          changed { model in
            model.lastSectionID += 1
            model.sections.insert(ListModel.Section(id: model.lastSectionID, title: title), at: index)
          }))
  }
}
