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

    /// Lets requests with a path fail, as without a connection, or end without an answer.
    private func cutOff(_ page: TestPage, _ path: String, after isDone: Bool = false) async throws {
      let end =
        isDone ? "await real(path, ...more), await new Promise(() => {})" : "{ throw new TypeError() }"
      try await page.tab.run(
        """
        (real => self.fetch = async (path, ...more) => {
          if (!self.isBack && path.startsWith('\(path)')) \(end)
          return real(path, ...more)
        })(self.fetch)
        """)
    }

    @Test func `what is typed for something that can't be read yet is for it, or for nothing`() async throws {
      try await withPage("Ann, Bob, Cid", prepare: Self.prepare) { page in
        let isCut = "document.getElementById('trouble').textContent.startsWith('Connection lost')"
        let before = try steps(page)
        try await cutOff(page, "/v1/form")
        for key in ["Enter", "a", "l", "F2"] {
          try await page.tab.keys("Home", key)
          try await page.tab.wait(until: isCut)
          try await page.tab.keys("d", "Enter", "J", "u", "Escape")
          try await page.tab.run("self.dispatchEvent(new Event('online'))")
          try await page.tab.wait(until: "!\(isCut)")
        }
        try await edit(page, "", isThere: isCut)
        try await page.tab.keys("5", "5", "5", "Enter")
        try await page.tab.run("self.isBack = true")
        try await page.tab.wait(until: "\(page.row("Ann", ".phone")).textContent === '555'")
        try await page.settle()
        #expect(try phone(page) == "555" && steps(page) == before + 1)
      }
    }

    @Test func `what was saved without an answer is not there to be saved again`() async throws {
      try await withPage("Ann, Bob", prepare: Self.prepare) { page in
        try await cutOff(page, "/v1/edits", after: true)
        try await page.tab.keys("a")
        try await page.tab.wait(until: isOpen)
        try await page.tab.type("Cid")
        try await page.tab.keys("Control+s")
        while try steps(page) < 3 {}
        try await page.tab.reload()
        try await page.hear("Added \"Cid\"")
        try await page.tab.wait(
          until: "!\(isOpen) && !Object.keys(localStorage).some((key) => key.includes('draft'))")
        try await cutOff(page, "/v1/edits", after: true)
        try await edit(page, "222")
        try await page.tab.keys("Enter")
        while try phone(page) != "222" {}
        try await page.tab.reload()
        try await page.hear("Edited \"Ann\"")
        try await page.tab.wait(until: "!Object.keys(localStorage).some((key) => key.includes('draft'))")
        #expect(try page.stored() == [["Ann", "Bob", "Cid"]])
      }
    }

    @Test func `what was typed about a customer of a list that was restored is a new customer's`()
      async throws
    {
      try await withPage("Ann, Bob", prepare: Self.prepare) { page in
        try await typeInto(page, "Ann", "9")
        // As if the list had never been as it was then.
        try await page.tab.run(
          """
          (name => localStorage[name] = JSON.stringify({
            ...JSON.parse(localStorage[name]), title: 'Eve', seen: '0123456789abcdef:99'
          }))(Object.keys(localStorage).find((key) => key.includes('draft')))
          """)
        try await page.tab.reload()
        try await page.tab.wait(
          until: "\(isOpen) && document.getElementById('title').textContent === 'New customer'")
        try await page.tab.keys("Control+s")
        try await page.tab.wait(until: "\(TestPage.names).length === 3")
        try await page.settle()
        let phones = try await page.list.store.read { list in
          try list.page(from: 1, limit: 9, in: 1).map(\.fields.phone)
        }
        #expect(phones == ["111", "", "1119"])
      }
    }

    @Test func `whoever goes on typing is in the form again, wherever the focus was`() async throws {
      try await withPage("Ann, Bob") { page in
        try await typeInto(page, "Ann", "1")
        try await page.tab.run("document.getElementById('list').focus()")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.click(page.id("no"))
        try await page.tab.wait(until: "document.activeElement.name === 'first_name'")
        try await page.tab.type("d")
        try await page.tab.keys("Control+s")
        try await page.tab.wait(until: "!\(isOpen)")
        try await page.expect(["Annd", "Bob"])
      }
    }

    private let cell = "document.querySelector('#rows .field')"

    private func edit(
      _ page: TestPage, _ text: String, isThere: String = "document.activeElement.name === 'phone'"
    ) async throws {
      // On a busy machine the second click comes late.
      try await page.freezeTimers(of: 300)
      try await page.tab.wait(until: page.row("Ann", ".phone"))
      try await page.tab.doubleClick(page.row("Ann", ".phone"))
      try await page.tab.wait(until: isThere)
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
        // The form closes after the list has the value, and the rows are wider then.
        try await page.tab.wait(
          until: "\(page.row("Ann", ".phone")).textContent === '222' && !document.getElementById('form').open"
        )
        try await page.settle()
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
