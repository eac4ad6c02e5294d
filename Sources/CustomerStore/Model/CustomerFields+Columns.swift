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

  /// Binds the values of `columns` to the parameters from 1 on.
  ///
  /// It binds field by field, because an array of values per customer would slow down an import.
  func bind(to statement: borrowing Statement) throws {
    var index: Int32 = 1
    for storage in FieldDescriptor.storages {
      switch storage {
      case .text(let property): try statement.bind(property.value(in: self), at: index)
      case .flag(let property): try statement.bind(property.value(in: self) ? 1 : 0, at: index)
      }
      index += 1
    }
    try statement.bind(extra, at: index)
  }
}
