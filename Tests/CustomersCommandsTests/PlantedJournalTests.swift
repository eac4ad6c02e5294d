import CustomersTestSupport
import Foundation
import Testing

/// A journal beside the list names a file that SQLite would delete when it has rolled the journal back.
@Suite(.onThreads) struct PlantedJournalTests {
  /// The end of a journal that shares a super-journal, as SQLite writes it.
  private func ending(_ name: String) -> [UInt8] {
    let bytes = Array(name.utf8)
    let sum = bytes.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
    func word(_ number: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
    return word(1 + 0x4000_0000 / 4096) + bytes + word(UInt32(bytes.count)) + word(sum)
      + [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
  }

  /// Returns a sandbox with a hot journal, and the journal without its ending.
  private func sandboxWithJournal() throws -> (CLISandbox, [UInt8]) {
    let sandbox = try CLISandbox.withLetters()
    let journal = sandbox.file + "-journal"
    // A writer that is killed after some of its pages are in the file.
    _ = try sandbox.shell(
      """
      command sqlite3 "$CUSTOMERS_DB" 'PRAGMA cache_size = 2; PRAGMA cache_spill = 1; BEGIN;
        CREATE TABLE t AS WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
          SELECT i, randomblob(500) AS b FROM n;
        UPDATE customer_record SET note = hex(randomblob(2000));' '.shell cp "$CUSTOMERS_DB-journal" ../hot' '.shell kill -9 $PPID'
      cp ../hot "$CUSTOMERS_DB-journal"
      """)
    return (sandbox, [UInt8](try Data(contentsOf: URL(filePath: journal))))
  }

  private func padded(_ journal: [UInt8]) -> [UInt8] {
    journal + [UInt8](repeating: 0, count: (512 - journal.count % 512) % 512)
  }

  @Test func `a list with a planted journal is not opened, and the named file stays`() throws {
    let (sandbox, journal) = try sandboxWithJournal()
    let victims = ["precious", "../precious", "other-mj0000009AB", "customers.sqlite-mj0000008AB"]
    for victim in victims {
      try sandbox.write("precious", to: victim)
      let path = sandbox.folder + "/" + victim
      try sandbox.write(padded(journal) + ending(path), to: "customers.sqlite-journal")
      for words in [["list"], ["add", "Eve"], ["check", "--repair"]] {
        let result = try sandbox.run(words: words)
        #expect(result.code == 1 && result.errors.contains("can't be trusted"), "\(victim): \(result)")
        #expect(result.errors.contains("hint: "))
      }
      #expect(FileManager.default.fileExists(atPath: path), "\(victim)")
    }
  }

  @Test func `a journal without such a name, or with one of SQLite's, is rolled back`() throws {
    for name in [nil, "customers.sqlite-mj0000009AB"] {
      let (sandbox, journal) = try sandboxWithJournal()
      var bytes = journal
      if let name {
        let path = sandbox.folder + "/" + name
        try sandbox.write(Array((sandbox.file + "-journal\0").utf8), to: name)
        bytes = padded(journal) + ending(path)
      }
      try sandbox.write(bytes, to: "customers.sqlite-journal")
      #expect(try sandbox.run("list", "-q").code == 0)
      try sandbox.expectSound()
      #expect(try sandbox.order == "A B C D | X Y")
    }
  }
}
