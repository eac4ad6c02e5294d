import CustomersTestSupport
import Foundation
import Testing

/// `export` to a calendar, which khal reads.
@Suite(.onThreads) struct CalendarTests {
  private static func list() throws -> CLISandbox {
    let sandbox = try CLISandbox()
    let long = "Łucja " + String(repeating: "Ö", count: 60)
    for words in [["--first-name", "Ann; Lee, \\x", "--set", "Birthday=1980-02-03"], [long], ["Bob"]] {
      try #require(try sandbox.run(words: ["add"] + words).code == 0)
    }
    _ = try sandbox.sqlite(
      "UPDATE customers SET next = '2026-12-24' WHERE id = 1; UPDATE customers SET next = '2027-01-02' WHERE id = 2"
    )
    return sandbox
  }

  @Test(arguments: [
    "BDAY:1980-02-03", "BDAY:19800203", "BDAY;VALUE=date:1980-02-03", "bday;value=date:19800203",
    "BDAY:1980-02-03T00:00:00Z", "BDAY;VALUE=date-time:19800203T000000+0100",
  ])
  func `the birthday of a card is in the calendar, and goes back into the card`(line: String) throws {
    let sandbox = try CLISandbox()
    for name in ["Ann", "Bob"] {
      try sandbox.write(
        "BEGIN:VCARD\nVERSION:3.0\nFN:\(name)\n\(line)\nTITLE:Boss\nEND:VCARD\n", to: "\(name).vcf")
      #expect(try sandbox.run("import", "\(name).vcf", "-q") == .done())
    }
    #expect(try sandbox.run("columns").output == "Birthday (2 customers): date\nJob title (2 customers)\n")
    #expect(try sandbox.run("list", "--where", "Birthday<1980-03-01", "--count").output == "2\n")
    let calendar = try sandbox.run("export", "--format", "ics").output
    #expect(calendar.contains("DTSTART;VALUE=DATE:19800203\r\nSUMMARY:Ann\r\n"))
    #expect(try sandbox.run("export", "--format", "vcard").output.contains("BDAY:19800203\r\nTITLE:Boss\r\n"))
    let old = try sandbox.run("export", "--format", "vcard", "--style", "vcard3").output
    #expect(old.contains("BDAY:1980-02-03\r\nTITLE:Boss\r\n"))
    // A day without a year is no date of the list, but one of the calendar.
    try sandbox.write("BEGIN:VCARD\nVERSION:4.0\nFN:Cy\nBDAY:--0203\nEND:VCARD\n", to: "Cy.vcf")
    #expect(try sandbox.run("import", "Cy.vcf", "-q") == .done())
    #expect(try sandbox.run("export", "--format", "vcard").output.contains("BDAY:--0203\r\n"))
    #expect(
      try sandbox.run("export", "--format", "ics").output.contains(
        "DTSTART;VALUE=DATE:20000203\r\nSUMMARY:Cy\r\n"))
    try sandbox.write(
      "BEGIN:VCARD\nVERSION:3.0\nFN:Di\nBDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29\nEND:VCARD\n", to: "Di.vcf")
    #expect(try sandbox.run("import", "Di.vcf", "-q") == .done())
    #expect(
      try sandbox.run("export", "--format", "ics").output.contains(
        "DTSTART;VALUE=DATE:20000229\r\nSUMMARY:Di\r\n"))
  }

  @Test func `a list makes the same events each time, and a deleted row has none`() throws {
    let sandbox = try Self.list()
    let history = try sandbox.run("history", "--limit", "1", "--json").output
    let time = try #require(history.firstMatch(of: /"time":"([-0-9T:]+)/)).1
    let stamp = time.filter { $0 != "-" && $0 != ":" } + "Z"
    let calendar = try sandbox.run("export", "--format", "ics").output
    let uid = calendar.split(separator: "\r\n").first { $0.hasPrefix("UID:") }?.dropLast("-next".count) ?? ""
    #expect(uid.wholeMatch(of: /UID:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil)
    #expect(
      calendar.hasPrefix(
        """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//customers//customers//EN
        BEGIN:VEVENT
        \(uid)-next
        DTSTAMP:\(stamp)
        DTSTART;VALUE=DATE:20261224
        SUMMARY:Ann\\; Lee\\, \\\\x
        TRANSP:TRANSPARENT
        END:VEVENT
        BEGIN:VEVENT
        \(uid)-birthday
        DTSTAMP:\(stamp)
        DTSTART;VALUE=DATE:19800203
        SUMMARY:Ann\\; Lee\\, \\\\x
        TRANSP:TRANSPARENT
        RRULE:FREQ=YEARLY
        CATEGORIES:Birthday
        END:VEVENT

        """.replacing("\n", with: "\r\n")), "\(calendar)")
    #expect(calendar.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
    #expect(calendar.split(separator: "BEGIN:VEVENT").count == 4 && calendar.hasSuffix("END:VCALENDAR\r\n"))
    let events =
      try sandbox.run("export", "--format", "ics").output.split(separator: "BEGIN:VEVENT").count - 1
    for isDry in [true, false] {
      let answer = try sandbox.run(words: ["export", "one.ics"] + (isDry ? ["-n"] : []))
      #expect(answer.output.contains("\(events) event\(events == 1 ? "" : "s") to \"one.ics\""), "\(answer)")
    }
    #expect(try sandbox.shell("sleep 1.1; customers export two.ics -q && cmp one.ics two.ics") == .done(""))
    #expect(
      try sandbox.shell("customers backup copy -q && customers export --db copy --format ics | cmp - one.ics")
        == .done(""))
    try #require(try sandbox.run("delete", "1", "-y").code == 0)
    #expect(try sandbox.run("export", "--format", "ics").output.split(separator: "BEGIN:VEVENT").count == 2)
    #expect(try sandbox.run("import", "one.ics").code == 2)
  }

  @Test func `another program reads the events and gives the names back`() throws {
    let sandbox = try Self.list()
    try sandbox.write(Self.khal(sandbox), to: "khal.conf")
    let read = """
      mkdir c; customers export all.ics -q; export LC_ALL=C.UTF-8
      khal -c khal.conf import --batch all.ics > /dev/null &&
      for day in 2026-12-24 2027-01-02 2027-02-03; do khal -c khal.conf list -df '' -f "$day {title}" $day 1d; done
      """
    let long = "Łucja " + String(repeating: "Ö", count: 60)
    #expect(
      try sandbox.shell(read).output
        == "2026-12-24 Ann; Lee, \\x\n2027-01-02 \(long)\n2027-02-03 Ann; Lee, \\x\n")
  }

  @Test func `a birthday on the last of February is in each year, and an event ends before the year 10000`()
    throws
  {
    let sandbox = try CLISandbox()
    for words in [["Ann", "--set", "Birthday=2000-02-29"], ["Bob", "--set", "next=9999-12-31"]] {
      try #require(try sandbox.run(words: ["add"] + words).code == 0)
    }
    let calendar = try sandbox.run("export", "--format", "ics").output
    #expect(
      calendar.contains("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1\r\n") && !calendar.contains("SUMMARY:Bob"))
    try sandbox.write(Self.khal(sandbox), to: "khal.conf")
    let read = """
      mkdir c; customers export all.ics -q; export LC_ALL=C.UTF-8
      khal -c khal.conf import --batch all.ics > /dev/null &&
      khal -c khal.conf list -df '' -f '{start-date} {title}' 2027-01-01 500d
      """
    #expect(try sandbox.shell(read).output == "2027-02-28 Ann\n2028-02-29 Ann\n")
  }

  /// The settings of khal, with one calendar.
  private static func khal(_ sandbox: CLISandbox) -> String {
    "[calendars]\n[[c]]\npath = \(sandbox.folder)/c\n[locale]\ndateformat = %Y-%m-%d\nlongdateformat = %Y-%m-%d\n"
      + "[default]\ndefault_calendar = c\n[sqlite]\npath = \(sandbox.folder)/khal.db\n"
  }

  @Test func `an address opens the calendar and nothing else, until it is replaced`() throws {
    let sandbox = try Self.list()
    let early = try sandbox.run("web", "calendar")
    #expect(early.code == 4 && early.errors.contains("the list has no page yet"), "\(early)")
    let web = try RunningWeb(sandbox, "--log", "log")
    let preview = try sandbox.run("web", "calendar", "-n")
    #expect(preview == .done("Would make a calendar address."))
    let made = try sandbox.run("web", "calendar")
    let address = try #require(made.output.split(separator: "\n").first)
    let path = address.dropFirst("http://localhost:\(web.port)".count)
    #expect(path.wholeMatch(of: /\/calendar\/[0-9a-f]{32}\.ics/) != nil, "\(made)")
    let key = path.dropFirst(10).prefix(32)
    func status(_ method: String, _ path: some StringProtocol, key: String? = nil) throws -> Int? {
      let header = key.map { "Authorization: Bearer \($0)\r\n" } ?? ""
      return try web.ask(method, String(path), headers: header)?.status
    }
    let answer = try #require(try web.ask("GET", String(path), headers: ""))
    #expect(answer.status == 200 && answer.headers["content-type"] == "text/calendar; charset=utf-8")
    #expect(answer.headers["cache-control"] == "no-store")
    #expect(try answer.body == sandbox.run("export", "--format", "ics").output)
    #expect(try status("POST", path) == 405)
    let other = path.dropLast(5) + (path.hasSuffix("0.ics") ? "1.ics" : "0.ics")
    for wrong in [String(other), "/calendar/.ics", "/calendar/\(web.token).ics", "/calendar", path + "x"] {
      #expect(try status("GET", wrong) == 404, "\(wrong)")
    }
    #expect(try status("GET", "/v1/rows", key: String(key)) == 401)
    let again = try sandbox.run("web", "calendar")
    #expect(again.code == 4 && again.errors.contains("customers web calendar new"), "\(again)")
    let replacing = try sandbox.run("web", "calendar", "new", "-n")
    #expect(replacing == .done("Would make a calendar address, and end the one before."))
    let next = try sandbox.run("web", "calendar", "new", "--allow-host", "list.example", "--json")
    let url = try #require(
      next.output.firstMatch(of: /"url":"https:\/\/list\.example(\/calendar\/[0-9a-f]{32}\.ics)"/)
    ).1
    #expect(try status("GET", path) == 404 && status("GET", url) == 200)
    _ = try web.end()
    // Neither key is kept or logged.
    let kept = try sandbox.shell("cat log $(find . -path '*customers/web*' -type f)").output
    #expect(kept.contains("GET /calendar/KEY.ics 200") && kept.contains("- - 404"), "\(kept)")
    #expect(!kept.contains(key) && !kept.contains(url.dropFirst(10).prefix(32)))
  }

  @Test(arguments: [
    ("BDAY:--0203", "--02-03", "--0203"), ("BDAY:--02-29", "--02-29", "--0229"),
    ("BDAY;X-APPLE-OMIT-YEAR=1604:1604-03-12", "--03-12", "--0312"),
    ("BDAY;VALUE=date-and-or-time:19850412T101500", "1985-04-12", "19850412T101500"),
    ("BDAY:1990-05-06T10:00:00Z", "1990-05-06", "19900506T100000Z"),
    ("BDAY;VALUE=date-time:19900506T100000", "1990-05-06", "19900506T100000"),
    ("BDAY:--0203T10", "--02-03", "--0203T10"),
    ("BDAY:1980-3-4", "1980-03-04", "19800304"), ("BDAY;VALUE=text:1980-03-04", "1980-03-04", "19800304"),
    ("BDAY;VALUE=text:4 March 1980", "1980-03-04", "19800304"),
  ])
  func `a birthday without a year, or with a time, which the card keeps, is the birthday`(
    line: String, value: String, card: String
  )
    throws
  {
    let sandbox = try CLISandbox()
    try sandbox.write("BEGIN:VCARD\nVERSION:3.0\nFN:Cy\n\(line)\nEND:VCARD\n", to: "Cy.vcf")
    #expect(try sandbox.run("import", "Cy.vcf", "-q") == .done())
    #expect(try sandbox.run("columns").output.hasPrefix("Birthday (1 customer): date\n"))
    #expect(try sandbox.run("list", "--template", "{Birthday}").output == value)
    func cards() throws -> [Substring] {
      try sandbox.run("export", "--format", "vcard").output.split(separator: "\r\n").filter {
        $0.hasPrefix("BDAY")
      }
    }
    #expect(try cards() == ["BDAY:\(card)"])
    #expect(try sandbox.run("edit", "1", "--set", "Geburtstag=4.2.1990", "-q") == .done())
    #expect(try cards() == ["BDAY:19900204"])
  }
}
