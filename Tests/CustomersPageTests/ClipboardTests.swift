internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Foundation
internal import Testing

extension PageTests {
  /// Rows on the clipboard, by the events of copy, cut, and paste.
  @Suite struct ClipboardTests {
    private func quoted(_ text: String) throws -> String {
      String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    /// Keeps what the page writes to the clipboard.
    private func listen(_ page: TestPage) async throws {
      try await page.tab.run(
        """
        navigator.clipboard.write = async ([item]) => {
          const [plain, html] = await Promise.all(['text/plain', 'text/html'].map(async (type) => (await item.getType(type)).text()))
          self.copied = {plain, html}
        }
        """)
      try await page.tab.run("document.getElementById('list').focus()")
    }

    /// Sends an event of the clipboard to what has the focus.
    ///
    /// - Returns: what was put on the clipboard at once, or an empty text; nil if the page left it to the browser.
    private func send(
      _ event: String, _ page: TestPage, text: String = "", html: String = ""
    ) async throws -> String? {
      let sent: [String?] = try await page.tab.value(
        """
        (() => {
          const event = new Event('\(event)', {bubbles: true, cancelable: true}), data = {'text/plain': \(try quoted(text)), 'text/html': \(try quoted(html))}
          Object.defineProperty(event, 'clipboardData', {value: {getData: (type) => data[type] ?? '', setData(type, text) {data[type] = text}}})
          document.activeElement.dispatchEvent(event)
          return [event.defaultPrevented ? data['text/plain'] : null]
        })()
        """)
      return sent[0]
    }

    private func copied(_ page: TestPage) async throws -> (plain: String, html: String) {
      try await page.tab.wait(until: "self.copied")
      let texts: [String] = try await page.tab.value("[self.copied.plain, self.copied.html]")
      try await page.tab.run("delete self.copied")
      return (texts[0], texts[1])
    }

    private func steps(_ page: TestPage) throws -> Int {
      try page.list.store.read { try $0.history(limit: 100).count }
    }

    private func fields(_ page: TestPage, _ name: String? = nil) throws -> [CustomerFields] {
      var all: [CustomerFields] = []
      try page.list.store.read { list in
        try list.forEach { customer in
          if name == nil || customer.name == name { all.append(customer.fields) }
          return true
        }
      }
      return all
    }

    @Test func `rows are copied with all that they have, and pasted below the cursor as one step`()
      async throws
    {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try list.declareColumn("Size", kind: .number)
        try list.update(list.customer(named: "Ann Lee").id) { fields in
          (fields.phone, fields.company) = ("=1+1", "007")
          (fields.note, fields.tags, fields.isFavorite) = ("one\ttab\n\"two\" <b>&", "vip\nnew", true)
          fields.extraColumns.set([("Size", .text("7")), ("Seen", .text("01.02.2026"))])
        }
      }
      try await withPage("Ann Lee, Bob, Cid", prepare: prepare) { page in
        try await listen(page)
        try await page.tab.keys("Home", "Space", "Space")
        #expect(try await send("copy", page) != nil)
        let (plain, html) = try await copied(page)
        #expect(plain.hasPrefix("First name\tLast name\tCompany\tPhone\tNote\t"))
        #expect(html.contains(">=1+1</td>") && html.contains("one\ttab<br>\"two\" &lt;b&gt;&amp;</td>"))
        try await page.hear("Copied 2 customers")

        try await page.tab.keys("Escape", "End")
        let before = try steps(page)
        #expect(try await send("paste", page, text: plain) != nil)
        try await page.expect(["Ann Lee", "Bob", "Cid", "Ann Lee", "Bob"])
        #expect(try steps(page) == before + 1)
        let all = try fields(page, "Ann Lee")
        #expect(all.count == 2)
        for field in CustomerField.standard + ["Size", "Seen"].map(CustomerField.extra) {
          #expect(all.map { $0[field].text } == [all[0][field].text, all[0][field].text], "\(field)")
        }
        try await page.tab.wait(until: "document.querySelector('.cursor').row === 4")
        // The next ones come below them.
        #expect(try await send("paste", page, text: "Dee") != nil)
        try await page.tab.wait(until: "document.getElementById('ask').open")
        #expect(
          try await page.tab.value("document.getElementById('asked').textContent", as: String.self)
            .hasSuffix("?\nDee"))
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann Lee", "Bob", "Cid", "Ann Lee", "Bob", "Dee"])
        try await page.tab.click(page.id("undo"))
        try await page.expect(["Ann Lee", "Bob", "Cid", "Ann Lee", "Bob"])
        try await page.tab.click(page.id("undo"))
        try await page.expect(["Ann Lee", "Bob", "Cid"])
        // The cursor was on one who is gone.
        try await page.tab.wait(until: "document.querySelector('.cursor b')?.textContent === 'Cid'")
      }
    }

    @Test func `a number that may be two is refused in rows and cells, as it is in a field`() async throws {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        _ = try list.declareColumn("Amount", kind: .number)
        try list.update(list.customer(named: "Ann").id) { $0.extra = #"{"Amount":"7"}"# }
      }
      try await withPage("Ann, Bob", prepare: prepare) { page in
        try await listen(page)
        #expect(try await send("paste", page, text: "Name\tAmount\nEve\t1.200\n") != nil)
        try await page.hear("1.200")
        try await page.expect(["Ann", "Bob"])
        #expect(try await send("paste", page, text: "Name\tAmount\nEve\t1200,5\n") != nil)
        try await page.expect(["Ann", "Eve", "Bob"])
        #expect(try fields(page, "Eve")[0][.extra("Amount")].text == "1200.5")
      }
    }

    @Test func `on a phone, which shows no columns, rows without titles are shown over what they become`()
      async throws
    {
      try await withPage("Ann, Bob", .phone) { page in
        try await listen(page)
        #expect(
          try await send("paste", page, text: "Eve Fox\teve@x.example\nCid Ray\tcid@x.example\n") != nil)
        try await page.tab.wait(until: "document.querySelector('#ask[open] .sheet')")
      }
    }

    @Test
    func `rows of cells without titles are shown over the fields that they are taken for`()
      async throws
    {
      try await withPage(
        "Ann, Bob", prepare: { list in try list.update(list.customer(named: "Ann").id) { $0.phone = "1" } }
      ) { page in
        try await page.tab.wait(until: page.row("Ann", ".phone"))
        try await listen(page)
        try await page.tab.keys("Home")
        #expect(try await send("paste", page, text: "Eve Maria Fox\t+49 30 7712345\r\nSolo\r\n\r\n") != nil)
        try await page.tab.wait(until: "document.querySelector('#ask[open] .sheet')")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Eve Maria Fox", "Solo", "Bob"])
        let eve = try fields(page, "Eve Maria Fox")[0]
        #expect(eve.firstName == "Eve Maria" && eve.lastName == "Fox" && eve.phone == "+49 30 7712345")
        #expect(try await send("paste", page, text: "a\tb\tc") != nil)
        try await page.tab.wait(until: "document.querySelector('#ask[open] .sheet')")
        try await page.tab.click(page.id("no"))
        try await page.hear("Nothing was imported.")
        // Of a title that the list does not have, it is asked what it is.
        #expect(try await send("paste", page, text: "Name\tPhone\tClub\nGus\t2\tChess\nHal\t3\tGo") != nil)
        try await page.tab.wait(until: "document.querySelector('#ask[open] .sheet')")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Eve Maria Fox", "Solo", "Gus", "Hal", "Bob"])
        try await page.tab.wait(until: "document.querySelector('.cursor b')?.textContent === 'Hal'")
        #expect(try fields(page, "Gus")[0].extraColumns["Club"] == .text("Chess"))
      }
    }

    @Test func `rows without titles are shown as rows, and titles in another language as titles`()
      async throws
    {
      try await withPage("Ann") { page in
        let table = "document.querySelector('#answer table')",
          isHeader = "document.querySelector('#answer [name=header]')"
        for (text, hasHeader) in [
          ("Bob Ray\t0301234567\nCid Fox\t0307654321\n", false),
          ("Vorname\tNachname\tFirma\nBob\tRay\tAcme\n", true),
        ] {
          try await page.tab.run("document.getElementById('list').focus()")
          _ = try await send("paste", page, text: text)
          try await page.tab.wait(until: "document.getElementById('ask').open && !!\(table)")
          try await page.tab.wait(until: "!document.getElementById('yes').disabled")
          #expect(
            try await page.tab.value("document.getElementById('ask').textContent", as: String.self)
              .contains("no column of the file") == false)
          #expect(
            try await page.tab.value("\(isHeader)?.checked ?? null", as: Bool?.self) == hasHeader, "\(text)")
          try await page.tab.click(page.id("no"))
          try await page.tab.wait(until: "!document.getElementById('ask').open")
        }
      }
    }

    @Test func `a name of two lines is one line of pasted rows`() async throws {
      try await withPage("Ann") { page in
        try await page.tab.run("document.getElementById('list').focus()")
        let text = "First name\tLast name\tNote\nBob\t\"One\nTwo\"\t\"a\nb\"\n"
        _ = try await send("paste", page, text: text)
        try await page.expect(["Ann", "Bob One Two"])
        #expect(try fields(page, "Bob One Two").map(\.note) == ["a\nb"])
      }
    }

    @Test func `rows that were cut move, and after another copy its text is pasted`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try await listen(page)
        try await page.tab.keys("Home")
        let text = try #require(try await send("cut", page))
        try await page.tab.keys("End")
        #expect(try await send("paste", page, text: text) != nil)
        try await page.expect(["Bob", "Cid", "Ann"])
        try await page.tab.keys("Home")
        _ = try await send("cut", page)
        try await page.tab.keys("End")
        #expect(try await send("paste", page, text: "Dee") != nil)
        try await page.tab.wait(until: "document.getElementById('ask').open")
        #expect(
          try await page.tab.value("document.getElementById('asked').textContent", as: String.self)
            .hasSuffix("?\nDee"))
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Bob", "Cid", "Ann", "Dee"])
      }
    }

    /// What LibreOffice Calc has on the clipboard after it has taken a table of the page.
    ///
    /// It is written as its sources say (`sc/source/filter/html/htmlexp.cxx`, `sc/source/ui/app/transobj.cxx`): the cells with
    /// fonts and with their values in attributes, a line break in each empty one, and a text without quotes. Calc takes
    /// those cells for texts that have the format `@`; any other it would read, and `007` would be 7.
    private func calc(_ page: TestPage, _ html: String) async throws -> (plain: String, html: String) {
      let texts: [String] = try await page.tab.value(
        """
        ((html) => {
          const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt()};`)
          const rows = [...html.matchAll(/<tr>(.*?)<\\/tr>/gs)].map(([, row]) => [...row.matchAll(/<td([^>]*)>(.*?)<\\/td>/gs)].map(([, format, text]) => {
            if (!format.includes('sdnum="1033;0;@"')) throw new Error(format)
            return text.replaceAll('<br>', '\\n').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
          }))
          const cell = (text) => `\\t\\t<td height="17" align="left" data-sheets-value="${escape(JSON.stringify({1: 2, 2: text}))}" sdnum="1033;0;@">`
            + `<font face="Liberation Sans">${text ? escape(text).replaceAll('\\n', '<br>') : '<br>'}</font></td>\\n`
          return [rows.map((cells) => cells.join('\\t') + '\\n').join(''),
            '<!DOCTYPE html>\\n<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/><meta name="generator" content="LibreOffice 24.2.7.2 (Linux)"/>'
            + '<style type="text/css">td { font-size: x-small }</style></head>\\n<body><table cellspacing="0" border="0">\\n\\t<colgroup width="85"></colgroup>\\n'
            + rows.map((cells) => `\\t<tr>\\n${cells.map(cell).join('')}\\t</tr>\\n`).join('') + '</table></body></html>']
        })(\(try quoted(html)))
        """)
      return (texts[0], texts[1])
    }

    @Test func `1,000 rows come back from LibreOffice Calc as they were, in their order`() async throws {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try list.declareColumn("Size", kind: .number)
        try list.declareColumn("Due day", kind: .date)
        var random = SplitMix64(seed: 1_000)
        for i in 1...1_000 {
          var fields = CustomerFields(name: "N\(i) Müller-\(random.below(9))")
          fields.phone = ["+49 30 \(i)", "007", "=1+1", "-5", ""][random.below(5)]
          fields.company = ["Acme & <Co>", "\"Quoted\"", "01.02.2026", "1e5", "", "TRUE"][random.below(6)]
          fields.note = ["", "one line", "two\nlines", "three\n\nlines, \"and\" more"][random.below(4)]
          fields.address = ["", "Street \(i)\n10115 Berlin"][random.below(2)]
          (fields.tags, fields.isFavorite) = (["", "vip", "vip\nnew"][random.below(3)], random.below(2) == 0)
          fields.extraColumns.set([
            ("Size", .text("\(random.below(100))")), ("Due day", .text("2026-0\(1 + random.below(9))-11")),
          ])
          _ = try list.insert(fields)
        }
      }
      try await withPage("", prepare: prepare) { page in
        try await listen(page)
        try await page.tab.keys("Control+a")
        try await page.tab.wait(until: "document.getElementById('marks').textContent.includes('1,000')")
        #expect(try await send("copy", page) != nil)
        let (plain, html) = try await calc(page, copied(page).html)
        try await page.tab.keys("Escape", "End")
        try await page.tab.wait(until: "document.querySelector('.cursor')?.row === 999")
        #expect(try await send("paste", page, text: plain, html: html) != nil)
        try await page.tab.wait(until: "document.getElementById('ask').open")
        #expect(
          try await page.tab.value("document.getElementById('asked').textContent", as: String.self)
            .hasPrefix("Add 1,000 customers below \""))
        try await page.tab.click(page.id("yes"))
        try await page.tab.wait(until: "document.getElementById('count').textContent === '2,000 customers'")
        try await page.settle()
        let all = try fields(page)
        #expect(all.count == 2_000)
        for (i, (before, after)) in zip(all.prefix(1_000), all.suffix(1_000)).enumerated() {
          // The order of their extra columns is no value.
          let changed = after.differences(from: before)
          #expect(changed == [], "row \(i + 1): \(changed.map { (before[$0].text, after[$0].text) })")
        }
      }
    }

    @Test func `in a field, and with text that is selected, the clipboard is the browser's`() async throws {
      try await withPage("Ann, Bob") { page in
        try await listen(page)
        try await page.tab.keys("Home", "F2")
        try await page.tab.wait(until: "document.activeElement.name === 'first_name'")
        for event in ["copy", "cut", "paste"] { #expect(try await send(event, page, text: "Eve") == nil) }
        try await page.tab.keys("Escape")
        try await page.tab.run("getSelection().selectAllChildren(document.getElementById('name'))")
        #expect(try await send("copy", page) == nil)
        #expect(try page.stored() == [["Ann", "Bob"]])
      }
    }

    @Test func `where the clipboard can't be read, a field takes the rows`() async throws {
      try await withPage("Ann, Bob", .phone) { page in
        try await page.tab.run("navigator.clipboard.readText = () => Promise.reject(new Error())")
        try await page.tab.run("document.getElementById('list').focus()")
        try await page.tab.keys("Home", "Shift+F10")
        try await page.choose("Paste below")
        try await page.tab.wait(until: "document.activeElement.matches('#ask textarea')")
        try await page.tab.type("Eve\nFay")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Eve", "Fay", "Bob"])
      }
    }

    @Test func `rows that no one has seen are shown before they are added`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.run("navigator.clipboard.readText = () => Promise.resolve('Eve\\nFay')")
        for (answer, names) in [("no", ["Ann", "Bob"]), ("yes", ["Ann", "Eve", "Fay", "Bob"])] {
          try await page.tab.keys("Home", "Shift+F10")
          try await page.choose("Paste below")
          try await page.tab.wait(until: "document.getElementById('ask').open")
          #expect(
            try await page.tab.value("document.getElementById('asked').textContent", as: String.self)
              == "Add 2 customers below \"Ann\"?\nEve\nFay")
          try await page.tab.click(page.id(answer))
          try await page.expect(names)
        }
      }
    }

    @Test func `cells that are written are read again`() async throws {
      try await withPage("Ann") { page in
        var random = SplitMix64(seed: 59)
        let parts = ["a", "\"", "\t", "\n", ",", " ", "é", "=1+1"]
        let tables = (1...300).map { _ in
          (0...random.below(3)).map { _ in
            // A line without anything is none.
            ["x"]
              + (0..<2).map { _ in
                (0...random.below(4)).map { _ in parts[random.below(parts.count)] }.joined()
              }
          }
        }
        let asked = String(decoding: try JSONEncoder().encode(tables), as: UTF8.self)
        let answers = try await page.tab.value(
          """
          ((tables) => {
            const {readCells, writeCells} = \(try TestPage.names("readCells, writeCells", of: "cells"))
            return tables.map((rows) => readCells(writeCells(rows)))
          })(\(asked))
          """, as: [[[String]]].self)
        #expect(answers == tables)
      }
    }
  }
}
