import Foundation
import Testing

/// `customers info` and `customers demo`, whole outputs.
@Suite struct InfoTests {
  @Test func `info says where the data are and what is there`() throws {
    let desk = try Desk.withDemo()
    let size = try #require(desk.bytes?.count)
    let sqlite = try desk.sqlite("SELECT sqlite_version()").trimmingCharacters(in: .newlines)
    let format = try desk.sqlite("PRAGMA user_version").trimmingCharacters(in: .newlines)
    let json = """
      {"file":"\(desk.file)","chosen_by":"$CUSTOMERS_DB","exists":true,"bytes":\(size),"format":\(format),\
      "version":"0.1.0","sqlite":"\(sqlite)","sections":3,"count":10}
      """
    #expect(try desk.expectUntouched { try desk.run("info", "--json") } == .done(json))
  }

  @Test func `info of a missing file makes none`() throws {
    let desk = try Desk.withDemo()
    let sqlite = try desk.sqlite("SELECT sqlite_version()").trimmingCharacters(in: .newlines)
    let format = try desk.sqlite("PRAGMA user_version").trimmingCharacters(in: .newlines)
    try FileManager.default.removeItem(atPath: desk.file)
    let text = """
      File:        \(desk.folder)/other.sqlite
      Chosen by:   --db
      Exists:      false
      Bytes:       0
      Format:      \(format)
      Program:     0.1.0
      SQLite:      \(sqlite)
      Sections:    1
      Customers:   0
      """
    #expect(try desk.run("info", "--db", desk.folder + "/other.sqlite") == .done(text))
    #expect(try desk.names.isEmpty)
  }

  @Test func `the file is the one of --db, then of the variables, then in the home folder`() throws {
    let desk = try Desk()
    func file(_ words: String..., environment: [String: String]) throws -> [String] {
      var started = try desk.start([Desk.program, "info", "--json"] + words)
      started.spawn.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
      let result = try started.outcome()
      let info = result.code == 0 ? try jsonObject(result.output) : [:]
      return ["file", "chosen_by"].compactMap { info[$0] as? String }
    }
    let home = ["HOME": "/h", "XDG_DATA_HOME": "/x", "CUSTOMERS_DB": "/c.sqlite"]
    #expect(try file("--db", "d.sqlite", environment: home) == ["d.sqlite", "--db"])
    #expect(try file(environment: home) == ["/c.sqlite", "$CUSTOMERS_DB"])
    let shared = home.merging(["CUSTOMERS_DB": ""]) { $1 }
    #expect(try file(environment: shared) == ["/x/customers/customers.sqlite", "$XDG_DATA_HOME"])
    let usual = shared.merging(["XDG_DATA_HOME": "no/absolute/path"]) { $1 }
    #expect(
      try file(environment: usual) == ["/h/.local/share/customers/customers.sqlite", "the usual place"])
    #expect(try file(environment: [:]).isEmpty)
    #expect(try file("--db", "", environment: home).isEmpty)
  }

  @Test func `demo fills an empty list, and only that`() throws {
    let desk = try Desk()
    let added = "Added 10 customers in 3 sections."
    #expect(try desk.run("demo", "-n") == .done("Not done: " + added))
    #expect(try desk.names.isEmpty)
    #expect(try desk.run("demo") == .done(added))
    let again = "The list has 10 rows already; nothing was added."
    let rows = try desk.run("list", "--json")
    #expect(try desk.run("demo") == .done(again))
    #expect(try desk.run("demo", "--json") == .done(#"{"op":"demo","added":0,"count":10}"#))
    #expect(try desk.run("demo", "-q") == .done())
    #expect(try desk.run("list", "--json") == rows)
    let json = #"{"op":"demo","added":10,"count":10}"#
    #expect(try desk.run("demo", "--json", "--db", "other.sqlite").withoutStep == .done(json))
    try desk.expectSound()
  }
}
