import CustomersTestSupport
import Foundation
import Testing

/// `customers list`, whole outputs.
@Suite(.onThreads) struct ListTests {
  @Test(arguments: try Transcript.sessions("List"))
  func `a session goes as recorded`(_ session: Transcript) throws { try session.replay() }

  static let table = """
    Row  Id   Name              Company                E-mail                        Note
    Customers
      1  @1   Elizabeth Bennet  Longbourn Books        lizzy@longbourn.example       walks everywhere
      2  @2   Sherlock Holmes                          sherlock@bakerstreet.example  knock twice
      3  @3   Jane Eyre         Thornfield School      jane@thornfield.example
      4  @4   Ishmael           Pequod Whaling                                       call him
      5  @5   Zoë Müller        Müller & Töchter       zoe@mueller.example           met at the fair
      6  @6   Anna Karenina                            anna@vronsky.example          no trains
    Leads
      7  @7   Dorothea Brooke   Middlemarch Cottages   dorothea@lowick.example
      8  @8   Edmond Dantès     Monte Cristo Holdings                                very patient
      9  @9   明 山田           山田商店               yamada@shop.example
    Archive
     10  @10  Miss Havisham     Satis House                                          clocks stopped
    """

  @Test(arguments: [["list"], ["ls"], ["list", "--format", "table"], ["-q", "list", "-n"]])
  func `the table has every row once, under its section`(words: [String]) throws {
    let sandbox = try CLISandbox.withDemo()
    let result = try sandbox.expectUntouched { try sandbox.run(words: words) }
    #expect(result == .done(ListTests.table))
  }

  @Test(arguments: ["leads", "LEAD", "2", "@2", "ead"])
  func `list --section shows the rows of one section`(section: String) throws {
    let rows = """
      Row  Id   Name             Company                E-mail                   Note
      Leads
        7  @7   Dorothea Brooke  Middlemarch Cottages   dorothea@lowick.example
        8  @8   Edmond Dantès    Monte Cristo Holdings                           very patient
        9  @9   明 山田          山田商店               yamada@shop.example
      """
    #expect(try CLISandbox.withDemo().run("list", "--section", section) == .done(rows))
  }

  @Test func `list and export write the same csv, with ids only if they are asked for`() throws {
    let sandbox = try CLISandbox.withDemo()
    let extra = "name,Room,id,extra.Club\nAnn,01,A7,Bonn\n"
    try #require(try sandbox.run("import", "-", "-q", "--section", "leads", stdin: extra) == .done())
    for format in ["csv", "tsv"] {
      for options in [[], ["--ids"], ["--section", "leads"], ["--no-header", "--ids"]] {
        let words = ["--format", format] + options
        let listed = try sandbox.run(words: ["list"] + words)
        #expect(try listed.code == 0 && listed == sandbox.run(words: ["export"] + words), "\(words)")
        guard !options.contains("--ids") else { continue }
        #expect(try listed == sandbox.run(words: ["list", "--where", "email!~nobody"] + words), "\(words)")
      }
    }
    let mark = try sandbox.sqlite("SELECT printf('%016x', mark) FROM last_step").prefix(16)
    let list = try sandbox.sqlite("SELECT list_id FROM list_identity").prefix(8)
    let version = try "\(mark):" + sandbox.sqlite("SELECT id FROM last_edit").dropLast() + "::\(list)"
    let ann = try sandbox.run("find", "bonn", "--format", "csv", "--ids").output
    #expect(
      ann
        == "id,version,first_name,last_name,company,email,phone,address,note,is_favorite,can_edit,can_move,section,"
        + "Room,extra.id,extra.Club\n11,\(version),Ann,,,,,,,0,1,1,Leads,01,A7,Bonn\n")
    let chosen = try sandbox.run("list", "--fields", "name,section", "--format", "csv", "--ids", "-l", "1")
    #expect(chosen.output == "id,version,name,section\n1,\(version),Elizabeth Bennet,Customers\n")
    for words in [
      ["list"], ["list", "--json"], ["list", "--format", "vcard"], ["find", "a", "--format", "ids"],
    ] {
      let answer = try sandbox.run(words: words + ["--ids"])
      #expect(
        answer.code == 2 && answer.errors.contains("--ids only works with csv and tsv"), "\(words)")
    }
  }

  @Test func `a card comes back without ids, and says so`() throws {
    let sandbox = try CLISandbox.withDemo()
    #expect(
      try sandbox.run("export", "list.vcf", "--ids")
        == .failed(
          2,
          """
          customers: --ids only works with csv, tsv, xlsx, json, and ndjson
          hint: every card has a UID, by which it comes back: customers import FILE --on-duplicate update
          """))
  }

  @Test func `json and ndjson carry the same records`() throws {
    let sandbox = try CLISandbox.withDemo()
    let record = """
      {"id":8,"section":2,"section_title":"Leads","order":2,"position":8,"name":"Edmond Dantès","first_name":"Edmond",\
      "last_name":"Dantès","company":"Monte Cristo Holdings","email":"","phone":"","address":"",\
      "note":"very patient","contacts":[],"tags":[],"is_favorite":false,"can_edit":true,"can_move":true,"extra":{}}
      """
    let window = ["--offset", "7", "--limit", "1"]
    #expect(try sandbox.run(words: ["list", "--json"] + window) == .done("[\n\(record)\n]"))
    #expect(try sandbox.run(words: ["list", "--format", "ndjson"] + window) == .done(record))
    let lines = try sandbox.run("list", "--format", "ndjson").output.split(separator: "\n")
    let all = try sandbox.run("list", "--format=json").output
    #expect(all == "[\n" + lines.joined(separator: ",\n") + "\n]\n")
    #expect(try jsonArray(all).compactMap { $0["position"] as? Int } == Array(1...10))
  }

  @Test func `a terminal shows the same rows, cut to its width`() throws {
    let sandbox = try CLISandbox.withDemo()
    let plain = try sandbox.onTerminal("list", "--section", "leads", "--color", "never", columns: 36)
    #expect(
      plain.screen == """
        Row  Id   Name             Company\r
        Leads\r
          7  @7   Dorothea Brooke  Middlema…\r
          8  @8   Edmond Dantès    Monte Cr…\r
          9  @9   明 山田          山田商店\r\n
        """)
    let colored = try sandbox.onTerminal("list", "--section", "archive")
    let row = " 10  \u{1b}[2m@10\u{1b}[0m  Miss Havisham  Satis House  clocks stopped\r\n"
    #expect(colored.screen.hasSuffix("\r\n\u{1b}[1;36mArchive\u{1b}[0m\r\n" + row))
    for plain in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      #expect(try !sandbox.onTerminal("list", environment: plain).screen.contains("\u{1b}"))
    }
    #expect(try sandbox.run("list", "--color", "always").output.contains("\u{1b}[1;36mLeads"))
  }
}
