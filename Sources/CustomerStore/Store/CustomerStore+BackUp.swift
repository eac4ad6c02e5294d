internal import SQLite

/// Why a backup was not made.
///
/// There is no new file then, and one that was there is as it was.
public enum BackupError: Error, Hashable, Sendable {
  /// There is a file already.
  case exists
  /// The path is that of the list itself, or of a file that SQLite keeps beside it.
  case isTheList
  /// A journal of another list is beside the path; SQLite would play it into the copy.
  case hasJournal(String)
  /// The copy is not as the list is: so many things are wrong in it.
  case differs(Int)
  /// What the system said.
  case failed(String)
}

extension CustomerStore {
  /// Copies the list into a new file, also while other programs write: the copy is of one moment.
  ///
  /// It is checked before it gets its name, so that a file at `path` is a whole backup. Only its owner
  /// can read it. Writers wait as long as the copying takes, and readers do not.
  ///
  /// - Parameters:
  ///   - path: where the copy goes.
  ///   - replacing: whether a file that is there may be replaced.
  ///   - proceed: is called every thousand pages; if it throws, the backup is given up.
  /// - Returns: the number of customers in the copy, and what is wrong in it as in the list.
  /// - Throws: `BackupError`, `StoreError`, or what `proceed` throws.
  @discardableResult
  public func backUp(
    to path: String, replacing: Bool = false, proceed: () throws -> Void = {}
  ) throws -> (count: Int, violations: [Violation]) {
    try read { list in
      let source = list.connection.localFile
      try BackupError.check(path, against: source.path)
      do {
        return try DatabaseFile.writeAtomically(path, replacing: replacing) { temporary in
          try source.copy(to: Connection(path: temporary), proceed)
          return try list.compare(withCopy: temporary)
        }
      } catch let problem as DatabaseFile.Problem {
        throw BackupError(problem)
      }
    }
  }
}

extension CustomerList {
  /// Checks a copy; what is wrong in it must be so in the list too.
  fileprivate func compare(withCopy path: String) throws -> (count: Int, violations: [Violation]) {
    var options = CustomerStore.Options()
    options.createsFile = false
    let copy = CustomerList(
      connection: try Connection.open(path: path, options: options, Patience(options.busyTimeout)))
    let violations = try copy.check()
    guard try violations.isEmpty || violations == check() else { throw BackupError.differs(violations.count) }
    return (try copy.count(), violations)
  }
}

extension BackupError {
  fileprivate static func check(_ path: String, against source: String) throws {
    guard !DatabaseFile.isSame(path, source) else { throw isTheList }
    guard !DatabaseFile.isSpecial(path) else { throw failed(StoreError.notARegularFile.description) }
    let name = try? DatabaseFile.resolveFolder(ofFile: path)
    guard !DatabaseFile.sidecars.contains(where: { source + $0 == name }) else { throw isTheList }
    for suffix in DatabaseFile.sidecars where DatabaseFile.exists(path + suffix) {
      throw hasJournal(path + suffix)
    }
  }

  fileprivate init(_ problem: DatabaseFile.Problem) {
    self = problem == .exists ? .exists : .failed(StoreError(problem).description)
  }
}

extension BackupError: CustomStringConvertible {
  /// What is wrong, in one line without the file's name.
  public var description: String {
    switch self {
    case .exists: "there is such a file already"
    case .isTheList: "this is the list itself"
    case .hasJournal(let name): "\(name) belongs to another list and would spoil the copy"
    case .differs(let count): "the copy is not as the list is (\(count) differences); no backup was made"
    case .failed(let text): text
    }
  }
}
