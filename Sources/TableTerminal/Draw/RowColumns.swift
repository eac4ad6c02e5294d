internal import CustomerStore
internal import CustomerTable

/// Which columns of the screen the parts of a row have: the same in all rows, so nothing overlaps.
struct RowColumns {
  /// The column of what a person should notice about the row.
  let sign = 0
  /// The column of the control.
  let control = 1
  /// The column after the number, which ends there.
  let numberEnd: Int
  /// The column where the name begins.
  let name: Int
  /// The column before which all ends.
  let end: Int

  init(_ face: TableFace) {
    let rowCount = face.state.page.sections.reduce(0) { $0 + $1.count }
    let digits = max(face.isNarrow ? 2 : 3, String(rowCount).count)
    numberEnd = (face.state.isEditing ? 3 : 1) + digits
    name = numberEnd + 2
    end = face.columns - 1
  }
}
