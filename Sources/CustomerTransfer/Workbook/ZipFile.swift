internal import CustomersSystem

/// The files in a zip file, each read piece by piece (APPNOTE.TXT of PKWARE).
///
/// What a writer of spreadsheets never does is refused, so that a hostile file costs neither memory nor time.
struct ZipFile {
  /// Reads bytes of the file from an offset on.
  typealias Read = (_ offset: Int, _ count: Int) throws -> [UInt8]

  struct Entry {
    var name: String
    var isPacked: Bool
    var crc: UInt32
    var packed: Int
    var size: Int
    /// Where its head is.
    var offset: Int
  }

  private var entries: [String: Entry] = [:]
  fileprivate let read: Read

  /// The most files, and bytes of the list of them.
  private static let (fileLimit, listLimit) = (10_000, 2_000_000)
  /// A file that grows more than so much is a bomb, unless it is small.
  private static let (growthLimit, smallSize) = (200, 16_000_000)
  private static let isZip64 = "it is in the zip64 form, for more than 65,534 files or 4 GB"

  /// Reads the list of files.
  ///
  /// - Throws: `TransferError.spreadsheet`, or what reading throws.
  init(size: Int, _ read: @escaping Read) throws {
    self.read = read
    let end = try ZipFile.end(size, read)
    guard end.list != Int(UInt32.max), end.start != Int(UInt32.max), end.count != Int(UInt16.max) else {
      throw TransferError.spreadsheet(ZipFile.isZip64)
    }
    let damage = TransferError.spreadsheet("its list of files is damaged")
    guard end.start + end.list <= end.offset, end.list <= ZipFile.listLimit, end.count <= ZipFile.fileLimit
    else { throw damage }
    let list = try Fields(read(end.start, end.list))
    var at = 0
    for _ in 0..<end.count {
      guard at + 46 <= list.bytes.count, list.int32(at) == 0x0201_4b50 else { throw damage }
      let (nameEnd, flags, method) = (at + 46 + list.int16(at + 28), list.int16(at + 8), list.int16(at + 10))
      guard nameEnd <= list.bytes.count else { throw damage }
      let name = String(decoding: list.bytes[at + 46..<nameEnd], as: UTF8.self)
      let entry = Entry(
        name: name, isPacked: method == 8, crc: UInt32(list.int32(at + 16)), packed: list.int32(at + 20),
        size: list.int32(at + 24), offset: list.int32(at + 42))
      guard flags & 1 == 0 else {
        throw TransferError.spreadsheet(
          "it is encrypted", in: name, remedy: "save it without a password, and import that")
      }
      guard method == 0 || method == 8 else {
        throw TransferError.spreadsheet("it is compressed in a way that is not deflate", in: name)
      }
      guard [entry.packed, entry.size, entry.offset].allSatisfy({ $0 != Int(UInt32.max) }) else {
        throw TransferError.spreadsheet(ZipFile.isZip64, in: name)
      }
      guard entry.size <= max(ZipFile.smallSize, entry.packed * ZipFile.growthLimit) else {
        throw TransferError.spreadsheet(
          "it would grow to more than \(ZipFile.growthLimit) times its size", in: name)
      }
      guard entries.updateValue(entry, forKey: name.lowercased()) == nil else {
        throw TransferError.spreadsheet("it is in the file twice", in: name)
      }
      at = nameEnd + list.int16(at + 30) + list.int16(at + 32)
    }
    try refuseOverlaps(before: end.start)
  }

  /// The end of the list of files, which says where it is.
  private static func end(
    _ size: Int, _ read: Read
  ) throws -> (offset: Int, count: Int, list: Int, start: Int) {
    let start = max(0, size - 22 - Int(UInt16.max))
    let tail = try Fields(read(start, size - start))
    var at = tail.bytes.count - 22
    while at >= 0 {
      if tail.int32(at) == 0x0605_4b50, at + 22 + tail.int16(at + 20) == tail.bytes.count {
        return (start + at, tail.int16(at + 10), tail.int32(at + 12), tail.int32(at + 16))
      }
      at -= 1
    }
    throw TransferError.spreadsheet("the end of the file is missing")
  }

  private func refuseOverlaps(before end: Int) throws {
    var end = end
    for entry in entries.values.sorted(by: { $0.offset > $1.offset }) {
      // The head has 30 bytes and the name.
      guard entry.offset + 30 + entry.name.utf8.count + entry.packed <= end else {
        throw TransferError.spreadsheet("it overlaps another part", in: entry.name)
      }
      end = entry.offset
    }
  }

  /// A file by its name, whose case makes no difference; nil if there is none.
  func content(of name: String) throws -> ZipContent? {
    try entries[name.lowercased()].map { try ZipContent($0, read) }
  }
}

/// Bytes with numbers in them, the lowest byte first.
private struct Fields {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func int16(_ at: Int) -> Int { Int(bytes[at]) | Int(bytes[at + 1]) << 8 }
  func int32(_ at: Int) -> Int { int16(at) | int16(at + 2) << 16 }
}

/// The content of a file in a zip file, piece by piece.
final class ZipContent {
  let entry: ZipFile.Entry
  private let read: ZipFile.Read
  private let stream = Deflate(inflating: true)
  /// Where the next bytes are, and how many are left.
  private var offset: Int
  private var rest: Int
  private var size = 0
  private var crc: UInt32 = 0
  private var isAtEnd = false

  fileprivate init(_ entry: ZipFile.Entry, _ read: @escaping ZipFile.Read) throws {
    (self.entry, self.read) = (entry, read)
    let head = try Fields(read(entry.offset, 30))
    guard head.bytes.count == 30, head.int32(0) == 0x0403_4b50 else {
      throw TransferError.spreadsheet("its head is damaged", in: entry.name)
    }
    offset = entry.offset + 30 + head.int16(26) + head.int16(28)
    rest = entry.packed
  }

  /// The next bytes; none at the end, where the checksum is compared.
  func next() throws -> [UInt8] {
    var output: [UInt8] = []
    while output.isEmpty, !isAtEnd {
      let piece = try read(offset, min(rest, 1 << 12))
      guard rest == 0 || !piece.isEmpty else { throw damage("the file ends in it") }
      offset += piece.count
      rest -= piece.count
      if entry.isPacked {
        guard stream.take(piece, to: &output) == piece.count, rest > 0 || stream.isAtEnd else {
          throw damage("its compressed bytes are damaged")
        }
      } else {
        output = piece
      }
      isAtEnd = rest == 0
      crc = crc32(output, after: crc)
      size += output.count
      guard size <= entry.size else { throw damage("it is larger than the file says") }
    }
    if isAtEnd {
      guard size == entry.size, crc == entry.crc else { throw damage("its checksum is wrong") }
    }
    return output
  }

  private func damage(_ reason: String) -> TransferError { .spreadsheet(reason, in: entry.name) }
}
