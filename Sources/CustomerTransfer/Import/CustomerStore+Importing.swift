public import CustomerStore

extension CustomerStore {
  /// Imports a file without blocking a thread: all customers or, if the task is canceled, none.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - options: how it is read; nil for the format of the file name's extension.
  ///   - action: the name of the step in the history.
  ///   - onProgress: receives the number of bytes read so far, and of the whole file, on a thread of the
  ///     store.
  /// - Returns: what was done.
  /// - Throws: `TransferError`, `ListError`, `StoreError`, `CancellationError`, or the error of the file
  ///   system.
  @discardableResult
  public func importCustomers(
    path: String, options: ImportOptions? = nil, action: String = "import",
    onProgress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> ImportSummary {
    try await write(action: action) { list in
      let importer = try CustomerImporter(path: path, options: options)
      importer.onProgress = onProgress
      return try list.importCustomers(from: importer)
    }
  }
}
