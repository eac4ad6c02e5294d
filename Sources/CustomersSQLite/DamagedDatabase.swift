internal import CSQLite

/// The rows of a database file that SQLite may refuse to open, page by page, as far as each can be read
/// (https://sqlite.org/fileformat.html).
///
/// Nothing in the file is trusted: a page is read as part of one table at most, and only if its rows could be of that
/// table, so the time is linear in the size of the file. Pages that no tree leads to are looked at, too.
package struct DamagedDatabase {
  /// What the rows of a table look like.
  package struct Shape: Sendable {
    /// How many values a row has, at least and at most.
    package var columns: ClosedRange<Int>
    /// The column that is the `rowid` and is stored as `NULL`.
    package var alias: Int?
    /// The columns that hold texts, as SQLite ensures: never a number.
    package var texts: Set<Int>
    /// Whether it is a table `WITHOUT ROWID`, stored as an index is.
    package var isIndex: Bool
    /// What else is true of each row.
    package var holds: @Sendable (StoredRow) -> Bool = { _ in true }

    /// Creates a shape.
    package init(columns: ClosedRange<Int>, alias: Int? = nil, texts: Set<Int> = [], isIndex: Bool = false) {
      (self.columns, self.alias, self.texts, self.isIndex) = (columns, alias, texts, isIndex)
    }

    func fits(_ row: StoredRow) -> Bool {
      guard columns.contains(row.values.count), holds(row) else { return false }
      if let alias, alias < row.values.count, row.values[alias] != .null { return false }
      return texts.allSatisfy { column in
        guard column < row.values.count else { return true }
        switch row.values[column] {
        case .integer, .real: return false
        default: return true
        }
      }
    }

    /// How much a row looks like one of this table: also by the numbers where there are no texts.
    func likeness(_ row: StoredRow) -> Int {
      guard fits(row) else { return -1 }
      let numbers = row.values.enumerated().count { index, value in
        guard !texts.contains(index), case .integer = value else { return false }
        return true
      }
      let strings = texts.count { $0 < row.values.count && row.values[$0]?.string != nil }
      return numbers + 2 * strings
    }
  }

  /// The bytes at an offset, at most that many; fewer at the end.
  package typealias Reading = (_ offset: Int, _ count: Int) throws -> [UInt8]

  /// The size of a page, in bytes.
  package let pageSize: Int
  /// The number of pages.
  package let pageCount: Int
  /// `PRAGMA application_id` and `user_version`; nil if the header of the file is damaged.
  package let identity: (applicationID: Int64, userVersion: Int)?
  /// How many bytes of a page SQLite uses.
  private var usable: Int
  private let encoding: TextEncoding
  private let read: Reading
  /// The pages that were read as part of a table.
  private var claimed: [Bool]
  /// The first row that leads to an overflow page, and the root of its tree.
  private var owners: [Int: (id: Int64, root: Int)] = [:]
  /// The pages that the file lists as free: what they hold was deleted.
  private var free: Set<Int> = []
  /// How many more overflow pages may be read: damaged rows could all lead to the same long value.
  private var overflowBudget: Int

  static let title = Array("SQLite format 3\0".utf8)

  /// The size of a page that a header names; nil if there can be none of that size.
  static func pageSize(of header: [UInt8]) -> Int? {
    let found = header.number(at: 16, bytes: 2)
    guard found != 1 else { return 65536 }
    return (512...32768).contains(found) && found.nonzeroBitCount == 1 ? found : nil
  }

  /// Opens a file of `size` bytes.
  package init(size: Int, read: @escaping Reading) throws {
    let header = try read(0, 100)
    let isIntact = header.count == 100 && header.starts(with: Self.title)
    let found = isIntact ? Self.pageSize(of: header) : nil
    pageSize = found ?? 4096
    let reserved = found != nil && pageSize - Int(header[20]) >= 480 ? Int(header[20]) : 0
    usable = pageSize - reserved
    pageCount = (size + pageSize - 1) / pageSize
    identity =
      isIntact
      ? (Int64(header.number(at: 68, bytes: 4)), header.number(at: 60, bytes: 4)) : nil
    encoding = isIntact ? TextEncoding(rawValue: UInt32(header.number(at: 56, bytes: 4))) ?? .utf8 : .utf8
    self.read = read
    claimed = Array(repeating: false, count: pageCount + 1)
    overflowBudget = 2 * pageCount + 1000
    if try reserved > 0 && usesWholePages() { usable = pageSize }
    if isIntact { try findFreePages(header) }
  }

  /// Opens a file that is in memory.
  package init(image: [UInt8]) throws {
    try self.init(size: image.count) { offset, count in
      Array(image[min(offset, image.count)..<min(offset + count, image.count)])
    }
  }

  /// Reads the rows of the tree with this root.
  ///
  /// - Parameters:
  ///   - root: the page of the root; nil if it is not known.
  ///   - shape: what the rows look like.
  ///   - body: takes each row.
  /// - Returns: the pages that could not be read, 0 for a part of one; how many rows could not be, nil if that is not known.
  /// - Throws: what `body` or the reading throws.
  package mutating func readTree(_ root: Int?, _ shape: Shape, _ body: (StoredRow) throws -> Void) throws
    -> (pages: Set<Int>, rows: Int?)
  {
    guard let root else { return ([0], nil) }
    var unreadable: Set<Int> = []
    var lost: Int? = 0
    var waiting = [root]
    while let number = waiting.popLast() {
      guard let page = try page(number), page.isIndex == shape.isIndex, !claimed[number],
        case let rows = try rows(of: page), Self.fit(rows.found, shape)
      else {
        unreadable.insert(number)
        lost = nil
        continue
      }
      // SQLite leaves no page empty but a root.
      let isEmpty = page.isLeaf && page.cells.isEmpty && number != root
      // What is lost of an inner page leads to more.
      lost = isEmpty || !page.isLeaf && rows.lost > 0 ? nil : lost.map { $0 + rows.lost }
      guard !rows.found.isEmpty || rows.lost == 0 || !page.isLeaf && !page.isIndex else {
        unreadable.insert(number)
        continue
      }
      claimed[number] = true
      if rows.lost > 0 || isEmpty { unreadable.insert(0) }
      // A row that does not fit is damaged itself: the others on its page do.
      for row in rows.found { try body(owning(row, of: root)) }
      waiting += page.children.reversed()
    }
    return (unreadable, lost)
  }

  /// Notes the overflow pages of a row, which no other one has in an intact file.
  private mutating func owning(_ row: StoredRow, of root: Int) -> StoredRow {
    var row = row
    for page in row.overflow {
      if let owner = owners[page] {
        if owner != (row.id, root) { row.other = (owner.id, owner.root == root) }
      } else {
        owners[page] = (row.id, root)
      }
    }
    return row
  }

  /// Reads the entries of an index: the values of its columns, and the `rowid`.
  ///
  /// - Returns: whether all of it can be read.
  /// - Throws: what `body` or the reading throws.
  package mutating func readIndex(_ root: Int, _ body: (StoredRow) throws -> Void) throws -> Bool {
    try readTree(root, Shape(columns: 1...2000, isIndex: true), body).pages.isEmpty
  }

  /// Reads the rows on pages that no tree leads to.
  ///
  /// - Parameters:
  ///   - shapes: what the rows of each table look like that are looked for.
  ///   - body: takes the number of the table and each row.
  /// - Returns: for each page that has no rows, whether it is one of a table `WITHOUT ROWID` or of an index; whether there are
  ///   rows of some other table.
  /// - Throws: what `body` or the reading throws.
  @discardableResult
  package mutating func readLostPages(
    _ shapes: [Shape], _ body: (Int, StoredRow) throws -> Void
  ) throws -> (empty: [Bool], hasOthers: Bool) {
    guard pageCount > 1 else { return ([], false) }
    var (empty, hasOthers): ([Bool], Bool) = ([], false)
    for number in 2...pageCount where !claimed[number] && !free.contains(number) {
      guard let page = try page(number), page.isLeaf else { continue }
      let rows = try rows(of: page)
      guard !rows.found.isEmpty else {
        if rows.lost == 0 { empty.append(page.isIndex) }
        continue
      }
      let likeness = shapes.map { shape in
        guard shape.isIndex == page.isIndex, Self.fit(rows.found, shape) else { return -1 }
        return rows.found.reduce(0) { $0 + max(0, shape.likeness($1)) }
      }
      guard let best = likeness.max(), best >= 0, let table = likeness.firstIndex(of: best) else {
        hasOthers = hasOthers || !page.isIndex
        continue
      }
      claimed[number] = true
      for row in rows.found where shapes[table].fits(row) { try body(table, row) }
    }
    return (empty, hasOthers)
  }

  /// Whether most rows of a page could be of a table.
  private static func fit(_ rows: [StoredRow], _ shape: Shape) -> Bool {
    2 * rows.count { shape.fits($0) } >= rows.count
  }

  // Pages -------------------------------------------------------------------------------------------

  /// A page of a tree.
  private struct Page {
    /// Fewer than a page at the end of a file that was cut off.
    var bytes: [UInt8]
    /// Where the bytes end that cells use.
    var end: Int
    var isIndex: Bool
    var isLeaf: Bool
    /// Where its cells begin.
    var cells: [Int]
    /// How many more begin where none can be.
    var lostCells: Int
    var children: [Int]
  }

  /// A page; nil if it is none of a tree.
  private func page(_ number: Int) throws -> Page? {
    guard number >= 1, number <= pageCount else { return nil }
    let bytes = try read((number - 1) * pageSize, pageSize)
    let start = number == 1 ? 100 : 0
    let end = min(usable, bytes.count)
    guard end >= start + 12, [2, 5, 10, 13].contains(bytes[start]) else { return nil }
    let (isIndex, isLeaf) = ([2, 10].contains(bytes[start]), bytes[start] >= 10)
    let list = start + (isLeaf ? 8 : 12)
    let count = bytes.number(at: start + 3, bytes: 2)
    guard list + 2 * count <= end else { return nil }
    // SQLite, too, leaves out the bits that no place on a page has.
    let found = (0..<count).map { bytes.number(at: list + 2 * $0, bytes: 2) & (pageSize - 1) }
    let cells = found.filter { $0 >= list + 2 * count && $0 + 4 <= end }
    var children: [Int] = []
    if !isLeaf {
      children = cells.map { bytes.number(at: $0, bytes: 4) } + [bytes.number(at: start + 8, bytes: 4)]
    }
    return Page(
      bytes: bytes, end: end, isIndex: isIndex, isLeaf: isLeaf, cells: cells,
      lostCells: found.count - cells.count, children: children)
  }

  /// The rows on a page, and how many of them can't be read.
  private mutating func rows(of page: Page) throws -> (found: [StoredRow], lost: Int) {
    guard page.isLeaf || page.isIndex else { return ([], page.lostCells) }
    let found = try page.cells.compactMap { try row(page, $0) }
    return (found, page.lostCells + page.cells.count - found.count)
  }

  private mutating func row(_ page: Page, _ cell: Int) throws -> StoredRow? {
    var place = page.isLeaf ? cell : cell + 4
    guard let (size, length) = page.bytes.varint(at: place), (1..<1 << 31).contains(size) else { return nil }
    place += length
    var id: Int64 = 0
    if !page.isIndex {
      guard let (found, length) = page.bytes.varint(at: place) else { return nil }
      (id, place) = (found, place + length)
    }
    guard place < page.end else { return nil }
    let (payload, overflow) = try payload(page, at: place, size: Int(size))
    var row = StoredRow(id: id, payload: payload, encoding: encoding)
    row?.overflow = overflow
    return row
  }

  /// The bytes of a record, on its page and those after it, as far as they can be read, and these pages.
  private mutating func payload(_ page: Page, at place: Int, size: Int) throws -> ([UInt8], overflow: [Int]) {
    let most = page.isIndex ? (usable - 12) * 64 / 255 - 23 : usable - 35
    guard size > most else { return (Array(page.bytes[place..<min(place + size, page.end)]), []) }
    let least = (usable - 12) * 32 / 255 - 23
    let wanted = least + (size - least) % (usable - 4)
    let local = wanted <= most ? wanted : least
    guard place + local + 4 <= page.end else { return (Array(page.bytes[place..<page.end]), []) }
    var payload = Array(page.bytes[place..<place + local])
    var overflow: [Int] = []
    var next = page.bytes.number(at: place + local, bytes: 4)
    while payload.count < size, next >= 2, next <= pageCount, overflowBudget > 0, !claimed[next] {
      overflowBudget -= 1
      let bytes = try read((next - 1) * pageSize, pageSize)
      guard bytes.count >= 4 else { break }
      overflow.append(next)
      payload += bytes[4..<min(usable, bytes.count, 4 + size - payload.count)]
      guard bytes.count == pageSize else { break }
      next = bytes.number(at: 0, bytes: 4)
    }
    return (payload, overflow)
  }

  /// Whether rows are where the header says that none are: then it is damaged, because a page is filled from its end.
  private func usesWholePages() throws -> Bool {
    var (pages, full) = (0, 0)
    for number in 1...max(1, min(pageCount, 100)) {
      guard let page = try page(number), !page.isIndex, page.isLeaf, !page.cells.isEmpty else { continue }
      pages += 1
      let ends = page.cells.compactMap { cell -> Int? in
        guard let (size, length) = page.bytes.varint(at: cell), (1...Int64(usable - 35)).contains(size),
          let (_, more) = page.bytes.varint(at: cell + length)
        else { return nil }
        return cell + length + more + Int(size)
      }
      if page.lostCells > 0 || ends.contains(where: { $0 > usable }) { full += 1 }
    }
    return 2 * full > pages
  }

  private mutating func findFreePages(_ header: [UInt8]) throws {
    var trunk = header.number(at: 32, bytes: 4)
    while (2...max(2, pageCount)).contains(trunk), free.insert(trunk).inserted {
      let bytes = try read((trunk - 1) * pageSize, pageSize)
      guard bytes.count == pageSize else { return }
      let count = min(bytes.number(at: 4, bytes: 4), usable / 4 - 2)
      free.formUnion((0..<count).map { bytes.number(at: 8 + 4 * $0, bytes: 4) })
      trunk = bytes.number(at: 0, bytes: 4)
    }
  }
}

extension LocalFile {
  /// Whether it is a database that SQLite refuses to open, or only to write, because of its header: no version of SQLite
  /// writes such numbers (https://sqlite.org/fileformat.html#the_database_header).
  package var hasDamagedHeader: Bool { unsafe Self.hasDamagedHeader(connection.handle) }

  static func hasDamagedHeader(_ connection: OpaquePointer?) -> Bool {
    var header = [UInt8](repeating: 0, count: 24)
    let code = unsafe header.withUnsafeMutableBytes { buffer in
      unsafe csqlite_file_read(connection, buffer.baseAddress, Int32(buffer.count), 0)
    }
    let likeness = zip(header, DamagedDatabase.title).count { $0 == $1 }
    guard code == SQLITE_OK, likeness >= 12 else { return false }
    return likeness < 16 || DamagedDatabase.pageSize(of: header) == nil || header[18] > 2 || header[19] > 2
      || header[21...] != [64, 32, 32]
  }

  /// Prepares to read and overwrite a file whose schema may be damaged: SQLite does not refuse it because of that.
  ///
  /// No statement may use the schema.
  package func acceptDamage() throws {
    unsafe sqlite3_limit(connection.handle, SQLITE_LIMIT_ATTACHED, 0)
    for option in [SQLITE_DBCONFIG_DEFENSIVE, SQLITE_DBCONFIG_TRUSTED_SCHEMA] { try configure(option, false) }
    try connection.executeScript("PRAGMA writable_schema = ON")
  }

  /// The size of the file, in bytes.
  package func size() throws -> Int {
    var size: Int64 = 0
    let code = unsafe csqlite_file_size(connection.handle, &size)
    guard code == SQLITE_OK else { throw connection.lastError(code, sql: "xFileSize") }
    return Int(size)
  }

  /// The bytes at an offset of the file, even if SQLite refuses the database; fewer at its end.
  package func bytes(at offset: Int, upTo count: Int) throws -> [UInt8] {
    let count = min(count, try size() - offset)
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let code = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe csqlite_file_read(connection.handle, buffer.baseAddress, Int32(count), Int64(offset))
    }
    guard code == SQLITE_OK else {
      throw SQLiteError(code: ResultCode(rawValue: code), message: "disk I/O error", sql: "xRead")
    }
    return bytes
  }
}
