import CustomerStore
@testable import CustomersCommands
import CustomersSystem
import CustomersTestSupport
import Foundation
import Testing

/// What `customers serve` offers, by its options.
@Suite(.onThreads) struct OfferTests {
  /// A folder with lists, hidden files, and links, beside one that is not offered; each file is one byte.
  private func withFolder(_ body: (String) throws -> Void) throws {
    try withTemporaryFolder { folder in
      for name in ["in/sub", "in/.hidden", "out"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      }
      for name in ["in/a", "in/sub/b", "in/.d", "in/.hidden/c", "out/x"] {
        try CustomersTestSupport.write([0x78], to: "\(folder)/\(name)")
      }
      for (name, target) in [
        ("in/link", "out/x"), ("in/linked", "out"), ("in/inner", "in/a"), ("other", "in"),
      ] {
        try FileManager.default.createSymbolicLink(
          atPath: "\(folder)/\(name)", withDestinationPath: "\(folder)/\(target)")
      }
      try body(folder)
    }
  }

  /// The path that an offer takes an address for; nil if it refuses.
  private func place(_ path: String, _ offer: Offer) -> String? {
    try? offer.admit(ListAddress(path), called: path).path
  }

  @Test(arguments: [
    ("in/a", "in/a"), ("in/sub/b", "in/sub/b"), ("in/new", "in/new"), ("in//sub/b", "in/sub/b"),
    ("other/a", "in/a"), ("in/none/new", "in/none/new"),
  ])
  func `a folder offers its files, and those of its folders`(path: String, expected: String) throws {
    try withFolder { folder in
      for named in ["in", "other", "in/"] {
        let offer = try Offer(["--folder", "\(folder)/\(named)"])
        #expect(place("\(folder)/\(path)", offer) == "\(folder)/\(expected)")
      }
    }
  }

  @Test(arguments: [
    "in/.d", "in/.hidden/c", "in/.new", "in/link", "in/linked/x", "in/linked/new", "in/inner", "out/x", "in",
    "in/",
    "in/../out/x", "out/../in/a", "in/sub/../a", "in/./a", "in/a/", "in/new-journal", "in/a-wal",
    "in/a\0/../../out/x", "",
    "a",
    "/etc/passwd", "dqlite://127.0.0.1:1/x", "ssh://far/x",
  ])
  func `a folder offers nothing hidden, no links, and nothing outside it`(path: String) throws {
    try withFolder { folder in
      let offer = try Offer(["--folder", "\(folder)/in"])
      #expect(place(path.contains(":") || path.hasPrefix("/") ? path : "\(folder)/\(path)", offer) == nil)
      #expect(place(path, offer) == nil)
    }
  }

  @Test func `of a series of copies, only lists are removed`() throws {
    try withTemporaryFolder { folder in
      let names = (1...4).map { "\(folder)/copy-2020010\($0)T000000Z.sqlite" }
      try CustomersTestSupport.write(Array("precious".utf8), to: names[0])
      _ = try CustomerStore(path: names[1]).backUp(to: names[3])
      try FileManager.default.createSymbolicLink(atPath: names[2], withDestinationPath: names[1])
      let offer = try Offer(["--folder", folder])
      try BackupSeries("\(folder)/copy.sqlite", offer: offer).remove(
        by: CopyRetention(last: 1), sparing: names[3])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
      #expect(!FileManager.default.fileExists(atPath: names[1]))
    }
  }

  @Test func `lists are offered by their real paths, and no others`() throws {
    try withFolder { folder in
      let offer = try Offer([
        "--list", "\(folder)/in/a", "--list=\(folder)/in/link", "--list", "\(folder)/in/later",
      ])
      for (path, expected) in [
        ("in/a", "in/a"), ("in/inner", "in/a"), ("other/a", "in/a"), ("in/link", "out/x"), ("out/x", "out/x"),
        ("in/later", "in/later"), ("other/later", "in/later"),
      ] {
        #expect(place("\(folder)/\(path)", offer) == "\(folder)/\(expected)", "\(path)")
      }
      for path in ["in/sub/b", "in/new", "in/a-journal", "in", "out/none", "in/a\0x", "in/.d", "in/sub/../a"]
      {
        #expect(place("\(folder)/\(path)", offer) == nil, "\(path)")
      }
    }
  }

  @Test func `without options, the list that the account uses by default is offered`() throws {
    try withFolder { folder in
      let offer = try Offer([], environment: ["CUSTOMERS_DB": "\(folder)/in/a", "HOME": folder])
      #expect(place("\(folder)/in/a", offer) == "\(folder)/in/a" && place("\(folder)/in/sub/b", offer) == nil)
      let far = try Offer([], environment: ["CUSTOMERS_DB": "ssh://far/list", "HOME": folder])
      #expect(place("\(folder)/in/a", far) == nil && place("ssh://far/list", far) == nil)
      let any = try Offer(["--any"])
      #expect(place("\(folder)/in/.d", any) == "\(folder)/in/.d")
    }
  }

  @Test(arguments: [
    ["--any", "--read-only"], ["--any", "--list", "x"], ["--folder", "x", "--list", "y"], ["--list", ""],
    ["--folder", ""], ["--list"], ["--list", "dqlite://127.0.0.1:1/x"],
  ])
  func `options that say nothing clear are refused`(options: [String]) throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run(words: ["serve"] + options).code == 2)
  }

  @Test func `a request brings no variable that names a program or a file`() throws {
    let names = Environment.names + ["PATH", "LD_PRELOAD"]
    let request = try RemoteRequest(
      served: [], environment: Dictionary(uniqueKeysWithValues: names.map { ($0, "/evil") }))
    var here = Context(
      environment: ["HOME": "/home/ann"], input: StandardInput(.standardInput, isTerminal: false),
      output: Stream(TextSink()), errors: Stream(TextSink()))
    here.environment["NO_COLOR"] = "1"
    for options in [["--any"], ["--list", "/list"]] {
      let served = here.serving(request, from: nil, try Offer(options)).environment
      #expect(
        served == [
          "HOME": "/home/ann", "CUSTOMERS_DB": "", "NO_COLOR": "/evil", "TERM": "/evil", "COLUMNS": "/evil",
        ])
    }
  }

  @Test(arguments: [
    ("UTC0", true), ("CET-1CEST,M3.5.0,M10.5.0/3", true), ("<+0330>-3:30", true), ("XYZ-3:30", true),
    ("", false), (":/etc/passwd", false), ("/etc/passwd", false), ("A/../../etc/passwd", false),
    ("a/b", false),
    ("A0//etc/passwd", false), ("A\n", false),
  ])
  func `a time zone is a rule, not the path of a file`(text: String, isRule: Bool) {
    #expect(TimeZoneRule.checked(text) == (isRule ? text : "UTC0"))
  }
}
