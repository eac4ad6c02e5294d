internal import CustomerStore

extension Command {
  static let sort = Command(
    name: "sort", summary: "put the rows in alphabetical order, once",
    description: [
      "Each section is sorted for itself. The fields are name,",
      Field.all.map(\.column).joined(separator: ", ") + ".",
      "Capital letters are no matter, unless nothing else differs; rows without a value come last; rows",
      "that are alike stay in their order. It is one step for undo, and the list does not stay sorted.",
    ],
    options: [
      .required("--by", .fields, "by this field, and by the next where it is alike"),
      .flag("--descending", "the other way round"),
      .value("--section", .section, "only this section, by title or @id"),
    ],
    editing: Editing(confirm: { try $0.confirmSort() }) { invocation in
      let fields = invocation.value("--by") ?? ""
      let order = try SortOrder(by: fields, isDescending: invocation.has("--descending"))
      let section = invocation.value("--section")
      return { list in try list.sort(order, section) }
    })
}

extension Session {
  fileprivate func confirmSort() throws -> Invocation? {
    let edit = try Command.sort.editing?.prepare(invocation)
    let moves = try edit.map(dryRun)?.preview.count ?? 0
    // Where nothing would change there is nothing to ask.
    guard moves > 0 else { return invocation }
    return try confirm("Sort, so that \(rowCount(moves)) get another place?", to: "sort") ? invocation : nil
  }
}

extension CustomerList {
  fileprivate mutating func sort(_ order: SortOrder, _ name: String?) throws -> Report {
    let before = try outline()
    let only = try name.map(before.section(titled:))
    var moves: [Move] = []
    for section in before.sections where only == nil || only?.id == section.id {
      var rows: [SortOrder.Row] = []
      try forEach(in: section.id) { customer in
        rows.append(order.row(customer))
        return true
      }
      moves += try arrange(order.sorted(rows).map(\.id), in: section.id)
    }
    let count = only?.count ?? before.count
    let rows = try moves.map { try customer($0.id) }
    var report = try Report(moves, of: rows, "sort", before: before, after: outline())
    report.preview = report.lines.map { "Not done: \($0)" }
    report.lines = moves.isEmpty ? [] : ["Sorted \(rowCount(count)), \(moves.count) of them moved."]
    report.remark = moves.isEmpty ? "The rows are in this order already." : nil
    return report
  }
}
