internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Testing

extension PageTests {
  /// The menu of a row: by the right button, by keys, and by a finger.
  @Suite struct RowMenuTests {
    private func items(_ page: TestPage) async throws -> [String] {
      try await page.tab.value(
        "[...document.querySelectorAll('#menu:popover-open button')].map((e) => e.textContent)")
    }

    @Test func `a right click opens the menu of the row, which inserts, protects, and deletes`() async throws
    {
      try await withPage("Ann, Bob, Cid") { page in
        for (item, name) in [("Insert above", "Abe"), ("Insert below", "Bea")] {
          try await page.tab.rightClick(page.row("Bob", ".name"))
          try await page.choose(item)
          try await page.tab.wait(until: "document.activeElement.name === 'first_name'")
          try await page.tab.type(name)
          try await page.tab.keys("Control+s")
          try await page.tab.wait(until: "!document.getElementById('form').open")
        }
        try await page.expect(["Ann", "Abe", "Bob", "Bea", "Cid"])

        try await page.tab.rightClick(page.row("Bob", ".name"))
        try await page.choose("Protect")
        try await page.tab.wait(until: page.row("Bob", "") + ".matches('.locked')")
        try await page.tab.rightClick(page.row("Bob", ".name"))
        #expect(
          try await items(page)
            == [
              "Open", "Insert above", "Insert below", "Duplicate", "Copy", "Paste below", "Copy link",
              "Unprotect",
              "Log…", "History",
            ])
        try await page.choose("Unprotect")
        try await page.tab.wait(until: "!" + page.row("Bob", "") + ".matches('.locked')")

        try await page.tab.rightClick(page.row("Abe", ".name"))
        try await page.choose("Delete…")
        try await page.tab.keys("Enter")
        try await page.expect(["Ann", "Bob", "Bea", "Cid"])
        #expect(try await page.focus() == "list")
      }
    }

    @Test func `the menu is about all marked rows, and a click beside it closes it`() async throws {
      try await withPage("One: Ann, Bob, Cid | Two: Dee") { page in
        try await page.tab.keys("Home", "Space", "Space", "Home", "Shift+F10")
        #expect(
          try await page.tab.value("document.getElementById('menu').ariaLabel", as: String.self)
            == "Menu of 2 customers")
        try await page.choose("Protect 2 customers")
        try await page.hear("Protected")
        try await page.tab.keys("Shift+F10")
        try await page.tab.wait(until: "document.querySelector('#menu:popover-open')")
        try await page.tab.click(page.id("count"))
        try await page.tab.wait(until: "!document.querySelector('#menu:popover-open')")
      }
    }

    @Test func `Duplicate adds the same customer below, and a form has the menu of its row`() async throws {
      try await withPage(
        "Ann, Bob", prepare: { list in try list.update(list.customer(named: "Ann").id) { $0.tags = "vip" } }
      ) { page in
        try await page.tab.click(page.row("Ann", ".name"))
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await page.tab.click(page.id("choices"))
        try await page.choose("Duplicate")
        try await page.expect(["Ann", "Ann", "Bob"])
        try await page.hear("Added \"Ann\"")
        #expect(try await page.list.store.read { try $0.customer(3).fields.tags } == "vip")
        // What is typed next is about the copy.
        try await page.tab.wait(
          until:
            "location.hash === '#/customer/3' && document.getElementById('message').textContent === 'This is the copy.'"
        )
        try await page.tab.click(page.id("act"))
        try await page.expect(["Ann", "Bob"])
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!document.getElementById('form').open")
        try await page.tab.click(page.row("Ann", ".name"))
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await page.tab.click(page.id("choices"))
        try await page.choose("Protect")
        try await page.tab.wait(
          until: "document.getElementById('message').textContent === 'This customer is protected.'")
        // All is the text of the form.
        try await page.tab.wait(until: "document.activeElement.id === 'scroll'")
        try await page.tab.keys("Control+a")
        let selected = try await page.tab.value("getSelection().toString()", as: String.self)
        #expect(selected.contains("First name") && !selected.contains("Bob"))
        try await page.tab.click(page.id("choices"))
        try await page.choose("Unprotect")
        try await page.tab.wait(until: "!document.getElementById('save').hidden")
        try await page.tab.click(page.id("after"))
        try await page.tab.wait(until: "document.getElementById('title').textContent === 'Bob'")
      }
    }

    @Test func `on a phone, the form's menu is above it, and a touch beside a menu only closes it`()
      async throws
    {
      let names = ["Ann", "Bob"] + (3...12).map { "N\($0)" }
      try await withPage(.init(names.joined(separator: ", ")), .phone) { page in
        let isOpen = "!!document.querySelector('#menu:popover-open')"
        try await page.tab.tap(page.id("more"))
        try await page.tab.wait(until: isOpen)
        try await page.tab.tap(page.row("N12", ".name"))
        try await page.tab.wait(until: "!(\(isOpen))")
        #expect(try await !page.isOpen("form"))
        try await page.tab.tap(page.row("Bob", ".name"))
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await page.tab.tap(page.id("choices"))
        try await page.tab.wait(until: isOpen)
        try await page.tab.run("history.back()")
        try await page.tab.wait(until: "!(\(isOpen))")
        #expect(try await page.isOpen("form"))
        // What is said is seen, although the form covers its place.
        try await page.tab.run("navigator.clipboard.writeText = async () => {}")
        try await page.tab.tap(page.id("choices"))
        try await page.choose("Copy link")
        try await page.tab.wait(
          until: "document.getElementById('message').textContent.startsWith('Copied the link')")
        try await page.tab.run("history.back()")
        try await page.tab.wait(until: "!document.getElementById('form').open")
      }
    }

    @Test func `in a low window, all of the menu is seen`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.resize(width: 1280, height: 640)
        try await page.tab.rightClick(page.row("Bob", ".name"))
        #expect(
          try await page.tab.value(
            "(({scrollHeight, clientHeight}) => scrollHeight <= clientHeight)(document.getElementById('menu'))",
            as: Bool.self))
        try await page.choose("Delete…")
        try await page.tab.wait(until: "document.querySelector('.asked')")
        try await page.tab.keys("Escape")
        try await page.hear("Nothing was deleted.")
      }
    }

    @Test func `a list that is only read offers nothing that edits`() async throws {
      try await withPage("Ann", isReadOnly: true) { page in
        try await page.tab.rightClick(page.row("Ann", ".name"))
        #expect(try await items(page) == ["Open", "Copy", "Copy link", "History"])
        try await page.choose("History")
        try await page.tab.wait(until: "document.getElementById('ask').open")
      }
    }

    @Test func `a long press opens the menu if the row is let go where it was, or if it can't be moved`()
      async throws
    {
      try await withPage("Ann, Bob, Cid", .phone) { page in
        try await page.tab.swipe(page.row("Bob", ".name"), steps: 1, until: "document.querySelector('.held')")
        try await page.tab.wait(until: "document.querySelector('#menu:popover-open')")
        #expect(try await page.tab.value("!document.querySelector('.held')", as: Bool.self))
        try await page.choose("Open")
        try await page.tab.wait(until: "document.getElementById('title').textContent === 'Bob'")
        #expect(try page.stored() == [["Ann", "Bob", "Cid"]])
      }
      try await withPage("Ann, Bob", .phone, isReadOnly: true) { page in
        try await page.tab.swipe(
          page.row("Bob", ".name"), steps: 1, until: "document.querySelector('#menu:popover-open')")
        #expect(try await items(page) == ["Open", "Copy", "Copy link", "History"])
      }
    }

    @Test func `in edit mode a long press opens the menu, which stays when the finger is let go`()
      async throws
    {
      try await withPage("Ann, Bob", .phone) { page in
        try await page.tab.tap(page.id("edit"))
        try await page.tab.swipe(
          page.row("Bob", ".name"), steps: 1, until: "document.querySelector('#menu:popover-open')")
        try await page.choose("History")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        #expect(try await page.tab.value("document.querySelectorAll('.marked').length", as: Int.self) == 0)
        #expect(try page.stored() == [["Ann", "Bob"]])
      }
    }

    @Test func `in edit mode, rows are marked one by one, up to one, by section, and all; Done unmarks them`()
      async throws
    {
      try await withPage("One: Ann, Bob, Cid, Dora | Two: Eve", .phone) { page in
        let wait = { (names: String) in
          try await page.tab.wait(
            until:
              "[...document.querySelectorAll('.marked b')].map((e) => e.textContent).join() === '\(names)'")
        }
        try await page.tab.tap(page.id("edit"))
        try await page.tab.tap(page.row("Ann", ".name"))
        try await wait("Ann")
        try await page.tab.swipe(
          page.row("Cid", ".name"), steps: 1, until: "document.querySelector('#menu:popover-open')")
        try await page.choose("Mark up to here")
        try await wait("Ann,Bob,Cid")
        try await page.tab.tap(page.id("unmark"))
        try await wait("")
        try await page.tab.tap("document.querySelector('.header [data-do=section]')")
        try await page.choose("Mark 4 customers")
        try await wait("Ann,Bob,Cid,Dora")
        try await page.tab.tap(page.id("more"))
        try await page.choose("Mark all")
        try await wait("Ann,Bob,Cid,Dora,Eve")
        try await page.tab.tap(page.id("edit"))
        try await wait("")
      }
    }

    @Test func `a form on a phone opens to be read, and its menu copies the address`() async throws {
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try list.update(list.customer(named: "Ann").id) { $0.address = "Main St 1\nBonn" }
      }
      try await withPage("Ann, Bob", .phone, prepare: prepare) { page in
        try await page.tab.run("navigator.clipboard.writeText = async (text) => { self.copied = text }")
        try await page.tab.tap(page.row("Ann", ".name"))
        try await page.tab.wait(until: "document.getElementById('form').open")
        if Tab.tellsOfFingers { #expect(try await page.focus() == "scroll") }
        try await page.tab.tap(page.id("choices"))
        try await page.choose("Copy address")
        try await page.tab.wait(until: "self.copied === 'Main St 1\\nBonn'")
        // An empty one is not copied, and who is new is typed at once.
        try await page.tab.tap(page.id("after"))
        try await page.tab.wait(until: "document.getElementById('title').textContent === 'Bob'")
        try await page.tab.tap(page.id("choices"))
        try await page.tab.wait(until: "document.querySelector('#menu:popover-open')")
        #expect(try await !items(page).contains("Copy address"))
      }
    }
  }
}
