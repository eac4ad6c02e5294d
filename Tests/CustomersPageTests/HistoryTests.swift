internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Testing

extension PageTests {
  /// What was done, by whom, and one step reverted.
  @Suite struct HistoryTests {
    private func open(_ page: TestPage) async throws {
      try await page.tab.click(page.id("more"))
      try await page.tab.wait(until: "document.getElementById('menu').matches(':popover-open')")
      try await page.tab.click("document.getElementById('menu').lastChild")
      try await page.tab.wait(until: "document.getElementById('ask').open")
    }

    private func texts(_ page: TestPage, _ selector: String) async throws -> [String] {
      try await page.tab.value(
        "[...document.querySelectorAll('#answer \(selector)')].map((e) => e.textContent)")
    }

    @Test func `old and new values are shown, and a step is reverted alone`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try page.edit { list in try list.update(list.customer(named: "Bob").id) { $0.phone = "5" } }
        try page.edit { try $0.move([$0.customer(named: "Cid").id], to: .first) }
        try await page.expect(["Cid", "Ann", "Bob"])
        try await open(page)
        #expect(try await page.tab.value("document.activeElement.tagName", as: String.self) == "SUMMARY")
        try await page.tab.click("document.querySelectorAll('#answer summary')[1]")
        #expect(
          try await texts(page, "details[open] p") == [
            "  phone: (empty) → \"5\""
          ])
        try await page.tab.click("document.querySelector('#answer details[open] button')")
        try await page.tab.wait(
          until: "document.getElementById('asked').textContent.includes('Undo this step alone?')")
        try await page.tab.click(page.id("yes"))
        try await page.hear("Edited \"Bob\"")
        let phone = try await page.list.store.read { try $0.customer(named: "Bob").fields.phone }
        #expect(phone == "")
        try await page.expect(["Cid", "Ann", "Bob"])
        #expect(try await page.focus() == "list")
      }
    }

    @Test func `a revert asks about the whole step, from the history of one customer, too`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try page.edit { list in
          let ids = try list.sectionsWithRows().flatMap(\.rows).map(\.id)
          _ = try list.apply(.update(ids, [.phone: .text("5")]))
        }
        try await page.hear("Cid")
        try await page.tab.rightClick(page.row("Ann", ".name"))
        try await page.choose("History")
        try await page.tab.wait(until: "document.querySelector('#answer details')")
        #expect(try await texts(page, "summary").allSatisfy { !$0.contains("Bob") })
        try await page.tab.click("document.querySelector('#answer details[open] button')")
        try await page.tab.wait(
          until: "/Ann.*Bob.*Cid.*Undo this step alone/s.test(document.getElementById('asked').textContent)")
        try await page.tab.click(page.id("no"))
        try await page.tab.wait(until: "!document.getElementById('ask').open")
      }
    }

    @Test func `many own steps are undone without a question`() async throws {
      let names = (1...9).map { "N\($0)" }
      try await withPage(.init(names.joined(separator: ", "))) { page in
        func wait(forRow row: Int) async throws {
          try await page.tab.wait(
            until: "document.getElementById('ask').open || \(TestPage.names)[\(row)] === 'N1'")
          try #require(try await page.isOpen("ask") == false)
          try await page.settle()
        }
        try await page.tab.keys("Home")
        for row in 1...8 {
          try await page.tab.keys("Alt+ArrowDown")
          try await wait(forRow: row)
        }
        #expect(try page.stored() == [Array(names.dropFirst()) + ["N1"]])
        for row in (0...7).reversed() {
          try await page.tab.keys("Control+z")
          try await wait(forRow: row)
        }
        try await page.expect(names)
      }
    }

    @Test func `a customer's history has its steps only; earlier steps follow`() async throws {
      try await withPage("Ann, Bob") { page in
        for number in 1...25 {
          try page.edit { list in try list.update(list.customer(named: "Bob").id) { $0.phone = "\(number)" } }
        }
        try page.edit { list in try list.update(list.customer(named: "Ann").id) { $0.note = "n" } }
        try await page.tab.click(page.row("Bob", ".name"))
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await page.tab.click(page.id("choices"))
        try await page.choose("History")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        #expect(try await texts(page, "details").count == 20)
        #expect(try await texts(page, "p").allSatisfy { !$0.contains("Ann") })
        let more = "document.querySelector('#answer > * > button')"
        try await page.tab.run("\(more).scrollIntoView()")
        try await page.tab.click(more)
        try await page.tab.wait(until: "document.querySelectorAll('#answer details').length > 20")
        #expect(try await texts(page, "summary").filter { $0.hasPrefix("Edited \"Bob\"") }.count == 25)
        try await page.tab.click(page.id("yes"))
        #expect(try await page.isOpen("form"))
      }
    }
  }
}
