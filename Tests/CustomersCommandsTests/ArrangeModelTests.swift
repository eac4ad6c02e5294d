import CustomersTestSupport
import Foundation
import Testing

/// `customers arrange` against what was saved, for all small lists and for random ones.
@Suite(.onThreads) struct ArrangeModelTests {
  @Test func `as few rows as possible are moved`() throws {
    let orders = sampled(permutations([1, 2, 3, 4]), oneIn: 8)
    let sandbox = try CLISandbox.withLetters()
    for order in orders {
      let saved = order.map { "@\($0)" }
      let result = try sandbox.run(
        "arrange", "-y", "--section", "1", environment: sandbox.editor(saving: saved))
      #expect(result.code == 0)
      let stay = (1..<16).map { set in order.filter { set & 1 << ($0 - 1) != 0 } }.filter {
        $0 == $0.sorted()
      }
      let moved = 4 - (stay.map(\.count).max() ?? 0)
      // A row that was moved past others may have its number again.
      let lines = result.output.split(separator: "\n").count
      #expect(lines <= moved && (lines > 0) == (moved > 0), "\(order)")
      #expect(
        try sandbox.order == order.map { ["A", "B", "C", "D"][$0 - 1] }.joined(separator: " ") + " | X Y")
      if moved > 0 { #expect(try sandbox.run("undo", "-q") == .done()) }
    }
    try sandbox.expectSound()
  }

  private func permutations(_ rows: [Int]) -> [[Int]] {
    guard !rows.isEmpty else { return [[]] }
    return rows.flatMap { row in permutations(rows.filter { $0 != row }).map { [row] + $0 } }
  }

  /// An editor that shuffles lines within and between sections, and deletes some.
  private static let shuffling = """
    import random, re, sys
    random.seed(int(sys.argv[2]))
    heads, rows = [], []
    for line in open(sys.argv[1]):
      if line.startswith('=='): heads.append(line)
      elif line.startswith('@'): rows.append(line)
    for _ in range(random.randrange(6)):
      rows.insert(random.randrange(len(rows)), rows.pop(random.randrange(len(rows))))
    if random.random() < .3: random.shuffle(rows)
    cuts = sorted(random.randrange(len(rows) + 1) for _ in heads[1:])
    parts = [rows[a:b] for a, b in zip([0] + cuts, cuts + [len(rows)])]
    gone = set(random.sample(rows, random.randrange(4)))
    open(sys.argv[1], 'w').write(''.join(
      head + ''.join('d ' + row if row in gone else row for row in part) for head, part in zip(heads, parts)))
    number = lambda row: re.match('@([0-9]+)', row)[1]
    open('wanted', 'w').write('|'.join(
      ' '.join(number(row) for row in part if row not in gone) for part in parts) + chr(10))
    """

  @Test(arguments: sampled(1...8, oneIn: 8)) func `the saved text takes effect`(seed: Int) throws {
    let sandbox = try CLISandbox()
    let rows = "name\n" + (1...30).map { "C\($0)\n" }.joined()
    let made = try sandbox.shell(
      "customers section add -q B && customers section add -q C && printf '\(rows.replacing("\n", with: "\\n"))' | customers import -q -"
    )
    #expect(made == .done())
    try sandbox.write(ArrangeModelTests.shuffling, to: "shuffling.py")
    var environment = try sandbox.editor("")
    for round in 0..<3 {
      environment["EDITOR"] = "sh -c 'python3 shuffling.py \"$0\" \(seed * 10 + round)'"
      let result = try sandbox.run("arrange", "-y", "-q", environment: environment)
      #expect(result.code == 0 && result.output.isEmpty, "\(result)")
      let found = try sandbox.sqlite(
        """
        SELECT group_concat(rows, '|') FROM (SELECT coalesce((SELECT group_concat(id, ' ') FROM (
          SELECT id FROM customers WHERE section = sections.id ORDER BY "order")), '') AS rows
          FROM sections ORDER BY "order")
        """)
      #expect(
        try found == String(contentsOfFile: sandbox.folder + "/wanted", encoding: .utf8),
        "seed \(seed), \(round)")
    }
    try sandbox.expectSound()
    #expect(try sandbox.leftovers.isEmpty)
  }
}
