internal import CustomersSystem

/// The file that holds the input being tried.
struct InputFile {
  let path: String
  private let descriptor: Int32

  init(_ path: String) throws(Fault) {
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw Fault(description: "can't write \(path)") }
  }

  /// Replaces the contents of the file.
  func write(_ bytes: [UInt8]) throws(Fault) {
    let count = unsafe pwrite(descriptor, bytes, bytes.count, 0)
    guard count == bytes.count, ftruncate(descriptor, count) == 0 else {
      throw Fault(description: "can't write \(path)")
    }
  }

  /// Removes the file.
  func remove() {
    close(descriptor)
    unsafe unlink(path)
  }
}
