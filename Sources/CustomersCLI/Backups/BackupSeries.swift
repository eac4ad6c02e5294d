internal import CustomerStore
internal import CustomersFiles
internal import CustomersPlatform

/// Copies of one list, named after the time in UTC: `copy-20261122T093000Z.sqlite` for `copy.sqlite`.
struct BackupSeries {
  private let folder: Folder
  /// The beginning of the names, before the time.
  private let start: String
  /// The end of the names: the extension.
  private let end: String
  /// What the series may use; nil for all that the account may.
  private let offer: Offer?

  init(_ path: String, offer: Offer? = nil) {
    self.offer = offer
    folder = Folder(ofFile: path)
    let name = path.split(separator: "/").last ?? ""
    let dot = name.lastIndex(of: ".").flatMap { $0 > name.startIndex ? $0 : nil } ?? name.endIndex
    (start, end) = (name[..<dot] + "-", String(name[dot...]))
  }

  /// Returns an unused path for a copy made now; waits if there is already one from this second.
  func next() -> String {
    while true {
      let path = path(of: "\(start)\(BackupSeries.time())\(end)")
      guard FileIdentity(path) != nil else { return path }
      usleep(50_000)
    }
  }

  /// Returns the paths of the existing copies, oldest first; a link is none.
  func copies() throws -> [String] {
    try folder.names().filter(isCopy).sorted().map(path).filter(BackupSeries.isRegular)
  }

  /// Removes the copies that a killed program has left unfinished.
  func removeUnfinished() { AtomicFile.removeAbandoned(in: folder) { isCopy(String($0)) } }

  /// Returns the revision of the last copy; nil if there is none, or if it can't be read.
  func lastRevision() -> String? {
    guard let last = try? copies().last else { return nil }
    return try? BackupSeries.revision(of: last, offer: offer)
  }

  /// Returns the revision of the list in a file.
  ///
  /// - Throws: `StoreError` if the file has no list.
  static func revision(of path: String, offer: Offer? = nil) throws -> String {
    var options = CustomerStore.Options()
    options.createsFile = false
    options = offer?.limit(options) ?? options
    return try CustomerStore(path: path, options: options).read { list in try list.version().text }
  }

  /// Removes the oldest copies and keeps the last `count`.
  ///
  /// Who may use lists only removes lists only.
  func removeAllButLast(_ count: Int) throws {
    for path in try copies().dropLast(count) {
      if offer?.isLimited == true, (try? BackupSeries.revision(of: path, offer: offer)) == nil { continue }
      try Folder.removeFile(path)
    }
  }

  private static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private func path(of name: String) -> String { folder.path == "/" ? "/\(name)" : "\(folder.path)/\(name)" }

  private func isCopy(_ name: String) -> Bool {
    guard name.hasPrefix(start), name.hasSuffix(end),
      name.utf8.count == start.utf8.count + 16 + end.utf8.count
    else { return false }
    let time = name.utf8.dropFirst(start.utf8.count).prefix(16)
    return zip(time, "00000000T000000Z".utf8).allSatisfy {
      $1 == 0x30 ? (0x30...0x39).contains($0) : $0 == $1
    }
  }

  /// Returns the time in UTC, as in `20261122T093000Z`.
  private static func time() -> String {
    var seconds = time_t(currentNanoseconds() / 1_000_000_000)
    var date = unsafe tm()
    unsafe gmtime_r(&seconds, &date)
    let numbers = unsafe [
      date.tm_year + 1900, date.tm_mon + 1, date.tm_mday, date.tm_hour, date.tm_min, date.tm_sec,
    ].map { $0 < 10 ? "0\($0)" : "\($0)" }
    return numbers[..<3].joined() + "T" + numbers[3...].joined() + "Z"
  }
}

extension ListVersion {
  /// The version as `customers __revision` prints it.
  var text: String { "\(history) \(edit)" }
}
