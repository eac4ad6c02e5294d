internal import CustomersSystem

/// Writes a zip file piece by piece (APPNOTE.TXT of PKWARE), with memory for one piece; the same content makes the same bytes.
struct ZipWriter {
  private struct Entry {
    var name: String
    var offset: Int
    var crc: UInt32 = 0
    var packed = 0
    var size = 0
  }

  private var entries: [Entry] = []
  /// How many bytes were written.
  private var offset = 0
  private var stream: Deflate?

  /// Whether the sizes still fit into the format.
  var isInLimits: Bool { offset < Int(UInt32.max) && (entries.last?.size ?? 0) < Int(UInt32.max) }

  /// Writes a whole file.
  mutating func add(_ name: String, _ content: String, to bytes: inout [UInt8]) {
    begin(name, to: &bytes)
    append(Array(content.utf8), to: &bytes)
    end(&bytes)
  }

  /// Begins a file.
  mutating func begin(_ name: String, to bytes: inout [UInt8]) {
    let entry = Entry(name: name, offset: offset)
    stream = Deflate(inflating: false)
    let start = bytes.count
    bytes.append(0x0403_4b50 as UInt32)
    appendCommon(of: entry, to: &bytes)
    bytes.append(UInt16(0))
    bytes += name.utf8
    entries.append(entry)
    offset += bytes.count - start
  }

  /// Appends to the file.
  mutating func append(_ content: [UInt8], to bytes: inout [UInt8]) {
    pack(content, isLast: false, to: &bytes)
  }

  /// Ends the file.
  mutating func end(_ bytes: inout [UInt8]) {
    pack([], isLast: true, to: &bytes)
    stream = nil
    let entry = entries[entries.count - 1]
    bytes.append(0x0807_4b50 as UInt32)
    for number in [
      entry.crc, UInt32(truncatingIfNeeded: entry.packed), UInt32(truncatingIfNeeded: entry.size),
    ] {
      bytes.append(number)
    }
    offset += 16
  }

  /// Writes what comes after the files: their names and places.
  mutating func finish(_ bytes: inout [UInt8]) {
    let start = bytes.count
    for entry in entries {
      bytes.append(0x0201_4b50 as UInt32)
      bytes.append(UInt16(20))
      appendCommon(of: entry, to: &bytes)
      // No more fields, no comment, the first disk, and no attributes.
      bytes += [UInt8](repeating: 0, count: 12)
      bytes.append(UInt32(truncatingIfNeeded: entry.offset))
      bytes += entry.name.utf8
    }
    let size = bytes.count - start
    bytes.append(0x0605_4b50 as UInt32)
    bytes.append(UInt32(0))
    bytes.append(UInt16(entries.count))
    bytes.append(UInt16(entries.count))
    bytes.append(UInt32(size))
    bytes.append(UInt32(truncatingIfNeeded: offset))
    bytes.append(UInt16(0))
  }

  /// What both heads of a file have: the version, that the sizes come after the content, deflate, the first day that a zip
  /// file can say, the checksum and sizes as far as they are known, and the length of the name.
  private func appendCommon(of entry: Entry, to bytes: inout [UInt8]) {
    for number in [20, 8, 8, 0, 0x21] as [UInt16] { bytes.append(number) }
    for number in [Int(entry.crc), entry.packed, entry.size] {
      bytes.append(UInt32(truncatingIfNeeded: number))
    }
    bytes.append(UInt16(entry.name.utf8.count))
  }

  private mutating func pack(_ content: [UInt8], isLast: Bool, to bytes: inout [UInt8]) {
    let (start, last) = (bytes.count, entries.count - 1)
    _ = stream?.take(content, isLast: isLast, to: &bytes)
    entries[last].crc = crc32(content, after: entries[last].crc)
    entries[last].size += content.count
    entries[last].packed += bytes.count - start
    offset += bytes.count - start
  }
}

extension [UInt8] {
  /// Appends a number, the lowest byte first.
  fileprivate mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
