internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersTestSupport
internal import Foundation
internal import Testing

extension PageTests.ChromiumTests {
  /// What a screen reader gets, as text; `CUSTOMERS_RECORD=1` writes it.
  @Suite struct AccessibilityTests {
    private func compare(_ page: TestPage, _ selector: String, _ name: String) async throws {
      let path = URL(filePath: #filePath).deletingLastPathComponent().path + "/Samples/\(name).txt"
      let text = try await page.tab.accessibilityTree(of: selector)
      #expect(try sample(at: path, recording: text) == text, "\(name)")
      for problem in try await page.tab.inaccessible() { Issue.record("\(name): \(problem)") }
    }

    @Test func `the list, edit mode, the menu and the form have roles, names and states`() async throws {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try list.update(list.customer(named: "Ann Lee").id) {
          ($0.isFavorite, $0.note) = (true, "old friend")
        }
        try list.protect(list.customer(named: "Bob").id, canEdit: false, canMove: false)
      }
      try await withPage("One: Ann Lee, Bob | Two: Cid", prepare: prepare) { page in
        try await page.tab.keys("Home", "Space", "Home")
        try await compare(page, "body", "list")
        try await page.tab.click(page.id("edit"))
        try await page.tab.wait(until: "document.querySelector('.add')")
        try await compare(page, "#list", "edit-mode")
        try await page.tab.run("document.getElementById('list').focus()")
        try await page.tab.keys("Shift+F10")
        try await page.tab.wait(until: "document.getElementById('menu').matches(':popover-open')")
        try await compare(page, "#menu", "row-menu")
        try await page.choose("Move to…")
        try await compare(page, "#menu", "menu")
        try await page.tab.keys("Escape")
        #expect(try await page.focus() == "list")
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await compare(page, "#form", "form")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!document.getElementById('form').open")
        try await page.tab.click(page.id("more"))
        try await page.tab.wait(until: "document.getElementById('menu').matches(':popover-open')")
        try await compare(page, "#menu", "more")
      }
    }
  }
}
