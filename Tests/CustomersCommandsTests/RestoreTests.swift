import Foundation
import CustomersSystem
import CustomersTestSupport
import Testing

/// `customers restore`: a backup goes into the file that programs have open.
@Suite(.onThreads) struct RestoreTests {
  @Test(arguments: try Transcript.sessions("Restore"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  private func list(_ sandbox: CLISandbox, _ file: String? = nil) throws -> String {
    try sandbox.run(words: ["list", "--json"] + (file.map { ["--db", $0] } ?? [])).output
  }

  @Test func `the list becomes that of the backup, and the old one is kept beside it`() throws {
    let sandbox = try CLISandbox.withDemo()
    let before = try list(sandbox)
    try #require(try sandbox.run("backup", "b", "-q") == .done())
    try #require(try sandbox.run("delete", "1-3", "-y", "-q") == .done())
    let after = try list(sandbox)
    let backup = try Data(contentsOf: URL(filePath: sandbox.folder + "/b"))
    let inode = try sandbox.shell("stat -c %i customers.sqlite").output
    let kept = sandbox.file + ".before-restore"
    let told = "The old list is in \"\(kept)\"; to go back, restore that file."
    #expect(try sandbox.run("restore", "b", "-y") == .done("Restored 10 rows from \"b\".", errors: told))
    #expect(try list(sandbox) == before && list(sandbox, kept) == after)
    #expect(try sandbox.shell("stat -c %i customers.sqlite").output == inode)
    #expect(try Data(contentsOf: URL(filePath: sandbox.folder + "/b")) == backup)
    try sandbox.expectSound()
    // The history is that of the backup.
    #expect(try sandbox.run("undo", "-n", "-q").code == 0)
    let back = try sandbox.run("restore", kept, "-y", "--json")
    let json = #"{"op":"restore","file":"\#(kept)","count":7,"kept":"\#(kept)-2"}"#
    #expect(back == .done(json))
    #expect(try list(sandbox) == after && list(sandbox, kept + "-2") == before)
    let file = (sandbox.file as NSString).lastPathComponent
    #expect(try sandbox.names == ["b", file, file + ".before-restore", file + ".before-restore-2"])
    #expect(try sandbox.shell("stat -c %a customers.sqlite.before-restore") == .done("600"))
  }

  @Test(arguments: [
    // The second half is gone; a trigger is no SQL; the first page has only its header.
    "truncate -s $(($(stat -c %s customers.sqlite) / 2)) customers.sqlite",
    "LC_ALL=C sed -i 's/INSERT ON renew_history BEGIN/INSERT ON renew_history |EGIN/' customers.sqlite",
    "dd if=/dev/zero of=customers.sqlite bs=1 seek=100 count=3900 conv=notrunc status=none",
  ])
  func `a list that can't be read is replaced, and kept byte for byte`(damage: String) throws {
    let sandbox = try CLISandbox.withDemo()
    let before = try list(sandbox)
    try #require(try sandbox.run("backup", "b", "-q") == .done())
    try #require(try sandbox.run("delete", "1-3", "-y", "-q") == .done())
    try #require(try sandbox.shell(damage) == .done())
    let damaged = sandbox.bytes
    #expect(try sandbox.run("list").code != 0)
    let declined = try sandbox.expectUntouched { try sandbox.run("restore", "b", stdin: "n\n") }
    #expect(declined.code == 4, "\(declined)")
    let kept = sandbox.file + ".before-restore"
    let told = "The old list is in \"\(kept)\"; to go back, restore that file."
    #expect(try sandbox.run("restore", "b", "-y") == .done("Restored 10 rows from \"b\".", errors: told))
    #expect(try list(sandbox) == before)
    #expect(FileManager.default.contents(atPath: kept) == damaged)
    #expect(try sandbox.shell("stat -c %a customers.sqlite.before-restore") == .done("600"))
    try sandbox.expectSound()
  }

  @Test func `what SQLite does not recognize may be no list, and is moved away first`() throws {
    let sandbox = try CLISandbox.withDemo()
    try #require(try sandbox.run("backup", "b", "-q") == .done())
    try #require(
      try sandbox.shell("dd if=/dev/zero of=customers.sqlite bs=1 count=4096 conv=notrunc status=none").code
        == 0)
    let refused = try sandbox.expectUntouched { try sandbox.run("restore", "b", "-y") }
    #expect(
      refused.code == 1 && refused.errors.contains("mv \"\(sandbox.file)\" \"\(sandbox.file).damaged\""),
      "\(refused)")
    try #require(try sandbox.shell("mv customers.sqlite customers.sqlite.damaged").code == 0)
    #expect(try sandbox.run("restore", "b", "-y") == .done("Restored 10 rows from \"b\"."))
  }

  @Test func `a damaged backup is refused, and the list is unchanged`() throws {
    let sandbox = try CLISandbox.withDemo()
    try #require(try sandbox.run("backup", "damaged", "-q") == .done())
    let damage = "sqlite3 damaged 'DROP VIEW sections'"
    try #require(try sandbox.shell(damage + "; head -c 5000 damaged > cut; echo text > text").code == 0)
    let names = try sandbox.names
    let cases: [(String, Int32, String)] = [
      ("gone", 3, "can't open \"gone\": no such file"),
      ("damaged", 1, "can't restore \"damaged\": the backup is damaged ("),
      ("cut", 1, "can't "),
      (
        "text", 1,
        "can't open \"text\": not a customers file; it was left as it is\nhint: restore needs a file written by customers backup"
      ), (".", 1, "can't open \".\": "),
      ("-", 2, "restore needs a file name"),
      ("customers.sqlite", 4, "can't restore \"customers.sqlite\": this is the list itself"),
    ]
    for (file, code, message) in cases {
      let answer = try sandbox.expectUntouched { try sandbox.run("restore", file, "-y") }
      #expect(answer.code == code && answer.errors.hasPrefix("customers: " + message), "\(file): \(answer)")
    }
    #expect(try sandbox.names == names)
  }

  @Test(arguments: [
    "INSERT INTO customers (first_name) VALUES (CAST(x'41ff42' AS TEXT))",
    "UPDATE place SET slot = slot + 7 WHERE customer = 10",
  ])
  func `what backup has written of a list with problems is restored after a question`(sql: String) throws {
    let sandbox = try CLISandbox.withDemo()
    _ = try sandbox.sqlite(sql)
    let found = try sandbox.run("check").output
    #expect(try [0, 8].contains(sandbox.run("backup", "b").code))
    let count = found.split(separator: "\n").count
    let asked = try sandbox.run(words: ["restore", "b"], answers: ["n"])
    #expect(asked.code == 5 && asked.errors.hasPrefix(found), "\(asked)")
    #expect(asked.errors.contains("which has \(count) problem"), "\(asked)")
    #expect(try sandbox.run("restore", "b", "-y", "-q").code == 0)
    #expect(try sandbox.run("check").output == found)
  }

  @Test func `a missing list is made only when the backup is sound and wanted`() throws {
    let sandbox = try CLISandbox.withDemo()
    try #require(try sandbox.run("backup", "b", "-q") == .done())
    try #require(try sandbox.shell("echo text > text").code == 0)
    let names = try sandbox.names
    for path in ["new", "folder/new"] {
      #expect(try sandbox.run("restore", "text", "-y", "--db", path).code == 1)
      #expect(try sandbox.run(words: ["restore", "b", "--db", path], answers: ["n"]).code == 5)
      #expect(
        try sandbox.run("restore", "b", "-n", "--db", path) == .done("Would restore 10 rows from \"b\"."))
    }
    #expect(try sandbox.names == names)
    let usual = ["XDG_DATA_HOME": sandbox.folder + "/data", "CUSTOMERS_DB": ""]
    #expect(try sandbox.run("restore", "b", "-y", "-q", environment: usual) == .done())
    #expect(try sandbox.run("list", "--json", environment: usual).output == list(sandbox))
  }

  @Test func `programs that watch the list print it again, and go on`() throws {
    let sandbox = try CLISandbox.withDemo()
    let watched = try sandbox.shell(
      """
      customers backup b -q; customers add Gone -q
      timeout 60 "$CUSTOMERS" watch --json --limit 1 > ../watched 2> ../notes &
      until grep -q '"op":"list"' ../watched; do sleep 0.02; done
      customers restore b -y -q
      for i in $(seq 1000); do [ $(grep -c '"op":"list"' ../watched) = 2 ] && break; sleep 0.02; done
      customers add AFTER -q
      wait $!
      grep -o '"op":"[a-z]*"' ../watched; grep -c Gone ../watched; grep -c AFTER ../watched; cat ../notes
      """)
    let note = "note: the list was restored or replaced, or its history erased; this is the list now\n"
    #expect(watched.output == "\"op\":\"list\"\n\"op\":\"list\"\n\"op\":\"add\"\n1\n1\n" + note, "\(watched)")
  }

  @Test func `an edit of a program that has the list open goes into the restored list`() throws {
    let sandbox = try CLISandbox.withDemo()
    let result = try sandbox.shell(
      """
      customers backup b -q; mkfifo ../input; sqlite3 -batch "$CUSTOMERS_DB" < ../input > ../out & exec 3> ../input
      echo "SELECT count(*) FROM customers;" >&3
      until [ -s ../out ]; do sleep 0.02; done
      customers delete 1-9 -y -q; customers restore b -y -q
      echo "UPDATE customers SET note = 'late' WHERE id = 1; SELECT count(*) FROM customers;" >&3
      exec 3>&-; wait; cat ../out; customers show 1 --json | grep -c late
      """)
    #expect(result.output == "10\n10\n1\n", "\(result)")
    try sandbox.expectSound()
  }

  @Test func `the interrupt key ends a restore, and leaves nothing behind`() throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox()
    // Several thousand pages, between which it looks at the key.
    let rows = (1...2500).map { "C\($0),\(String(repeating: "x", count: 3000))\n" }.joined()
    try #require(try sandbox.run("import", "-", "-q", stdin: "name,note\n" + rows) == .done())
    try #require(try sandbox.run("backup", "b", "-q") == .done())
    try #require(try sandbox.run("delete", "1", "-y", "-q") == .done())
    // The key is pressed when the first page of the list is overwritten.
    let result = try sandbox.expectUntouched {
      try sandbox.shell(
        """
        exec strace -f -qq -o /dev/null -P '\(sandbox.file)-journal' -e trace=pwrite64 \
          -e inject=pwrite64:signal=SIGINT:when=1 "$CUSTOMERS" restore b -y
        """)
    }
    #expect(result == .failed(128 + SIGINT, ""))
    #expect(try sandbox.names == ["b", "customers.sqlite"])
    try sandbox.expectSound()
  }

  @Test func `a signal while a copy with a write-ahead log is checked leaves nothing of it`() throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try CLISandbox.withLetters()
    // The signal comes at the first write to the shared memory of the copy, which a dry run has shown.
    let result = try sandbox.shell(
      """
      "$CUSTOMERS" backup b -q && sqlite3 b 'PRAGMA journal_mode = wal' > trace
      strace -f -qq -o trace -e trace=openat,pwrite64 "$CUSTOMERS" restore b -n -q
      time=$(awk '/pwrite64/ { n++; if (found) { print n; exit } } /sqlite[.]~.....-shm/ { found = 1 }' trace)
      rm trace
      exec strace -f -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=SIGTERM:when=$time \
        "$CUSTOMERS" restore b -n -q
      """)
    #expect(result.code == 128 + SIGTERM)
    #expect(try sandbox.names.filter { $0.hasPrefix("customers.sqlite") } == ["customers.sqlite"])
  }

  @Test func `a killed restore leaves one of the two lists intact`() throws {
    let sandbox = try CLISandbox()
    let rows = (1...2000).map { "Ann \($0),\(String(repeating: "x", count: 200))\n" }.joined()
    try #require(try sandbox.run("import", "-", "-q", stdin: "name,note\n" + rows) == .done())
    try #require(try sandbox.run("backup", "b", "-q") == .done())
    try #require(try sandbox.run("delete", "1-1500", "-y", "-q") == .done())
    let old = try #require(sandbox.bytes)
    var tally = (before: 0, during: 0, after: 0)
    var kills = 0
    while kills < 8 || (kills < 100 && (tally.during == 0 || tally.after == 0)) {
      kills += 1
      try sandbox.put(old)
      let started = try sandbox.start([CLISandbox.program, "restore", "b", "-y"])
      let process = try started.spawn.start()
      let journal = sandbox.file + "-journal"
      if kills % 4 == 3 {
        usleep(UInt32.random(in: 0..<100_000))
      } else {
        while unsafe access(journal, F_OK) != 0, !Spawn.hasEnded(process) {}
        if kills % 4 == 1 { usleep(UInt32.random(in: 0..<20_000)) }
      }
      Glibc.kill(process, SIGKILL)
      _ = Spawn.wait(process)
      let wasDuring = unsafe access(journal, F_OK) == 0
      try sandbox.expectSound()
      let count = try sandbox.sqlite("SELECT count(*) FROM customers")
      #expect(count == "500\n" || count == "2000\n")
      if wasDuring {
        tally.during += 1
      } else if count == "500\n" {
        tally.before += 1
      } else {
        tally.after += 1
      }
      for name in try sandbox.names where name.hasPrefix("customers.sqlite.") {
        try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)")
      }
      if kills % 10 == 9 { #expect(try sandbox.run("restore", "b", "-y", "-q") == .done()); tally.after += 1 }
    }
    #expect(tally.during > 0, "\(tally)")
  }
}
