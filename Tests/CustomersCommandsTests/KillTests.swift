import CustomerFixtures
import Foundation
import CustomersTestSupport
import Testing

/// `kill -9` at any moment of an edit: before or after, never between, and what was acknowledged stays.
@Suite(.serialized, .onThreads) struct KillTests {
  /// The numbers of kills before the edit, during its transaction, and after it.
  private struct Tally: CustomStringConvertible {
    var before = 0
    var during = 0
    var after = 0
    /// A moment of a kind that no kill has met yet.
    var missing: Moment? { before == 0 ? .atOnce : during == 0 ? .journal : after == 0 ? .told : nil }

    var description: String { "\(before) before, \(during) during, \(after) after the transaction" }
  }

  /// The state after a command was killed.
  private struct Remains {
    var wasTold: Bool
    var hadJournal: Bool
  }

  /// When a command is killed.
  private enum Moment {
    /// Before it can have begun.
    case atOnce
    /// When a part of its usual time has passed.
    case part(Double)
    /// As soon as its transaction is seen.
    case journal
    /// As soon as it has told something.
    case told
  }

  /// Runs a command and kills it at a moment.
  private func kill(_ sandbox: CLISandbox, _ words: [String], at moment: Moment, of time: Duration) throws
    -> Remains
  {
    let journal = sandbox.file + "-journal"
    // One that was left before anything was written to the file says nothing about this command.
    try? FileManager.default.removeItem(atPath: journal)
    let started = try sandbox.start([CLISandbox.program] + words)
    let process = try started.spawn.start()
    switch moment {
    case .atOnce: break
    case .part(let part): usleep(UInt32(max(0, time * part / .microseconds(1))))
    case .journal: while unsafe access(journal, F_OK) != 0, !Spawn.hasEnded(process) {}
    case .told: while !started.hasOutput, !Spawn.hasEnded(process) {}
    }
    Glibc.kill(process, SIGKILL)
    let output = try started.outcome(code: Spawn.wait(process)).output
    return Remains(
      wasTold: output.hasSuffix("\n"), hadJournal: FileManager.default.fileExists(atPath: journal))
  }

  /// Kills at many moments, and expects that some fell before the transaction, some inside, some after it.
  ///
  /// `body` kills once, and returns what was left, and whether what was to be done is there.
  private func kill(_ count: Int, _ name: String, _ body: (Moment) throws -> (Remains, Bool)) throws {
    var tally = Tally()
    var moments = moments(count)
    // On a busy machine a command may be done before it is killed, or before its transaction is seen.
    var more = 200
    while more > 0, let moment = moments.popLast() ?? tally.missing {
      if moments.isEmpty { more -= 1 }
      let (remains, isThere) = try body(moment)
      if remains.hadJournal {
        tally.during += 1
      } else if isThere {
        tally.after += 1
      } else {
        tally.before += 1
      }
    }
    print("\(name) killed: \(tally)")
    #expect(tally.before > 0 && tally.during > 0 && tally.after > 0, "\(name): \(tally)")
  }

  /// How long a command usually takes, undisturbed.
  private func time(_ run: () throws -> ProcessResult) throws -> Duration {
    var times: [Duration] = []
    for _ in 0..<3 {
      let start = ContinuousClock.now
      #expect(try run().code == 0)
      times.append(.now - start)
    }
    return times.sorted()[1]
  }

  /// Moments spread over the whole of a command, and a little more.
  private func moments(_ count: Int) -> [Moment] {
    (0..<count).map { number in
      switch number % 5 {
      case 0: .atOnce
      case 1: .journal
      case 2: .told
      default: .part((Double(number) + .random(in: 0..<1)) / Double(count) * 1.2)
      }
    }
  }

  @Test func `an acknowledged add survives, and an interrupted one is complete or missing`() throws {
    let sandbox = try CLISandbox.withDemo()
    let usual = try time { try sandbox.spawn("add", "Warm", "--first", "-n") }
    var number = 0
    try kill(isLong ? 5000 : 8, "adds") { moment in
      number += 1
      let words = ["add", "K\(number)", "--note", String(repeating: "x", count: 500), "--at", "3"]
      let remains = try kill(sandbox, words, at: moment, of: usual)
      // The program itself finds what was interrupted, and rolls it back.
      try sandbox.expectSound()
      let found = try sandbox.sqlite("SELECT length(note) FROM customers WHERE first_name = 'K\(number)'")
      #expect(found == "" || found == "500\n")
      #expect(!remains.wasTold || found == "500\n", "K\(number) was acknowledged and is lost")
      return (remains, found != "")
    }
  }

  @Test func `an import is all or nothing`() throws {
    let sandbox = try CLISandbox.withDemo()
    let before = try #require(sandbox.bytes)
    let rows = (1...1000).map { "Ann \($0),\(String(repeating: "x", count: $0 % 100))\n" }.joined()
    try sandbox.write("name,note\n" + rows, to: "list.csv")
    let words = ["import", "list.csv", "--at", "3"]
    let usual = try time {
      try sandbox.write([UInt8](before), to: "customers.sqlite")
      return try sandbox.spawn(words: words)
    }
    try kill(isLong ? 400 : 5, "imports") { moment in
      try sandbox.write([UInt8](before), to: "customers.sqlite")
      let remains = try kill(sandbox, words, at: moment, of: usual)
      try sandbox.expectSound()
      let count = try sandbox.sqlite("SELECT count(*) FROM customers")
      #expect(count == "10\n" || count == "1010\n")
      #expect(!remains.wasTold || count == "1010\n", "the import was acknowledged and is lost")
      return (remains, count == "1010\n")
    }
  }

  @Test func `a script is all or nothing`() throws {
    let sandbox = try CLISandbox.withDemo()
    var generator = SplitMix64(seed: 5)
    let lines = (1...(isLong ? 300 : 100)).map { number in
      number.isMultiple(of: 5)
        ? "add \"K\(number)\" --at 2" : "move \(1 + generator.below(10)) \(1 + generator.below(10))"
    }
    try sandbox.write(lines.joined(separator: "\n"), to: "edits")
    let before = try sandbox.order
    let copy = try #require(sandbox.bytes)
    var after = ""
    let usual = try time {
      try sandbox.write([UInt8](copy), to: "customers.sqlite")
      let outcome = try sandbox.spawn("apply", "edits")
      after = try sandbox.order
      return outcome
    }
    try kill(isLong ? 1600 : 5, "scripts") { moment in
      try sandbox.write([UInt8](copy), to: "customers.sqlite")
      let remains = try kill(sandbox, ["apply", "edits"], at: moment, of: usual)
      try sandbox.expectSound()
      let found = try sandbox.order
      #expect(found == before || found == after)
      #expect(!remains.wasTold || found == after, "the script was acknowledged and is lost")
      return (remains, found == after)
    }
  }

  @Test func `a partly created file can be created by the next command`() throws {
    let sandbox = try CLISandbox()
    let usual = try time {
      try? FileManager.default.removeItem(atPath: sandbox.file)
      return try sandbox.spawn("add", "Ann")
    }
    try kill(isLong ? 3000 : 5, "first adds") { moment in
      for name in try sandbox.names {
        try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)")
      }
      let remains = try kill(sandbox, ["add", "Ann"], at: moment, of: usual)
      #expect(try sandbox.run("add", "Bob", "-q") == .done())
      let found = try sandbox.order
      #expect(found == "Bob" || found == "Ann Bob")
      #expect(!remains.wasTold || found == "Ann Bob")
      try sandbox.expectSound()
      return (remains, found == "Ann Bob")
    }
  }
}
