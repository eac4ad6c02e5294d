public import CustomerStore

extension CustomerListModel {
  /// Edits the list and shows what changed once it is on disk.
  ///
  /// - Parameters:
  ///   - action: the name of the step in the history; it must not contain people's data.
  ///   - body: the edits; all are made or, if it throws, none.
  /// - Returns: what `body` returns.
  /// - Throws: `StoreError`, `CancellationError`, or what `body` throws, usually a `ListError`.
  @discardableResult
  public func perform<Result: Sendable>(
    _ action: String, _ body: @escaping @Sendable (inout CustomerList) throws -> Result
  ) async throws -> Result {
    pendingEdits += 1
    defer { pendingEdits -= 1 }
    let written = try await store.write(action: action, since: version, body)
    await apply(written.others + written.own)
    return written.result
  }

  /// Deletes a row, unless someone has changed it since it was shown; `problem` says why it was not deleted.
  public func delete(at path: RowPath) { delete([path]) }

  /// Deletes rows, unless someone has changed one of them since they were shown; `problem` says why they were not
  /// deleted.
  public func delete(_ paths: [RowPath]) {
    let (ids, version) = (paths.compactMap { id(at: $0) }, version)
    attempt { model in
      try await model.perform("delete") { list in _ = try list.apply(.delete(ids, asSeenAt: version)) }
    }
  }

  /// Takes a row that a table has moved: it is there at once and goes back if the list refuses the move.
  ///
  /// For `tableView(_:moveRowAt:to:)`; the table is not told about the move, because it has made it.
  ///
  /// - Parameters:
  ///   - path: where the row was.
  ///   - destination: where it is, in a table without it at `path`.
  public func drop(_ path: RowPath, to destination: RowPath) {
    guard let id = id(at: path), sections.indices.contains(destination.section) else { return }
    let section = sections[destination.section]
    // The rows of the table after the move, without the row itself.
    let row =
      path.section == destination.section && path.row <= destination.row
      ? destination.row.addingReportingOverflow(1).partialValue : destination.row
    drop([id], before: section.rows.indices.contains(row) ? section.rows[row] : nil, in: section.id)
  }

  /// Takes rows that a list has moved within a section, for `onMove(perform:)` of SwiftUI.
  ///
  /// - Parameters:
  ///   - offsets: the rows, from 0.
  ///   - offset: the row, from 0, before which they are now; the number of rows for the end.
  ///   - section: the section.
  public func move(fromOffsets offsets: some Sequence<Int>, toOffset offset: Int, in section: SectionID) {
    guard let rows = sections.first(where: { $0.id == section })?.rows else { return }
    let moved = Set(offsets).intersection(rows.indices)
    let next = rows.indices.first { $0 >= offset && !moved.contains($0) }
    drop(moved.sorted().map { rows[$0] }, before: next.map { rows[$0] }, in: section)
  }

  private func drop(_ ids: [CustomerID], before next: CustomerID?, in section: SectionID) {
    guard let drop = draft.drop(ids, before: next, in: section) else { return }
    draftNumber += 1
    pendingEdits += 1
    // One after the other, because each builds on those before it.
    writing = Task { [writing] in
      await writing?.value
      await self.write(drop.id)
      pendingEdits -= 1
    }
  }

  private func write(_ id: DraftSnapshot.Drop.ID) async {
    guard let drop = draft.drops.first(where: { $0.id == id }) else { return }
    do {
      let written = try await store.write(action: "move", since: version) { list in
        try list.move(drop.customers, to: drop.destination, in: drop.section, asSeenAt: drop.seenAt)
      }
      await apply(written.others + written.own, settling: id)
    } catch {
      problem = error
      await apply([], settling: id)
    }
  }

  /// Undoes `undoable`, unless another step would be undone now; `problem` says why it was not undone.
  public func undo() {
    guard let step = undoable else { return }
    attempt { model in try await model.perform("undo") { list in _ = try list.undo(expecting: step) } }
  }

  /// Redoes `redoable`, unless another step would be redone now; `problem` says why it was not redone.
  public func redo() {
    guard let step = redoable else { return }
    attempt { model in try await model.perform("redo") { list in _ = try list.redo(expecting: step) } }
  }

  private func attempt(_ edit: @escaping @MainActor (CustomerListModel) async throws -> Void) {
    pendingEdits += 1
    Task {
      do { try await edit(self) } catch { problem = error }
      pendingEdits -= 1
    }
  }
}
