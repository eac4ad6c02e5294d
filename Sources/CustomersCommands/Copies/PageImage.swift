internal import CustomersSystem

/// The pages of a SQLite file that no program writes to, each by a digest.
///
/// Two images tell which pages differ. A digest of 64 bits may miss one, so what is made of the pages is compared with the
/// digest of the whole file.
struct PageImage: Sendable {
  /// The number of bytes of a page (https://www.sqlite.org/fileformat2.html#the_database_header).
  let pageSize: Int
  /// The SHA-256 of the file.
  let digest: String
  fileprivate let pages: [UInt64]

  /// Reads a file.
  ///
  /// - Throws: `FileError`, or `Malformed` if its size is not one of pages.
  /// - Complexity: O(size), with 8 bytes of memory for each page.
  init(_ path: String) throws {
    let file = try InputFile(path)
    pageSize = try PageImage.pageSize(file)
    var (digest, pages) = (SHA256(), [UInt64]())
    while case let page = try file.read(at: pages.count * pageSize, upTo: pageSize), !page.isEmpty {
      guard page.count == pageSize else { throw Malformed() }
      digest.update(page)
      var own = SHA256()
      own.update(page)
      pages.append(own.start)
    }
    (self.digest, self.pages) = (digest.hexadecimal, pages)
  }

  /// A file that does not consist of pages, or changes that do not fit.
  struct Malformed: Error {}

  private static func pageSize(_ file: InputFile) throws -> Int {
    let head = try file.read(at: 16, upTo: 2)
    guard head.count == 2 else { throw Malformed() }
    let size = Int(head[0]) << 8 | Int(head[1])
    // 65,536 does not fit into two bytes.
    guard size == 1 || size >= 512 && size & (size - 1) == 0 else { throw Malformed() }
    return size == 1 ? 65_536 : size
  }
}

/// What makes one SQLite file of another: the pages that differ.
///
/// A line says which file it is about and what must come out of it; then come the numbers of the pages, from 0, each in four
/// bytes, and what they have.
struct PageChanges: Sendable {
  /// The SHA-256 of the file that is changed; nil if there is none.
  let base: String?
  /// The SHA-256 of the result.
  let result: String
  let pageSize: Int
  /// How many pages the result has.
  let count: Int

  private static let start = "customers pages 1"
  private static let none = "-"

  /// Writes the changes from one image to another into a file.
  ///
  /// - Parameters:
  ///   - base: what the other side has, to which the pages that are the same need not be sent; nil for all pages.
  ///   - digest: the SHA-256 of the file on the other side; nil if it has none.
  ///   - image: the image of the file at `path`.
  ///   - path: the file.
  ///   - output: takes the bytes.
  /// - Throws: `FileError`.
  /// - Complexity: O(pages).
  static func write(
    from base: PageImage?, digest: String?, to image: PageImage, ofFileAt path: String, _ output: EditableFile
  ) throws {
    let words = [start, digest ?? none, image.digest, "\(image.pageSize)", "\(image.pages.count)"]
    try output.append(Array((words.joined(separator: " ") + "\n").utf8))
    let file = try InputFile(path)
    var bytes: [UInt8] = []
    for (number, page) in image.pages.enumerated() {
      if let base, base.pageSize == image.pageSize, number < base.pages.count, base.pages[number] == page {
        continue
      }
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
      bytes += try file.read(at: number * image.pageSize, upTo: image.pageSize)
      if bytes.count >= 1 << 20 {
        try output.append(bytes)
        bytes = []
      }
    }
    try output.append(bytes)
  }

  /// Reads the first line.
  ///
  /// - Throws: `PageImage.Malformed`.
  init(_ line: String) throws {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 7, words[..<3].joined(separator: " ") == PageChanges.start,
      let pageSize = Int(words[5]), (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0,
      let count = Int(words[6]), (1...Int(UInt32.max)).contains(count)
    else { throw PageImage.Malformed() }
    base = words[3] == PageChanges.none ? nil : String(words[3])
    (result, self.pageSize, self.count) = (String(words[4]), pageSize, count)
  }

  /// Makes the result, page by page.
  ///
  /// - Parameters:
  ///   - old: the file that is changed; nil if there is none.
  ///   - changes: the changes, after their first line.
  ///   - result: takes the pages.
  /// - Returns: whether `old` is the file that the changes are for; otherwise the result is of no use.
  /// - Throws: `PageImage.Malformed` if the changes are not whole, or another file comes out; what reading and writing throw.
  /// - Complexity: O(pages), in constant memory; never more pages than the two files have.
  func apply(to old: InputFile?, _ changes: BufferedInput, _ result: (_ page: [UInt8]) throws -> Void) throws
    -> Bool
  {
    var (before, after) = (SHA256(), SHA256())
    var next = try changes.pageNumber()
    for number in 0..<count {
      let kept = try old?.read(at: number * pageSize, upTo: pageSize) ?? []
      before.update(kept)
      var page = kept
      if next == number {
        page = try changes.bytes(pageSize)
        next = try changes.pageNumber()
      }
      // A page that neither file has would be one of a file without end.
      guard page.count == pageSize else {
        if old != nil, try !isBase(old) { return false }
        throw PageImage.Malformed()
      }
      after.update(page)
      try result(page)
    }
    var offset = count * pageSize
    while let rest = try old?.read(at: offset, upTo: 1 << 16), !rest.isEmpty {
      before.update(rest)
      offset += rest.count
    }
    guard (old == nil) == (base == nil), old == nil || before.hexadecimal == base else { return false }
    guard next == nil, after.hexadecimal == self.result else { throw PageImage.Malformed() }
    return true
  }

  private func isBase(_ old: InputFile?) throws -> Bool {
    var (digest, offset) = (SHA256(), 0)
    while let bytes = try old?.read(at: offset, upTo: 1 << 16), !bytes.isEmpty {
      digest.update(bytes)
      offset += bytes.count
    }
    return digest.hexadecimal == base
  }
}

/// A file that is read line by line or in pieces of a known size.
final class BufferedInput {
  private let file: InputFile
  private var buffer: [UInt8] = []
  private var position = 0

  init(_ file: InputFile) { self.file = file }

  /// The next line without its end, if it is not longer than a thousand bytes.
  func line() throws -> String {
    var line: [UInt8] = []
    while let byte = try bytes(upTo: 1).first, byte != 0x0a, line.count < 1000 { line.append(byte) }
    return String(decoding: line, as: UTF8.self)
  }

  /// - Throws: `PageImage.Malformed` if there are fewer.
  fileprivate func bytes(_ count: Int) throws -> [UInt8] {
    let bytes = try bytes(upTo: count)
    guard bytes.count == count else { throw PageImage.Malformed() }
    return bytes
  }

  /// The next number of a page; nil at the end.
  fileprivate func pageNumber() throws -> Int? {
    let bytes = try bytes(upTo: 4)
    guard !bytes.isEmpty else { return nil }
    guard bytes.count == 4 else { throw PageImage.Malformed() }
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  private func bytes(upTo count: Int) throws -> [UInt8] {
    while buffer.count - position < count {
      let more = try file.read()
      guard !more.isEmpty else { break }
      buffer = Array(buffer[position...]) + more
      position = 0
    }
    let bytes = Array(buffer[position..<min(position + count, buffer.count)])
    position += bytes.count
    return bytes
  }
}
