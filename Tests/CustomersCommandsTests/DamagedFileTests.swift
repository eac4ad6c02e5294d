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
      #expect((0...7).contains(result.code), "\(place)")
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
