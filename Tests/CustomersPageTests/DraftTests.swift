internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersTestSupport
internal import Testing

extension PageTests {
  /// What was typed and is not saved: of one window, and still there afterward.
  @Suite struct DraftTests {
    private func field(_ name: String) -> String { "document.querySelector('#fields [name=\(name)]')" }

    private let isOpen = "document.getElementById('form').open"

    private func open(_ page: TestPage, _ name: String) async throws {
      try await page.tab.click(page.row(name, ".name"))
      try await page.tab.wait(
        until: "\(isOpen) && document.getElementById('title').textContent === '\(name)'")
    }

    private func typeInto(_ page: TestPage, _ name: String, _ text: String) async throws {
      try await open(page, name)
      try await page.tab.run("\(field("phone")).focus()")
      try await page.tab.type(text)
    }

    private func leave(_ page: TestPage) async throws {
      try await page.tab.run("history.back()")
      try await page.tab.wait(until: "!\(isOpen)")
    }

    private func phone(_ page: TestPage) throws -> String {
      try page.list.store.read { try $0.customer(named: "Ann").fields.phone }
    }

    private func steps(_ page: TestPage) throws -> Int {
      try page.list.store.read { try $0.history(limit: 100).count }
    }

    @Test func `a window shows what was typed in another one only when that is gone`() async throws {
      try await withPage("Ann, Bob") { page in
        let tab = try await Tab(page.server.url, in: page.tab.context)
        let other = TestPage(tab: tab, list: page.list, server: page.server)
        try await tab.wait(until: "document.querySelectorAll('.row').length === 2")
        try await typeInto(other, "Ann", "111")
        try await open(page, "Ann")
        #expect(try await page.tab.value("\(field("phone")).value", as: String.self) == "")
        #expect(
          try await page.tab.value("document.getElementById('message').textContent", as: String.self) == "")
        // Another one of the same customer, of this window.
        try await page.tab.run("\(field("note")).focus()")
        try await page.tab.type("mine")
        try await page.tab.run("document.getElementById('save').click()")
        try await page.tab.wait(until: "!\(isOpen)")
        try await tab.wait(until: "\(field("note")).value === 'mine' && \(field("phone")).value === '111'")
        try await tab.reload()
        try await tab.wait(
          until: "document.getElementById('form')?.open && \(field("phone")).value === '111'")
        try await tab.close(keepingContext: true)
        let windows =
          "navigator.locks.query().then(({held}) => held.filter(({name}) => name.includes(' window ')).length)"
        while try await page.tab.value(windows, as: Int.self) > 1 {}
        try await open(page, "Ann")
        #expect(try await page.tab.value("\(field("phone")).value", as: String.self) == "111")
        try await page.tab.run("document.getElementById('save').click()")
        try await page.tab.wait(until: "!\(isOpen)")
        try await page.settle()
        let fields = try await page.list.store.read { try $0.customer(named: "Ann").fields }
        #expect(fields.phone == "111" && fields.note == "mine")
        try await page.tab.wait(
          until: "!Object.keys(localStorage).some((key) => key.includes('draft'))")
      }
    }

    @Test func `what is discarded leaves the way back to what else was typed`() async throws {
      try await withPage("Ann, Bob") { page in
        try await typeInto(page, "Ann", "1")
        try await leave(page)
        try await page.hear("Not saved: what you typed about \"Ann\".")
        try await typeInto(page, "Bob", "2")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.click(page.id("yes"))
        try await page.tab.wait(until: "!\(isOpen)")
        try await page.tab.click(page.id("act"))
        try await page.tab.wait(
          until: "document.getElementById('title').textContent === 'Ann' && \(field("phone")).value === '1'")
        // Of what is discarded itself, nothing is said any more.
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.click(page.id("yes"))
        try await page.tab.wait(until: "!\(isOpen) && document.getElementById('act').hidden")
      }
    }

    private let cell = "document.querySelector('#rows .field')"

    private func edit(_ page: TestPage, _ text: String) async throws {
      // On a busy machine the second click comes late.
      try await page.freezeTimers(of: 300)
      try await page.tab.wait(until: page.row("Ann", ".phone"))
      try await page.tab.doubleClick(page.row("Ann", ".phone"))
      try await page.tab.wait(until: "document.activeElement.name === 'phone'")
      try await page.tab.type(text)
    }

    private static let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
      try list.update(list.customer(named: "Ann").id) { $0.phone = "111" }
    }

    @Test func `what is typed into a cell is still there after a reload`() async throws {
      try await withPage("Ann, Bob", prepare: Self.prepare) { page in
        try await edit(page, "222")
        try await page.tab.reload()
        try await page.hear("Not saved: what you typed about \"Ann\".")
        #expect(try phone(page) == "111")
        try await page.tab.click(page.id("act"))
        try await page.tab.wait(
          until: "document.getElementById('form')?.open && \(field("phone")).value === '222'")
        try await page.tab.run("document.getElementById('save').click()")
        try await page.tab.wait(until: "\(page.row("Ann", ".phone")).textContent === '222'")
        // Nothing is kept of a cell that was saved or left as it was.
        for key in ["Escape", "Enter"] {
          try await edit(page, "333")
          try await page.tab.keys(key)
          try await page.tab.wait(
            until: "!\(cell) && !Object.keys(localStorage).some((key) => key.includes('draft'))")
        }
      }
    }

    @Test func `Undo while a cell is open restores what was there, and undoes no step`() async throws {
      try await withPage("Ann, Bob", prepare: Self.prepare) { page in
        let before = try steps(page)
        try await edit(page, "333")
        try await page.tab.click(page.id("undo"))
        try await page.tab.wait(until: "!\(cell)")
        try await page.settle()
        #expect(
          try await page.tab.value("\(page.row("Ann", ".phone")).textContent", as: String.self) == "111")
        #expect(try steps(page) == before)
        #expect(try await page.focus() == "list")
        #expect(try await page.isOpen("ask") == false)
      }
    }
  }
}
