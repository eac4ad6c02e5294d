public import CustomerStore
internal import Dispatch
internal import Synchronization

extension CustomerStore {
  /// Imports a file without blocking a thread: all customers or, if the task is canceled, none.
  ///
  /// The list is locked only while the customers are written, not while the file is read.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - options: how it is read; nil for the format of the file name's extension.
  ///   - action: the name of the step in the history.
  ///   - onProgress: receives the number of bytes read so far, and of the whole file, on a thread of its own; each byte
  ///     counts twice, as in ``CustomerImporter/onProgress``.
  /// - Returns: what was done.
  /// - Throws: `TransferError`, `ListError`, `StoreError`, `CancellationError`, or the error of the file
  ///   system.
  @discardableResult
  public func importCustomers(
    path: String, options: ImportOptions? = nil, action: String = "import",
    onProgress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
  ) async throws -> ImportSummary {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      while true {
        // One thread after another uses it.
        nonisolated(unsafe) let importer = try await onOwnThread {
          let importer = try CustomerImporter(path: path, options: options)
          importer.onProgress = onProgress
          importer.checkCancellation = cancellation.check
          try importer.prepare(for: self)
          return importer
        }
        do {
          return try await write(action: action) { list in try unsafe list.importCustomers(from: importer) }
        } catch TransferError.outdated { continue }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}

/// Whether a task was canceled, for another thread.
private final class Cancellation: Sendable {
  private let isCanceled = Atomic(false)

  func cancel() { isCanceled.store(true, ordering: .relaxed) }

  func check() throws { if isCanceled.load(ordering: .relaxed) { throw CancellationError() } }
}

/// Reads a file on a thread of its own.
private func onOwnThread(
  _ body: @escaping @Sendable () throws -> sending CustomerImporter
) async throws -> sending CustomerImporter {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "customers.import").async {
      do { continuation.resume(returning: try body()) } catch { continuation.resume(throwing: error) }
    }
  }
}
