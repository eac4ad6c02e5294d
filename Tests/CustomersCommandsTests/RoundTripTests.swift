import Foundation
import CustomersTestSupport
import Testing

/// Import rebuilds what export writes.
@Suite(.onThreads) struct RoundTripTests {
  private static let count = isLong ? 10_000 : 100

  @Test(arguments: [
    ["csv"], ["tsv"], ["json"], ["ndjson"], ["vcard"], ["csv", "--spreadsheet-safe"],
    ["tsv", "--spreadsheet-safe"],
  ])
  func `export and import give the same list`(format: [String]) throws {
    let seed = Int.random(in: 0..<1_000_000)
    let sandbox = try CLISandbox()
    var list = AwkwardList(seed: seed, typedExtra: !["csv", "tsv"].contains(format[0]))
    try list.make(sandbox.file, rows: RoundTripTests.count)
    let options = (["--format"] + format).joined(separator: " ")
    let result = try sandbox.shell(
      """
      customers export \(options) | tee file | customers import - --format \(format[0]) --db copy.sqlite
      """)
    let rows = "\(RoundTripTests.count) rows"
    #expect(
      result.output == "Imported \(RoundTripTests.count) customers; the list has \(rows).\n"
        && result.code == 0, "seed \(seed)")
    let original = try AwkwardList.rows(sandbox.file)
    let copy = try AwkwardList.rows(sandbox.folder + "/copy.sqlite")
    #expect(original.count == RoundTripTests.count && copy.count == original.count)
    let differ = zip(original, copy).enumerated().first { $0.element.0 != $0.element.1 }
    #expect(differ == nil, "seed \(seed)")
    #expect(try sandbox.run("check", "--db", "copy.sqlite").code == 0)
  }

  /// Python and the sqlite3 shell read our CSV, and we read theirs.
  @Test func `other programs read our csv, and we read theirs`() throws {
    let sandbox = try CLISandbox()
    let seed = Int.random(in: 0..<1_000_000)
    var list = AwkwardList(seed: seed, typedExtra: false)
    try list.make(sandbox.file, rows: RoundTripTests.count)
    let result = try sandbox.shell(
      #"""
      set -e
      customers export ours.csv -q
      # Python reads it and writes it again, everything in quotes.
      python3 - <<'END'
      import csv, sqlite3
      rows = list(csv.reader(open('ours.csv', newline='', encoding='utf-8'), strict=True))
      assert len({len(row) for row in rows}) == 1
      names = rows[0]
      theirs = csv.writer(open('python.csv', 'w', newline='', encoding='utf-8'), quoting=csv.QUOTE_ALL)
      theirs.writerows(rows)
      fields = ['first_name', 'last_name', 'company', 'email', 'phone', 'address', 'note']
      list_rows = sqlite3.connect('customers.sqlite').execute(
        'SELECT %s FROM customers JOIN sections ON sections.id = section ORDER BY sections."order", customers."order"'
        % ', '.join(fields)).fetchall()
      assert [tuple(row[:7]) for row in rows[1:]] == list_rows
      # The shell reads it.
      shell = sqlite3.connect('shell.sqlite')
      shell.execute('CREATE TABLE t (%s)' % ', '.join('c%d TEXT' % i for i in range(len(names))))
      shell.commit()
      open('names', 'w').write(str(len(names)))
      END
      sqlite3 shell.sqlite '.mode csv' '.import --skip 1 ours.csv t'
      python3 - <<'END'
      import csv, sqlite3
      rows = list(csv.reader(open('ours.csv', newline='', encoding='utf-8'), strict=True))[1:]
      assert [list(row) for row in sqlite3.connect('shell.sqlite').execute('SELECT * FROM t')] == rows
      END
      # And the shell writes it.
      head -c 0 ours.csv; python3 - <<'END'
      import csv
      rows = csv.reader(open('ours.csv', newline='', encoding='utf-8'), strict=True)
      csv.writer(open('shell.csv', 'w', newline='', encoding='utf-8')).writerow(next(rows))
      END
      sqlite3 shell.sqlite '.mode csv' 'SELECT * FROM t' >> shell.csv
      for name in python shell; do customers import $name.csv -q --db $name-copy.sqlite; done
      """#)
    #expect(result == .done(), "seed \(seed)")
    let original = try AwkwardList.rows(sandbox.file)
    for name in ["python", "shell"] {
      let copy = try AwkwardList.rows("\(sandbox.folder)/\(name)-copy.sqlite")
      let differ = zip(original, copy).enumerated().first { $0.element.0 != $0.element.1 }
      #expect(copy.count == original.count && differ == nil, "\(name), seed \(seed)")
    }
  }

  @Test func `a NUL is exported only to formats that can hold it`() throws {
    let sandbox = try CLISandbox()
    try #require(try sandbox.run("add", "A", "-q") == .done())
    _ = try sandbox.sqlite("UPDATE customers SET note = 'x' || char(0) || 'y'")
    for format in ["json", "ndjson", "vcard"] {
      let copy = "\(format).sqlite"
      let result = try sandbox.shell(
        "customers export --format \(format) | customers import - -q --format \(format) --db \(copy)")
      #expect(result == .done())
      #expect(
        try AwkwardList.rows("\(sandbox.folder)/\(copy)") == AwkwardList.rows(sandbox.file), "\(format)")
    }
    let told =
      "customers: row 1 has a NUL character, which csv can't hold\nhint: export it as json, ndjson, or vcard"
    #expect(try sandbox.run("export", "list.csv") == .failed(1, told))
    #expect(try !sandbox.names.contains { $0.hasPrefix("list.csv") })
  }

  @Test func `a file written by list is imported without its row numbers`() throws {
    let sandbox = try CLISandbox.withDemo()
    try #require(try sandbox.run("import", "-", "-q", stdin: "name,Room\nAnn,1\n") == .done())
    let names = try jsonArray(sandbox.run("list", "--json").output).map { $0["name"] as? String }
    for format in ["csv", "json", "ndjson"] {
      let copy = "\(format).sqlite"
      let result = try sandbox.shell(
        "customers list --format \(format) | customers import - -q --format \(format) --db \(copy)")
      #expect(result == .done())
      let rows = try jsonArray(sandbox.run("list", "--json", "--db", copy).output)
      #expect(rows.map { $0["name"] as? String } == names)
      #expect(try AwkwardList.rows("\(sandbox.folder)/\(copy)").flatMap(\.extra) == ["Room: 1"])
    }
  }

  @Test(arguments: ["csv", "tsv"])
  func `what list writes is imported as what export writes, with or without ids`(format: String) throws {
    let seed = Int.random(in: 0..<1_000_000)
    let sandbox = try CLISandbox()
    var list = AwkwardList(seed: seed, typedExtra: false)
    try list.make(sandbox.file, rows: RoundTripTests.count)
    // NUL, which no table can hold, is not in these lists.
    for (copy, options) in [("plain", ""), ("ids", "--ids")] {
      let result = try sandbox.shell(
        "customers list --format \(format) \(options) | customers import - -q --format \(format) --db \(copy)"
      )
      #expect(result.code == 0, "seed \(seed): \(result)")
      let differ = try zip(AwkwardList.rows(sandbox.file), AwkwardList.rows("\(sandbox.folder)/\(copy)"))
        .enumerated().first { $0.element.0 != $0.element.1 }
      #expect(differ == nil, "seed \(seed) \(options)")
    }
  }

  @Test func `the csv of list in version 0_1_0 is still imported, by its ids, too`() throws {
    let sandbox = try CLISandbox.withDemo()
    let old = """
      id,section,section_title,order,position,name,first_name,last_name,company,email,phone,address,note,\
      is_favorite,can_edit,can_move,extra
      5,1,Customers,5,5,Zoë Müller,Zoë,Müller,Acme,zoe@mueller.example,,,,0,1,1,"{""Zip"":""01""}"

      """
    let update = try sandbox.run("import", "-", "-q", "--on-duplicate", "update", stdin: old)
    #expect(update == .done(errors: ""))
    #expect(
      try sandbox.sqlite("SELECT company, extra FROM customers WHERE id = 5") == "Acme|{\"Zip\":\"01\"}\n")
    #expect(try sandbox.run("import", "-", "-q", "-y", stdin: old) == .done())
    #expect(try sandbox.run("list", "--section", "customers", "--count").output == "7\n")
  }
}
