internal import CustomerStore
internal import CustomerTable

/// The screen columns of the parts of a row, which are the same in all rows.
struct RowColumns {
  /// The column of the marker of a row.
  let sign = 0
  /// The column of the control.
  let control = 1
  /// The column after the number, which ends there.
  let numberEnd: Int
  /// The column where the name starts.
  let name: Int
  /// The column where the row ends.
  let end: Int

  init(_ face: TableFace) {
    let rowCount = face.state.contents.customerCount
    let digits = max(face.isNarrow ? 2 : 3, String(rowCount).count)
    numberEnd = (face.state.isEditing ? 3 : 1) + digits
    name = numberEnd + 2
    end = face.columns - 1
  }
}
