/// A group of lines of the table that can be run alone.
enum Part: String, CaseIterable {
  case edits, imported, renumbering, positions, planning, rows, sections, pages, keys, searching, text,
    streaming, bulk,
    cold, `import`, export, sql, standstill

  /// Prints the lines of the part, for lists of at most `limit` rows.
  func run(on lists: ListFactory, upTo limit: Int) async throws {
    for rows in sizes where rows <= limit {
      switch self {
      case .edits: try measureDurableEdits(lists, rows)
      case .imported: try measureImportedList(lists, rows)
      case .renumbering: try measureRenumbering(lists, rows)
      case .positions: try measureMovesByPosition(lists, rows)
      case .planning: try measurePlannedMoves(lists, rows)
      case .pages: try measurePages(lists, rows)
      case .keys: try measureKeys(lists, rows)
      case .searching:
        if rows <= 100_000 { try measureSearching(lists, rows) } else { try measureTyping(lists, rows) }
        try measureMisses(lists, rows)
      case .streaming: try measureStreaming(lists, rows)
      case .bulk: try measureBulkInsert(lists, rows)
      case .cold: try measureColdCommands(lists, rows)
      case .import: try measureImport(lists, rows)
      case .standstill: try await measureStandstill(lists.list(rows: rows).path, rows)
      case .export: try measureExport(lists, rows)
      case .rows: try measureManyRows(lists, rows)
      case .sections: try measureSections(lists, rows)
      case .text: try measureText(lists, rows)
      case .sql: try measureForeignStatements(lists, rows)
      }
    }
  }

  private var sizes: [Int] {
    switch self {
    case .edits: [1_000, 10_000, 100_000, 1_000_000]
    case .imported: [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
    case .planning: [1_000, 100_000]
    case .renumbering: [10_000, 100_000]
    case .searching: [100_000, 1_000_000]
    case .sections: [10_000]
    case .sql: [10_000, 100_000]
    case .positions, .streaming, .bulk, .cold, .export, .standstill, .rows, .text: [100_000]
    case .import: [100_000, 1_000_000, 10_000_000]
    case .pages, .keys: [1_000_000]
    }
  }
}
