import CustomersSystem
import CustomersTestSupport
import Foundation
import Synchronization
import Testing

/// Programs that stay for hours beside a crowd: `watch`, the table, and `backup --every`.
///
/// `CUSTOMERS_SOAK` is the duration in seconds. The crowd pauses three times as long as each command takes, so
/// that the machine can do other things.
@Suite(.onThreads) final class SoakTests: Sendable {
  private static let duration = Duration.seconds(
    ProcessInfo.processInfo.environment["CUSTOMERS_SOAK"].flatMap { Int($0) } ?? 6)

  /// The counts of commands, and what went wrong.
  private struct Tally {
    var commands: [String: Int] = [:]
    var failures: [String] = []
  }

  private let sandbox: CLISandbox
  private let tally = Mutex(Tally())
  /// Whether the crowd and the user at the table go on.
  private let isOpen = Atomic(true)

  init() throws { sandbox = try CLISandbox() }

  @Test func `memory, descriptors, and the file stay as they are beside a crowd`() throws {
    let rows = (1...200).map { "Row\($0),\(String(repeating: "x", count: $0))\n" }.joined()
    try #require(try sandbox.run("import", "-", "-q", stdin: "name,note\n" + rows) == .done())
    // The user at the table may undo what a restore brings back, but not the import.
    try #require(try sandbox.run("history", "--forget", "-y", "-q") == .done())
    try #require(try sandbox.run("backup", "../backup", "-q") == .done())
    let watch = try LongLivedProgram(sandbox, ["watch", "--json"])
    let backup = try LongLivedProgram(
      sandbox, ["backup", "copy.sqlite", "--every", "1s", "--keep", "2", "-q"])
    let table = try sandbox.table()
    let programs = [("watch", watch.process), ("backup --every", backup.process), ("table", table.process)]
    // What a program needs once, it needs in the first quarter.
    try work(at: table, for: Self.duration / 4)
    let before = try figures(of: programs)
    try work(at: table, for: Self.duration * 3 / 4)
    let after = try figures(of: programs)
    let tally = tally.withLock { $0 }
    #expect(tally.failures == [])
    for (name, process) in programs { #expect(!Spawn.hasEnded(process), "\(name)") }
    for (before, after) in zip(before.programs, after.programs) {
      #expect(after.descriptors <= before.descriptors, "\(after)")
      #expect(after.kilobytes < before.kilobytes + 8_000, "\(after)")
    }
    #expect(after.bytes <= before.bytes * 5 / 4)
    let files = try sandbox.names.filter { !$0.hasPrefix("copy-") }
    #expect(files == ["customers.sqlite"])
    try sandbox.expectSound()
    let counts = tally.commands.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
    print("soak of \(Self.duration): \(counts.joined(separator: ", "))")
    for (before, after) in zip(before.programs, after.programs) { print("  \(before)\n  \(after)") }
    print("  the list: \(before.bytes) bytes, then \(after.bytes)")
  }

  /// Lets the crowd and a person at the table work for a while.
  private func work(at table: TerminalScreen, for duration: Duration) throws {
    let end = ContinuousClock.now + duration
    isOpen.store(true, ordering: .relaxed)
    let crowd = DispatchGroup()
    let workers: [@Sendable (Int) throws -> Void] = [edit, edit, disturb]
    for work in workers {
      crowd.enter()
      Thread { [self] in
        var round = 0
        while isOpen.load(ordering: .relaxed) {
          let start = ContinuousClock.now
          do { try work(round) } catch { fail("\(error)") }
          round += 1
          let pause = (ContinuousClock.now - start) * 3
          usleep(UInt32(clamping: Int(pause / .microseconds(1))))
        }
        crowd.leave()
      }.start()
    }
    var keys = 0
    while .now < end {
      // Down, up, a move, its undo with the answer, edit mode, the end, the start.
      table.type(["j", "k", "J", "u", "y", "E", "E", "G", "g"][keys % 9])
      keys += 1
      while table.read(milliseconds: 100), .now < end {}
    }
    isOpen.store(false, ordering: .relaxed)
    crowd.wait()
    while table.read(milliseconds: 500) {}
  }

  /// An edit that leaves as many rows as there were, within two rounds.
  private func edit(_ round: Int) throws {
    let place = "\(Int.random(in: 1...150))"
    let edits = [
      ["add", "New", "--at", place], ["move", "1", place], ["delete", place, "-y"],
      ["edit", place, "--note", "x\(round)"],
    ]
    try expectDone(edits[round % 4] + ["-q"])
  }

  /// What happens to a list now and then: a killed program, a restore, an erased history.
  private func disturb(_ round: Int) throws {
    switch round % 6 {
    case 2:
      try expectDone(["restore", "../backup", "-y", "-q"])
      for name in try sandbox.names where name.contains(".before-restore") {
        try FileManager.default.removeItem(atPath: "\(sandbox.folder)/\(name)")
      }
    case 5: try expectDone(["history", "--forget", "-y", "-q"])
    default:
      let started = try sandbox.start([CLISandbox.program, "move", "2", "100", "-q"])
      let process = try started.spawn.start()
      usleep(UInt32.random(in: 0...20_000))
      kill(process, SIGKILL)
      _ = Spawn.wait(process)
      count("killed")
    }
  }

  private func expectDone(_ words: [String]) throws {
    let result = try sandbox.spawn(words: words)
    if result == .done() { count(words[0]) } else { fail("\(words): \(result)") }
  }

  private func count(_ name: String) { tally.withLock { $0.commands[name, default: 0] += 1 } }

  private func fail(_ text: String) { tally.withLock { $0.failures.append(text) } }

  /// Measures the programs, and the list without its history, while no one edits it.
  private func figures(of programs: [(String, pid_t)]) throws -> (programs: [ProcessFigures], bytes: Int) {
    try expectDone(["restore", "../backup", "-y", "-q"])
    _ = try sandbox.shell("rm -f customers.sqlite.before-restore*")
    try expectDone(["history", "--forget", "-y", "-q"])
    // The programs have read it, and the backup has been made.
    usleep(2_500_000)
    return (try programs.map { try ProcessFigures($0, $1) }, try #require(sandbox.bytes).count)
  }
}

/// A program that runs until it is killed; no one reads its output.
private final class LongLivedProgram {
  let process: pid_t

  init(_ sandbox: CLISandbox, _ words: [String]) throws {
    let spawn = Spawn(
      words: [CLISandbox.program] + words, environment: sandbox.environment, folder: sandbox.folder)
    process = try spawn.start()
  }

  deinit {
    kill(process, SIGKILL)
    _ = Spawn.wait(process)
  }
}

/// What a program takes of the machine, as the system shows it.
private struct ProcessFigures: CustomStringConvertible {
  let name: String
  let kilobytes: Int
  let descriptors: Int

  init(_ name: String, _ process: pid_t) throws {
    self.name = name
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    kilobytes = try #require(status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap { Int($0.1) })
    // The journal of a copy may be open just now.
    descriptors =
      try (0..<10).map { _ in
        usleep(50_000)
        return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
      }.min() ?? 0
  }

  var description: String { "\(name): \(kilobytes) kB, \(descriptors) descriptors" }
}
