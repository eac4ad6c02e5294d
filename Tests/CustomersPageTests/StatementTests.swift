internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Testing

extension PageTests {
  /// Statements about what a person sees and types, as far as no other suite has them.
  @Suite struct StatementTests {
    private func left(_ page: TestPage, _ element: String) async throws -> Double {
      try await page.tab.value("\(element).getBoundingClientRect().left", as: Double.self)
    }

    @Test
    func `the row that adds has a green control, and its text is in line with the names (S1.25, S5.35)`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        try await page.tab.click(page.id("edit"))
        try await page.tab.wait(until: "document.querySelector('.add')")
        // Where it is when the controls have moved in.
        _ = try await page.tab.spot("document.querySelector('.add .name')")
        let color = try await page.tab.value(
          "getComputedStyle(document.querySelector('.add'), '::before').backgroundColor.match(/\\d+/g).map(Number)",
          as: [Int].self)
        #expect(color[1] > color[0] && color[1] > color[2])
        let names = """
          [document.querySelector('.add .name'), \(page.row("Ann", "b"))].map((e) => {
            const range = document.createRange()
            range.selectNodeContents(e)
            return Math.round(range.getBoundingClientRect().left)
          })
          """
        let places = try await page.tab.value(names, as: [Int].self)
        #expect(abs(places[0] - places[1]) <= 1)
      }
    }

    @Test func `a row that can't be edited has no control, and no space for one (S3.20)`() async throws {
      try await withPage(
        "Ann, Bob", prepare: { try $0.protect($0.customer(named: "Ann").id, canEdit: false, canMove: true) }
      ) { page in
        try await page.tab.click(page.id("edit"))
        _ = try await page.tab.spot(page.row("Bob", ".minus button"))
        #expect(try await left(page, page.row("Ann", ".number")) == left(page, page.row("Ann")))
        #expect(try await left(page, page.row("Bob", ".number")) > left(page, page.row("Bob")) + 40)
      }
    }

    @Test func `the star of a favorite is at the right, beyond name and columns (S5.43)`() async throws {
      try await withPage(
        "Ann, Bob",
        prepare: { list in
          try list.update(list.customer(named: "Ann").id) { ($0.isFavorite, $0.company) = (true, "Acme") }
        }
      ) { page in
        let star = page.row("Ann", "[aria-label=favorite]")
        try await page.tab.wait(until: star)
        #expect(try await left(page, star) > left(page, page.row("Ann", ".company")) + 100)
        #expect(
          try await page.tab.value(
            "\(page.row("Bob")).querySelector('[aria-label=favorite]') === null", as: Bool.self))
      }
    }

    @Test func `Enter goes to the next field, to the note, and around, and says so (S5.12, S5.13)`()
      async throws
    {
      try await withPage("Ann") { page in
        try await page.tab.keys("Home", "Enter")
        try await page.tab.wait(until: "document.activeElement.name === 'first_name'")
        var names: [String] = []
        repeat {
          names.append(try await page.tab.value("document.activeElement.name"))
          #expect(try await page.tab.value("document.activeElement.enterKeyHint", as: String.self) == "next")
          try await page.tab.keys("Enter")
        } while try await page.tab.value("document.activeElement.name !== 'first_name'", as: Bool.self)
          && names.count < 30
        #expect(names.contains("note") && names.count > 5 && Set(names).count == names.count)
        #expect(try page.stored() == [["Ann"]])
      }
    }

    @Test func `names of the other direction do not turn a notice around`() async throws {
      try await withPage("أحمد, Bob") { page in
        try await page.tab.keys("Home", "Alt+ArrowDown")
        try await page.hear("Moved \"أحمد\" 1 → 2.")
        #expect(
          try await page.tab.value(
            "document.querySelector('#news bdi').textContent", as: String.self) == "\"أحمد\"")
        #expect(
          try await page.tab.value(
            "[...document.querySelectorAll('.row b, .row small')].every((e) => e.dir === 'auto')",
            as: Bool.self))
      }
    }

    @Test func `at the top of a section, Alt with an arrow goes on to the section above`() async throws {
      try await withPage("One: Ann | Two: Bob, Cid") { page in
        try await page.tab.keys("Home", "ArrowDown", "Alt+ArrowUp")
        try await page.settle()
        #expect(try page.stored() == [["Ann", "Bob"], ["Cid"]])
      }
    }

    @Test func `what another program did is redone without a question, if it was undone here`() async throws {
      try await withPage("Ann, Bob") { page in
        try page.edit { try $0.move([$0.customer(named: "Bob").id], to: .first) }
        try await page.expect(["Bob", "Ann"])
        try await page.tab.click(page.id("undo"))
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Bob"])
        try await page.tab.click(page.id("redo"))
        try await page.expect(["Bob", "Ann"])
        #expect(try await page.isOpen("ask") == false)
      }
    }

    @Test func `Back closes a form that was opened after Forward`() async throws {
      try await withPage("Ann, Bob") { page in
        let isShut = "!document.getElementById('form').open"
        func isOpen(_ name: String) -> String {
          "!(\(isShut)) && document.getElementById('title').textContent === '\(name)'"
        }
        for name in ["Ann", "Bob"] {
          try await page.tab.click(page.row(name, ".name"))
          try await page.tab.wait(until: isOpen(name))
          try await page.tab.run("history.back()")
          try await page.tab.wait(until: isShut)
          try await page.tab.run("history.forward()")
          try await page.tab.wait(until: isOpen(name))
        }
        try await page.tab.click(page.row("Ann", ".name"))
        try await page.tab.wait(until: isOpen("Ann"))
        try await page.tab.run("history.back()")
        try await page.tab.wait(until: isShut)
      }
    }

    // A click opens its row a moment later, for it may be the first of two.
    @Test func `Back cancels a click that has opened nothing yet`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.click(page.row("Ann", ".name"))
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await page.tab.click(page.row("Bob", ".name"))
        try await page.tab.run("history.back()")
        try await page.tab.wait(until: "!document.getElementById('form').open")
        #expect(
          try await page.tab.value(
            "new Promise(go => setTimeout(go, 600)).then(() => !document.getElementById('form').open)",
            as: Bool.self))
      }
    }

    @Test func `keys of one character can be turned off, and the others are heard`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.keys("?")
        try await page.tab.click(page.id("letters"))
        try await page.tab.keys("Escape", "Home", "Delete")
        try await page.tab.wait(until: "document.querySelector('.delete')")
        try await page.tab.keys("Escape", "/")
        #expect(try await page.focus() == "list")
        #expect(try page.stored() == [["Ann", "Bob"]])
      }
    }

    @Test(arguments: [(320, 568), (550, 380)])
    func `on a narrow screen and at 200 % nothing goes beyond the edge`(width: Int, height: Int) async throws
    {
      try await withPage("Ann Lee, Bob Ray") { page in
        try await page.tab.resize(width: width, height: height)
        try await page.tab.click(page.id("edit"))
        try await page.tab.wait(until: "document.querySelector('.add')")
        #expect(
          try await page.tab.value(
            """
            [...document.querySelectorAll('header button, footer button, .row button, main')].every((e) =>
              !e.getClientRects().length || e.getBoundingClientRect().right <= innerWidth)
              && document.documentElement.scrollWidth <= innerWidth
            """, as: Bool.self))
      }
    }
  }
}
