import Foundation
import CustomersTestSupport
import Testing

/// `customers info` and `customers demo`, whole outputs.
@Suite(.onThreads) struct InfoTests {
  @Test func `info shows where the data is and what it contains`() throws {
    let sandbox = try CLISandbox.withDemo()
    let size = try #require(sandbox.bytes?.count)
    let sqlite = try sandbox.sqlite("SELECT sqlite_version()").trimmingCharacters(in: .newlines)
    let format = try sandbox.sqlite("PRAGMA user_version").trimmingCharacters(in: .newlines)
    let json = """
      {"file":"\(sandbox.file)","chosen_by":"$CUSTOMERS_DB","exists":true,"bytes":\(size),"mode":"600","format":\(format),\
      "version":"0.3.0","build":"development","sqlite":"\(sqlite)","sections":3,"count":10}
      """
    #expect(try sandbox.expectUntouched { try sandbox.run("info", "--json") } == .done(json))
  }

  @Test func `info does not create a missing file, and names the default one`() throws {
    let sandbox = try CLISandbox.withDemo()
    let sqlite = try sandbox.sqlite("SELECT sqlite_version()").trimmingCharacters(in: .newlines)
    let format = try sandbox.sqlite("PRAGMA user_version").trimmingCharacters(in: .newlines)
    try FileManager.default.removeItem(atPath: sandbox.file)
    let text = """
      File:        \(sandbox.folder)/.local/share/customers/customers.sqlite
      Chosen by:   default location
      Exists:      no
      Size:        0 bytes
      Format:      \(format)
      Program:     0.3.0
      Build:       development
      SQLite:      \(sqlite)
      Sections:    1
      Customers:   0
      """
    #expect(try sandbox.run("info", environment: CLISandbox.usualPlace) == .done(text))
    #expect(
      try sandbox.run("info", "--db", "other.sqlite")
        == .failed(3, "customers: can't open \"other.sqlite\": no such file"))
    #expect(try sandbox.names.isEmpty)
  }

  @Test func `the file is the one of --db, then of the variables, then in the home folder`() throws {
    let sandbox = try CLISandbox()
    func file(_ words: String..., environment: [String: String]) throws -> [String] {
      var started = try sandbox.start([CLISandbox.program, "info", "--json"] + words)
      started.spawn.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
      let result = try started.outcome()
      let info = result.code == 0 ? try jsonObject(result.output) : [:]
      return ["file", "chosen_by"].compactMap { info[$0] as? String }
    }
    let home = ["HOME": "/h", "XDG_DATA_HOME": "/x", "CUSTOMERS_DB": "c.sqlite"]
    for name in ["c.sqlite", "d.sqlite"] { #expect(try sandbox.run("demo", "-q", "--db", name) == .done()) }
    #expect(try file("--db", "d.sqlite", environment: home) == ["d.sqlite", "--db"])
    #expect(try file(environment: home) == ["c.sqlite", "$CUSTOMERS_DB"])
    let shared = home.merging(["CUSTOMERS_DB": ""]) { $1 }
    #expect(try file(environment: shared) == ["/x/customers/customers.sqlite", "$XDG_DATA_HOME"])
    let usual = shared.merging(["XDG_DATA_HOME": "no/absolute/path"]) { $1 }
    #expect(
      try file(environment: usual) == ["/h/.local/share/customers/customers.sqlite", "default location"])
    #expect(try file(environment: [:]).isEmpty)
    #expect(try file("--db", "", environment: home).isEmpty)
  }

  @Test func `demo fills an empty list, and only that`() throws {
    let sandbox = try CLISandbox()
    let added = "Added 10 customers in 3 sections."
    #expect(try sandbox.run("demo", "-n") == .done(added.replacing("Added", with: "Would add")))
    #expect(try sandbox.names.isEmpty)
    #expect(try sandbox.run("demo") == .done(added))
    let again = "The list already has 10 rows; nothing was added."
    let rows = try sandbox.run("list", "--json")
    #expect(try sandbox.run("demo") == .done(again))
    #expect(try sandbox.run("demo", "--json") == .done(#"{"op":"demo","added":0,"count":10}"#))
    #expect(try sandbox.run("demo", "-q") == .done())
    #expect(try sandbox.run("list", "--json") == rows)
    let json = #"{"op":"demo","added":10,"count":10}"#
    #expect(try sandbox.run("demo", "--json", "--db", "other.sqlite").withoutStep == .done(json))
    try sandbox.expectSound()
  }
}
