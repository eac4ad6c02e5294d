import CustomerStore
import Foundation
import CustomersTestSupport
import CustomersSystem
import Testing

/// A program whose output goes to a pipe that is not read until the test does.
struct PipedRun {
  let process: pid_t
  /// The end to read from.
  let pipe: Int32
  private let sandbox: CLISandbox
  private let started: Started

  init(_ sandbox: CLISandbox, _ words: [String], environment: [String: String] = [:]) throws {
    self.sandbox = sandbox
    let path = "\(sandbox.folder)/pipe-\(UUID().uuidString)"
    try #require(unsafe mkfifo(path, 0o600) == 0)
    // Before there is a writer, since that waits for a reader.
    pipe = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    try #require(pipe >= 0)
    var started = try sandbox.start(words)
    started.spawn.environment.merge(environment) { $1 }
    started.spawn.output = path
    process = try started.spawn.start()
    self.started = started
    try FileManager.default.removeItem(atPath: path)
  }

  /// Whether the pipe is full and the program still there: it waits for its reader, or soon will.
  var isBlocked: Bool {
    var count: Int32 = 0
    _ = unsafe ioctl(pipe, UInt(FIONREAD), &count)
    return count > 60_000 && !Spawn.hasEnded(process)
  }

  /// Reads the remaining output and waits for the end of the program.
  func outcome() throws -> ProcessResult {
    defer { close(pipe) }
    var bytes: [UInt8] = []
    while let piece = sandbox.nextBytes(pipe, from: process) { bytes += piece }
    var result = ProcessResult(output: "", errors: try started.errors, code: Spawn.wait(process))
    result.output = String(decoding: bytes, as: UTF8.self)
    return result
  }

  /// Waits for the end of a program that does not wait for its reader.
  func outcomeUnread() throws -> ProcessResult {
    let deadline = ContinuousClock.now + longestWait
    while !Spawn.hasEnded(process), .now < deadline { usleep(10_000) }
    return try outcome()
  }

  /// Ends the program, whatever it does.
  func kill() {
    _ = CustomersSystem.kill(process, SIGKILL)
    _ = Spawn.wait(process)
    close(pipe)
  }

  /// The files that the program has open, as the system shows them.
  var openFiles: [(path: String, link: String)] {
    let folder = "/proc/\(process)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.map { "\(folder)/\($0)" }.compactMap { path in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: path)).map { (path, $0) }
    }
  }

  /// The most memory that the program ever had, in kilobytes.
  var peakMemory: Int {
    get throws {
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let peak = status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) }
      return try #require(peak)
    }
  }
}

extension CLISandbox {
  /// Puts a customer into the list, without waiting for a lock, as soon as all runs are blocked and none
  /// reads any more; fails if one keeps the list locked.
  func addWhile(blocked runs: [PipedRun], sourceLocation: SourceLocation = #_sourceLocation) throws {
    var options = CustomerStore.Options()
    options.busyTimeout = .zero
    let deadline = ContinuousClock.now + longestWait
    while .now < deadline {
      if runs.allSatisfy(\.isBlocked) {
        do {
          let store = try CustomerStore(path: file, options: options)
          try store.write { list in _ = try list.insert(CustomerFields(firstName: "New"), at: .last) }
          let areStillBlocked = runs.allSatisfy(\.isBlocked)
          #expect(areStillBlocked, sourceLocation: sourceLocation)
          return
        } catch StoreError.locked {}
      }
      usleep(10_000)
    }
    Issue.record("the list stays locked, or a run is not blocked", sourceLocation: sourceLocation)
  }
}
