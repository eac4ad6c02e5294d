import CustomerStore
import CustomersSystem
import CustomersTestSupport
import Foundation
import Testing

/// Commands that read or rehearse for long: they do not lock the list.
@Suite(.onThreads) struct LongReadingTests {
  /// A sandbox with a list that is copied to be read, and which takes some time to read.
  private func longList() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    try sandbox.put(Self.long.get())
    try sandbox.write("name\n" + String(repeating: "Eve\n", count: 5000), to: "more.csv")
    return sandbox
  }

  private static let long = Result {
    let sandbox = try CLISandbox()
    let note = String(repeating: "note ", count: 800)
    let rows = (1...1200).map { "Ann \($0),\(note)\n" }.joined()
    try #require(try sandbox.run("import", "-", "-q", stdin: "name,note\n" + rows) == .done())
    return try #require(sandbox.bytes)
  }

  /// The commands, and a part of what they print about the list as it was when they began.
  private static let commands: [(words: [String], result: String)] = [
    (["list", "--json"], "Ann 1200"), (["list", "--sort", "note"], "Ann 1200"),
    (["find", "note"], "Ann 1200"), (["show", "--where", "note~note"], "@1200"),
    (["watch", "--limit", "0"], "Ann 1200"), (["export"], "Ann,1200"), (["check", "--digest"], "1200 rows"),
    (["duplicates"], "No duplicates."), (["backup", "copy"], "Backed up 1200 rows"),
    (["sort", "--by", "name", "--descending", "-n"], "Would sort 1200 rows"),
    (["import", "more.csv", "-n"], "the list would have 6200 rows"),
  ]

  @Test func `no one waits for a long reading or a large dry run`() throws {
    let sandbox = try longList()
    for (words, result) in sampled(Self.commands, oneIn: 11) {
      // On a busy machine it may be over before this process sees it.
      var outcome: ProcessResult?
      for _ in 0..<20 where outcome == nil { outcome = try sandbox.outcome(ofEditedList: words) }
      let ended = try #require(outcome, "\(words) locks the list all the time")
      let output = ended.output + ended.errors
      #expect(ended.code == 0 && output.contains(result), "\(words): \(ended.code)")
      #expect(!output.contains("Zoe"), "\(words)")
      #expect(try sandbox.run("delete", "Zoe", "-y", "-q") == .done())
    }
    try sandbox.expectSound()
  }

  @Test func `no room for the copy is reported with its folder, and nothing is printed`() throws {
    let sandbox = try longList()
    let folder = sandbox.folder + "/tmp"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    for command in ["list", "sort --by note -n", "check"] {
      let result = try sandbox.shell(
        "ulimit -f 8; customers \(command)", environment: ["SQLITE_TMPDIR": folder])
      #expect(
        result
          == .failed(
            1,
            """
            customers: can't copy "\(sandbox.file)": can't write to \(folder): the file can't grow: the limit for the size \
            of a file is reached
            hint: set $SQLITE_TMPDIR to a folder with more space
            """), "\(command)")
    }
    // What reads few rows needs no room.
    let short = try sandbox.shell(
      "ulimit -f 8; customers list --limit 1 --format ids", environment: ["SQLITE_TMPDIR": folder])
    #expect(short == .done("@1"))
  }
}

extension CLISandbox {
  /// Runs a command, and edits the list while it works on a copy and has not locked the list itself; nil if it was never
  /// seen so.
  fileprivate func outcome(ofEditedList words: [String]) throws -> ProcessResult? {
    let started = try start([CLISandbox.program] + words)
    let process = try started.spawn.start()
    var isEdited = false
    while !isEdited, !Spawn.hasEnded(process) {
      kill(process, SIGSTOP)
      defer { kill(process, SIGCONT) }
      if hasCopy(process), CustomerStore.lockHolder(ofFile: file) == nil, !Spawn.hasEnded(process) {
        var options = CustomerStore.Options()
        options.busyTimeout = .zero
        try CustomerStore(path: file, options: options).write { list in
          _ = try list.insert(CustomerFields(name: "Zoe"), at: .first)
        }
        isEdited = true
      } else {
        kill(process, SIGCONT)
        usleep(1000)
      }
    }
    let outcome = try started.outcome(code: Spawn.wait(process))
    return isEdited ? outcome : nil
  }

  /// Whether a program has open a copy of the list: a deleted one of its own, or one that will be a backup.
  private func hasCopy(_ process: pid_t) -> Bool {
    let descriptors = "/proc/\(process)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []
    return names.contains { name in
      let path = "\(descriptors)/\(name)"
      let link = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) ?? ""
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return false }
      // It is made before it is filled.
      if link.hasPrefix(folder + "/copy.") { return status.st_size > 0 }
      guard link.contains("/etilqs_"), link.hasSuffix(" (deleted)") else { return false }
      #expect(status.st_mode & 0o7777 == 0o600)
      return true
    }
  }
}
