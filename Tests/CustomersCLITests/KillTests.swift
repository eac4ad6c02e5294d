import CustomerFixtures
import Foundation
import TestSupport
import Testing

/// `kill -9` at any moment of an edit: before or after, never between, and what was told stays.
@Suite(.serialized) struct KillTests {
  /// How many kills came before the edit, in the middle of its transaction, and after it.
  private struct Tally: CustomStringConvertible {
    var before = 0
    var during = 0
    var after = 0
    var description: String { "\(before) before, \(during) during, \(after) after the transaction" }
  }

  /// What was left behind by a command that was killed.
  private struct Remains {
    var wasTold: Bool
    var hadJournal: Bool
  }

  /// Runs a command and kills it when a part of its usual time has passed.
  private func kill(_ sandbox: CLISandbox, _ words: [String], at part: Double, of time: Duration) throws
    -> Remains
  {
    let started = try sandbox.start([CLISandbox.program] + words)
    let process = try started.spawn.start()
    usleep(UInt32(max(0, time * part / .microseconds(1))))
    Glibc.kill(process, SIGKILL)
    let output = try started.outcome(code: Spawn.wait(process)).output
    return Remains(
      wasTold: output.hasSuffix("\n"),
      hadJournal: FileManager.default.fileExists(atPath: sandbox.file + "-journal"))
  }

  /// How long a command usually takes, undisturbed.
  private func time(_ run: () throws -> ProcessResult) throws -> Duration {
    var times: [Duration] = []
    for _ in 0..<5 {
      let start = ContinuousClock.now
      #expect(try run().code == 0)
      times.append(.now - start)
    }
    return times.sorted()[2]
  }

  /// Moments spread over the whole of a command, and a little more.
  private func moments(_ count: Int) -> [Double] {
    (0..<count).map { (Double($0) + .random(in: 0..<1)) / Double(count) * 1.2 }
  }

  private func add(_ remains: Remains, isThere: Bool, to tally: inout Tally) {
    if remains.hadJournal {
      tally.during += 1
    } else if isThere {
      tally.after += 1
    } else {
      tally.before += 1
    }
  }

  @Test func `an add that was told is there, and one that was cut off is whole or gone`() throws {
    let sandbox = try CLISandbox.withDemo()
    var tally = Tally()
    let usual = try time { try sandbox.run("add", "Warm", "--first", "-n") }
    for (number, moment) in moments(isLong ? 200 : 30).enumerated() {
      let words = ["add", "K\(number)", "--note", String(repeating: "x", count: 500), "--at", "3"]
      let remains = try kill(sandbox, words, at: moment, of: usual)
      // The program itself finds what was cut off, and takes it back.
      try sandbox.expectSound()
      let found = try sandbox.sqlite("SELECT length(note) FROM customers WHERE first_name = 'K\(number)'")
      #expect(found == "" || found == "500\n")
      #expect(!remains.wasTold || found == "500\n", "K\(number) was told and is lost")
      add(remains, isThere: found != "", to: &tally)
    }
    print("adds killed: \(tally)")
  }

  @Test func `an import is all or nothing`() throws {
    let sandbox = try CLISandbox.withDemo()
    let before = try #require(sandbox.bytes)
    let rows = (1...4000).map { "Ann \($0),\(String(repeating: "x", count: $0 % 100))\n" }.joined()
    try sandbox.write("name,note\n" + rows, to: "list.csv")
    var tally = Tally()
    let words = ["import", "list.csv", "--at", "3"]
    let usual = try time {
      try sandbox.write([UInt8](before), to: "customers.sqlite")
      return try sandbox.run(words: words)
    }
    for moment in moments(isLong ? 200 : 20) {
      try sandbox.write([UInt8](before), to: "customers.sqlite")
      let remains = try kill(sandbox, words, at: moment, of: usual)
      try sandbox.expectSound()
      let count = try sandbox.sqlite("SELECT count(*) FROM customers")
      #expect(count == "10\n" || count == "4010\n")
      #expect(!remains.wasTold || count == "4010\n", "the import was told and is lost")
      add(remains, isThere: count == "4010\n", to: &tally)
    }
    print("imports killed: \(tally)")
  }

  @Test func `a script is all or nothing`() throws {
    let sandbox = try CLISandbox.withDemo()
    var generator = SplitMix64(seed: 5)
    let lines = (1...300).map { number in
      number.isMultiple(of: 5)
        ? "add \"K\(number)\" --at 2" : "move \(1 + generator.below(10)) \(1 + generator.below(10))"
    }
    try sandbox.write(lines.joined(separator: "\n"), to: "edits")
    let before = try sandbox.order
    let copy = try #require(sandbox.bytes)
    var after = ""
    let usual = try time {
      try sandbox.write([UInt8](copy), to: "customers.sqlite")
      let outcome = try sandbox.run("apply", "edits")
      after = try sandbox.order
      return outcome
    }
    var tally = Tally()
    for moment in moments(isLong ? 200 : 20) {
      try sandbox.write([UInt8](copy), to: "customers.sqlite")
      let remains = try kill(sandbox, ["apply", "edits"], at: moment, of: usual)
      try sandbox.expectSound()
      let found = try sandbox.order
      #expect(found == before || found == after)
      #expect(!remains.wasTold || found == after, "the script was told and is lost")
      add(remains, isThere: found == after, to: &tally)
    }
    print("scripts killed: \(tally)")
  }

  @Test func `a file that was being made can be made by the next command`() throws {
    let sandbox = try CLISandbox()
    var tally = Tally()
    let usual = try time {
      try? FileManager.default.removeItem(atPath: sandbox.file)
      return try sandbox.run("add", "Ann")
    }
    for moment in moments(isLong ? 100 : 20) {
      for name in try sandbox.names {
        try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)")
      }
      let remains = try kill(sandbox, ["add", "Ann"], at: moment, of: usual)
      #expect(try sandbox.run("add", "Bob", "-q") == .done())
      let found = try sandbox.order
      #expect(found == "Bob" || found == "Ann Bob")
      #expect(!remains.wasTold || found == "Ann Bob")
      try sandbox.expectSound()
      add(remains, isThere: found == "Ann Bob", to: &tally)
    }
    print("first adds killed: \(tally)")
  }
}
