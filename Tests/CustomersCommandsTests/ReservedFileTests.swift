import CustomersTestSupport
import Foundation
import Testing

/// Files that a command must not write: the list, and what SQLite keeps beside a list.
@Suite(.onThreads) struct ReservedFileTests {
  private static let writers = [["export"], ["import", "bad.csv", "--rejects"], ["backup"]]

  private func sandbox() throws -> CLISandbox {
    let sandbox = try CLISandbox.withDemo()
    try sandbox.write("name\nA,b\nC\n", to: "bad.csv")
    #expect(try sandbox.shell("cp -p customers.sqlite other.sqlite") == .done())
    return sandbox
  }

  private func expectRefused(_ sandbox: CLISandbox, _ path: String, _ reason: String) throws {
    for writer in ReservedFileTests.writers {
      let names = try sandbox.names
      let result = try sandbox.expectUntouched { try sandbox.run(words: writer + [path, "--yes"]) }
      #expect(result.code == 4 && result.output.isEmpty, "\(writer) \(path): \(result)")
      #expect(result.errors.contains(reason), "\(writer) \(path): \(result)")
      #expect(try sandbox.names == names)
    }
  }

  @Test func `the list is never overwritten, whatever its name`() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.shell("ln -s customers.sqlite link; ln -s . here") == .done())
    for path in ["customers.sqlite", "./customers.sqlite", "link", "here/customers.sqlite"] {
      try expectRefused(sandbox, path, "this is the list itself")
    }
  }

  @Test(arguments: ["-journal", "-wal", "-shm"])
  func `output files can't have the name of a file beside a list, even a missing one`(suffix: String) throws {
    let sandbox = try sandbox()
    let reason = "a name that ends in -journal, -wal, or -shm belongs to SQLite"
    for name in ["customers.sqlite", "other.sqlite", "to-come.sqlite"] {
      try expectRefused(sandbox, name + suffix, reason)
      try sandbox.write("x", to: "x" + suffix)
      #expect(try sandbox.shell("ln -sf x\(suffix) link") == .done())
      try expectRefused(sandbox, "link", reason)
    }
  }

  @Test func `a list that does not exist yet is not overwritten either`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("export", "customers.sqlite").code == 4)
    #expect(try sandbox.run("export", "./customers.sqlite-wal").code == 4)
    try sandbox.write("name\nA,b\nC\n", to: "bad.csv")
    #expect(try sandbox.run("import", "bad.csv", "--rejects", "customers.sqlite").code == 4)
    #expect(try sandbox.names == ["bad.csv"])
  }

  @Test(arguments: [["export", "a.csv", "-q"], ["backup", "copy", "-q"]])
  func `a file that was written has its name on the disk`(words: [String]) throws {
    try requireInstalled("strace", package: "strace")
    let sandbox = try sandbox()
    let line = words.joined(separator: " ")
    let traced = try sandbox.shell(
      "strace -f -y -o ../trace -e trace=fsync,rename,renameat2 \"$CUSTOMERS\" \(line); cat ../trace")
    let calls = traced.output.split(separator: "\n")
    let renaming = try #require(calls.lastIndex { $0.contains(words[1] + "\"") }, "\(traced)")
    #expect(
      calls[..<renaming].contains { $0.contains("fsync(") && $0.contains("/\(words[1]).") }, "\(traced)")
    #expect(calls[renaming...].contains { $0.contains("fsync(") && $0.contains("/desk>") }, "\(traced)")
  }
}
