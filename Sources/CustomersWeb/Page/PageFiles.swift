internal import CCustomersPage
internal import CustomersSystem
internal import Synchronization

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

  /// How many bytes the page has, compressed as one document.
  package var size: Int {
    let all = files.sorted { $0.key < $1.key }.flatMap(\.value.bytes)
    return CustomersSystem.gzipped(all)?.count ?? all.count
  }

  package static let own = PageFiles()

  private static let compressed = Mutex<[Substring: [UInt8]]>([:])

  /// A file, compressed when it is asked for first; nil if there is none at the path.
  func gzipped(_ path: Substring) -> [UInt8]? {
    guard let file = files[path] else { return nil }
    return PageFiles.compressed.withLock { known in
      known[path] = known[path] ?? CustomersSystem.gzipped(file.bytes)
      return known[path]
    }
  }

  private init() {
    var (files, digest): ([Substring: File], SHA256) = ([:], SHA256())
    for index in 0..<customers_page_file_count() {
      guard let file = unsafe customers_page_file_at(index)?.pointee else { continue }
      let source = unsafe UnsafeBufferPointer(start: file.bytes, count: file.count)
      let (name, type) = unsafe (String(cString: file.name), String(cString: file.type))
      let bytes = unsafe PageFiles.compact(source, type)
      files["/\(name)"] = File(type: type, bytes: bytes)
      digest.update(Array("\(name)\0\(bytes.count)\0".utf8) + bytes)
    }
    (self.files, build) = (files, String(digest.hexadecimal.prefix(16)))
  }

  /// A file without what a browser does not need: indentation, the lines of a script that are comments, line ends after
  /// which a statement goes on, and spaces beside signs, in a script where no text is.
  private static func compact(_ source: some Sequence<UInt8>, _ type: String) -> [UInt8] {
    let (isScript, isStyle) = (type.hasPrefix("text/javascript"), type.hasPrefix("text/css"))
    let (opening, closing) = isStyle ? (";,:".utf8, "{".utf8) : ("=,?:&|><{}".utf8, "=,?:&|><{}".utf8)
    var bytes: [UInt8] = []
    for line in source.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
      let text = line.drop { $0 == UInt8(ascii: "\t") }
      if isScript, text.starts(with: "//".utf8) { continue }
      let isPlain = isStyle || isScript && !text.contains(where: "'\"`/".utf8.contains)
      for byte in text {
        if isPlain, let last = bytes.last {
          if byte == UInt8(ascii: " "), opening.contains(last) { continue }
          if last == UInt8(ascii: " "), closing.contains(byte) { bytes.removeLast() }
        }
        bytes.append(byte)
      }
      let goesOn = isStyle ? "{},;" : isScript && !text.contains(UInt8(ascii: "/")) ? "{,([" : ""
      if let last = bytes.last, goesOn.utf8.contains(last) { continue }
      bytes.append(UInt8(ascii: "\n"))
    }
    return bytes
  }
}
