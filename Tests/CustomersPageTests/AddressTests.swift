internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import CustomersTestSupport
internal import Testing

extension PageTests {
  /// The panel beside the list, and the addresses of customers and views.
  @Suite struct AddressTests {
    private let isOpen = "document.getElementById('form').open"

    private func address(_ page: TestPage) async throws -> String {
      try await page.tab.value("location.href.slice(location.origin.length)")
    }

    private func wait(_ page: TestPage, title: String) async throws {
      try await page.tab.wait(
        until: "\(isOpen) && document.getElementById('title').textContent === '\(title)'")
    }

    /// Leaves the page and opens another address of it, in the same browser.
    private func open(_ page: TestPage, _ address: String) async throws {
      let origin = try await page.tab.value("location.origin", as: String.self)
      try await page.tab.open("about:blank")
      try await page.tab.wait(until: "location.href === 'about:blank'")
      try await page.tab.open(origin + address)
      try await page.tab.wait(until: "document.querySelector('.row b')?.textContent.length > 1")
    }

    @Test func `the panel is beside the list, which goes on, and another row takes its place`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.click(page.row("Ann", ".name"))
        try await wait(page, title: "Ann")
        #expect(
          try await page.tab.value(
            "document.getElementById('list').getBoundingClientRect().right <= document.getElementById('form').getBoundingClientRect().left",
            as: Bool.self))
        try await page.tab.type("a")
        try await page.tab.click(page.row("Bob", ".name"))
        try await wait(page, title: "Bob")
        try await page.hear("Not saved: what you typed about \"Ann\".")
        try await page.tab.run("document.getElementById('list').focus()")
        try await page.tab.keys("Alt+ArrowDown")
        try await page.expect(["Ann", "Cid", "Bob"])
        try await wait(page, title: "Bob")
        // Of a window that becomes as narrow as a phone it takes all.
        try await page.tab.resize(width: 390, height: 700)
        try await page.tab.wait(
          until: "document.getElementById('remove').getBoundingClientRect().bottom === 700")
        try await page.tab.resize(width: 1100, height: 760)
        // Esc of the list closes it, and what was typed to the first one is still there.
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!\(isOpen)")
        try await page.tab.click(page.row("Ann", ".name"))
        try await wait(page, title: "Ann")
        #expect(
          try await page.tab.value("document.getElementById('message').textContent", as: String.self)
            .contains("still here"))
      }
    }

    @Test func `Back and Forward open and close what the address names`() async throws {
      try await withPage("Ann, Bob") { page in
        #expect(try await address(page) == "/")
        let ids = try page.ids()
        try await page.tab.click(page.row("Ann", ".name"))
        try await wait(page, title: "Ann")
        #expect(try await address(page) == "/#/customer/\(ids[0])")
        try await page.tab.click(page.row("Bob", ".name"))
        try await wait(page, title: "Bob")
        try await page.tab.run("history.back()")
        try await page.tab.wait(until: "!\(isOpen) && location.hash === ''")
        try await page.tab.run("history.forward()")
        try await wait(page, title: "Bob")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!\(isOpen) && location.hash === ''")
        try await page.tab.run("location.hash = '/customer/\(ids[0])'")
        try await wait(page, title: "Ann")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!\(isOpen)")
        // What covered the page before takes no link.
        try await page.tab.click(page.id("more"))
        try await page.tab.keys("Escape")
        try await page.tab.run("location.hash = '/view/?text=Bob'")
        try await page.tab.wait(until: "document.getElementById('text').value === 'Bob'")
      }
    }

    @Test func `Back leaves a search and an order, and Forward shows them again`() async throws {
      try await withPage("Bob, Ann, Cid") { page in
        let all = ["Bob", "Ann", "Cid"]
        try await page.expectNames(all)
        let length = try await page.tab.value("history.length", as: Int.self)
        try await page.tab.keys("/")
        try await page.tab.type("ann")
        try await page.expectNames(["Ann"])
        try await page.tab.wait(until: "history.length === \(length + 1)")
        // A form above a search closes first.
        try await page.tab.click(page.row("Ann", ".name"))
        try await wait(page, title: "Ann")
        try await page.tab.run("history.back()")
        try await page.tab.wait(until: "!\(isOpen)")
        try await page.expectNames(["Ann"])
        try await page.tab.run("history.back()")
        try await page.expectNames(all)
        try await page.tab.wait(until: "document.getElementById('search').hidden && location.hash === ''")
        try await page.tab.run("history.forward()")
        try await page.expectNames(["Ann"])
        try await page.tab.wait(until: "document.getElementById('text').value === 'ann'")
        // Its entry stays for the next view.
        try await page.tab.run("document.getElementById('list').focus()")
        try await page.tab.keys("Escape", "Escape")
        try await page.expectNames(all)
        let count = try await page.tab.value("history.length", as: Int.self)
        try await page.tab.run("document.querySelector('#heads .name button').click()")
        try await page.expectNames(["Ann", "Bob", "Cid"])
        try await page.tab.wait(until: "location.hash.includes('sort=name')")
        #expect(try await page.tab.value("history.length", as: Int.self) == count)
        try await page.tab.reload()
        try await page.expectNames(["Ann", "Bob", "Cid"])
        try await page.tab.run("history.back()")
        try await page.expectNames(all)
        try await page.tab.wait(until: "location.hash === ''")
      }
    }

    @Test func `Back passes the entry of a search that has ended`() async throws {
      try await withPage("Bob, Ann") { page in
        let id = try page.ids()[0]
        try await page.tab.run("location.hash = '/customer/\(id)'")
        try await wait(page, title: "Bob")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!\(isOpen) && location.hash === ''")
        try await page.tab.keys("/")
        try await page.tab.type("ann")
        try await page.expectNames(["Ann"])
        try await page.tab.keys("Escape")
        try await page.expectNames(["Bob", "Ann"])
        // The entry of the search, which one Back leaves, and then that of the link, which has nothing to show either.
        try await page.tab.run("self.isSame = true")
        #expect(try await page.tab.value("history.state.isViewed", as: Bool.self))
        try await page.tab.run("history.back()")
        try await page.tab.wait(until: "!history.state.isViewed")
        #expect(try await page.tab.value("self.isSame", as: Bool.self))
        try await page.expectNames(["Bob", "Ann"])
      }
    }

    @Test func `a link to a customer has no key, and opens with the one that the browser has kept`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        let id = try page.ids()[1]
        try await page.tab.run("navigator.clipboard.writeText = async (text) => { self.copied = text }")
        try await page.tab.rightClick(page.row("Bob", ".name"))
        try await page.choose("Copy link")
        try await page.hear("Copied the link")
        let link = try await page.tab.value("self.copied.slice(location.origin.length)", as: String.self)
        #expect(link == "/#/customer/\(id)")
        try await open(page, link)
        try await wait(page, title: "Bob")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!\(isOpen) && location.hash === ''")
        #expect(try await page.tab.value("document.querySelectorAll('.row').length", as: Int.self) == 2)

        try page.edit { try $0.delete($0.customer(named: "Bob").id) }
        try await open(page, link)
        try await page.hear("This customer was deleted.")
        try await page.tab.wait(until: "location.hash === ''")
      }
    }

    @Test func `a search, its order, and the columns are in the address, which shows them again`()
      async throws
    {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        for name in ["Ann Lee", "Bob Lee"] {
          try list.update(list.customer(named: name).id) { ($0.company, $0.note) = ("Acme", "old") }
        }
      }
      try await withPage("Ann Lee, Bob Lee, Cid", prepare: prepare) { page in
        try await open(page, "/#/view/?text=lee&sort=name&descending=yes&columns=note%0Acompany")
        try await page.expectNames(["Bob Lee", "Ann Lee"])
        #expect(
          try await page.tab.value(
            "[...document.querySelectorAll('#heads .column')].map((e) => e.textContent)", as: [String].self)
            == ["Note", "Company"])
        try await page.tab.wait(until: "location.hash.includes('descending=yes')")
        try await page.tab.run("document.getElementById('list').focus()")
        try await page.tab.keys("Escape", "Escape")
        try await page.expectNames(["Ann Lee", "Bob Lee", "Cid"])
        try await page.tab.wait(until: "location.hash.startsWith('#/view/?columns=')")
        try await page.tab.keys("/")
        try await page.tab.type("cid")
        try await page.tab.wait(until: "location.hash.includes('text=cid')")
        try await page.tab.reload()
        try await page.tab.wait(until: "document.getElementById('text').value === 'cid'")
        try await page.expectNames(["Cid"])
        // An address that names no order ends one.
        let isSorted = "document.getElementById('count').textContent.includes('order')"
        try await page.tab.run("document.querySelector('#heads .name button').click()")
        try await page.tab.wait(until: isSorted)
        try await page.tab.run("location.hash = '/view/?text=lee'")
        try await page.expectNames(["Ann Lee", "Bob Lee"])
        try await page.tab.wait(until: "!(\(isSorted)) && document.getElementById('text').value === 'lee'")
      }
    }

    @Test func `without a valid key the page asks for one, and then shows what the link names`() async throws
    {
      try await withPage("Ann, Bob") { page in
        let id = try page.ids()[1]
        try await page.tab.run("[localStorage, sessionStorage].forEach((store) => store.clear())")
        let origin = try await page.tab.value("location.origin", as: String.self)
        for address in ["/#/customer/\(id)", "/#0000/customer/\(id)"] {
          try await page.tab.open("about:blank")
          try await page.tab.wait(until: "location.href === 'about:blank'")
          try await page.tab.open(origin + address)
          try await page.tab.wait(until: "document.activeElement.id === 'key'")
          #expect(
            try await page.tab.value(
              "!document.getElementById('list').getClientRects().length", as: Bool.self))
        }
        try await page.tab.type(page.server.url)
        try await page.tab.keys("Enter")
        try await wait(page, title: "Bob")
        try await page.tab.wait(until: "location.hash === '#/customer/\(id)'")
      }
    }
  }
}

extension TestPage {
  /// Waits until the page shows these names, whatever else the list has.
  fileprivate func expectNames(_ names: [String]) async throws {
    let wanted = "[\(names.map { "'\($0)'" }.joined(separator: ","))]"
    try await tab.wait(until: "JSON.stringify(\(Self.names)) === JSON.stringify(\(wanted))")
  }
}
