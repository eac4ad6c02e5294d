import CustomerFixtures
import Foundation
import CustomersTestSupport
import Testing

/// Files that were damaged at random: an answer and an exit code, no crash, and what is not a list is left
/// alone.
@Suite(.onThreads) struct DamagedFileTests {
  private static let commands = [
    ["list"], ["list", "--json"], ["show", "3"], ["find", "Ann"], ["move", "3", "1"], ["add", "New"],
    ["delete", "2", "-y"],
    ["undo"], ["history"], ["section"], ["info"], ["sort", "--by", "name"], ["export", "-"],
    ["backup", "copy"],
    ["check", "--repair", "-y"], ["history", "--forget", "-y"],
  ]

  @Test(arguments: ["10", "11"])
  func `whichever page of a list of an older format is lost, the rest can be saved`(format: String) throws {
    let sandbox = try CLISandbox.withOlder(format)
    let whole = try #require(sandbox.bytes)
    let size = Int(whole[16]) << 8 + Int(whole[17])
    let all = (1...whole.count / size).map { [$0] }
    // Two pages of the table of steps, of which the rules of that format miss that they are gone.
    let steps = format == "10" ? [18, 36] : [18, 41]
    let some = isLong ? all : stride(from: 0, to: all.count, by: 7).map { all[$0] }
    for pages in some + [steps] {
      for name in try sandbox.names {
        try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)")
      }
      var damaged = whole
      for page in pages { damaged.replaceSubrange((page - 1) * size..<page * size, with: Data(count: size)) }
      try sandbox.put(damaged)
      let part = try sandbox.run("export", "--partial", "part.csv")
      #expect([0, 7].contains(part.code), "\(pages) \(part)")
      let plan = try sandbox.run("check", "--repair", "-n")
      #expect(plan.code != 1 || plan.output.contains("Would "), "\(pages) \(plan)")
      let repair = try sandbox.run("check", "--repair", "--accept-loss")
      let isWritten = try [0, 7].contains(repair.code) || sandbox.names.contains("customers.sqlite.repaired")
      #expect(isWritten, "\(pages) \(repair)")
    }
  }

  @Test func `a repair names the deleted customers that go with their history`() throws {
    let sandbox = try CLISandbox.withOlder("11")
    var bytes = try #require(sandbox.bytes)
    // A page of the rows of the history; those that it deleted are whole.
    bytes.replaceSubrange(20 * 4096..<21 * 4096, with: Data(count: 4096))
    try sandbox.put(bytes)
    let repair = try sandbox.run("check", "--repair", "--accept-loss")
    for id in 20...22 { #expect(repair.output.contains("Lost the deleted customer @\(id).\n"), "\(repair)") }
  }

  @Test func `a list with a header of no schema format is repaired`() throws {
    let sandbox = try CLISandbox.withLetters()
    var bytes = try #require(sandbox.bytes)
    bytes[47] ^= 1
    try sandbox.put(bytes)
    let list = try sandbox.run("list")
    #expect(
      list.code == 1 && list.errors.contains("unsupported file format") && list.errors.contains("hint: "))
    #expect(try sandbox.run("check", "--repair").errors.contains("customers.sqlite.repaired"))
    #expect(try sandbox.run("list", "--count", "--db", "customers.sqlite.repaired").code == 0)
  }

  @Test(arguments: 0..<(isLong ? 20 : 2))
  func `a damaged file is diagnosed`(seed: Int) throws {
    let sandbox = try CLISandbox.withDemo()
    let rows = "name,note\n" + (1...150).map { "Ann \($0),\(String(repeating: "x", count: $0))\n" }.joined()
    #expect(try sandbox.run("import", "-", "-q", stdin: rows) == .done())
    #expect(try sandbox.run("delete", "4-20", "-y", "-q") == .done())
    let whole = [UInt8](try #require(sandbox.bytes))
    var random = SplitMix64(seed: seed)
    var refused = 0
    for number in 0..<(isLong ? 500 : 12) {
      let damaged = Self.damage(whole, &random)
      for name in try sandbox.names {
        try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)")
      }
      try sandbox.put(Data(damaged))
      let words = Self.commands[random.below(Self.commands.count)]
      let result = try sandbox.run(words: words)
      let place = "seed \(seed), file \(number), \(words): \(result.code) \(result.errors.prefix(300))"
      #expect((0...8).contains(result.code), "\(place)")
      #expect(result.code == 0 || !result.errors.isEmpty || words[0] == "check", "\(place)")
      if result.errors.contains("not a customers file") {
        #expect(sandbox.bytes.map(Array.init) == damaged, "\(place): overwritten")
        refused += 1
      }
      // Whatever it was, `check` says something too.
      let checked = try sandbox.run("check")
      #expect((0...7).contains(checked.code), "\(place); check: \(checked)")
    }
    print("seed \(seed): \(refused) were refused")
  }

  /// Bits, bytes, runs, and pages are changed, or the end is lost.
  private static func damage(_ whole: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = whole
    for _ in 0...random.below(4) {
      // Half of the damage is in the header and at the beginning of the schema.
      let place = random.oneIn(2) ? random.below(min(bytes.count, 8192)) : random.below(bytes.count)
      let end = min(bytes.count, place + 1 + random.below(random.oneIn(3) ? 4096 : 16))
      switch random.below(6) {
      case 0: bytes[place] ^= 1 << UInt8(random.below(8))
      case 1: for index in place..<end { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
      case 2: for index in place..<end { bytes[index] = random.oneIn(2) ? 0 : 0xff }
      case 3: bytes.replaceSubrange(place..<end, with: bytes[max(0, place - (end - place))..<place])
      case 4 where random.oneIn(4): bytes.removeSubrange(place...)
      default: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      }
      if bytes.count < 2 { break }
    }
    return bytes
  }
}
