internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Testing

extension PageTests {
  /// Sections are added, renamed, moved, and deleted with their customers.
  @Suite struct SectionsTests {
    private func titles(_ page: TestPage) throws -> [String] {
      try page.list.store.read { try $0.sections().map(\.title) }
    }

    private func open(_ page: TestPage) async throws {
      try await page.tab.click(page.id("more"))
      try await page.tab.click(
        "[...document.querySelectorAll('#menu button')].find((e) => e.textContent === 'Sections…')")
      try await page.tab.wait(until: "document.getElementById('menu').matches(':popover-open')")
    }

    private func choose(_ page: TestPage, _ item: String) async throws {
      try await open(page)
      try await page.tab.click(
        "[...document.querySelectorAll('#menu button')].find((e) => e.textContent.startsWith('\(item)'))")
    }

    @Test func `the menu of a section adds, renames and moves`() async throws {
      try await withPage("One: Ann | Two: Bob") { page in
        try await choose(page, "Add a section")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.type("Three")
        try await page.tab.keys("Enter")
        try await page.hear("Added section \"Three\"")
        #expect(try titles(page) == ["One", "Two", "Three"])
        #expect(try await page.focus() == "list")
        try await page.tab.keys("End")
        try await page.tab.wait(until: "document.querySelector('.cursor b')?.textContent === 'Bob'")
        try await choose(page, "Rename Two")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.run("document.querySelector('#answer input').select()")
        try await page.tab.type("Zwei")
        try await page.tab.click(page.id("yes"))
        try await page.tab.wait(
          until: "[...document.querySelectorAll('.header .name')].some((e) => e.textContent === 'Zwei')")
        try await page.settle()
        try await choose(page, "Move Zwei up")
        try await page.expect(["Bob", "Ann"])
        #expect(try titles(page) == ["Zwei", "One", "Three"])
        try await choose(page, "Add a section")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.type("one")
        try await page.tab.keys("Enter")
        // What was typed stays.
        try await page.tab.wait(
          until: "document.querySelector('#answer .bad').textContent.startsWith('There is a section \"One\"')"
        )
        try await page.tab.type(" more")
        try await page.tab.keys("Enter")
        try await page.hear("Added section \"one more\"")
        #expect(try titles(page) == ["Zwei", "One", "Three", "one more"])
      }
    }

    @Test func `a section is deleted with its customers after a question, and Undo restores both`()
      async throws
    {
      try await withPage("One: Ann | Two: Bob, Cid") { page in
        let more = "[...document.querySelectorAll('.header [data-do=section]')].at(-1)"
        for button in ["no", "yes"] {
          try await page.tab.click(more)
          try await page.tab.click(
            "[...document.querySelectorAll('#menu button')].find((e) => e.textContent.startsWith('Delete'))")
          try await page.tab.wait(until: "document.getElementById('ask').open")
          #expect(
            try await page.tab.value("document.getElementById('asked').textContent", as: String.self)
              == "Delete section \"Two\" with 2 customers?")
          #expect(try page.stored() == [["Ann"], ["Bob", "Cid"]])
          try await page.tab.click(page.id(button))
        }
        try await page.expect(["Ann"])
        #expect(try titles(page) == ["One"])
        try await page.tab.click(page.id("undo"))
        try await page.expect(["Ann", "Bob", "Cid"])
        #expect(try titles(page) == ["One", "Two"])
      }
    }

    @Test func `a list without titles has the menu in edit mode; one that can only be read has none`()
      async throws
    {
      try await withPage("Ann") { page in
        let isShown = "document.getElementById('section').getClientRects().length > 0"
        #expect(try await page.tab.value(isShown, as: Bool.self) == false)
        try await page.tab.click(page.id("edit"))
        try await page.tab.wait(until: isShown)
        try await page.tab.click(page.id("section"))
        try await page.tab.wait(until: "document.getElementById('menu').matches(':popover-open')")
        try await page.tab.keys("Escape")
        #expect(try await page.focus() == "list")
      }
      try await withPage("One: Ann | Two: Bob", isReadOnly: true) { page in
        try await page.tab.wait(until: "document.querySelector('.header .more')")
        #expect(
          try await page.tab.value(
            "document.querySelector('.header .more').getClientRects().length", as: Int.self) == 0)
      }
    }

    /// The lines on the screen, from top to bottom.
    private func lines(_ page: TestPage) async throws -> [String] {
      try await page.tab.value(
        """
        [...document.querySelectorAll('.line')].sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y)
          .map((e) => (e.querySelector('b') ?? e.querySelector('.name')).textContent)
        """)
    }

    private func wait(_ page: TestPage, for names: String) async throws {
      try await page.tab.wait(
        until: """
          [...document.querySelectorAll('.line')].sort((a, b) => a.getBoundingClientRect().y - b.getBoundingClientRect().y)
            .map((e) => (e.querySelector('b') ?? e.querySelector('.name')).textContent).join() === '\(names)'
          """)
    }

    private let fold =
      "[...document.querySelectorAll('.header .fold button')].find((e) => e.ariaLabel.includes('One'))"

    @Test func `a section is folded by its heading or a key, passed by the cursor, and stays so`()
      async throws
    {
      try await withPage("One: Ann, Bob | Two: Cid, Dora") { page in
        try await page.tab.click(fold)
        try await wait(page, for: "One,Two,Cid,Dora")
        #expect(try await page.tab.value("\(fold).ariaExpanded", as: String.self) == "false")
        try await page.tab.reload()
        try await wait(page, for: "One,Two,Cid,Dora")
        // Down from a row that is hidden is the next one that is shown.
        try await page.tab.keys("j")
        try await page.tab.wait(until: "document.querySelector('.cursor b')?.textContent === 'Cid'")
        try await page.tab.keys("z")
        try await wait(page, for: "One,Two")
        try await page.tab.keys("z")
        try await wait(page, for: "One,Two,Cid,Dora")
        // Whoever goes to a row by its number sees it.
        try await page.tab.keys("2", "G")
        try await wait(page, for: "One,Ann,Bob,Two,Cid,Dora")
        #expect(
          try await page.tab.value("document.querySelector('.cursor b').textContent", as: String.self)
            == "Bob")
        try await page.tab.keys("Z")
        try await wait(page, for: "One,Two")
        try await page.tab.keys("Z")
        try await wait(page, for: "One,Ann,Bob,Two,Cid,Dora")
      }
    }

    @Test func `a single folded section says how many it has, and stays open once a new row has opened it`()
      async throws
    {
      try await withPage("One: Ann, Bob") { page in
        let count = "document.querySelector('.header .name').dataset.count"
        #expect(try await page.tab.value(count, as: String.self) == "")
        try await page.tab.click(fold)
        try await page.tab.wait(until: "\(count) === '2'")
        try await page.tab.keys("a")
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await page.tab.type("Cid")
        try await page.tab.keys("Control+Enter")
        try await wait(page, for: "One,Ann,Bob,Cid")
        try await page.tab.reload()
        try await wait(page, for: "One,Ann,Bob,Cid")
      }
    }

    @Test func `long folded sections lie between others, and a row goes into one that opens`() async throws {
      let many = (1...2_000).map { "N\($0)" }.joined(separator: ", ")
      try await withPage(.init("One: Ann | Two: \(many) | Three: Bob, Cid")) { page in
        try await page.tab.keys("j", "z")
        try await wait(page, for: "One,Ann,Two,Three,Bob,Cid")
        try await page.tab.keys("G", "m", "ArrowUp", "ArrowUp")
        try await page.hear("at the end of Two")
        // The row is lit up until then.
        try await page.freezeTimers(of: 1000)
        try await page.tab.keys("Enter")
        try await page.settle()
        #expect(try page.stored().map(\.count) == [1, 2_001, 1])
        #expect(try page.stored()[1].last == "Cid")
        try await page.tab.wait(until: "\(page.row("Cid"))?.matches('.flash')")
      }
    }

    @Test func `the heading of the rows at the top stays there, and a click shows where they begin`()
      async throws
    {
      let many = (1...200).map { "N\($0)" }.joined(separator: ", ")
      try await withPage(.init("One: \(many) | Two: \(many)")) { page in
        let stuck = page.id("stuck")
        #expect(try await page.tab.value("\(stuck).hidden", as: Bool.self))
        try await page.tab.keys("G")
        try await page.tab.wait(until: "!\(stuck).hidden && \(stuck).textContent === 'Two'")
        try await page.tab.click(stuck)
        try await page.tab.wait(until: "\(stuck).hidden")
        #expect(try await lines(page).contains("Two"))
        try await page.tab.keys("5", "0", "G")
        try await page.tab.wait(until: "!\(stuck).hidden && \(stuck).textContent === 'One'")
        try await page.tab.click("\(stuck).querySelector('.more button')")
        try await page.choose("Rename One…")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.keys("Escape")
        try await page.tab.click("\(stuck).querySelector('.fold button')")
        try await page.tab.wait(
          until: "\(stuck).hidden && document.querySelector('.header [aria-expanded=false]')")
        #expect(try await lines(page).contains("One"))
      }
    }

    @Test(arguments: [Tab.Screen.desk, .phone])
    func `a heading is dragged among the headings`(_ screen: Tab.Screen) async throws {
      try await withPage("One: Ann, Bob | Two: Cid | Three: Dora", screen) { page in
        try await page.tab.click(page.id("edit"))
        let handle =
          "[...document.querySelectorAll('[data-do=carry]')].find((e) => e.ariaLabel.includes('One'))"
        if screen == .desk {
          let end = try await page.tab.drag(handle, by: 50)
          try await wait(page, for: "Two,One,Three")
          try await page.tab.mouse(.up, end)
        } else {
          try await page.tab.swipe(handle, y: 150)
        }
        try await page.hear("Moved section \"One\"")
        #expect(try titles(page) == (screen == .desk ? ["Two", "One", "Three"] : ["Two", "Three", "One"]))
        try await page.tab.wait(until: "document.querySelectorAll('.row').length === 4")
        // Esc puts it back.
        guard screen == .desk else { return }
        // The answer scrolls to the section, and its heading is not where it was.
        try await page.settle()
        let end = try await page.tab.drag(handle, by: -120)
        try await page.tab.keys("Escape")
        try await page.hear("Nothing was moved.")
        try await page.tab.mouse(.up, end)
        #expect(try titles(page) == ["Two", "One", "Three"])
      }
    }

    @Test func `others add a section while one is carried or its menu is open, and no other one moves`()
      async throws
    {
      try await withPage("One: Ann | Two: Bob | Three: Cid") { page in
        try await page.tab.click(page.id("edit"))
        let handle =
          "[...document.querySelectorAll('[data-do=carry]')].find((e) => e.ariaLabel.includes('One'))"
        let end = try await page.tab.drag(handle, by: 50)
        try await wait(page, for: "Two,One,Three")
        try page.edit { _ = try $0.addSection(title: "New", at: 1) }
        try await page.tab.wait(
          until: "[...document.querySelectorAll('.header .name')].some((e) => e.textContent === 'New')")
        try await page.tab.mouse(.up, end)
        try await page.hear("Moved section \"One\"")
        #expect(try titles(page) == ["New", "Two", "One", "Three"])
        try await page.settle()
        let more = "[...document.querySelectorAll('.header [data-do=section]')].at(-1)"
        try await page.tab.click(more)
        try page.edit { _ = try $0.addSection(title: "Newer", at: 1) }
        try await page.tab.wait(
          until: "[...document.querySelectorAll('.header .name')].some((e) => e.textContent === 'Newer')")
        try await page.choose("Move Three up")
        try await page.hear("Moved section \"Three\"")
        #expect(try titles(page) == ["Newer", "New", "Two", "Three", "One"])
        // Who renames it, too, sees the other name.
        for (name, theirs, answer) in [("One", "A", "no"), ("A", "B", "yes")] {
          try await page.settle()
          try await page.tab.click(more)
          try await page.choose("Rename \(name)…")
          try await page.tab.wait(until: "document.getElementById('ask').open")
          try page.edit { list in try list.renameSection(list.sections()[4].id, title: theirs) }
          try await page.tab.wait(
            until:
              "[...document.querySelectorAll('.header .name')].some((e) => e.textContent === '\(theirs)')")
          try await page.tab.run("document.querySelector('#answer input').value = 'Mine'")
          try await page.tab.click(page.id("yes"))
          try await page.tab.wait(
            until: "document.getElementById('asked').textContent.includes('\"\(theirs)\" now')")
          try await page.tab.click(page.id(answer))
          try await page.tab.wait(until: "!document.getElementById('ask').open")
          if answer == "yes" { try await page.hear("Renamed section") }
          try await page.settle()
          #expect(try titles(page).last == (answer == "yes" ? "Mine" : theirs))
        }
      }
    }

    @Test func `a section has an address, which shows it`() async throws {
      let many = (1...200).map { "N\($0)" }.joined(separator: ", ")
      try await withPage(.init("One: \(many) | Two: Cid")) { page in
        let id = try await page.list.store.read { try $0.sections()[1].id.rawValue }
        try await page.tab.run("location.hash = '/view/?section=\(id)'")
        try await page.tab.wait(until: "\(page.row("Cid"))?.getBoundingClientRect().bottom < innerHeight")
        try await page.tab.wait(until: "location.hash.includes('section=\(id)')")
      }
    }
  }
}
