@testable import CustomerStore
import Foundation
import CustomersSystem
import CustomersSQLite
import CustomersTestSupport
import Testing

/// The requirements of a file to be opened, and the errors of others.
@Suite(.onThreads) struct OpeningTests {
  /// A file that is not a customers list: a script that creates it, and the error.
  static let foreign: [(script: String, error: StoreError)] = [
    ("PRAGMA user_version = 99", .newerFormat(found: 99, known: CustomerStore.formatVersion)),
    ("PRAGMA application_id = 0x436c7374; PRAGMA user_version = -1", .notACustomersFile),
    ("PRAGMA application_id = 0x436c7374; PRAGMA user_version = 0", .notACustomersFile),
    ("PRAGMA application_id = 0x43757374; PRAGMA user_version = 11", .prereleaseFormat),
    ("PRAGMA application_id = 1", .notACustomersFile),
    ("PRAGMA application_id = 0", .notACustomersFile),
    ("PRAGMA application_id = 0; PRAGMA user_version = 0", .reloadedDump),
  ]

  @Test(arguments: foreign.indices)
  func `a list with a foreign application id is left untouched`(index: Int) throws {
    let (script, error) = Self.foreign[index]
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      _ = try CustomerStore(path: path)
      try Connection(path: path).executeScript(script)
      try refuses(path, error)
    }
  }

  /// As when a newer version upgrades a list that is open here, in its place.
  @Test(arguments: ["", "ALTER TABLE place ADD COLUMN newer"])
  func `a list that gets a newer format while it is open is neither read nor written`(change: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      let store = try CustomerStore(path: path)
      try store.write { _ = try $0.insert(CustomerFields(name: "Ann")) }
      _ = try store.read { try $0.count() }
      let other = try Connection(path: path)
      try other.executeScript("BEGIN; PRAGMA user_version = 13; \(change); COMMIT")
      let before = try bytes(of: path)
      let error = StoreError.newerFormat(found: 13, known: 12)
      #expect(throws: error) { try store.write { _ = try $0.insert(CustomerFields(name: "Bob")) } }
      #expect(throws: error) { try store.dryRun { _ = try $0.insert(CustomerFields(name: "Bob")) } }
      #expect(throws: error) { try store.read { try $0.count() } }
      #expect(try bytes(of: path) == before)
      try other.executeScript("PRAGMA user_version = 11")
      #expect(throws: StoreError.replaced) { try store.read { try $0.count() } }
      try other.executeScript("PRAGMA user_version = 12")
      #expect(try store.read { try $0.count() } == 1)
    }
  }

  @Test(arguments: ["CREATE TABLE t (x)", "PRAGMA user_version = 1", "PRAGMA application_id = 7"])
  func `the database of another program is left untouched`(script: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/other.sqlite"
      try write([], to: path)
      try Connection(path: path).executeScript(script)
      try refuses(path, .notACustomersFile)
    }
  }

  @Test(arguments: ["xy", "Ann,Lee\n", String(repeating: "first name,last name\n", count: 500)])
  func `a text file is left untouched`(text: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.csv"
      try write(Array(text.utf8), to: path)
      try refuses(path, .notACustomersFile)
    }
  }

  @Test func `a text file of one byte is left untouched`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.csv"
      try write([0x78], to: path)
      // SQLite takes a file of one byte for an empty one.
      try refuses(path, .notACustomersFile)
    }
  }

  @Test func `links are refused in every part of a path, if that is asked for`() throws {
    try withTemporaryFolder { folder in
      let folder = URL(filePath: folder).resolvingSymlinksInPath().path
      try FileManager.default.createDirectory(atPath: folder + "/real", withIntermediateDirectories: false)
      let path = folder + "/real/list.sqlite"
      _ = try CustomerStore(path: path)
      for (link, target) in [("linked", "real"), ("link.sqlite", "real/list.sqlite")] {
        try FileManager.default.createSymbolicLink(
          atPath: "\(folder)/\(link)", withDestinationPath: "\(folder)/\(target)")
      }
      var options = CustomerStore.Options()
      options.refusesLinks = true
      for name in ["linked/list.sqlite", "link.sqlite", "linked/new.sqlite", "real/../linked/list.sqlite"] {
        #expect(throws: StoreError.self, "\(name)") {
          try CustomerStore(path: "\(folder)/\(name)", options: options)
        }
        // As if the link had been put there after a look at the path.
        #expect(throws: SQLiteError.self, "\(name)") {
          try Connection(path: "\(folder)/\(name)", refusesLinks: true)
        }
      }
      #expect(
        try CustomerStore(path: path, options: options).write { try $0.insert(CustomerFields()).id }
          == CustomerID(rawValue: 1))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/real") == ["list.sqlite"])
    }
  }

  @Test func `a folder that is swapped for a link is never followed`() throws {
    try withTemporaryFolder { folder in
      let folder = URL(filePath: folder).resolvingSymlinksInPath().path
      for (name, rows) in [("mine", 1), ("theirs", 2)] {
        let store = try CustomerStore(path: "\(folder)/\(name)/list.sqlite")
        try store.write { list in for _ in 0..<rows { _ = try list.insert(CustomerFields()) } }
      }
      let swapping = """
        ln -s theirs link
        while :; do mv -T mine kept; mv -T link mine; mv -T mine link; mv -T kept mine; done
        """
      let swapper = try Spawn(
        words: ["sh", "-c", swapping], environment: ProcessInfo.processInfo.environment, folder: folder
      ).start()
      defer {
        kill(swapper, SIGKILL)
        _ = Spawn.wait(swapper)
      }
      var options = CustomerStore.Options()
      (options.refusesLinks, options.createsFile) = (true, false)
      var counts: [Int] = []
      var attempts = 0
      // On a busy machine, the folder may be away most of the time.
      while attempts < (isLong ? 100_000 : 2_000) || counts.isEmpty && attempts < 200_000 {
        attempts += 1
        let count = try? CustomerStore(path: folder + "/mine/list.sqlite", options: options).read {
          try $0.count()
        }
        if let count { counts.append(count) }
      }
      #expect(counts.allSatisfy { $0 == 1 })
      #expect(!counts.isEmpty)
    }
  }

  @Test func `a list that can only be read is left as it is`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      _ = try CustomerStore(path: path)
      let before = try Data(contentsOf: URL(filePath: path))
      var options = CustomerStore.Options()
      options.isReadOnly = true
      let store = try CustomerStore(path: path, options: options)
      #expect(throws: StoreError.readOnly) { try store.write { try $0.insert(CustomerFields()) } }
      #expect(try store.dryRun { try $0.insert(CustomerFields()).id } == CustomerID(rawValue: 1))
      #expect(try store.read { try $0.count() } == 0)
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
  }

  @Test func `a folder, a pipe, and a file with two names are refused at once`() throws {
    try withTemporaryFolder { folder in
      #expect(throws: StoreError.notARegularFile) { try CustomerStore(path: folder) }
      let pipe = folder + "/pipe"
      #expect(unsafe mkfifo(pipe, 0o600) == 0)
      #expect(throws: StoreError.notARegularFile) { try CustomerStore(path: pipe) }
      let path = folder + "/list.sqlite"
      _ = try CustomerStore(path: path)
      #expect(unsafe link(path, folder + "/second.sqlite") == 0)
      try refuses(path, .hasSeveralNames)
      try refuses(folder + "/second.sqlite", .hasSeveralNames)
    }
  }

  @Test func `a link is followed, and a missing file is created only if requested`() throws {
    try withTemporaryFolder { folder in
      let (path, name) = (folder + "/list.sqlite", folder + "/name.sqlite")
      var options = CustomerStore.Options()
      options.createsFile = false
      #expect(throws: StoreError.missing) { try CustomerStore(path: path, options: options) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
      _ = try CustomerStore(path: path)
      #expect(unsafe symlink(path, name) == 0)
      let store = try CustomerStore(path: name, options: options)
      try store.write { list in _ = try list.insert(CustomerFields()) }
      #expect(try CustomerStore(path: path).read { try $0.count() } == 1)
    }
  }

  @Test func `an empty file becomes a list`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      try write([], to: path)
      let sections = try CustomerStore(path: path).read { try $0.sections() }
      #expect(sections.map(\.title) == ["Customers"])
    }
  }

  @Test func `an empty file stays empty if no list is to be made`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      try write([], to: path)
      var options = CustomerStore.Options()
      options.createsFile = false
      #expect(throws: StoreError.missing) { try CustomerStore(path: path, options: options) }
      #expect(try bytes(of: path) == [])
    }
  }

  @Test(arguments: ["customers", "CUSTOMERS", "customer_record", "Place", "sections"])
  func `a list with a foreign trigger can only be read`(table: String) throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      try CustomerStore(path: path).write { list in _ = try list.insert(CustomerFields(firstName: "Ann")) }
      let isView = ["customers", "CUSTOMERS", "sections"].contains(table)
      try Connection(path: path).executeScript(
        "CREATE TRIGGER foreign_one \(isView ? "INSTEAD OF" : "AFTER") INSERT ON \(table) BEGIN SELECT 1; END"
      )
      let before = try bytes(of: path)
      let store = try CustomerStore(path: path)
      #expect(try store.read { try $0.count() } == 1)
      #expect(throws: StoreError.unknownTriggers(["foreign_one"])) {
        try store.write { list in _ = try list.insert(CustomerFields()) }
      }
      #expect(try bytes(of: path) == before)
    }
  }

  @Test func `a trigger on a foreign table is allowed`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      _ = try CustomerStore(path: path)
      try Connection(path: path).executeScript(
        "CREATE TABLE own (x); CREATE TRIGGER own_one AFTER INSERT ON own BEGIN SELECT 1; END")
      try CustomerStore(path: path).write { list in _ = try list.insert(CustomerFields()) }
    }
  }

  @Test func `only the owner can read the file and its folder, whatever the umask`() throws {
    try withTemporaryFolder { folder in
      for mask in [0o000, 0o022] as [mode_t] {
        let path = "\(folder)/\(mask)/deep/list.sqlite"
        let old = umask(mask)
        defer { umask(old) }
        try CustomerStore(path: path).write { list in _ = try list.insert(CustomerFields()) }
        #expect(try mode(of: path) == 0o600)
        #expect(try mode(of: "\(folder)/\(mask)/deep") == 0o700)
        #expect(try mode(of: "\(folder)/\(mask)") == 0o700)
      }
    }
  }

  @Test func `an id is not reused, even after the file was closed`() throws {
    try withTemporaryFolder { folder in
      let path = folder + "/list.sqlite"
      let first = try CustomerStore(path: path).write { list in
        let customer = try list.insert(CustomerFields())
        try list.delete([customer.id])
        return customer.id
      }
      let second = try CustomerStore(path: path).write { list in try list.insert(CustomerFields()).id }
      #expect(second > first)
    }
  }

  @Test func `a write-ahead log is used if it is safe, otherwise refused`() throws {
    try withTemporaryFolder { folder in
      var options = CustomerStore.Options()
      options.usesWriteAheadLog = true
      if LocalFile.hasSafeWriteAheadLog {
        _ = try CustomerStore(path: folder + "/list.sqlite", options: options)
      } else {
        #expect(throws: StoreError.unsafeWriteAheadLog(version: CustomerStore.sqliteVersion)) {
          try CustomerStore(path: folder + "/list.sqlite", options: options)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
      }
    }
  }

  /// Opening throws this error and leaves the file, and its folder, as they were.
  private func refuses(_ path: String, _ error: StoreError) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let before = try bytes(of: path)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(throws: error) { try CustomerStore(path: path) }
    #expect(try bytes(of: path) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == files)
  }

  private func mode(of path: String) throws -> mode_t {
    var status = stat()
    try #require(unsafe lstat(path, &status) == 0)
    return status.st_mode & 0o777
  }
}
