internal import CSQLite

extension LocalFile {
  /// The bytes of the database as a file.
  public func image() throws -> [UInt8] {
    var size: Int64 = 0
    guard let bytes = unsafe sqlite3_serialize(connection.handle, "main", &size, 0) else {
      throw connection.lastError(SQLITE_NOMEM, sql: "sqlite3_serialize")
    }
    defer { unsafe sqlite3_free(bytes) }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
  }
}

extension Connection {
  /// Opens an image of a database in memory, for reading.
  public convenience init(image: [UInt8]) throws {
    try self.init(path: ":memory:")
    let size = sqlite3_int64(image.count)
    // SQLite frees it, even if it rejects the image.
    guard let copy = unsafe sqlite3_malloc64(UInt64(size))?.assumingMemoryBound(to: UInt8.self) else {
      throw lastError(SQLITE_NOMEM, sql: "sqlite3_malloc64")
    }
    unsafe copy.initialize(from: image, count: image.count)
    let flags = UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
    let code = unsafe sqlite3_deserialize(handle, "main", copy, size, size, flags)
    guard code == SQLITE_OK else { throw lastError(code, sql: "sqlite3_deserialize") }
  }
}
