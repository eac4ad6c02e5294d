import CustomerFixtures
import CustomersTestSupport
import Testing

/// `customers sort`, whole outputs and against another sort.
@Suite(.onThreads) struct SortTests {
  @Test(arguments: try Transcript.sessions("Sort"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  @Test(arguments: [
    (
      ["sort"],
      "sort: missing argument\nhint: customers sort FIELD,… [--section SECTION]\n      customers sort --editor [--section SECTION]"
    ),
    (["sort", "-frist_name"], "sort: there is no field \"-frist_name\"\nhint: did you mean \"first_name\"?"),
    (["sort", "name", "--by", "name"], "FIELD,… and --by can't be combined"),
    (
      ["sort", "--by", "frist_name"],
      "--by: there is no field \"frist_name\"\nhint: did you mean \"first_name\"?"
    ),
    (["sort", "--by", "name,name"], "--by: \"name\" was given twice"),
    (
      ["sort", "--by", "name,"],
      "--by: there is no field \"\"\nhint: to list the extra columns: customers columns"
    ),
  ])
  func `a mistake in a sort is named`(words: [String], message: String) throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(
      try sandbox.expectUntouched { try sandbox.run(words: words) } == .failed(2, "customers: " + message))
  }

  /// In a column that no one has declared.
  @Test(arguments: [
    (["10.11.2026", "2.12.2026", "1.1.2027"], "a b c"), (["1.200,50", "75,5", "900,00"], "b c a"),
    (["12/30/2026", "2026-11-02", "3.12.2026"], "b c a"), (["10", "9,5", "100"], "b a c"),
    // One may be two days, and another is none.
    (["1.10.2026", "1.9.2026", "5/6/2026"], "b a c"), (["1.10.2026", "1.9.2026", "soon"], "b a c"),
  ])
  func `dates and numbers are sorted as a condition compares them`(values: [String], order: String) throws {
    let sandbox = try CLISandbox()
    for (name, value) in zip(["a", "b", "c"], values) {
      #expect(try sandbox.run("add", name, "--set", "X=\(value)", "-q", "-y") == .done())
    }
    let names = try sandbox.run("list", "--sort", "X", "--template", "{name}\n").output
    #expect(names.split(separator: "\n").joined(separator: " ") == order)
    #expect(try sandbox.run("sort", "X", "-q", "-y").code == 0)
    #expect(try sandbox.run("list", "--template", "{name}\n").output == names)
  }

  /// The same order by other means: Python's letters without their accents, and its folding, where it is one letter.
  private static let other = """
    import csv, functools, sys, unicodedata
    by, down = sys.argv[1].split(','), sys.argv[2] == 'down'
    def fold(text):
      return ''.join(c.casefold() if len(c.casefold()) == 1 or c == 'ß' else c for c in map(base, text))
    def base(c):
      parts = unicodedata.normalize('NFD', c)
      return parts[0] if all(unicodedata.combining(part) for part in parts[1:]) else c
    def compare(a, b, key):
      for x, y in ((key(a[f]), key(b[f])) for f in by):
        if x != y:
          if not x or not y: return -1 if y == '' else 1
          return (-1 if x < y else 1) * (-1 if down else 1)
      return 0
    rows = list(csv.DictReader(open(0, newline='')))
    order = lambda a, b: compare(a, b, fold) or compare(a, b, lambda text: text)
    print(' '.join(row['id'] for row in sorted(rows, key=functools.cmp_to_key(order))))
    """

  @Test(arguments: [1, 2, 3, 4])
  func `case and accents are ignored, empty values come last, and equal rows stay`(
    seed: Int
  ) throws {
    let sandbox = try CLISandbox()
    var random = SplitMix64(seed: seed)
    let letters = [
      "a", "A", "b", "B", "ä", "Ä", "z", "Z", "ß", "σ", "ς", "Σ", "é", "ı", "I", "i", "명", "𝔸", "0", " ",
    ]
    let texts = (0..<30).map { _ in
      (0..<Int.random(in: 0...3, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
        .joined()
    }
    let rows = (0..<150).map { _ in
      "\(texts.randomElement(using: &random) ?? ""),\(texts.randomElement(using: &random) ?? ""),x\n"
    }
    #expect(
      try sandbox.run("import", "-", "-q", stdin: "last_name,company,note\n" + rows.joined()) == .done())
    try sandbox.write(SortTests.other, to: "other.py")
    for (by, direction) in [("last_name", ""), ("company,last_name", "down"), ("note,company", "")] {
      let expected = try sandbox.shell(
        "customers list --format csv --ids | python3 other.py \(by) '\(direction)'")
      #expect(expected.code == 0 && expected.errors.isEmpty, "\(expected)")
      let options = direction.isEmpty ? [] : ["--descending"]
      #expect(try sandbox.run(words: ["sort", "--by", by, "-y", "-q"] + options).code == 0)
      let found = try sandbox.shell(
        "customers list --fields id --format csv --no-header | tr -d '\\r' | xargs echo")
      #expect(found.output == expected.output, "seed \(seed), \(by)")
    }
    try sandbox.expectSound()
  }
}
