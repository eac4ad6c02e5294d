internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersTestSupport
internal import Testing

extension PageTests {
  /// Other programs, other tabs, and a server that comes and goes.
  @Suite struct LiveTests {
    @Test func `what one reads does not jump when others edit above it`() async throws {
      let names = (1...300).map { "N\($0)" }
      try await withPage(.init(names.joined(separator: ", "))) { page in
        try await page.tab.run("document.getElementById('list').scrollTop = 48 * 150")
        try await page.tab.wait(until: page.row("N152"))
        let y = "\(page.row("N152")).getBoundingClientRect().top"
        let before = try await page.tab.value(y, as: Double.self)
        try page.edit { list in
          for number in 1...5 { try list.insert(CustomerFields(firstName: "New \(number)"), at: .first) }
        }
        try await page.tab.wait(until: "\(page.row("N152", ".number"))?.textContent === '157'")
        #expect(try await page.tab.value(y, as: Double.self) == before)
      }
    }

    @Test func `what one reads does not jump when others move the row above it away`() async throws {
      let names = (1...300).map { "N\($0)" }
      try await withPage(.init(names.joined(separator: ", "))) { page in
        try await page.tab.run("document.getElementById('list').scrollTop = 48 * 150")
        try await page.tab.wait(until: page.row("N155"))
        let first = try await page.tab.value(
          """
          [...document.querySelectorAll('.row')].filter((e) => e.getBoundingClientRect().top
            >= document.getElementById('list').getBoundingClientRect().top).sort((a, b) => a.row - b.row)[0]
            .querySelector('b').textContent
          """, as: String.self)
        let y = "\(page.row("N155"))?.getBoundingClientRect().top ?? null"
        let before = try await page.tab.value(y, as: Double?.self)
        try page.edit { list in try list.move(list.customer(named: first).id, to: .first) }
        try await page.tab.wait(until: "!(\(page.row(first)))")
        #expect(try await page.tab.value(y, as: Double?.self) == before && before != nil)
      }
    }

    @Test func `the cursor goes to the last row although an older answer arrives after the key`() async throws
    {
      try await withPage(.init((1...300).map { "N\($0)" }.joined(separator: ", "))) { page in
        try await page.tab.run(
          """
          (real => {
            self.fetch = async (...all) => {
              const answer = await real(...all)
              await new Promise(go => self.release = go)
              self.fetch = real
              return answer
            }
            self.dispatchEvent(new Event('online'))
          })(self.fetch)
          """)
        try await page.tab.wait(until: "self.release")
        try await page.tab.keys("End")
        try await page.tab.run("self.release()")
        try await page.tab.wait(until: "document.querySelector('.cursor .number')?.textContent === '300'")
      }
    }

    @Test func `an answer that arrives before the event of a scroll does not undo it`() async throws {
      try await withPage(.init((1...300).map { "N\($0)" }.joined(separator: ", "))) { page in
        try await page.tab.run(
          """
          (async real => {
            const load = () => self.dispatchEvent(new Event('online'))
            let kept
            self.fetch = async (...all) => {
              const answer = await real(...all), text = await answer.text()
              return kept = {status: answer.status, text: async () => text}
            }
            load()
            while (!kept) await new Promise(requestAnimationFrame)
            self.fetch = async (...all) => {
              self.fetch = real
              return kept
            }
            document.getElementById('list').scrollTop = 48 * 150
            load()
          })(self.fetch)
          """)
        try await page.tab.wait(until: page.row("N152"))
        #expect(
          try await page.tab.value(
            "Math.abs(document.getElementById('list').scrollTop - 48 * 150) < 48", as: Bool.self))
      }
    }

    @Test func `an edit is done although the page takes long to read what the one before has done`()
      async throws
    {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.run(
          """
          (real => self.fetch = async (path, ...more) => {
            if (path.startsWith('/v1/rows')) await new Promise(go => self.release = go), self.fetch = real
            return real(path, ...more)
          })(self.fetch)
          """)
        try await page.tab.keys("Home", "Alt+ArrowDown")
        try await page.tab.wait(until: "self.release")
        try await page.tab.run("(now => Date.now = () => now() + 2000)(Date.now)")
        try await page.tab.keys("Alt+ArrowDown")
        try await page.tab.run("self.release()")
        try await page.expect(["Bob", "Cid", "Ann"])
      }
    }

    @Test func `a row that another program has changed is marked for a while`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.run(
          "new MutationObserver(() => { if (document.querySelector('.flash')) self.flashed = true })"
            + ".observe(document.getElementById('rows'), { subtree: true, attributes: true })")
        try page.edit { list in try list.update(list.customer(named: "Bob").id) { $0.note = "new" } }
        try await page.tab.wait(until: "self.flashed && \(page.row("Bob", "small")).textContent === 'new'")
        try await page.tab.wait(until: "!document.querySelector('.flash')")
      }
    }

    @Test func `a list of any length is shown to the last row`() async throws {
      let count = isLong ? 1_000_000 : 30_000
      try await withPage(.generated(count, sections: 3)) { page in
        try await page.tab.wait(until: "document.querySelector('.row')?.customer")
        try await page.tab.keys("End")
        try await page.tab.wait(
          until: "document.querySelector('.cursor .number')?.textContent === (\(count)).toLocaleString('en')")
        let space = """
          (() => {
            const range = document.createRange()
            range.selectNodeContents(document.querySelector('.cursor .number'))
            return range.getBoundingClientRect().left
          })()
          """
        #expect(try await page.tab.value(space, as: Double.self) >= 8)
        // Halfway by the scroll bar, then to the end.
        for part in [0.5, 1] {
          // Again and again, as a finger on the bar does: the list may still be on its way to the last row.
          try await page.tab.wait(
            until: """
              (list.scrollTop = \(part) * list.scrollHeight,
                document.querySelector('.row')?.row > \(part) * \(count) - 200)
                && [...document.querySelectorAll('.row')].every((e) => e.customer)
              """)
        }
        try await page.tab.wait(
          until: "[...document.querySelectorAll('.row')].some((e) => e.row === \(count - 1) && e.customer)")
        #expect(
          try await page.tab.value(
            "document.getElementById('rows').clientHeight <= 8_000_000"
              + " && document.querySelectorAll('.row').length < 60", as: Bool.self))
      }
    }

    @Test func `a dozen tabs of one browser all follow`() async throws {
      try await withPage("Ann, Bob") { page in
        var tabs: [Tab] = []
        for _ in 1...11 { tabs.append(try await Tab(page.server.url, in: page.tab.context)) }
        for tab in tabs { try await tab.wait(until: "document.querySelectorAll('.row').length === 2") }
        try page.edit { try $0.insert(CustomerFields(firstName: "Cid")) }
        for tab in tabs + [page.tab] {
          try await tab.wait(until: "document.querySelectorAll('.row').length === 3")
          #expect(tab.problems == [])
        }
        for tab in tabs { try await tab.close(keepingContext: true) }
      }
    }

    @Test func `a tab of another version of the page neither feeds this one nor ends its stream`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        let name = "'customers \(TestServer.token.prefix(8)) news'"
        try await page.tab.run(
          """
          self.isFirst = true, new MutationObserver(() => {
            if (document.getElementById('trouble').textContent) self.wasLost = true
          }).observe(document.getElementById('trouble'), { childList: true }),
          new BroadcastChannel(\(name)).onmessage = () => { self.hasHeard = true }
          """)
        try await page.tab.run(
          "new BroadcastChannel(\(name)).postMessage(['hello', { build: '9', list: 'Old', version: {} }])")
        try await page.tab.wait(until: "self.hasHeard || !self.isFirst")
        _ = try await page.tab.value(
          """
          fetch('/v1/events?page=' + JSON.parse(localStorage['customers \(TestServer.token.prefix(8)) browser']), {
            headers: { Authorization: 'Bearer \(TestServer.token)' }
          }).then(({ body }) => (self.reader = body.getReader()).read()).then(() => true)
          """, as: Bool.self)
        try page.edit { try $0.insert(CustomerFields(firstName: "Cid")) }
        try await page.expect(["Ann", "Bob", "Cid"])
        #expect(
          try await page.tab.value(
            "self.isFirst && !self.wasLost && document.title === 'customers.sqlite' && document.getElementById('name').title === document.title",
            as: Bool.self))
        try await page.tab.run("void self.reader.cancel()")
      }
    }

    @Test func `a server that stops is reported, edits wait, and a new one is found`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        page.server.stop()
        try await page.hear("Connection lost")
        try await page.tab.keys("Home", "Alt+ArrowDown")
        #expect(try page.stored() == [["Ann", "Bob", "Cid"]])
        let next = try await TestServer.again(page)
        defer { next.stop() }
        try await page.expect(["Bob", "Ann", "Cid"])
        try await page.tab.wait(until: "document.getElementById('trouble').textContent === ''")
      }
    }

    @Test func `a connection that is silent for long is given up for a new one`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.run(
          """
          ((real, after) => {
            self.setTimeout = (work, time, ...more) => after(work, self.isSilent && time === 40_000 ? 10 : time, ...more)
            self.fetch = async (path, more) => {
              if (!path.startsWith('/v1/events')) return real(path, more)
              self.fetch = real
              self.isSilent = true
              return new Response(new ReadableStream({start(stream) {
                more.signal?.addEventListener('abort', () => {
                  self.isSilent = false
                  stream.error(new DOMException('', 'AbortError'))
                })
              }}))
            }
          })(self.fetch, self.setTimeout)
          """)
        page.server.stop()
        try await page.tab.wait(until: "self.isSilent !== undefined")
        let next = try await TestServer.again(page)
        defer { next.stop() }
        try page.edit { try $0.insert(CustomerFields(firstName: "Cid")) }
        try await page.expect(["Ann", "Bob", "Cid"])
      }
    }

    @Test
    func `a page of another version of the program loads itself again, but not while something is typed`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        try await page.tab.run("self.isFirst = true")
        try await page.tab.click(page.row("Ann", ".name"))
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await page.tab.type("X")
        page.server.stop()
        let next = try await TestServer.again(page, build: "2")
        defer { next.stop() }
        try await page.tab.wait(until: "document.getElementById('trouble').textContent === ''")
        #expect(
          try await page.tab.value("self.isFirst && document.getElementById('form').open", as: Bool.self))
        try await page.tab.keys("Escape")
        try await page.tab.click(page.id("yes"))
        try await page.tab.wait(until: "!self.isFirst && document.querySelectorAll('.row').length === 2")
      }
    }

    @Test func `a list for reading only has no controls`() async throws {
      try await withPage("Ann, Bob", isReadOnly: true) { page in
        for id in ["edit", "add", "undo"] {
          #expect(try await page.tab.value("\(page.id(id)).getClientRects().length", as: Int.self) == 0)
        }
        try await page.tab.keys("Home", "Alt+ArrowDown", "Delete")
        #expect(try page.stored() == [["Ann", "Bob"]])
      }
    }

    @Test func `without the key the page says where to get it`() async throws {
      try await withPage("Ann") { page in
        let tab = try await Tab("http://localhost:\(page.server.port)/#00")
        try await tab.wait(until: "document.getElementById('door').innerText.includes('customers web')")
        #expect(try await tab.value("document.querySelectorAll('.row').length", as: Int.self) == 0)
        #expect(tab.problems == [])
        try await tab.close()
      }
    }
  }
}
