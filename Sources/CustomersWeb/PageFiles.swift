internal import CCustomersPage
internal import CustomersFiles

/// The files of the page, which are part of the program.
package struct PageFiles: Sendable {
  struct File: Sendable {
    /// The media type.
    let type: String
    let bytes: [UInt8]
  }

  /// By their paths.
  let files: [Substring: File]
  /// A text that is another one if a file is.
  package let build: String

  package static let own = PageFiles()

  private init() {
    var (files, digest): ([Substring: File], SHA256) = ([:], SHA256())
    for index in 0..<customers_page_file_count() {
      guard let file = unsafe customers_page_file_at(index)?.pointee else { continue }
      let bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
      let (name, type) = unsafe (String(cString: file.name), String(cString: file.type))
      files["/\(name)"] = File(type: type, bytes: bytes)
      digest.update(Array("\(name)\0\(bytes.count)\0".utf8) + bytes)
    }
    (self.files, build) = (files, String(digest.hexadecimal.prefix(16)))
  }
}
