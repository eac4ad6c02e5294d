import CustomersSQLite
import CustomersTestSupport
import Testing

/// Statements, their values, and their errors.
@Suite(.onThreads) struct StatementTests {
  let connection: Connection

  init() throws { connection = try Connection(path: ":memory:") }

  @Test(arguments: [
    "", "\0", "a\0b", "\0\0", "Ünïcödé 👩🏽‍🚀", "line\nline", String(repeating: "long ", count: 20_000),
  ])
  func `a string survives a round trip`(text: String) throws {
    try connection.execute("CREATE TABLE t (x TEXT)")
    try connection.execute("INSERT INTO t VALUES (?)", [.text(text)])
    #expect(try connection.fetchAll("SELECT x FROM t") { $0.text(0) } == [text])
    #expect(try connection.fetchOne("SELECT length(CAST(x AS BLOB)) FROM t") { $0.int(0) } == text.utf8.count)
    #expect(try connection.fetchOne("SELECT typeof(x) FROM t") { $0.text(0) } == "text")
  }

  @Test func `a text is readable in SQL if it is in Swift`() throws {
    let edges: [UInt8] = [
      0, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef,
      0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
    ]
    let beginnings = ["", "Grün", "a long text in ASCII, "].map { Array($0.utf8) }
    func check(_ text: [UInt8]) throws {
      let bytes = beginnings[text.reduce(0) { $0 + Int($1) } % 3] + text
      let digits = bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
      let sql = "SELECT are_readable(100, 'x', CAST(x'\(digits)' AS TEXT))"
      let isReadable = try connection.fetchOne(sql) { $0.bool(0) }
      #expect(isReadable == (String(validating: bytes, as: UTF8.self) != nil), "\(digits)")
      guard text.count < 3 || text.count == 3 && text[0] >= 0xf0 else { return }
      for edge in edges { try check(text + [edge]) }
    }
    try check([])
    let values = [
      ("x'41'", false), ("1", false), ("NULL", false), ("'abc'", true), ("'abcd'", false), ("''", true),
    ]
    for (value, isReadable) in values {
      #expect(try connection.fetchOne("SELECT are_readable(3, \(value))") { $0.bool(0) } == isReadable)
    }
  }

  @Test func `other values have other fingerprints`() throws {
    var texts = ["", "\0", "a", "a\0", "ab", "ba", "é"]
    texts += (5..<24).flatMap { count in
      let text = String(repeating: "x", count: count)
      return [text, text.dropLast() + "y", "y" + text.dropFirst(), text + "\0"].map { String($0) }
    }
    let values =
      texts.map { SQLiteValue.text($0) } + [.null] + [0, 1, -1, Int64.min].map { SQLiteValue.integer($0) }
    func prints(_ secret: Int64) throws -> Set<Int64> {
      var prints: Set<Int64> = []
      for value in values {
        for arguments in ["?2", "?2, ''", "'', ?2"] {
          let sql = "SELECT fingerprint(?1, \(arguments))"
          prints.insert(try connection.fetchOne(sql, [.integer(secret), value]) { $0.integer(0) } ?? 0)
        }
      }
      return prints
    }
    let secrets = (0..<2).map { _ in Int64.random(in: .min ... .max) }
    for secret in secrets {
      // An empty text before and after an empty text is the same.
      #expect(try prints(secret).count == 3 * values.count - 1)
    }
    #expect(try prints(secrets[0]).isDisjoint(with: prints(secrets[1])))
  }

  @Test func `numbers of many rows are read at once`() throws {
    try connection.executeScript("CREATE TABLE t (id INTEGER PRIMARY KEY, x)")
    #expect(try connection.fetchIntegers("id, x", from: "t") == [])
    for id in 1...100 {
      try connection.execute("INSERT INTO t VALUES (?, ?)", [.integer(id), .integer(-id)])
    }
    try connection.executeScript(
      "UPDATE t SET x = NULL WHERE id = 2; UPDATE t SET x = '3' WHERE id = 3; UPDATE t SET x = 4.0 WHERE id = 4"
    )
    let numbers = try connection.fetchIntegers("id, x", from: "t WHERE id < ?", [.integer(100)])
    #expect(numbers.count == 198)
    #expect(numbers.prefix(10) == [1, -1, 2, .min, 3, .min, 4, .min, 5, -5])
    #expect(numbers.suffix(2) == [99, -99])
  }

  @Test(arguments: [0, 1, -1, Int64.max, .min])
  func `an integer survives a round trip`(number: Int64) throws {
    #expect(try connection.fetchOne("SELECT ?", [.integer(number)]) { $0.integer(0) } == number)
  }

  @Test func `NULL is distinguished from an empty text and from 0`() throws {
    let found = try connection.fetchOne("SELECT ?, ?, ?", [.null, .text(""), .integer(0)]) { row in
      [row.isNull(0), row.isNull(1), row.isNull(2)]
    }
    #expect(found == [true, false, false])
    #expect(try connection.fetchOne("SELECT 1 WHERE 0") { _ in true } == nil)
  }

  @Test func `invalid text is shown safely`() throws {
    #expect(try connection.fetchOne("SELECT CAST(x'41ff42' AS TEXT)") { $0.text(0) } == "A\u{FFFD}B")
  }

  @Test func `a statement can run while it is already running`() throws {
    try connection.executeScript("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2), (3);")
    let sql = "SELECT x FROM t ORDER BY x"
    for _ in 0..<2 {
      let pairs = try connection.fetchAll(sql) { outer in
        let number = outer.int(0)
        return try connection.fetchAll(sql) { inner in number * 10 + inner.int(0) }
      }
      #expect(pairs == [[11, 12, 13], [21, 22, 23], [31, 32, 33]])
    }
  }

  @Test func `a statement that stopped halfway starts again, without its old values`() throws {
    struct Enough: Error {}
    let sql = "WITH n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5) SELECT x, ? FROM n"
    #expect(throws: Enough.self) {
      try connection.fetchAll(sql, [.text("old")]) { row in
        if row.int(0) == 3 { throw Enough() }
      }
    }
    let found = try connection.fetchAll(sql, [.null]) { row in "\(row.int(0))\(row.text(1))" }
    #expect(found == ["1", "2", "3", "4", "5"])
  }

  @Test func `an error carries the statement and never a value`() throws {
    try connection.executeScript("CREATE TABLE t (x UNIQUE); INSERT INTO t VALUES ('secret');")
    let sql = "INSERT INTO t VALUES (?)"
    let error = try #require(throws: SQLiteError.self) { try connection.execute(sql, [.text("secret")]) }
    #expect(error.sql == sql)
    #expect(error.code.primary == ResultCode(rawValue: 19))
    #expect(error.message == "UNIQUE constraint failed: t.x")
    #expect(!"\(error)".contains("secret"))
  }

  @Test func `a trigger's refusal has a code of its own`() throws {
    try connection.executeScript(
      "CREATE TABLE t (x); CREATE TRIGGER n BEFORE INSERT ON t BEGIN SELECT RAISE(ABORT, 'no: why'); END;")
    let error = try #require(throws: SQLiteError.self) { try connection.execute("INSERT INTO t VALUES (1)") }
    #expect(error.code == .constraintTrigger)
    #expect(error.message == "no: why")
  }

  @Test func `a hardened connection rejects double-quoted strings`() throws {
    try connection.localFile.harden()
    try connection.execute("CREATE TABLE t (x)")
    #expect(throws: SQLiteError.self) { try connection.execute(#"SELECT x FROM t ORDER BY "ordr""#) }
  }
}

/// The number of prepared statements kept.
@Suite(.onThreads) struct StatementCacheTests {
  @Test func `statements beyond the bound go, and work again when they are needed`() throws {
    let connection = try Connection(path: ":memory:")
    for _ in 0..<2 {
      for number in 0..<1_000 {
        let found = try connection.fetchOne("SELECT \(number)") { $0.int(0) }
        #expect(found == number)
      }
    }
    #expect(connection.statementCount == 2_000)
    #expect(connection.keptStatementCount == 128)
  }
}
