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
        try await choose(page, "Move Zwei up")
        try await page.expect(["Bob", "Ann"])
        #expect(try titles(page) == ["Zwei", "One", "Three"])
        try await choose(page, "Add a section")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.type("one")
        try await page.tab.keys("Enter")
        try await page.hear("Nothing was changed: ")
        #expect(try titles(page) == ["Zwei", "One", "Three"])
      }
    }

    @Test func `a section is deleted with its customers after a question, and Undo restores both`()
      async throws
    {
      try await withPage("One: Ann | Two: Bob, Cid") { page in
        let more = "[...document.querySelectorAll('.header .more button')].at(-1)"
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
  }
}
