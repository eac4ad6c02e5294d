internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Testing

extension PageTests {
  /// Where keys go: to the form, to its menu, or to the list.
  @Suite struct FocusTests {
    private let isOpen = "document.getElementById('form').open"
    private let isMenu = "!!document.querySelector('#menu:popover-open')"

    private func press(_ page: TestPage, _ keys: String...) async throws {
      try await page.tab.run(
        """
        \(keys).forEach((key) => document.activeElement.dispatchEvent(
          new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true})))
        """)
    }

    private func open(_ page: TestPage, _ name: String) async throws {
      try await page.tab.click(page.row(name, ".name"))
      try await page.tab.wait(until: isOpen)
    }

    @Test func `keys after a click are for the form, not for the list, and it waits for no second click`()
      async throws
    {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.freezeTimers(of: 300)
        try await page.tab.click(page.row("Bob", ".name"))
        try await press(page, "J", "x", "f", "d", "Delete")
        try await page.tab.wait(until: "\(isOpen) && document.activeElement.name === 'first_name'")
        try await page.tab.wait(until: "document.activeElement.value.includes('Jxfd')")
        try await page.settle()
        #expect(try page.stored() == [["Ann", "Bob", "Cid"]])
        #expect(try await page.tab.value("!document.querySelector('.cut, .asked')", as: Bool.self))
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.click(page.id("yes"))
        try await page.tab.wait(until: "!\(isOpen)")
        // Escape ends the click.
        try await page.tab.click(page.row("Bob", ".name"))
        try await press(page, "Escape", "J")
        try await page.expect(["Ann", "Cid", "Bob"])
        #expect(try await !page.isOpen("form"))
      }
    }

    @Test func `a key that opens a menu has the focus on its button again when Escape closes it`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        try await page.tab.run("document.getElementById('more').focus()")
        try await page.tab.keys("Enter")
        try await page.tab.wait(until: isMenu)
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!(\(isMenu))")
        #expect(try await page.focus() == "more")
        try await page.tab.run("document.getElementById('list').focus()")
        try await page.tab.click(page.id("more"))
        try await page.tab.wait(until: isMenu)
        try await page.tab.keys("Escape")
        #expect(try await page.focus() == "list")
      }
    }

    @Test func `a long press without edit mode opens a menu that has the focus`() async throws {
      try await withPage("Ann, Bob", .phone) { page in
        try await page.tab.swipe(page.row("Bob", ".name"), steps: 1, until: "document.querySelector('.held')")
        try await page.tab.wait(until: isMenu)
        try await Task.sleep(for: .milliseconds(500))
        #expect(
          try await page.tab.value("document.activeElement.matches('#menu button')", as: Bool.self) == true)
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!(\(isMenu))")
      }
    }

    @Test(arguments: [(390, 844), (640, 400)])
    func `Escape in the menu of a form that fills the window closes only the menu`(width: Int, height: Int)
      async throws
    {
      try await withPage("Ann, Bob") { page in
        try await page.tab.resize(width: width, height: height)
        try await open(page, "Ann")
        try await page.tab.click(page.id("choices"))
        try await page.tab.wait(until: isMenu)
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!(\(isMenu))")
        #expect(try await page.isOpen("form"))
        #expect(try await page.focus() == "choices")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "!\(isOpen)")
      }
    }

    @Test func `what is closed above a form leaves the focus in the form`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.run("navigator.clipboard.writeText = async () => {}")
        try await open(page, "Ann")
        for way in ["Escape", "Back", "Copy link", "History", "Log…", "beside"] {
          try await page.tab.click(page.id("choices"))
          try await page.tab.wait(until: isMenu)
          switch way {
          case "Escape": try await page.tab.keys("Escape")
          case "Back": try await page.tab.run("history.back()")
          case "beside": try await page.tab.click("document.getElementById('title')")
          case "History":
            try await page.choose(way)
            try await page.tab.wait(until: "document.getElementById('ask').open")
            try await page.tab.keys("Escape")
            try await page.tab.wait(until: "!document.getElementById('ask').open")
          case "Log…":
            try await page.tab.keys("Escape")
            try await page.tab.click(page.id("talk"))
            try await page.tab.wait(until: "document.getElementById('log').open")
            try await page.tab.click(page.id("closeLog"))
            try await page.tab.wait(until: "!document.getElementById('log').open")
          default: try await page.choose(way)
          }
          try await page.tab.wait(until: "!(\(isMenu))")
          #expect(try await page.focus() == (way == "Log…" ? "talk" : "choices"), "\(way)")
          try await page.tab.keys("x", "d")
          #expect(try await page.tab.value("!document.querySelector('.cut, .asked')", as: Bool.self))
          #expect(try await page.isOpen("form"))
        }
      }
    }

    @Test func `Tab goes from an address to the next field, and the menu writes and calls`() async throws {
      try await withPage("Ann, Bob") { page in
        try await open(page, "Ann")
        for (name, text) in [("email", "ann@example.com"), ("phone", "123")] {
          try await page.tab.run("document.querySelector('#fields [name=\(name)]').focus()")
          try await page.tab.type(text)
          try await page.tab.wait(
            until: "document.activeElement.parentNode.querySelector('a').getClientRects().length")
          try await page.tab.keys("Tab")
          #expect(
            try await page.tab.value(
              "document.activeElement.matches('input, textarea') && document.activeElement.name !== '\(name)'",
              as: Bool.self))
        }
        try await page.tab.run(
          "document.addEventListener('click', (event) => event.target.matches('a') && (event.preventDefault(), self.href = event.target.href))"
        )
        for (item, href) in [("Write", "mailto:ann@example.com"), ("Call", "tel:123")] {
          try await page.tab.click(page.id("choices"))
          try await page.choose(item)
          #expect(try await page.tab.value("self.href", as: String.self) == href)
        }
      }
    }

    @Test func `the help has the keys that save, which save from the list, too`() async throws {
      try await withPage("Ann, Bob") { page in
        #expect(
          try await page.tab.value(
            "[...document.querySelectorAll('#keys dt')].some((e) => e.textContent === 'Ctrl-S Ctrl-Enter')",
            as: Bool.self))
        for key in ["s", "Enter"] {
          try await page.tab.keys("Home", "Enter")
          try await page.tab.wait(until: "document.activeElement.name === 'first_name'")
          try await page.tab.type("a")
          try await page.tab.run("document.getElementById('list').focus()")
          try await page.tab.keys("Control+\(key)")
          try await page.tab.wait(until: "!\(isOpen)")
        }
        try await page.expect(["Annaa", "Bob"])
      }
    }

    @Test func `a number before a key that moves a row moves it so far`() async throws {
      try await withPage("Ann, Bob, Cid, Dee, Eve") { page in
        try await page.tab.keys("Home", "3", "J")
        try await page.expect(["Bob", "Cid", "Dee", "Ann", "Eve"])
        try await page.tab.keys("2", "K")
        try await page.expect(["Bob", "Ann", "Cid", "Dee", "Eve"])
        // Once.
        try await page.tab.keys("J")
        try await page.expect(["Bob", "Cid", "Ann", "Dee", "Eve"])
      }
    }

    @Test func `the title begins with what is searched, so that bookmarks differ`() async throws {
      try await withPage("Ann, Bob") { page in
        try await page.tab.run("location.hash = '/view/?text=Bob'")
        try await page.tab.wait(until: "document.title === 'Bob – customers.sqlite'")
        try await page.tab.run("document.getElementById('list').focus()")
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "document.title === 'customers.sqlite'")
      }
    }
  }
}
