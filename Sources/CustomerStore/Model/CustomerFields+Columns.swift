internal import CustomersSQLite

/// The fields as columns: those of the descriptors, then `extra`.
extension CustomerFields {
  static let columnNames = FieldDescriptor.all.map(\.column) + ["extra"]

  static let columns = columnNames.joined(separator: ", ")

  static let columnCount = Int32(columnNames.count)

  /// The values of `columns`.
  var values: [SQLiteValue] {
    FieldDescriptor.storages.map { storage in
      switch storage {
      case .text(let property): .text(property.value(in: self))
      case .flag(let property): .bool(property.value(in: self))
      }
    } + [.text(extra)]
  }

  /// Decodes `columns`, from column `first` on.
  init(_ row: borrowing Statement, from first: Int32) {
    self.init()
    var index = first
    for storage in FieldDescriptor.storages {
      switch storage {
      case .text(let property): property.set(row.text(index), in: &self)
      case .flag(let property): property.set(row.bool(index), in: &self)
      }
      index += 1
    }
    extra = row.text(index)
  }
}
