internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersTestSupport
internal import Testing

extension PageTests {
  /// Search as you type: only matches, or in place; and edits of all that were found.
  @Suite struct SearchingTests {
    private static let text = "document.getElementById('text')"
    private static let shown = """
      [...document.querySelectorAll('.row')].sort((a, b) => a.row - b.row)
        .map((e) => e.querySelector('.number').textContent + ' ' + e.querySelector('b').textContent)
      """

    private func search(_ page: TestPage, _ text: String) async throws {
      try await page.tab.keys("/")
      try await page.tab.wait(until: "document.activeElement === \(Self.text)")
      try await page.tab.type(text)
    }

    private func expect(_ page: TestPage, _ rows: [String], found: String) async throws {
      let wanted = rows.map { "'\($0)'" }.joined(separator: ",")
      try await page.tab.wait(
        until: """
          JSON.stringify(\(Self.shown)) === JSON.stringify([\(wanted)])
            && document.getElementById('found').textContent === '\(found)'
          """)
    }

    @Test func `each key narrows the matches, which keep their rows in the list, and Esc shows the list`()
      async throws
    {
      try await withPage("One: Ann Lee, Bob Ray, Cid Lee | Two: Dan Lea, Eve Kay") { page in
        try await search(page, "le")
        try await expect(page, ["1 Ann Lee", "3 Cid Lee", "4 Dan Lea"], found: "3 found")
        try await page.tab.type("e")
        try await expect(page, ["1 Ann Lee", "3 Cid Lee"], found: "2 found")
        #expect(try await page.tab.value("document.querySelectorAll('.header').length", as: Int.self) == 0)
        try await page.tab.keys("ArrowDown", "ArrowDown")
        try await page.tab.wait(until: "document.querySelector('.cursor b')?.textContent === 'Cid Lee'")
        #expect(try await page.focus() == "list")
        try await page.tab.keys("m")
        try await page.hear("Only matches are shown")
        try await page.tab.keys("Escape")
        try await page.expect(["Ann Lee", "Bob Ray", "Cid Lee", "Dan Lea", "Eve Kay"])
        try await page.tab.wait(until: "document.querySelector('.cursor b')?.textContent === 'Cid Lee'")
        #expect(try await page.focus() == "list")
        #expect(try await page.tab.value("document.getElementById('search').hidden", as: Bool.self))
      }
    }

    @Test(arguments: ["only", "next", "markFound"])
    func `Esc ends the search on its buttons, too`(button: String) async throws {
      try await withPage("Ann, Bob") { page in
        try await search(page, "a")
        if button == "next" { try await page.tab.click(page.id("only")) }
        try await page.tab.run("\(page.id(button)).focus()")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "\(page.id("search")).hidden")
        #expect(try await page.focus() == "list")
      }
    }

    @Test func `a term of --where is understood, and the field that matched is shown`() async throws {
      try await withPage(
        "Ann, Bob, Cid",
        prepare: { list in
          try list.update(list.customer(named: "Bob").id) { ($0.phone, $0.address) = ("555 1234", "Bonn") }
        }
      ) { page in
        try await search(page, "address=Bonn")
        try await expect(page, ["2 Bob"], found: "1 found")
        #expect(
          try await page.tab.value("document.querySelector('.row small').textContent", as: String.self)
            == "Address: Bonn")
        try await page.tab.run("\(Self.text).select()")
        try await page.tab.type("bonn")
        try await expect(page, ["2 Bob"], found: "1 found")
        // What was found is not hidden by what is before it.
        try page.edit { list in
          try list.update(list.customer(named: "Bob").id) { $0.address = "Long Street 17\n53111 Bonn" }
        }
        try await page.tab.wait(
          until: "document.querySelector('.row small').textContent === 'Address: … 53111 Bonn'")
        try await page.tab.run("\(Self.text).select()")
        try await page.tab.type("zzz")
        try await expect(page, [], found: "0 found")
        #expect(
          try await page.tab.value(
            "getComputedStyle(document.getElementById('rows'), '::before').content", as: String.self
          )
          .contains("Nothing found"))
      }
    }

    @Test func `in place all rows stay, and the next and previous match get the cursor`() async throws {
      let names = (1...300).map { $0 % 100 == 0 ? "Hit\($0)" : "N\($0)" }.joined(separator: ", ")
      try await withPage(.init(names)) { page in
        try await search(page, "hit")
        try await expect(page, ["100 Hit100", "200 Hit200", "300 Hit300"], found: "3 found")
        try await page.tab.click(page.id("only"))
        let cursor = "document.querySelector('.cursor.hit b')?.textContent"
        try await page.tab.wait(until: "\(cursor) === 'Hit100'")
        try await page.tab.run("\(Self.text).focus()")
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "\(cursor) === 'Hit200'")
        try await page.tab.click(page.id("next"))
        try await page.tab.wait(until: "\(cursor) === 'Hit300'")
        try await page.tab.click(page.id("next"))
        try await page.hear("No more matches.")
        // Two clicks before the first has its answer.
        for (button, name) in [("previous", "Hit100"), ("next", "Hit300")] {
          try await page.tab.run("[1, 2].forEach(() => document.getElementById('\(button)').click())")
          try await page.tab.wait(until: "\(cursor) === '\(name)'")
        }
        try await page.tab.run("document.getElementById('list').focus()")
        try await page.tab.keys("Shift+n")
        try await page.tab.wait(until: "\(cursor) === 'Hit200'")
        // Rows are in the list's order, so they can be moved.
        try await page.tab.keys("Alt+ArrowUp")
        try await page.hear("Moved \"Hit200\" 200 → 199.")
        // The choice is kept.
        try await page.tab.reload()
        try await page.tab.wait(until: "document.querySelector('.row b')")
        #expect(
          try await page.tab.value("document.getElementById('only').ariaPressed", as: String.self) == "false")
      }
    }

    @Test func `a request whose place another one took is sent again`() async throws {
      try await withPage("Ann Lee, Bob Ray, Cid Lee") { page in
        try await search(page, "lee")
        try await expect(page, ["1 Ann Lee", "3 Cid Lee"], found: "2 found")
        try await page.tab.run(
          """
          (real => self.fetch = async (path, ...more) => {
            if (!path.startsWith('/v1/ids')) return real(path, ...more)
            self.fetch = real
            return new Response('{"error":{"kind":"superseded","message":"x"}}', {status: 409})
          })(self.fetch)
          """)
        try await page.tab.click(page.id("markFound"))
        try await page.tab.wait(until: "document.getElementById('marks').textContent.includes('2 marked')")
      }
    }

    @Test
    func `all matches are named by the text that found them, and who is marked or unmarked since by id`()
      async throws
    {
      try await withPage("Ann Lee, Bob Ray, Cid Lee, Dan Lee") { page in
        try await search(page, "lee")
        try await expect(page, ["1 Ann Lee", "3 Cid Lee", "4 Dan Lee"], found: "3 found")
        try await page.tab.click(page.id("markFound"))
        try await page.tab.wait(until: "document.getElementById('marks').textContent.includes('3 marked')")
        try await page.tab.click(page.row("Cid Lee", ".name"), holding: "Control")
        let keep =
          "(real => self.fetch = (path, more) => (path.startsWith('/v1/edits?') && (self.body = more.body), real(path, more)))"
        try await page.tab.run("\(keep)(self.fetch)")
        try await page.tab.click(page.id("removeMarked"))
        try await page.tab.click(page.id("yes"))
        try await page.hear("Deleted")
        #expect(try page.stored() == [["Bob Ray", "Cid Lee"]])
        let named = try await page.tab.value(
          "(({text, also, except}) => [text, also, except].join('/'))(JSON.parse(self.body).edits[0].delete.view)",
          as: String.self)
        #expect(named == "lee//3")
      }
    }

    @Test func `all that are marked by a key are those that are seen`() async throws {
      try await withPage("Ann Lee, Bob Ray, Cid Lee") { page in
        try await search(page, "lee")
        try await expect(page, ["1 Ann Lee", "3 Cid Lee"], found: "2 found")
        try await page.tab.click(page.row("Cid Lee", ".name"), holding: "Control")
        try await page.tab.keys("Control+a")
        try await page.tab.wait(until: "document.getElementById('marks').textContent.includes('2 marked')")
      }
    }

    @Test func `what an older search has found is not marked`() async throws {
      try await withPage("Ann Lee, Bob Ray, Cid Lee") { page in
        try await search(page, "lee")
        try await expect(page, ["1 Ann Lee", "3 Cid Lee"], found: "2 found")
        try await page.tab.run(
          """
          (real => self.fetch = async (path, ...more) => {
            const answer = await real(path, ...more)
            if (!path.startsWith('/v1/ids')) return answer
            const text = await answer.text()
            await new Promise(go => self.release = go)
            return {status: answer.status, text: async () => text}
          })(self.fetch)
          """)
        try await page.tab.click(page.id("markFound"))
        try await page.tab.wait(until: "self.release")
        try await page.tab.run("\(Self.text).focus(), \(Self.text).select()")
        try await page.tab.type("ray")
        try await expect(page, ["2 Bob Ray"], found: "1 found")
        try await page.tab.run("self.release()")
        #expect(try await page.tab.value("document.getElementById('marks').hidden", as: Bool.self))
      }
    }

    @Test func `all matches are marked, beyond what was read, and moved or deleted with one question`()
      async throws
    {
      let names = (1...1200).map { $0 % 2 == 0 ? "Even\($0)" : "Odd\($0)" }.joined(separator: ", ")
      try await withPage(.init("One: \(names) | Two: Last")) { page in
        try await search(page, "even")
        try await page.tab.wait(until: "document.getElementById('found').textContent === '600 found'")
        try await page.tab.click(page.id("markFound"))
        try await page.tab.wait(
          until: "document.getElementById('marks').textContent.includes('600 marked')")
        try await page.tab.click(page.id("moveMarked"))
        try await page.tab.click(
          "[...document.querySelectorAll('#menu button')].find((e) => e.textContent === 'To section Two')")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        #expect(
          try await page.tab.value("document.getElementById('asked').textContent", as: String.self)
            == "Move 600 customers?")
        try await page.tab.click(page.id("yes"))
        try await page.hear("Moved")
        #expect(try page.stored().map(\.count) == [600, 601])
        try await page.tab.click(page.id("removeMarked"))
        #expect(
          try await page.tab.value("document.getElementById('asked').textContent", as: String.self)
            == "Delete 600 customers?")
        try await page.tab.click(page.id("no"))
        #expect(try page.stored().map(\.count) == [600, 601])
        try await page.tab.click(page.id("removeMarked"))
        try await page.tab.click(page.id("yes"))
        try await page.hear("Deleted")
        #expect(try page.stored().map(\.count) == [600, 1])
        try await page.tab.wait(until: "document.getElementById('found').textContent === '0 found'")
        try await page.tab.wait(until: "document.getElementById('marks').hidden")
      }
    }

    @Test func `what another program has changed since all were marked is not deleted before it is said`()
      async throws
    {
      try await withPage("Ann Lee, Bob Lee, Cid") { page in
        try await search(page, "lee")
        try await page.tab.wait(until: "document.getElementById('found').textContent === '2 found'")
        try await page.tab.click(page.id("markFound"))
        try await page.tab.wait(until: "!document.getElementById('marks').hidden")
        try page.edit { list in try list.update(list.customer(named: "Bob Lee").id) { $0.note = "new" } }
        try await page.tab.wait(
          until: "document.querySelector('.row small')?.textContent !== null"
            + " && [...document.querySelectorAll('.row small')].some((e) => e.textContent.includes('new'))")
        try await page.tab.click(page.id("removeMarked"))
        try await page.tab.click(page.id("yes"))
        try await page.hear("\"Bob Lee\" has been changed")
        #expect(try page.stored() == [["Ann Lee", "Bob Lee", "Cid"]])
        try await page.tab.click(page.id("removeMarked"))
        try await page.tab.click(page.id("yes"))
        try await page.hear("Deleted")
        #expect(try page.stored() == [["Cid"]])
      }
    }

    @Test func `matches follow what another program does`() async throws {
      try await withPage("Ann Lee, Bob, Cid Lee") { page in
        try await search(page, "lee")
        try await expect(page, ["1 Ann Lee", "3 Cid Lee"], found: "2 found")
        try page.edit { list in
          try list.delete(list.customer(named: "Ann Lee").id)
          try list.insert(CustomerFields(name: "Dan Lee"), at: .first)
        }
        try await expect(page, ["1 Dan Lee", "3 Cid Lee"], found: "2 found")
        #expect(try await page.focus() == "text")
      }
    }

    @Test func `a list that can only be read is searched, and nothing can be marked to be deleted`()
      async throws
    {
      try await withPage("Ann, Bob", isReadOnly: true) { page in
        try await search(page, "bob")
        try await expect(page, ["2 Bob"], found: "1 found")
        #expect(
          try await page.tab.value(
            "document.getElementById('markFound').getClientRects().length", as: Int.self) == 0)
      }
    }
  }
}
