internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersWeb
internal import Testing

extension PageTests {
  /// Who else is editing a row.
  @Suite struct PresenceTests {
    /// What the row of a name shows of those who are editing it, as JavaScript.
    private func who(_ page: TestPage, _ name: String) -> String { "\(page.row(name, ".who")).textContent" }

    /// A second tab with the list.
    private func second(_ page: TestPage, _ screen: Tab.Screen = .desk) async throws -> Tab {
      let tab = try await Tab(page.server.url, screen, in: page.tab.context)
      try await tab.wait(until: "document.querySelector('.row')?.customer")
      return tab
    }

    @Test func `a row says that someone has it in the form, in a cell, or in the hand, until they have not`()
      async throws
    {
      try await withPage("Ann, Bob, Cid") { page in
        let tab = try await second(page)
        let (form, someone) = (page.id("form"), "=== 'Someone is editing'")
        try await page.tab.run(
          "self.said = [], self.fetch = (send => (...asked) => (`${asked[0]}`.includes('presence') && said.push(asked), send(...asked)))(fetch)"
        )
        try await page.tab.click(page.row("Bob", ".name"))
        try await page.tab.wait(until: "\(form).open && document.activeElement.name === 'first_name'")
        // To open it is no edit; to type is.
        try await page.tab.run("setTimeout(() => self.isLate = true, 400)")
        try await page.tab.wait(until: "self.isLate")
        #expect(try await page.tab.value("said.length", as: Int.self) == 0)
        try await page.tab.type("x")
        try await tab.wait(until: "\(who(page, "Bob")) \(someone)")
        // It is read with the row, and not aloud by itself; to whoever does it, it is no news.
        #expect(
          try await tab.value(
            "\(page.row("Bob")).ariaLabel.includes('Someone is editing') && !document.getElementById('news').textContent",
            as: Bool.self))
        #expect(try await page.tab.value("\(who(page, "Bob"))", as: String.self) == "")
        try await page.tab.keys("Escape")
        try await page.tab.click(page.id("yes"))
        try await tab.wait(until: "\(who(page, "Bob")) === ''")
        try await page.tab.keys("Home", "F2")
        try await tab.wait(until: "\(who(page, "Ann")) \(someone)")
        try await page.tab.keys("Escape")
        try await tab.wait(until: "\(who(page, "Ann")) === ''")
        try await page.tab.keys("End", "m")
        try await tab.wait(until: "\(who(page, "Cid")) \(someone)")
        try await page.tab.keys("Escape")
        try await tab.wait(until: "\(who(page, "Cid")) === ''")
        // A page that comes later knows it, too, and one that goes says so.
        try await tab.click(page.row("Bob", ".name"))
        try await tab.wait(until: "document.activeElement.name === 'first_name'")
        try await tab.type("x")
        try await page.tab.wait(until: "\(who(page, "Bob")) \(someone)")
        try await page.tab.reload()
        try await page.tab.wait(until: "\(page.row("Bob")) && \(who(page, "Bob")) \(someone)")
        #expect(tab.problems == [])
        try await tab.close(keepingContext: true)
        try await page.tab.wait(until: "\(who(page, "Bob")) === ''")
        #expect(try page.stored() == [["Ann", "Bob", "Cid"]])
      }
    }

    @Test(arguments: [Tab.Screen.desk, .phone], [false, true])
    func `the name is that of the key, on any screen and in a part of the list`(
      _ screen: Tab.Screen, isLimited: Bool
    ) async throws {
      let name = "Ann \u{5d0}"
      try await withPage(
        "Club: Xyzzy | Guests: Bob, Cid", screen,
        prepare: { list in try list.update(list.customer(named: "Bob").id) { $0.note = "tea" } },
        part: { api, store in
          let uid = try store.read { try $0.uid(of: $0.sections()[1].id) }
          return try api.list(
            for: PagePerson(
              id: PersonID(rawValue: 7), name: name, rights: .edit,
              limits: isLimited ? PageLimits(section: uid) : nil))
        }
      ) { page in
        let tab = try await second(page)
        try await tab.click(page.row("Bob", ".name"))
        try await tab.wait(until: "document.querySelector('#fields [name=first_name]')")
        try await tab.run("document.querySelector('#fields [name=first_name]').focus()")
        try await tab.type("x")
        try await page.tab.wait(until: "\(who(page, "Bob")) === '\(name) is editing'")
        // It is all in the row, beside what the row shows or in its place.
        #expect(
          try await page.tab.value(
            """
            (() => {
              const row = \(page.row("Bob")), edge = row.getBoundingClientRect(), inside = e => {
                const {width, top, bottom} = e.getBoundingClientRect()
                return !width ? 'no' : top >= edge.top && bottom <= edge.bottom ? 'yes' : 'out'
              }
              return ['b', '.who', 'small span:last-child'].map(part => inside(row.querySelector(part))).join(' ')
            })()
            """, as: String.self) == (screen == .phone ? "yes yes no" : "yes yes yes"))
        #expect(tab.problems == [])
      }
    }
  }
}
