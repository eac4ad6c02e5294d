internal import CustomersFiles
internal import Synchronization

/// Files that pages send and fetch in pieces, each under a random name that its page has chosen.
///
/// They have no name on the disk, only this account can read them, and they are gone with the program. One that is not
/// used for ten minutes is dropped.
final class KeptFiles: Sendable {
  /// The maximum number of files.
  static let most = 4
  /// The maximum number of bytes of a file.
  static let largest = 256 << 20
  /// The maximum number of bytes of a piece.
  static let largestPiece = 1 << 20

  /// A file that grows at its end.
  final class File: Sendable {
    private let bytes: TemporaryFile
    private let size = Mutex(0)

    fileprivate init() throws { bytes = try TemporaryFile() }

    var count: Int { size.withLock(\.self) }

    /// Adds bytes at an offset; those that it has already are not read.
    ///
    /// - Returns: the number of bytes that it has then.
    /// - Throws: `APIRefusal` if something is missing before them, or if there is no room.
    func add(_ piece: [UInt8], at offset: Int) throws -> Int {
      try size.withLock { size in
        guard (0...size).contains(offset) else { throw APIRefusal.bad("A piece of the file is missing.") }
        let new = Array(piece.dropFirst(size - offset))
        guard size + new.count <= KeptFiles.largest else {
          throw APIRefusal(409, "refused", "The file has more than \(KeptFiles.largest >> 20) MB.")
        }
        try bytes.descriptor.write(new)
        size += new.count
        return size
      }
    }

    func read(at offset: Int) throws -> [UInt8] {
      try bytes.read(at: offset, upTo: min(KeptFiles.largestPiece, max(0, count - offset)))
    }

    /// Returns a function that reads all of it, piece by piece.
    func reader() -> () throws -> [UInt8] {
      var offset = 0
      return { [self] in
        let piece = try read(at: offset)
        offset += piece.count
        return piece
      }
    }
  }

  private struct Entry {
    let file: File
    var lastUse = ContinuousClock.now
  }

  private let longestRest: Duration
  private let entries = Mutex<[String: Entry]>([:])

  init(longestRest: Duration = .seconds(600)) { self.longestRest = longestRest }

  /// The file with a name; nil if there is none any more.
  subscript(name: String) -> File? {
    entries.withLock { entries in
      entries[name]?.lastUse = .now
      return entries[name]?.file
    }
  }

  /// Creates a file or empties the one that has its name.
  ///
  /// - Throws: `APIRefusal` if there are too many, or no room for one.
  func create(_ name: String) throws -> File {
    dropUnused()
    let file = try entries.withLock { entries in
      entries[name] = nil
      guard entries.count < KeptFiles.most else {
        throw APIRefusal(
          409, "refused", "\(KeptFiles.most) files are sent or fetched already; try again in some minutes.")
      }
      let file = try File()
      entries[name] = Entry(file: file)
      return file
    }
    Task { [weak self, longestRest] in
      while let self, self.entries.withLock({ $0[name]?.file === file }) {
        try? await Task.sleep(for: longestRest)
        self.dropUnused()
      }
    }
    return file
  }

  /// The names of the files.
  var names: [String] { entries.withLock { Array($0.keys) } }

  func drop(_ name: String) { entries.withLock { $0[name] = nil } }

  private func dropUnused() {
    let now = ContinuousClock.now
    entries.withLock { entries in
      entries = entries.filter { now - $0.value.lastUse < longestRest }
    }
  }
}
