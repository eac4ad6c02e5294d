import CustomerStore
import CustomersTestSupport
import Foundation
import Testing

/// The columns that every address book has: one in the list, whatever they are called, and the parts of the address.
@Suite(.onThreads) struct KnownColumnTests {
  private func cells(_ sandbox: CLISandbox, _ fields: String) throws -> String {
    try sandbox.run("list", "--format", "csv", "--no-header", "--fields", fields).output
  }

  @Test func `a known column has its kind when it is used for the first time`() throws {
    let sandbox = try CLISandbox()
    #expect(
      try sandbox.run("add", "Ann", "--set", "Geburtstag=24.12.1980", "--set", "Job title=Head", "-q")
        == .done())
    #expect(try cells(sandbox, "Birthday,job_title") == "1980-12-24,Head\n")
    #expect(try sandbox.run("columns").output == "Birthday (1 customer): date\nJob title (1 customer)\n")
    #expect(try sandbox.run("list", "--count", "--where", "date of birth<1981-01-01") == .done("1"))
    let wrong = try sandbox.expectUntouched { try sandbox.run("add", "Bob", "--set", "Website=see card") }
    #expect(wrong.code == 2 && wrong.errors.contains("Website: \"see card\" is not a link"), "\(wrong)")
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.run("columns").output.isEmpty)
  }

  /// The address as Google prints it may have less than its parts.
  @Test func `no part of an address is lost beside its printed form`() throws {
    for (printed, address) in [
      ("12 Lens Rd\nLeeds", "12 Lens Rd\nLS1 4AB Leeds\nUK"), ("Leeds", "12 Lens Rd\nLS1 4AB Leeds\nUK"),
      ("12 Lens Rd\nLeeds LS1 4AB\nUK", "12 Lens Rd\nLeeds LS1 4AB\nUK"),
      (
        "Lens House, 12 Lens Rd\nLeeds\nUnited Kingdom",
        "Lens House, 12 Lens Rd\nLeeds\nUnited Kingdom\nLS1 4AB\nUK"
      ),
      ("12 Lens Rd ::: 3 Elm Close", "12 Lens Rd"),
    ] {
      let sandbox = try CLISandbox()
      let street = printed.contains(":::") ? printed : "12 Lens Rd"
      try sandbox.write(
        """
        First Name,Address 1 - Formatted,Address 1 - Street,Address 1 - City,Address 1 - Postal Code,Address 1 - Country
        Ann,"\(printed)",\(street),Leeds,LS1 4AB,UK

        """, to: "a.csv")
      #expect(try sandbox.run("import", "a.csv", "-q", "-y") == .done())
      #expect(try sandbox.run("list", "--template", "{address}").output == address, "\(printed)")
      guard !printed.contains(":::") else { continue }
      #expect(try cells(sandbox, "City,postal_code,Country") == "Leeds,LS1 4AB,UK\n")
    }
  }

  @Test func `no column gets a name that means something else`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "--set", "Code=7", "--set", "Birthday=1980-04-03", "-q") == .done())
    for (words, hint) in [
      (["rename", "Code", "Geburtstag"], "columns join Code Birthday"),
      (["add", "Geburtstag"], "the same as"),
    ] {
      let refused = try sandbox.expectUntouched { try sandbox.run(words: ["columns"] + words) }
      #expect(refused.code == 4 && refused.errors.contains(hint), "\(refused)")
    }
    for (name, join) in [("Ort", "Ort City"), ("Telefon", "Telefon phone"), ("Code", "")] {
      let renamed = try sandbox.run(
        "columns", "rename", name == "Ort" ? "Code" : name == "Code" ? "Telefon" : "Ort", name)
      let hint = join.isEmpty ? "" : "customers columns join \(join)\n"
      #expect(
        renamed.code == 0 && renamed.errors.hasSuffix(hint) && renamed.errors.isEmpty == join.isEmpty,
        "\(renamed)")
    }
    // A column may be called so in another language, and is then the only one.
    #expect(try sandbox.run("columns", "rename", "Birthday", "Geburtstag", "-q") == .done())
    for name in ["Birthday", "Date of birth"] {
      let refused = try sandbox.expectUntouched { try sandbox.run("columns", "add", name) }
      #expect(refused.code == 4 && refused.errors.contains("the column \"Geburtstag\""), "\(refused)")
    }
    #expect(try sandbox.run("edit", "1", "--set", "Birthday=5.4.1980", "-q") == .done())
    #expect(try sandbox.run("import", "-", "-q", stdin: "Name,DOB\nBob,1981-05-04\n") == .done())
    let edit = #"{"update":{"ids":[2],"set":{"extra":{"Birthday":"1981-05-06"}}}}"#
    #expect(try sandbox.run("apply", "-", "-q", stdin: edit) == .done())
    #expect(try cells(sandbox, "Geburtstag") == "1980-04-05\n1981-05-06\n")
    #expect(try sandbox.run("list", "--count", "--where", "birthday<1981-01-01") == .done("1"))
    #expect(try sandbox.run("columns").output == "Geburtstag (2 customers): date\nCode (1 customer)\n")
    // Other programs see a birthday, too.
    let cards = try sandbox.run("export", "-", "--format", "vcard").output
    #expect(cards.contains("\r\nBDAY:19800405\r\n"), "\(cards)")
    #expect(try sandbox.run("export", "-", "--format", "ics").output.contains("19810506"))
    let other = try CLISandbox()
    #expect(try other.run("import", "-", "-q", "--format", "vcard", stdin: cards) == .done())
    #expect(try cells(other, "Geburtstag") == cells(sandbox, "Geburtstag"))
    #expect(try !other.run("columns").output.contains("Birthday"))
  }

  @Test(arguments: [
    ("Web Page 1,Web Page 2", "Website"), ("Website 1 - Value,Website 2 - Value", "Website"),
    ("Organization 1 - Title,Organization 2 - Title", "Job title"), ("Nick,Né(e) le", "Birthday"),
    ("Fax,ContactTitle", "Job title"),
  ])
  func `a further column of one meaning is the first with a value`(header: String, name: String) throws {
    let sandbox = try CLISandbox()
    let value = name == "Birthday" ? "3.4.1980" : "http://a.example"
    try sandbox.write("First Name,\(header)\nOlaf,,\(value)\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q", "-y") == .done())
    #expect(try sandbox.run("columns").output.hasPrefix("\(name) (1 customer)"))
  }

  /// Apple's, Evolution's, and KAddressBook's.
  @Test(arguments: [
    "item3.X-ABDATE;type=pref:2001-09-08\nitem3.X-ABLabel:_$!<Anniversary>!$_", "X-ANNIVERSARY:2001-09-08",
    "X-EVOLUTION-ANNIVERSARY:20010908", "X-KADDRESSBOOK-X-Anniversary:2001-09-08",
  ])
  func `an anniversary of a card is the known column, and its line stays until that is edited`(
    lines: String
  ) throws {
    let sandbox = try CLISandbox()
    let card = "BEGIN:VCARD\nVERSION:3.0\nN:Lee;Ann;;;\n\(lines)\nEND:VCARD\n"
    #expect(try sandbox.run("import", "-", "-q", "--format", "vcard", stdin: card) == .done())
    #expect(try sandbox.run("list", "--count", "--where", "Anniversary=2001-09-08") == .done("1"))
    let name = lines.split(separator: ":")[0].split(separator: ";")[0]
    // A UID may have any digits.
    func cards() throws -> String {
      try sandbox.run("export", "-", "--format", "vcard").output.replacing(/UID:.*\r\n/, with: "")
    }
    let before = try sandbox.run("export", "-", "--format", "vcard").output
    #expect(before.contains("ANNIVERSARY:20010908\r\n") && before.contains("\r\n\(name)"), "\(before)")
    let other = try CLISandbox()
    #expect(try other.run("import", "-", "-q", "--format", "vcard", stdin: before) == .done())
    #expect(
      try other.run("export", "-", "--format", "json").output
        == sandbox.run("export", "-", "--format", "json").output)
    #expect(try sandbox.run("edit", "1", "--set", "Anniversary=2002-09-08", "-q") == .done())
    let after = try cards()
    #expect(
      after.contains("ANNIVERSARY:20020908") && !after.contains("2001") && !after.contains("X-AB"), "\(after)"
    )
    #expect(try sandbox.run("edit", "1", "--set", "Anniversary=", "-q") == .done())
    let cleared = try cards()
    #expect(!["ANNIVERSARY", "200", "X-AB"].contains(where: cleared.contains), "\(cleared)")
  }

  @Test func `a nickname of Android's card is the known column, and its line stays until that is edited`()
    throws
  {
    let sandbox = try CLISandbox()
    func line(_ name: String) -> String {
      "X-ANDROID-CUSTOM:vnd.android.cursor.item/nickname;\(name);1;;;;;;;;;;;;;\n"
    }
    func cards(_ lines: String) throws -> String {
      let card = "BEGIN:VCARD\nVERSION:3.0\nN:Lee;Ann;;;\n\(lines)END:VCARD\n"
      #expect(try sandbox.run("import", "-", "-q", "--format", "vcard", stdin: card) == .done())
      return try sandbox.run("export", "-", "--format", "vcard").output.replacing("\r\n ", with: "")
    }
    #expect(try cards(line("Annie")).contains("nickname;Annie;1"))
    for nickname in ["Nan", ""] {
      #expect(try sandbox.run("edit", "1", "--set", "Nickname=\(nickname)", "-q") == .done())
      let written = try sandbox.run("export", "-", "--format", "vcard").output
      #expect(written.contains("NICKNAME:Nan") == (nickname == "Nan"), "\(written)")
      #expect(!written.contains("Annie") && !written.contains("ANDROID"), "\(written)")
    }
    #expect(try sandbox.run("delete", "1", "-y", "-q") == .done())
    let both = try cards("NICKNAME:Nan\n" + line("Annie"))
    #expect(both.contains("NICKNAME:Nan") && both.contains("nickname;Annie;1"), "\(both)")
    #expect(try sandbox.run("edit", "1", "--set", "Nickname=Nanny", "-q") == .done())
    let edited = try sandbox.run("export", "-", "--format", "vcard").output.replacing("\r\n ", with: "")
    #expect(
      edited.contains("NICKNAME:Nanny") && edited.contains("nickname;Annie;1") && !edited.contains("Nan\r"),
      "\(edited)")
  }

  @Test(arguments: ["ANNIVERSARY:2000-01-01", "X-ANNIVERSARY:2000-01-01"])
  func `a second anniversary of a card stays`(first: String) throws {
    let lines = "\(first)\nitem1.X-ABDATE:2001-09-08\nitem1.X-ABLabel:Jahrestag"
    let sandbox = try CLISandbox()
    let card = "BEGIN:VCARD\nVERSION:3.0\nN:Lee;Ann;;;\n\(lines)\nEND:VCARD\n"
    #expect(try sandbox.run("import", "-", "-q", "--format", "vcard", stdin: card) == .done())
    for day in ["2000-01-01", "2002-02-02"] {
      #expect(try sandbox.run("edit", "1", "--set", "Anniversary=\(day)", "-q") == .done())
      let written = try sandbox.run("export", "-", "--format", "vcard").output
      #expect(written.contains("\nANNIVERSARY:\(day.filter { $0 != "-" })"), "\(written)")
      #expect(written.contains("item1.X-ABDATE:2001-09-08\r\nitem1.X-ABLabel:Jahrestag"), "\(written)")
      #expect(written.contains("2000") == (day == "2000-01-01"), "\(written)")
    }
  }

  @Test func `a birthday without a year keeps its kind in our own tables`() throws {
    for values in [["1980-01-02", "--03-04", "--02-29"], ["--03-04"]] {
      let sandbox = try CLISandbox()
      let rows = values.enumerated().map { "A\($0),\($1)\n" }.joined()
      #expect(try sandbox.run("import", "-", "-q", stdin: "Name,Birthday\n" + rows) == .done())
      for name in ["b.csv", "b.tsv", "b.xlsx"] {
        #expect(try sandbox.run("export", name, "-q") == .done())
        let other = try CLISandbox()
        #expect(try other.run("import", sandbox.folder + "/" + name, "-q") == .done())
        #expect(try other.run("columns").output == sandbox.run("columns").output, "\(name) \(values)")
        #expect(try cells(other, "Birthday") == cells(sandbox, "Birthday"))
      }
    }
  }

  @Test func `Outlook's columns are known and left out in German as in English`() throws {
    let names = [
      ("First Name", "Vorname", "Al"), ("Job Title", "Position", "Chef"), ("Profession", "Beruf", "Koch"),
      ("Business City", "Ort geschäftlich", "Bonn"), ("Location", "Ort", "Haus 2"),
      ("E-mail Address", "E-Mail-Adresse", "al@x.example"),
      ("E-mail Display Name", "E-Mail: Angezeigter Name", "Al (al@x.example)"),
      ("E-mail 2 Display Name", "E-Mail 2: Angezeigter Name", "Al"), ("Initials", "Initialen", "A."),
      ("Priority", "Priorität", "Normal"), ("Private", "Privat", "Falsch"),
      ("Sensitivity", "Vertraulichkeit", "Normal"),
      ("Directory Server", "Verzeichnisserver", "x"), ("Internet Free Busy", "Internet Frei/Gebucht", "x"),
      ("Organizational ID Number", "Organisations-Nr.", "7"),
    ]
    let values = names.map(\.2).joined(separator: ",")
    for (header, extra) in [
      (names.map(\.0), #"{"Job title":"Chef","Location":"Haus 2","Profession":"Koch"}"#),
      (names.map(\.1), #"{"Job title":"Chef","Ort":"Haus 2","Beruf":"Koch"}"#),
    ] {
      let sandbox = try CLISandbox()
      try sandbox.write("\(header.joined(separator: ","))\n\(values)\n", to: "a.csv")
      #expect(try sandbox.run("import", "a.csv", "-q", "-y") == .done())
      let row = try jsonObject(try sandbox.run("show", "1", "--json").output)
      let wanted = try jsonObject(extra)
      #expect(row["extra"] as? [String: String] == wanted as? [String: String], "\(row)")
      #expect(row["email"] as? String == "al@x.example" && row["address"] as? String == "Bonn", "\(row)")
    }
  }

  @Test func `a birthday and a last contact are not on a day to come`() throws {
    let sandbox = try CLISandbox()
    let tomorrow = try sandbox.shell("LC_ALL=C date -d tomorrow +'%d.%m.'").output.trimmingCharacters(
      in: .newlines)
    #expect(try sandbox.run("add", "Bob", "--set", "Birthday=\(tomorrow)", "-q") == .done())
    #expect(try sandbox.run("list", "--template", "{Birthday}").output.hasPrefix("--"))
    #expect(try sandbox.run("add", "Ann", "--set", "Last contact=\(tomorrow)", "-q") == .done())
    #expect(try sandbox.run("list", "--count", "--where", "Last contact<today") == .done("1"))
  }

  @Test(arguments: ["Birthday", "Geburtstag"])
  func `a birthday may have no year, by any name, and goes on as one`(_ column: String) throws {
    let sandbox = try CLISandbox.withLetters()
    #expect(try sandbox.run("columns", "add", column, "--kind", "date", "-q") == .done())
    let typed = ["24.12.", "--02-29", "29.2.", "24.12.80"]
    for (row, text) in zip(1..., typed) {
      #expect(try sandbox.run("edit", "\(row)", "--set", "\(column)=\(text)", "-q") == .done(), "\(text)")
    }
    #expect(
      try sandbox.run("list", "--template", "{\(column)};").output.hasPrefix(
        "--12-24;--02-29;--02-29;1980-12-24;"))
    for text in ["24 December", "Dec 24", "24. Dez."] {
      #expect(try sandbox.run("edit", "6", "--set", "\(column)=\(text)", "-q") == .done(), "\(text)")
      #expect(try sandbox.run("list", "6", "--template", "{\(column)}").output == "--12-24", "\(text)")
    }
    #expect(try sandbox.run("edit", "6", "--set", "\(column)=", "-q") == .done())
    let toCome = try sandbox.run("edit", "1", "--set", "\(column)=2999-12-24")
    #expect(toCome.code == 2 && toCome.errors.contains("to come; without a year, write --12-24"), "\(toCome)")
    for text in ["11/12", "31.2.", "--02-30", "tomorrow", "30 February"] {
      let refused = try sandbox.expectUntouched { try sandbox.run("edit", "1", "--set", "\(column)=\(text)") }
      #expect(refused.code == 2 && !refused.errors.isEmpty, "\(text) \(refused)")
    }
    for (question, count) in [
      ("=24.12.", 2), ("!=24.12.", 2), ("=--02-29", 2), ("=1.1.,29.2.", 2), ("=24.12.1980", 1),
      ("<2000-01-01", 1), (">=1.12.", 2), ("<1.3.", 2), (">24.12.", 0), ("<=24.12.", 4),
    ] {
      let found = try sandbox.run("list", "--count", "--where", column + question)
      #expect(found.output == "\(count)\n", "\(question) \(found)")
    }
    let note = "3 values of \"\(column)\" are no dates with a year"
    #expect(try sandbox.run("list", "--count", "--where", "\(column)<2000-01-01").errors.contains(note))
    // Nobody was born today, or is born in a week, and these are asked for nevertheless.
    let inAWeek = try #require(CalendarDay(number: CalendarDay.today.number + 7)).withoutYear
    #expect(try sandbox.run("edit", "5", "--set", "\(column)=\(inAWeek)", "-q") == .done())
    #expect(try sandbox.run("list", "--count", "--where", "\(column)=+7d") == .done("1"))
    #expect(try sandbox.run("list", "--count", "--where", "\(column)=+8d") == .done("0"))
    #expect(try sandbox.run("edit", "5", "--set", "\(column)=", "-q") == .done())
    try sandbox.write("Name,\(column)\nZoe,24.12.\nYan,24.12.80\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q") == .done())
    #expect(
      try sandbox.run("list", "--template", "{\(column)};").output.contains(";--12-24;1980-12-24;"))
    guard column == "Birthday" else { return }
    #expect(try sandbox.run("export", "--format", "vcard").output.contains("BDAY:--1224\r\n"))
  }

  @Test func `a birthday without its year is taken from any file`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write(
      "Name,Geburtstag\nAnn,24.12.\nBob,--02-29\nCid,1.2.1980\nDan,3/4\nFay,31.2.\n", to: "a.csv")
    let imported = try sandbox.run("import", "a.csv")
    #expect(
      imported.code == 0 && imported.errors.contains("\"3/4\" and \"31.2.\" are no dates")
        && imported.errors.contains("\"Birthday\" has 2 days without a year"), "\(imported)")
    #expect(
      try sandbox.run("list", "--template", "{Birthday};").output
        == "--12-24;--02-29;1980-02-01;3/4;31.2.;")
    // A spreadsheet has other words for it than the list handed out.
    #expect(try sandbox.run("export", "b.csv", "--ids", "-q") == .done())
    #expect(try sandbox.shell("sed -i 's/--12-24/25.12./; s/--02-29/29.2./' b.csv").code == 0)
    let taken = try sandbox.run("take", "b.csv", "-y")
    #expect(taken.code == 0 && !taken.errors.contains("25.12."), "\(taken)")
    #expect(
      try sandbox.run("list", "--template", "{Birthday};").output
        == "--12-25;--02-29;1980-02-01;3/4;31.2.;")
  }

  @Test func `parts of German addresses are known`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write(
      """
      Vorname,Straße,Staat/Bundesland,PLZ,Ort,Land,Tel. dienstl.
      Al,Weg 1,NRW,53111,Bonn,Deutschland,0228 1

      """, to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q", "-y") == .done())
    #expect(try cells(sandbox, "City,Region,Country,phone") == "Bonn,NRW,Deutschland,0228 1\n")
    try sandbox.write(
      "Vorname,Adresszeile 1,Adresszeile 2,PLZ/Ort\nBo,Haus 2,Weg 3,53111 Bonn\n", to: "b.csv")
    #expect(try sandbox.run("import", "b.csv", "-q", "-y") == .done())
    #expect(try sandbox.run("list", "2", "--template", "{address}").output == "Haus 2\nWeg 3\n53111 Bonn")
    try sandbox.write(
      "Vorname,Straße,PLZ/Ort\nCid,Weg 1,D-80331 Bad Tölz\nDee,Weg 2,Ulm\nEve,Weg 3,8001\n", to: "c.csv")
    #expect(try sandbox.run("import", "c.csv", "-q", "-y") == .done())
    #expect(
      try cells(sandbox, "Street,Postal code,City").hasSuffix(
        "\"Haus 2\nWeg 3\",53111,Bonn\nWeg 1,D-80331,Bad Tölz\nWeg 2,,Ulm\nWeg 3,8001,\n"))
  }

  @Test(arguments: [
    ("SW1A 1AA London", "SW1A 1AA,London"), ("K1A 0B1 Ottawa", "K1A 0B1,Ottawa"),
    ("114 55 Stockholm", "114 55,Stockholm"), ("1012 AB Amsterdam", "1012 AB,Amsterdam"),
    ("1010 Wien", "1010,Wien"), ("75008 PARIS", "75008,PARIS"), ("2500 CH", "2500,CH"),
  ])
  func `a postal code before a city is taken whole`(_ written: String, _ parts: String) throws {
    let sandbox = try CLISandbox()
    try sandbox.write("Name,Street,Postcode/City\nAl,Way 1,\(written)\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q", "-y") == .done())
    #expect(try cells(sandbox, "Postal code,City") == parts + "\n")
  }

  @Test func `a note names a word for a day that stays a word`() throws {
    let sandbox = try CLISandbox()
    let added = try sandbox.run("add", "Ann", "--set", "Due=11/12/2026", "--set", "Club=Chess")
    #expect(
      added.errors
        == "note: \"Due\" has any text, so \"11/12/2026\" stays as it is; for the day, write 2026-11-12 or 2026-12-11\n"
    )
    let edited = try sandbox.run("edit", "1", "--set", "Due=monday")
    #expect(edited.code == 0 && edited.errors.contains("\"monday\" stays as it is"), "\(edited)")
    let script = "edit 1 --set Due=friday\nbegin\nadd Bob --set Due=24.12.\nend\nedit 1 --set Club=Go\n"
    let applied = try sandbox.run("apply", "-", stdin: script).errors
    #expect(
      applied.contains("note: line 1: \"Due\" has any text, so \"friday\" stays as it is"), "\(applied)")
    #expect(applied.contains("\"24.12.\" stays") && !applied.contains("Go"), "\(applied)")
    for words in [["Due=today+7"], ["Due=24.12.2026"], ["Due=monday", "-q"], ["Due=friday", "-y"]] {
      #expect(try sandbox.run(words: ["edit", "1", "--set"] + words).errors.isEmpty)
    }
  }

  @Test func `of columns that mean the same, the first with a value counts`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write(
      """
      First Name,Personal Web Page,Web Page,Birthday,Geburtstag
      Olaf,,http://look.example,,3.4.1980
      Pia,http://pia.example,http://work.example,4.5.1981,4.5.1981
      Quin,,,,

      """, to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q", "-y") == .done())
    #expect(
      try cells(sandbox, "Website,Web Page,Birthday")
        == "http://look.example,,1980-04-03\nhttp://pia.example,http://work.example,1981-05-04\n,,\n")
  }

  @Test func `a column of the list keeps its name and its data`() throws {
    let sandbox = try CLISandbox()
    let edit = #"{"insert":{"customers":[{"first_name":"Ann","extra":{"city":"Bonn","geburtstag":"soon"}}]}}"#
    #expect(try sandbox.run("apply", "-", stdin: edit).code == 0)
    #expect(try sandbox.run("edit", "1", "--set", "City=Köln", "--set", "Geburtstag=later", "-q") == .done())
    #expect(try cells(sandbox, "city,geburtstag,address") == "Köln,later,\n")
    try sandbox.write("Vorname,Geburtstag,City,Street\nBob,24.12.1980,Ulm,Weg 1\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q").code == 0)
    #expect(try cells(sandbox, "city,geburtstag,address") == "Köln,later,\nUlm,24.12.1980,\"Weg 1\nUlm\"\n")
  }

  @Test func `the parts of an address are parts`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write(
      """
      First Name,Home Street,Home City,Home Postal Code,Home Country/Region,Business Street,Business City
      Ann,12 Lens Rd,Leeds,LS1 4AB,UK,4 Elm Close,York

      """, to: "a.csv")
    let preview = try sandbox.run("import", "a.csv", "-n")
    #expect(!preview.output.contains("Extra columns"), "\(preview)")
    #expect(try sandbox.run("import", "a.csv", "-q") == .done())
    #expect(try cells(sandbox, "City,postal_code,Country") == "Leeds,LS1 4AB,UK\n")
    for city in ["Leeds", "York"] {
      #expect(try sandbox.run("list", "--count", "--where", "City=\(city)") == .done("1"))
    }
    #expect(try sandbox.run("list", "--count", "--where", "City=Ulm") == .done("0"))
    #expect(try sandbox.run("edit", "1", "--set", "City=Hull", "-q") == .done())
    #expect(try cells(sandbox, "address") == "\"12 Lens Rd\nLS1 4AB Hull\nUK\"\n")
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try cells(sandbox, "City") == "Leeds\n")
    // The address alone says nothing about its parts.
    #expect(try sandbox.run("edit", "1", "--address", "Elsewhere", "-q") == .done())
    #expect(try cells(sandbox, "City") == "\"\"\n" || cells(sandbox, "City") == "\n")
    #expect(try sandbox.run("list", "--count", "--where", "City=York") == .done("1"))
    #expect(
      try sandbox.run("check").errors.contains(
        "note: 1 address is not known in parts, so a question such as City=Bonn does not find it\n"))
    // A question about it leaves it out, and says so.
    let note = "note: 1 address is not known in parts; these customers were left out\n"
    for question in ["City=Hull", "City!=Hull", "City=", "City~Hull"] {
      let none = try sandbox.run("list", "--count", "--where", question)
      #expect(none.output == "0\n" && none.errors == note, "\(question): \(none)")
    }
    let two = try sandbox.run("list", "--count", "--where", "City=Hull", "--where", "Country=UK")
    #expect(two.errors == note, "\(two)")
    let some = try sandbox.expectUntouched { try sandbox.run("edit", "--where", "City=", "--tag", "x") }
    #expect(some.code == 4, "\(some)")
    let refused = try sandbox.expectUntouched { try sandbox.run("edit", "1", "--set", "City=Hull") }
    #expect(refused.code == 2 && refused.errors.contains("is not known in parts"), "\(refused)")
    #expect(try sandbox.run("edit", "1", "--set", "City=Hull", "--set", "Street=1 Quay", "-q") == .done())
    #expect(try cells(sandbox, "address") == "\"1 Quay\nHull\"\n")
    #expect(
      try sandbox.run("list", "--format", "csv", "--no-header", "--fields", "name", "--sort", "-City").code
        == 0)
  }

  @Test func `an address that is not known in parts is in no city, and not in none`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "--address", "home:Weg 1\n53111 Bonn", "-q").code == 0)
    #expect(try sandbox.run("add", "Bob", "-q").code == 0)
    for question in ["City=", "City!=", "City=Bonn"] {
      let found = try sandbox.run(
        "list", "--where", question, "--format", "csv", "--no-header", "--fields", "name")
      #expect(found.output == (question == "City=" ? "Bob\n" : ""), "\(question): \(found)")
      #expect(found.errors.contains("1 address is not known in parts"), "\(question): \(found)")
    }
    let some = try sandbox.expectUntouched { try sandbox.run("edit", "--where", "City=", "--tag", "x") }
    #expect(some.code == 4, "\(some)")
  }

  @Test func `a card has the parts of the address`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("First Name,Street,City,Zip\nAnn,Weg 1,Ulm,89073\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "-q") == .done())
    for format in ["csv", "tsv", "json"] {
      let other = try CLISandbox()
      try other.write(sandbox.run("export", "-", "--format", format).output, to: "a.\(format)")
      #expect(try other.run("import", "a.\(format)", "-q") == .done())
      #expect(try cells(other, "City,address") == cells(sandbox, "City,address"))
      #expect(try other.run("columns").output.isEmpty)
    }
    #expect(try sandbox.run("list", "--format", "vcard").output.contains("ADR:;;Weg 1;Ulm;;89073;"))
  }

  @Test func `the people of cards and of LDIF are found by a part of their addresses`() throws {
    let sandbox = try CLISandbox()
    let card = "BEGIN:VCARD\nVERSION:3.0\nFN:Ann\nADR;TYPE=HOME:;;Weg 1;Ulm;;89073;Germany\nEND:VCARD\n"
    try sandbox.write(card, to: "a.vcf")
    try sandbox.write(
      """
      dn: cn=Bob
      cn: Bob
      title: Head
      birthyear: 1980
      birthmonth: 2
      birthday: 3
      mozillaNickname: Bo
      mozillaHomeStreet: Weg 2
      mozillaHomeLocalityName: Ulm
      mozillaHomeCountryName: Germany
      street: Ring 3
      l: Bonn

      """, to: "b.ldif")
    #expect(try sandbox.run("import", "a.vcf", "-q").code == 0)
    #expect(try sandbox.run("import", "b.ldif", "-q").code == 0)
    for (question, count) in [
      ("City=Ulm", "2"), ("City=Bonn", "1"), ("Country=Germany", "2"), ("Street~weg", "2"),
    ] {
      #expect(try sandbox.run("list", "--count", "--where", question) == .done(count), "\(question)")
    }
    #expect(
      try cells(sandbox, "address,City") == "\"Weg 1\n89073 Ulm\nGermany\",Ulm\n\"Ring 3\nBonn\",Bonn\n")
    #expect(try cells(sandbox, "Birthday,Job title,Nickname") == ",,\n1980-02-03,Head,Bo\n")
    #expect(try sandbox.run("edit", "2", "--set", "City=Kiel", "-q") == .done())
    #expect(try cells(sandbox, "address").hasSuffix("\"Ring 3\nKiel\"\n"))
  }

  @Test func `columns that cards need for the name and the company are not to be joined`() throws {
    let sandbox = try CLISandbox()
    let card = "BEGIN:VCARD\nVERSION:4.0\nFN:Ada\nN:Okafor;Ada;Q.;Dr.;Jr.\nORG:Big;Dept\nEND:VCARD\n"
    try sandbox.write(card, to: "a.vcf")
    #expect(try sandbox.run("import", "a.vcf", "-q").code == 0)
    #expect(try cells(sandbox, "name_suffix,department") == "Jr.,Dept\n")
    #expect(try sandbox.run("columns").errors.isEmpty)
    #expect(try sandbox.run("check").errors.isEmpty)
  }

  @Test func `what cards of older versions left goes on, until it is joined`() throws {
    let sandbox = try CLISandbox()
    let rows = #"[{"first_name":"Ann","extra":{"BDAY":"1980-02-03","TITLE":"Head","City":"Ulm"}}]"#
    try sandbox.write(rows, to: "a.json")
    try sandbox.write(
      "BEGIN:VCARD\nVERSION:3.0\nFN:Bob\nBDAY:1981-02-03\nTITLE:Boss\nEND:VCARD\n", to: "b.vcf")
    #expect(try sandbox.run("import", "a.json", "-q").code == 0)
    #expect(try sandbox.run("import", "b.vcf", "-q").code == 0)
    #expect(try cells(sandbox, "BDAY,TITLE") == "1980-02-03,Head\n1981-02-03,Boss\n")
    let notes = """
      note: BDAY means the same as Birthday; to join them: customers columns join BDAY Birthday
      note: TITLE means the same as Job title; to join them: customers columns join TITLE "Job title"
      note: City is a part of the address; to put it there: customers columns join City

      """
    #expect(try sandbox.run("columns").errors == notes)
    #expect(try sandbox.run("check").errors.contains(notes))
    for words in [["BDAY", "Birthday"], ["TITLE", "Job title"], ["City"]] {
      #expect(try sandbox.run(words: ["columns", "join"] + words + ["-q"]) == .done())
    }
    #expect(try sandbox.run("columns") == .done("Birthday (2 customers): date\nJob title (2 customers)"))
    #expect(try cells(sandbox, "Birthday,City") == "1980-02-03,Ulm\n1981-02-03,\n")
  }

  @Test func `a date that JSON calls next is the next one, unless the list has such a column`() throws {
    for (own, next) in [("", "2026-12-24"), (#","extra":{"next":"soon"}"#, "")] {
      let sandbox = try CLISandbox()
      _ = try sandbox.sqlite("SELECT 1")
      try sandbox.write("[{\"first_name\":\"Ann\"\(own)}]", to: "a.json")
      try sandbox.write(#"[{"first_name":"Bob","next":"2026-12-24"}]"#, to: "b.json")
      for file in ["a.json", "b.json"] { #expect(try sandbox.run("import", file, "-q").code == 0) }
      #expect(try sandbox.sqlite("SELECT next FROM customers WHERE first_name = 'Bob'") == "\(next)\n")
      #expect(try sandbox.run("edit", "1", "--set", "next=2026-12-25", "-q") == .done())
      #expect(
        try sandbox.sqlite("SELECT next FROM customers WHERE id = 1") == (own.isEmpty ? "2026-12-25\n" : "\n")
      )
    }
  }

  @Test func `what only a program needs is left out, and said`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("First Name,Email,GMTOFF,LEID,REGION\nAnn,a@x.example,2,77,ca\n", to: "a.csv")
    let preview = try sandbox.run("import", "a.csv", "-n")
    #expect(
      preview.output.contains("Left out, because only a program needs them: GMTOFF, LEID, REGION\n"),
      "\(preview)")
    let result = try sandbox.run("import", "a.csv", "--map", "LEID=extra")
    #expect(
      result.errors.contains("note: left out, because only a program needs them: GMTOFF, REGION"), "\(result)"
    )
    #expect(try cells(sandbox, "LEID") == "77\n")
  }

  @Test func `a wrong value of a declared column keeps its row out, and the others get the form`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Eve", "-q") == .done())
    #expect(try sandbox.run("columns", "add", "Due", "--kind", "date", "-q") == .done())
    #expect(try sandbox.run("columns", "choices", "Heat", "Hot,Cold", "-q").code != 0)
    #expect(try sandbox.run("columns", "add", "Heat", "-q") == .done())
    #expect(try sandbox.run("columns", "choices", "Heat", "Hot,Cold", "-q") == .done())
    let table = "first_name,Due,Heat\nAnn,24.12.2026,hot\nBob,soon,COLD\nCid,25.12.2026,cold\n"
    try sandbox.write(table, to: "a.csv")
    let result = try sandbox.expectUntouched { try sandbox.run("import", "a.csv") }
    #expect(
      result.code != 0 && result.errors.contains("line 3: Due is not a date; for example: 2026-12-24"),
      "\(result)")
    #expect(try sandbox.run("import", "a.csv", "--rejects", "r.csv", "-q").code == 0)
    #expect(try cells(sandbox, "first_name,Due,Heat") == "Eve,,\nAnn,2026-12-24,Hot\nCid,2026-12-25,Cold\n")
  }

  @Test func `JSON gets the form of declared columns, too`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Eve", "-q") == .done())
    #expect(try sandbox.run("columns", "add", "Due", "--kind", "date", "-q") == .done())
    try sandbox.write(#"[{"first_name":"Ann","extra":{"Due":"24.12.2026"}}]"#, to: "a.json")
    #expect(try sandbox.run("import", "a.json", "-q") == .done())
    #expect(try cells(sandbox, "first_name,Due") == "Eve,\nAnn,2026-12-24\n")
    try sandbox.write(#"[{"first_name":"Bob","Due":"soon"}]"#, to: "b.json")
    let result = try sandbox.expectUntouched { try sandbox.run("import", "b.json") }
    #expect(result.code != 0 && result.errors.contains("Due is not a date"), "\(result)")
  }

  @Test func `several kinds may be in one option`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("first_name,A,B\nAnn,11/12/2026,1.200\n", to: "a.csv")
    #expect(try sandbox.run("import", "a.csv", "--kind", "A=day-first,B=1.234,5", "-q") == .done())
    #expect(try cells(sandbox, "A,B") == "2026-12-11,1200\n")
  }

  @Test func `a label may have signs`() throws {
    let sandbox = try CLISandbox()
    #expect(
      try sandbox.run("add", "Ann", "--email", "work (old):a@x.example", "--phone", "Mr. B.:555-0100", "-q")
        == .done())
    let shown = try sandbox.run("show", "1").output
    #expect(shown.contains("(work (old))") && shown.contains("(Mr. B.)"), "\(shown)")
    #expect(try cells(sandbox, "email,phone") == "a@x.example,555-0100\n")
  }

  @Test func `columns are joined as far as their values are the same`() throws {
    let sandbox = try CLISandbox()
    let rows = #"""
      [{"first_name":"Ann","address":"Weg 1\n89073 Ulm","extra":{"City":"Ulm","Town":"Ulm"}},
       {"first_name":"Bob","extra":{"City":"Bonn"}},{"first_name":"Cid","address":"Bern","extra":{"Town":"Basel","City":"Chur"}}]
      """#
    try sandbox.write(rows, to: "a.json")
    #expect(try sandbox.run("import", "a.json", "-q").code == 0)
    let joined = try sandbox.run("columns", "join", "Town", "City")
    #expect(
      joined.code == 0
        && joined.errors.contains(
          "note: 1 customer keeps \"Town\", because \"City\" has another value:\n     3  @3  Cid: Town \"Basel\", City \"Chur\"\n"
        ),
      "\(joined)")
    #expect(try sandbox.run("columns", "join", "City", "-q").code == 0)
    // Who keeps both is found by both.
    for city in ["Ulm", "Chur"] {
      #expect(try sandbox.run("list", "--count", "--where", "City=\(city)") == .done("1"), "\(city)")
    }
    #expect(
      try sandbox.run("list", "--format", "json", "--fields", "name,address,extra").output.contains(
        "\"Chur\""))
    #expect(try sandbox.run("edit", "3", "--set", "Town=", "--set", "City=", "-q") == .done())
    #expect(try sandbox.run("columns").output.isEmpty)
    #expect(try cells(sandbox, "City,address") == "Ulm,\"Weg 1\n89073 Ulm\"\nBonn,Bonn\n,Bern\n")
  }

  @Test func `columns and check propose kinds`() throws {
    let sandbox = try CLISandbox()
    let rows = (1...20).map {
      #"{"first_name":"A\#($0)","extra":{"Due":"\#($0 == 7 ? "soon" : "\($0).11.2026")"}}"#
    }
    try sandbox.write("[" + rows.joined(separator: ",") + "]", to: "a.json")
    #expect(try sandbox.run("import", "a.json", "-q").code == 0)
    let note = "note: Due: 19 of 20 values are dates; to say so: customers columns kind Due date\n"
    #expect(try sandbox.run("columns").errors == note)
    #expect(try sandbox.run("check").errors.contains(note))
    #expect(try sandbox.run("columns", "kind", "Due", "date", "--keep-text", "-q").code == 0)
    #expect(try sandbox.run("columns").errors.isEmpty)
  }

  @Test func `dates in two orders are not proposed as dates`() throws {
    let sandbox = try CLISandbox()
    try sandbox.write("Name,Due\nAnn,13/02/2026\nBob,02/13/2026\n", to: "a.csv")
    let note = "note: columns without a field, kept as extra columns: Due"
    #expect(try sandbox.run("import", "a.csv").errors == note + "\n")
    #expect(try sandbox.run("columns").errors.isEmpty)
  }

  @Test func `a revert brings values back in the form of today, or refuses`() throws {
    let sandbox = try CLISandbox()
    for text in ["24.12.2026", "soon", "25.12.2026"] {
      #expect(try sandbox.run("add", text, "--set", "Due=\(text)", "-q") == .done())
    }
    #expect(try sandbox.run("edit", "1", "--set", "Due=", "-q") == .done())
    #expect(try sandbox.run("edit", "2", "--set", "Due=", "-q") == .done())
    #expect(try sandbox.run("columns", "kind", "Due", "date", "-q").code == 0)
    #expect(try sandbox.run("revert", "4", "-q").code == 0)
    #expect(try cells(sandbox, "Due").hasPrefix("2026-12-24\n"))
    #expect(try sandbox.run("edit", "3", "--set", "Due=2027-01-01", "-q") == .done())
    let refused = try sandbox.expectUntouched { try sandbox.run("revert", "5") }
    #expect(
      refused.code == 4 && refused.errors.contains("put back a value of \"Due\" that is not clearly a date")
        && refused.errors.contains("2  @2  soon"), "\(refused)")
  }

  @Test func `a revert is not kept from a value that only got another form since`() throws {
    let sandbox = try CLISandbox()
    #expect(try sandbox.run("add", "Ann", "--set", "Due=20.11.2026", "-q") == .done())
    #expect(try sandbox.run("edit", "1", "--set", "Due=25.11.2026", "-q") == .done())
    #expect(try sandbox.run("columns", "kind", "Due", "date", "-q").code == 0)
    #expect(try sandbox.run("revert", "2", "-q").code == 0)
    #expect(try cells(sandbox, "Due") == "2026-11-20\n")
    #expect(try sandbox.run("undo", "-q").code == 0)
    #expect(try sandbox.run("edit", "1", "--set", "Due=26.11.2026", "-q") == .done())
    #expect(try sandbox.run("revert", "2").code == 4)
  }

  @Test func `an export to JSON says what the columns are`() throws {
    for format in ["json", "ndjson"] {
      let sandbox = try CLISandbox()
      #expect(
        try sandbox.run("add", "Ann", "--set", "Birthday=24.12.1980", "--set", "Heat=Hot", "-q") == .done())
      #expect(try sandbox.run("columns", "choices", "Heat", "Hot,Cold", "-q") == .done())
      let text = try sandbox.run("export", "-", "--format", format).output
      #expect(
        text.contains(
          #"{"columns":[{"name":"Birthday","kind":"date"},{"name":"Heat","kind":"choice","choices":["Hot","Cold"]}]}"#
        ))
      let other = try CLISandbox()
      try other.write(text, to: "a.\(format)")
      #expect(try other.run("import", "a.\(format)", "-q") == .done())
      #expect(try other.run("columns").output == sandbox.run("columns").output)
      #expect(try other.run("export", "-", "--format", format).output == text)
    }
  }
}
