internal import CustomerStore
internal import CustomersSystem
internal import CustomersText

/// The copies of a list in a folder, which `CopyName` names.
struct BackupSeries {
  private let folder: Folder
  /// The name of the series; nil for all in the folder.
  private let name: String?
  /// What the series may use; nil for all that the account may.
  private let offer: Offer?
  /// The path of the list, which is no copy of itself, whatever its name; nil if it is not known.
  private let list: String?

  /// The series of a file, or all that a folder has.
  init(_ path: String, ofListAt list: String? = nil, offer: Offer? = nil) {
    (self.list, self.offer) = (list, offer)
    if Folder.isFolder(path) {
      (folder, name) = (Folder(path), nil)
    } else {
      (folder, name) = (Folder(ofFile: path), String(Folder.name(ofFile: path)))
    }
  }

  /// Returns an unused path for a copy made now; waits if there is already one from this second.
  func next() -> String {
    while true {
      let name = CopyName(ofSeries: name ?? "", at: currentNanoseconds() / 1_000_000_000)
      let path = path(of: name)
      guard FileIdentity(path) != nil else { return path }
      usleep(50_000)
    }
  }

  private func has(_ copy: CopyName) -> Bool { name == nil || copy.series == name }

  /// Returns the copies with what they have, oldest first, of which the ends are marked; a link is none.
  ///
  /// - Complexity: O(copies) if they were made in the order of their times, for each end.
  func copies() throws -> [KeptCopy] {
    var copies = try sorted()
    var rest = copies.indices.filter { copies[$0].isReadable }
    while let end = rest.popLast() {
      copies[end].isEnd = true
      let had = (try? had(byListAt: path(of: copies[end].name), copies)) ?? []
      rest.removeAll { had.contains(copies[$0].name.text) }
    }
    return copies
  }

  /// Returns the copies, oldest first.
  ///
  /// A copy is newer than one whose state its list has had, whatever the clock said. Of two that were edited apart, and of one
  /// that can't be read, only the time in the name is known.
  ///
  /// - Complexity: O(copies) if they were made in the order of their times.
  private func sorted() throws -> [KeptCopy] {
    try names().reduce(into: []) { copies, name in
      let new = copy(name)
      copies.insert(new, at: copies.firstIndex { isNewer($0, than: new) } ?? copies.endIndex)
    }
  }

  /// Returns the names of the copies in the order of their times.
  private func names() throws -> [CopyName] {
    let own = list.flatMap { FileIdentity($0) }
    return try folder.names().compactMap(CopyName.init).filter(has)
      .filter { name in BackupSeries.status(path(of: name)).map { FileIdentity($0) != own } ?? false }
      .sorted { ($0.seconds, $0.text) < ($1.seconds, $1.text) }
  }

  /// Returns the names of those copies whose states the list in a file has had.
  private func had(byListAt path: String, _ copies: [KeptCopy]) throws -> Set<String> {
    try read(path) { list in
      let id = try list.identity().list
      var names: Set<String> = []
      for copy in copies {
        guard let content = try? copy.content.get(), content.list == id, try list.has(content.version) else {
          continue
        }
        names.insert(copy.name.text)
      }
      return names
    }
  }

  /// Whether the list of a copy has had the state of another one.
  private func isNewer(_ copy: KeptCopy, than other: KeptCopy) -> Bool {
    guard let content = try? copy.content.get(), let old = try? other.content.get(),
      content.list == old.list, content.version.edit > old.version.edit
    else { return false }
    return (try? read(path(of: copy.name)) { try $0.has(old.version) }) ?? false
  }

  private func copy(_ name: CopyName) -> KeptCopy {
    let path = path(of: name)
    return KeptCopy(
      name: name, bytes: BackupSeries.status(path).map { Int($0.st_size) } ?? 0,
      content: Result {
        try read(path) { list in
          KeptCopy.Content(
            count: try list.count(), version: try list.version(), list: try list.identity().list)
        }
      })
  }

  /// Checks a copy as a restore would.
  ///
  /// - Throws: a `Failure` that names the copy if it can't be restored, with code `damaged` if that is why.
  /// - Complexity: O(size).
  func check(_ name: String) throws {
    guard let found = try names().first(where: { $0.text == name }) else {
      throw Failure.notFound("\(quoted(name)) is no longer there")
    }
    let path = path(of: found)
    do {
      let damage = try CustomerStore.checkCopy(at: path)
      guard !damage.isOfDamage else {
        throw Failure(
          code: .damaged,
          message: "\(quoted(path)), the newest copy, has \(counted(damage.count, "problem"))",
          details: damage.prefix(5).map { "     \($0.line)" }, hint: BackupSeries.remedy)
      }
      _ = try copy(found).content.get()
    } catch let error as StoreError {
      var failure = Failure(error, file: path)
      if error.isOfDamage || [.missing, .notACustomersFile].contains(error) { failure.code = .damaged }
      failure.hint = BackupSeries.remedy
      throw failure
    }
  }

  private static let remedy =
    "to see the other copies, which can be restored by name: customers backup FILE --list"

  /// Removes the copies that a killed program has left unfinished.
  func removeUnfinished() { AtomicFile.removeAbandoned(in: folder) }

  /// Whether there is a copy of a state, as `customers __revision` prints it.
  func has(revision: String) -> Bool {
    ((try? names()) ?? []).reversed().lazy.map(copy).contains { copy in
      (try? copy.content.get()).map { $0.version.text(of: $0.list) == revision } ?? false
    }
  }

  /// Returns the version of the list in a file.
  ///
  /// - Throws: `StoreError` if the file has no list.
  static func version(of path: String, offer: Offer? = nil) throws -> ListVersion {
    try identity(of: path, offer: offer).version
  }

  /// Returns the id and the version of the list in a file.
  ///
  /// - Throws: `StoreError` if the file has no list.
  static func identity(of path: String, offer: Offer? = nil) throws -> (list: String, version: ListVersion) {
    try BackupSeries(path, offer: offer).read(path) { (try $0.identity().list, try $0.version()) }
  }

  /// Whether a file that is to be replaced by a copy has the same list with edits that the copy neither has nor took in.
  ///
  /// It may be the list itself, which was edited since.
  ///
  /// - Complexity: O(1) if the list of the copy was once in that state; else as for a pull.
  static func wouldLose(_ path: String, replacedBy copy: CustomerStore, offer: Offer? = nil) -> Bool {
    guard let old = try? identity(of: path, offer: offer),
      let isApart = try? copy.read({ try $0.identity().list == old.list && !$0.has(old.version) }), isApart,
      let there = try? CustomerStore.checkedCopy(at: path)
    else { return false }
    return (try? copy.planPull(there, resolving: .latest) == nil) != true
  }

  /// Removes the copies of a list that need not be kept.
  ///
  /// Only what the list has had may go, since the copy just made reaches back to it. A copy that was edited apart stays, as does
  /// a file that can't be read, or has another list or no list, whatever its name.
  ///
  /// - Parameters:
  ///   - retention: which are kept.
  ///   - made: the path of the copy that was just made, which stays in any case.
  /// - Throws: `StoreError`, or `FileError`.
  /// - Complexity: O(copies).
  func remove(by retention: CopyRetention, sparing made: String) throws {
    let copies = try sorted()
    let had = try had(byListAt: made, copies)
    let own = copies.map(\.name).filter { had.contains($0.text) }
    for path in retention.removed(own).map(path(of:)) where path != made { try Folder.removeFile(path) }
  }

  func path(of name: CopyName) -> String { folder.path(ofFile: name.text) }

  private func read<Result: Sendable>(
    _ path: String, _ body: (borrowing CustomerList) throws -> Result
  ) throws -> Result {
    var options = CustomerStore.Options()
    options.createsFile = false
    options = offer?.limit(options) ?? options
    options.isReadOnly = true
    return try CustomerStore(path: path, options: options).read(body)
  }

  /// What the system knows of a file; nil for anything else, such as a link.
  private static func status(_ path: String) -> stat? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status : nil
  }
}

/// A copy of a series.
struct KeptCopy {
  struct Content: Sendable {
    /// The number of customers.
    let count: Int
    let version: ListVersion
    /// The id of the list.
    let list: String
  }

  let name: CopyName
  /// The size of the file.
  let bytes: Int
  /// What it has, or why it can't be read.
  let content: Result<Content, any Error>
  /// Whether no other copy has had its state: it is the newest of a list, or of what was edited apart.
  var isEnd = false

  var isReadable: Bool { (try? content.get()) != nil }

  /// Whether it is not known to be of another list than this one; nil is any.
  func mayBe(of list: String?) -> Bool { list == nil || (try? content.get().list == list) ?? true }
}

extension Failure {
  /// The failure for a copy that a clock which ran ahead has named: its age is unknown.
  init(ofFuture file: String) {
    self.init(
      code: .outdated, message: "the time in the name of \(quoted(file)) is in the future",
      hint:
        "a clock was wrong: give the file the time when it was made, or move it away; it can be restored by name",
      isFinding: true)
  }
}
