internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersWeb
internal import Testing

extension PageTests {
  /// What a person sees.
  @Suite struct SeeingTests {
    @Test func `the page needs at most 62,000 bytes as one compressed document`() {
      #expect(PageFiles.own.size <= 62_000)
    }

    @Test func `what is typed into has a border, and a button with a picture nothing around it`() async throws
    {
      try await withPage("Ann") { page in
        func wrong(_ ids: String, _ style: String, _ wanted: String) async throws -> [String] {
          try await page.tab.value(
            "'\(ids)'.split(' ').filter((id) => getComputedStyle(document.getElementById(id)).\(style) !== '\(wanted)')"
          )
        }
        let bare = try await wrong("text line when key", "borderTopWidth", "1px")
        let wide = try await wrong("find undo redo add more choices", "paddingLeft", "0px")
        #expect(bare == [] && wide == [])
      }
    }

    @Test func `the log fits on the narrowest phone`() async throws {
      try await withPage("Ann", .phone) { page in
        try await page.tab.keys("l")
        try await page.tab.wait(until: "document.activeElement.id === 'line'")
        try await page.tab.run("\(page.id("log")).style.width = '17.5rem'")
        let wide = try await page.tab.value(
          "[...document.querySelectorAll('.when')].filter((e) => e.scrollWidth > e.clientWidth).length",
          as: Int.self)
        #expect(wide == 0)
      }
    }

    /// The texts of the shown elements that a selector finds.
    private func shown(_ page: TestPage, _ selector: String) async throws -> [String] {
      try await page.tab.value(
        "[...document.querySelectorAll('\(selector)')].filter((e) => e.getClientRects().length).map((e) => e.textContent)"
      )
    }

    @Test func `a column has a heading, and is not shown as long as no customer fills it`() async throws {
      try await withPage(
        "Ann, Bob",
        prepare: { list in try list.update(list.customer(named: "Ann").id) { $0.company = "Acme" } }
      ) { page in
        #expect(try await shown(page, "#heads .column") == ["Company"])
        #expect(try await shown(page, ".row .column") == ["Acme", ""])
        try page.edit { list in try list.update(list.customer(named: "Bob").id) { $0.email = "b@b.example" } }
        try await page.tab.wait(until: "document.querySelector('#heads .email').getClientRects().length")
        #expect(try await shown(page, "#heads .column") == ["Company", "E-mail"])
        for column in ["name", "company", "email"] {
          #expect(
            try await page.tab.value(
              "document.querySelector('#heads .\(column)').getBoundingClientRect().left === "
                + "document.querySelector('.row .\(column)').getBoundingClientRect().left", as: Bool.self))
        }
      }
    }

    @Test(arguments: [("One: Ann, Bob", [""]), ("One: Ann | Two: Bob", ["1", "1"])])
    func `the count is said once`(sample: String, counts: [String]) async throws {
      try await withPage(.init(sample)) { page in
        let texts = try await shown(page, "#count")
        #expect(texts == ["2 customers"])
        let headers = try await page.tab.value(
          "[...document.querySelectorAll('.header .name')].map((e) => e.dataset.count)", as: [String].self)
        #expect(headers == counts)
      }
    }

    /// Each time that a size is asked for after something was drawn, the browser lays everything out.
    @Test func `a screen is drawn without asking for the size of the list for each row`() async throws {
      try await withPage(.generated(200)) { page in
        try await page.tab.run(
          """
          (() => { self.asked = 0
          for (const [kind, name] of [[Element, 'clientHeight'], [HTMLElement, 'offsetHeight']]) {
            const {get} = Object.getOwnPropertyDescriptor(kind.prototype, name)
            Object.defineProperty(kind.prototype, name, {get() { self.asked++; return get.call(this) }})
          } })()
          """)
        try await page.tab.keys("PageDown")
        try await page.tab.wait(until: "document.querySelector('.cursor')?.row > 10")
        let asked = try await page.tab.value("self.asked", as: Int.self)
        #expect((1...80).contains(asked))
      }
    }

    @Test func `on a phone, what is said takes two lines, moves no button, and a touch shows the rest`()
      async throws
    {
      let names = [
        "Ann", "A customer whose name is longer than two lines of any phone that shows what was done to him",
      ]
      try await withPage(SampleList(names.joined(separator: ", ")), .phone) { page in
        try await page.tab.tap(page.id("edit"))
        for name in names { try await page.tab.tap(page.row(name, ".name")) }
        let top = "Math.round(document.getElementById('unmark').getBoundingClientRect().top)"
        let before = try await page.tab.value(top, as: Int.self)
        try page.edit { list in
          try list.update(list.customer(named: names[1]).id) { $0.note = "n" }
        }
        try await page.hear("Edited")
        #expect(try await page.tab.value(top, as: Int.self) == before)
        try await page.tab.tap("\(page.id("news")).parentElement")
        try await page.tab.wait(until: "\(top) < \(before)")
      }
    }

    @Test func `a marked row at the cursor looks marked, and Ctrl+Home goes to the first one`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.keys("Control+End", "Space", "Control+Home", "Space")
        try await page.tab.wait(until: "document.querySelectorAll('.marked').length === 2")
        try await page.tab.keys("Home")
        let color = { "getComputedStyle(\(page.row($0))).backgroundColor" }
        try await page.tab.wait(
          until: "\(color("Ann")) === \(color("Cid")) && \(color("Ann")) !== \(color("Bob"))")
      }
    }

    @Test func `keys and gestures are shown by a key and by a button`() async throws {
      try await withPage("Ann, Bob") { page in
        let isOpen = "document.getElementById('help').matches(':popover-open')"
        try await page.tab.keys("?")
        try await page.tab.wait(until: isOpen)
        #expect(try await shown(page, "#help dt").contains("Space"))
        try await page.tab.keys("Delete", "Escape")
        try await page.tab.wait(until: "!\(isOpen) && document.activeElement.id === 'list'")
        #expect(try await shown(page, ".delete") == [])
        try await page.tab.click("document.getElementById('helps')")
        try await page.tab.wait(until: isOpen)
        try await page.tab.click("document.querySelector('[popovertarget=help]')")
        try await page.tab.wait(until: "!\(isOpen)")
      }
    }
  }
}
