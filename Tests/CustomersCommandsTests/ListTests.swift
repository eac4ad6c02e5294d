import CustomersTestSupport
import Foundation
import Testing

/// `customers list`, whole outputs.
@Suite(.onThreads) struct ListTests {
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

  @Test func `a list with one section shows no titles`() throws {
    let sandbox = try CLISandbox()
    for name in ["Ann Lee", "Bob"] { #expect(try sandbox.run("add", name).code == 0) }
    #expect(try sandbox.run("list") == .done("Row  Id  Name\n  1  @1  Ann Lee\n  2  @2  Bob"))
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

  @Test func `limit and offset count rows in the list, or of the section`() throws {
    let sandbox = try CLISandbox.withDemo()
    let middle = """
      Row  Id   Name             Company               E-mail                   Note
      Customers
        6  @6   Anna Karenina                          anna@vronsky.example     no trains
      Leads
        7  @7   Dorothea Brooke  Middlemarch Cottages  dorothea@lowick.example
      """
    #expect(try sandbox.run("list", "--offset", "5", "--limit=2") == .done(middle))
    let inSection = """
      Row  Id   Name           Company                Note
      Leads
        8  @8   Edmond Dantès  Monte Cristo Holdings  very patient
      """
    let window = try sandbox.run("list", "--section", "leads", "--offset", "1", "--limit", "1")
    #expect(window == .done(inSection))
    #expect(try sandbox.run("list", "--limit", "0") == .done())
    #expect(try sandbox.run("list", "--offset", "99", "--format", "ndjson") == .done())
    #expect(try sandbox.run("list", "--limit", "99999999999999999999") == .done(ListTests.table))
    #expect(try sandbox.run("list", "--offset", "99999999999999999999", "--format", "ndjson") == .done())
  }

  @Test func `csv and tsv have every field and the section`() throws {
    let sandbox = try CLISandbox.withDemo()
    let header =
      "first_name,last_name,company,email,phone,address,note,is_favorite,can_edit,can_move,section\n"
    let zoe =
      "Zoë,Müller,Müller & Töchter,zoe@mueller.example,,,met at the fair,0,1,1,Customers\n"
    let window = ["--offset", "4", "--limit", "1"]
    let csv = try sandbox.run(words: ["list", "--format", "csv"] + window)
    #expect(csv == ProcessResult(output: header + zoe, errors: "", code: 0))
    let tsv = try sandbox.run(words: ["list", "--format", "tsv", "--no-header"] + window)
    #expect(tsv.output == zoe.replacingOccurrences(of: ",", with: "\t"))
    let all = try sandbox.run("list", "--format", "csv").output
    #expect(all.components(separatedBy: "\n").count == 12)
  }

  @Test func `list and export write the same csv, with ids only if they are asked for`() throws {
    let sandbox = try CLISandbox.withDemo()
    let extra = "name,Zip,id,extra.City\nAnn,01,A7,Bonn\n"
    try #require(try sandbox.run("import", "-", "-q", "--section", "leads", stdin: extra) == .done())
    for format in ["csv", "tsv"] {
      for options in [[], ["--ids"], ["--section", "leads"], ["--no-header", "--ids"]] {
        let words = ["--format", format] + options
        let listed = try sandbox.run(words: ["list"] + words)
        #expect(try listed.code == 0 && listed == sandbox.run(words: ["export"] + words), "\(words)")
        guard !options.contains("--ids") else { continue }
        #expect(try listed == sandbox.run(words: ["list", "--where", "email!=nobody"] + words), "\(words)")
      }
    }
    let history = try sandbox.sqlite("SELECT history_id FROM list_identity").prefix(32)
    let version = try "\(history):" + sandbox.sqlite("SELECT id FROM last_edit").dropLast()
    let ann = try sandbox.run("find", "bonn", "--format", "csv", "--ids").output
    #expect(
      ann
        == "id,version,first_name,last_name,company,email,phone,address,note,is_favorite,can_edit,can_move,section,"
        + "Zip,extra.id,extra.City\n11,\(version),Ann,,,,,,,0,1,1,Leads,01,A7,Bonn\n")
    let chosen = try sandbox.run("list", "--fields", "name,section", "--format", "csv", "--ids", "-l", "1")
    #expect(chosen.output == "id,version,name,section\n1,\(version),Elizabeth Bennet,Customers\n")
    for words in [["list"], ["list", "--json"], ["export", "--json"], ["find", "a", "--format", "ids"]] {
      let answer = try sandbox.run(words: words + ["--ids"])
      #expect(answer.code == 2 && answer.errors.contains("--ids only works with csv and tsv"), "\(words)")
    }
  }

  @Test func `json and ndjson carry the same records`() throws {
    let sandbox = try CLISandbox.withDemo()
    let record = """
      {"id":8,"section":2,"section_title":"Leads","order":2,"position":8,"name":"Edmond Dantès","first_name":"Edmond",\
      "last_name":"Dantès","company":"Monte Cristo Holdings","email":"","phone":"","address":"",\
      "note":"very patient","other_contacts":"","tags":"","is_favorite":false,"can_edit":true,"can_move":true,"extra":{}}
      """
    let window = ["--offset", "7", "--limit", "1"]
    #expect(try sandbox.run(words: ["list", "--json"] + window) == .done("[\n\(record)\n]"))
    #expect(try sandbox.run(words: ["list", "--format", "ndjson"] + window) == .done(record))
    let lines = try sandbox.run("list", "--format", "ndjson").output.split(separator: "\n")
    let all = try sandbox.run("list", "--format=json").output
    #expect(all == "[\n" + lines.joined(separator: ",\n") + "\n]\n")
    #expect(try jsonArray(all).compactMap { $0["position"] as? Int } == Array(1...10))
  }

  @Test func `a missing file in the default place is an empty list, and stays missing`() throws {
    let sandbox = try CLISandbox()
    let usual = CLISandbox.usualPlace
    #expect(try sandbox.run("list", environment: usual) == .done())
    #expect(try sandbox.run("list", "--json", environment: usual) == .done("[\n]"))
    #expect(try sandbox.run("list", "--format", "ndjson", environment: usual) == .done())
    #expect(
      try sandbox.run("section", environment: usual).output
        == "Order  Id  Title      Rows\n    1  @1  Customers     0\n")
    #expect(try sandbox.names.isEmpty)
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
