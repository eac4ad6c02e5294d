import CustomerFixtures

/// Writes random scripts and does to plain arrays what their lines must do to the list.
struct RandomScript {
  /// The names of each section's rows.
  private(set) var sections: [[String]] = [[]]
  private var generator: SplitMix64
  private var lastName = 0
  private(set) var lines: [String] = []

  init(seed: Int) { generator = SplitMix64(seed: seed) }

  /// The list as `CLISandbox.order` gives it.
  var order: String { sections.map { $0.joined(separator: " ") }.joined(separator: " | ") }

  /// A script of about `count` lines.
  mutating func script(_ count: Int) -> String {
    lines = []
    while lines.count < count { generator.oneIn(6) ? addBatch() : addLine() }
    return lines.joined(separator: "\n") + (generator.oneIn(2) ? "\n" : "")
  }

  private mutating func addLine() {
    let isSmall = sections.joined().count < 12
    switch generator.below(12) {
    case 0..<(isSmall ? 6 : 2): add()
    case 6: isSmall ? add() : delete()
    case 7..<9 where sections.joined().count > 3: delete()
    case 9 where sections.count < 4 && generator.oneIn(4): addSection()
    case 10 where sections.joined().count > 0: lines.append("expect count \(sections.joined().count)")
    default: sections.joined().isEmpty ? add() : move()
    }
  }

  private mutating func newName() -> String {
    lastName += 1
    return "N\(lastName)"
  }

  private mutating func addSection() {
    lines.append("section add S\(sections.count + 1)")
    sections.append([])
  }

  /// A section's option; titles are `Customers`, `S2`, `S3`.
  private func option(_ section: Int) -> String {
    "--section \(section == 0 ? "Customers" : "S\(section + 1)")"
  }

  /// Puts names into a section before an index and says so in one of the ways there are.
  private mutating func put(_ names: [String]) -> String {
    let section = generator.below(sections.count)
    let rows = sections[section]
    let index = generator.below(rows.count + 1)
    sections[section].insert(contentsOf: names, at: index)
    switch generator.below(4) {
    case 0 where index < rows.count: return "--before \(rows[index])"
    case 1 where index > 0: return "--after \(rows[index - 1])"
    case 2 where index == 0: return "--first \(option(section))"
    case 2 where index == rows.count: return "--last \(option(section))"
    default: return "@@ \(index + 1) \(option(section))"
    }
  }

  private mutating func add() {
    let name = newName()
    lines.append("add \(name) " + put([name]).replacing("@@", with: "--at"))
  }

  /// The words for rows: by name or by position, in any order.
  private mutating func words(_ names: [String]) -> String {
    let all = Array(sections.joined())
    return names.map { name in
      generator.oneIn(2) ? name : String((all.firstIndex(of: name) ?? 0) + 1)
    }.joined(separator: " ")
  }

  /// Different rows, in the order of the list.
  private mutating func someRows(_ most: Int) -> [String] {
    let all = Array(sections.joined())
    let chosen = Set((0...generator.below(most)).map { _ in generator.below(all.count) })
    return chosen.sorted().map { all[$0] }
  }

  private mutating func remove(_ names: [String]) {
    for section in sections.indices { sections[section].removeAll { names.contains($0) } }
  }

  private mutating func delete() {
    let names = someRows(3)
    lines.append("delete " + words(names.shuffled(using: &generator)))
    remove(names)
  }

  private mutating func move() {
    let names = someRows(3)
    let words = words(names.shuffled(using: &generator))
    remove(names)
    lines.append("move \(words) " + put(names).replacing("@@", with: "--to"))
  }

  /// A batch by the rule's own words: all that leave go first, the last one first; all that come are then
  /// put at their places, the first one first.
  private mutating func addBatch() {
    let all = Array(sections.joined())
    var batch: [String] = []
    var coming: [(name: String, words: String)] = []
    let leaving = all.isEmpty ? [] : someRows(5)
    for name in leaving {
      let words = words([name])
      if generator.oneIn(2) {
        batch.append("delete \(words)")
      } else {
        coming.append((name, "move \(words) --to"))
      }
    }
    for _ in 0..<generator.below(4) {
      let name = newName()
      coming.append((name, "add \(name) --at"))
    }
    for name in leaving.reversed() { remove([name]) }
    coming.shuffle(using: &generator)
    var places: [(section: Int, index: Int, name: String, words: String)] = []
    var counts = sections.map(\.count)
    let targets = coming.map { _ in generator.below(sections.count) }
    for section in targets { counts[section] += 1 }
    for (row, section) in zip(coming, targets) {
      var index: Int
      repeat {
        index = generator.below(counts[section])
      } while places.contains { $0.section == section && $0.index == index }
      places.append((section, index, row.name, row.words))
    }
    for place in places.sorted(by: { $0.index < $1.index }) {
      sections[place.section].insert(place.name, at: place.index)
    }
    batch += places.map { "\($0.words) \($0.index + 1) \(option($0.section))" }
    lines += ["begin"] + batch.shuffled(using: &generator) + ["end"]
  }
}
