internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Testing

extension PageTests {
  /// Customers that may be the same.
  @Suite struct DuplicatesTests {
    @Test func `groups are shown, and one is merged, as one step`() async throws {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        for name in ["Ann", "Anna"] {
          try list.update(list.customer(named: name).id) { $0.email = "a@x.example" }
        }
        try list.update(list.customer(named: "Anna").id) { $0.phone = "5" }
      }
      try await withPage("Ann, Bob, Anna", prepare: prepare) { page in
        try await page.tab.click(page.id("more"))
        try await page.choose("Duplicates…")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        #expect(
          try await page.tab.value("document.querySelector('#answer summary').textContent", as: String.self)
            == "Ann, AnnaThe same e-mail address")
        try await page.tab.click("document.querySelector('#answer summary')")
        try await page.tab.doubleClick("document.querySelector('#answer details button')")
        try await page.tab.wait(
          until: "document.getElementById('asked').textContent.startsWith('Merge \"Ann\", \"Anna\"?')")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Bob"])
        #expect(try await page.list.store.read { try $0.customer(named: "Ann").fields.phone } == "5")
        try await page.tab.click(page.id("act"))
        try await page.expect(["Ann", "Bob", "Anna"])
      }
    }

    @Test func `marked rows are merged by their menu`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.keys("Home", "Space", "Space", "Shift+F10")
        try await page.tab.keys("Escape", "Home", "Shift+F10")
        try await page.choose("Merge…")
        try await page.tab.click(page.id("yes"))
        try await page.expect(["Ann", "Cid"])
      }
    }

    @Test func `without any, the page says so`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.click(page.id("more"))
        try await page.choose("Duplicates…")
        try await page.hear("No customers have a name")
      }
    }
  }
}
