internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Foundation
internal import Testing

extension PageTests {
  /// Several addresses, numbers and tags in the form.
  @Suite struct ContactsTests {
    private func fields(_ page: TestPage) throws -> CustomerFields {
      try page.list.store.read { try $0.customer(named: "Ann").fields }
    }

    private func version(_ page: TestPage) throws -> ListVersion {
      try page.list.store.read { try $0.version() }
    }

    private func open(_ page: TestPage) async throws {
      try await page.tab.click(page.row("Ann", ".name"))
      try await page.tab.wait(until: "document.getElementById('form').open")
    }

    private static let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
      try list.update(list.customer(named: "Ann").id) { fields in
        (fields.email, fields.phone) = ("a+b@x.example", "+49 (30) 55")
        fields.otherContacts = "email work: b@y.example\nsomething else\naddress home: Road 1\\nTown"
        fields.tags = "new\nvip"
      }
    }

    @Test func `addresses and numbers are rows with links, and tags are chips`() async throws {
      try await withPage("Ann", prepare: Self.prepare) { page in
        try await open(page)
        let links = try await page.tab.value(
          "[...document.querySelectorAll('#fields a:not([hidden])')].map((e) => e.href)", as: [String].self)
        #expect(links == ["mailto:a%2Bb@x.example", "tel:+493055", "mailto:b@y.example"])
        let values = try await page.tab.value(
          "[...document.querySelectorAll('.contacts div')].map((e) => [...e.children].slice(0, 3)"
            + ".map((e) => e.value).join('|'))", as: [String].self)
        #expect(values == ["email|work|b@y.example", "||something else", "address|home|Road 1\nTown"])
        #expect(
          try await page.tab.value(
            "[...document.querySelectorAll('.chip')].map((e) => e.firstChild.textContent)", as: [String].self)
            == ["new", "vip"])
        // Nothing was typed, so nothing is saved.
        let before = try version(page)
        try await page.tab.click(page.id("save"))
        try await page.tab.wait(until: "!document.getElementById('form').open")
        #expect(try version(page) == before)
      }
    }

    @Test func `rows and chips are added, changed and removed`() async throws {
      try await withPage("Ann", prepare: Self.prepare) { page in
        try await open(page)
        try await page.tab.run(
          "document.querySelector('.contacts div input').focus(), document.querySelector('.contacts div input').select()"
        )
        try await page.tab.type("job: x")
        try await page.tab.run(
          "document.querySelectorAll('.contacts div')[1].querySelector('button').click()")
        try await page.tab.run("document.querySelector('.contacts > button').click()")
        #expect(try await page.tab.value("document.activeElement.ariaLabel", as: String.self) == "value")
        try await page.tab.type("c@z.example")
        try await page.tab.run("document.querySelector('.chip button').click()")
        #expect(try await page.tab.value("document.activeElement.name", as: String.self) == "tags")
        try await page.tab.type("old friend")
        try await page.tab.keys("Enter")
        try await page.tab.type("last")
        try await page.tab.keys("Control+s")
        try await page.tab.wait(until: "!document.getElementById('form').open")
        try await page.hear("Edited \"Ann\"")
        let fields = try fields(page)
        #expect(
          fields.otherContacts
            == "email job\\: x: b@y.example\naddress home: Road 1\\nTown\nemail: c@z.example")
        #expect(fields.tags == "vip\nold friend\nlast")
        #expect(try await page.focus() == "list")
      }
    }

    @Test func `tags that another program adds are shown, unless tags were typed, too`() async throws {
      try await withPage("Ann", prepare: Self.prepare) { page in
        try await open(page)
        let chips = "document.querySelectorAll('.chip').length"
        try page.edit { list in try list.update(list.customer(named: "Ann").id) { $0.tags = "one" } }
        try await page.tab.wait(until: "\(chips) === 1")
        try await page.tab.run("document.querySelector('.chip button').click()")
        try page.edit { list in try list.update(list.customer(named: "Ann").id) { $0.tags = "one\ntwo" } }
        try await page.tab.wait(until: "document.querySelector('#fields .bad button')")
        try await page.tab.run("document.querySelector('#fields .bad button').click()")
        try await page.tab.wait(until: "\(chips) === 2")
      }
    }

    @Test func `lines of contacts are read and written as in Swift`() async throws {
      try await withPage("Ann") { page in
        var random = SplitMix64(seed: 35)
        let parts = [
          "email", "phone", "fax", "mail", "address", " ", ": ", ":", "\\", "\\n", "\\:", "work", "é", "b@y",
          "🙂", "\t",
        ]
        let lines = (1...5_000).map { _ in
          (0...random.below(7)).map { _ in parts[random.below(parts.count)] }.joined()
        }
        let asked = String(decoding: try JSONEncoder().encode(lines), as: UTF8.self)
        let answers = try await page.tab.value(
          """
          ((lines) => {
            const { readLine, writeLine } = \(try TestPage.names("readLine, writeLine", of: "words", "contacts"))
            return lines.map((text) => {
              const line = readLine(text)
              return [line.kind, line.label, line.value, writeLine(line)]
            })
          })(\(asked))
          """, as: [[String]].self)
        #expect(answers.count == lines.count)
        for (text, answer) in zip(lines, answers) {
          let line = ContactLine(text)
          let wanted = [line?.kind.rawValue ?? "", line?.label ?? "", line?.value ?? text, text]
          if answer != wanted { Issue.record("\(text): \(answer) instead of \(wanted)") }
        }
      }
    }

    @Test func `a day has a calendar, a choice a menu, and what is neither stays as it is`() async throws {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try list.update(list.customer(named: "Ann").id) { fields in
          fields.extraColumns.set([("Stage", .text("lost")), ("Seen", .text("soon"))])
        }
        try list.declareColumn("Due", kind: .date)
        try list.declareColumn("Stage", kind: .choice, choices: ["new", "old"])
        try list.declareColumn("Seen", kind: .date)
      }
      try await withPage("Ann", prepare: prepare) { page in
        try await open(page)
        func input(_ name: String, _ what: String) async throws -> String {
          try await page.tab.value("document.getElementsByName('extra.\(name)')[0].\(what)", as: String.self)
        }
        for (name, what, expected) in [
          ("Due", "type", "date"), ("Seen", "type", "text"), ("Seen", "value", "soon"),
          ("Stage", "value", "lost"),
        ] {
          #expect(try await input(name, what) == expected)
        }
        try await page.tab.run(
          """
          [['Due', '2026-12-24'], ['Stage', 'old']].forEach(([name, value]) => {
            const e = document.getElementsByName(`extra.${name}`)[0]
            e.value = value
            e.dispatchEvent(new Event('input', {bubbles: true}))
          })
          """)
        try await page.tab.click(page.id("save"))
        try await page.tab.wait(until: "!document.getElementById('form').open")
        let saved = try fields(page).extraColumns
        #expect(saved["Due"] == .text("2026-12-24") && saved["Stage"] == .text("old"))
        #expect(saved["Seen"] == .text("soon"))
      }
    }
  }
}
