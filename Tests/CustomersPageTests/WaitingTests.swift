internal import CustomerFixtures
internal import CustomersBrowser
internal import Testing

extension PageTests {
  /// Another program holds the list: the page waits, says so, and takes that for no answer.
  @Suite struct WaitingTests {
    private let news = "document.getElementById('news').textContent"
    private let message = "document.getElementById('message').textContent"
    private let trouble = "document.getElementById('trouble').textContent"

    /// Waits until the page says that it waits, or one of these texts is there, which must not happen.
    private func expectWaiting(_ page: TestPage, without text: String) async throws {
      try await page.tab.wait(until: "\(trouble).startsWith('Waiting: ') || \(text)")
      let found = try await page.tab.value(text, as: String.self)
      try #require(found == "")
    }

    @Test func `an edit waits, and the page says for which program`() async throws {
      try await withPage("Ann, Bob") { page in
        let other = try LockingClient(page.list.path)
        try await page.tab.keys("Home", "Alt+ArrowDown")
        try await expectWaiting(page, without: news)
        try other.end()
        try await page.expect(["Bob", "Ann"])
        try await page.tab.wait(until: "\(trouble) === ''")
      }
    }

    @Test func `a form opens after the wait, and one that is open does not call its customer deleted`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        var other = try LockingClient(page.list.path, "EXCLUSIVE")
        try await page.tab.click(page.row("Ann", ".name"))
        try await expectWaiting(page, without: news)
        try other.end()
        try await page.tab.wait(until: "document.getElementById('form').open")
        other = try LockingClient(page.list.path, "EXCLUSIVE")
        try await page.tab.run("self.dispatchEvent(new Event('online'))")
        try await expectWaiting(page, without: message)
        try other.end()
        try await page.tab.wait(until: "\(trouble) === ''")
        #expect(try await page.tab.value(message, as: String.self) == "")
        try await page.tab.wait(until: "\(trouble) === ''")
        try await page.tab.keys("Control+s")
        try await page.expect(["Ann", "Bob"])
      }
    }

    @Test func `keys that are pressed while a form is saved or comes are for what comes, not for the rows`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        let isOpen = "document.getElementById('form').open"
        try await page.tab.keys("a")
        try await page.tab.wait(until: isOpen)
        try await page.tab.type("Cid")
        var other = try LockingClient(page.list.path)
        try await page.tab.keys("Control+s", "a", "J", "u", "d", "y", "Tab", "L", "e", "e", "Control+s", "a")
        try await page.tab.keys("d", "Enter", "D", "d", "Enter", "Control+s")
        try await expectWaiting(page, without: news)
        try other.end()
        try await page.expect(["Ann", "Bob", "Cid", "Judy Lee", "d Dd"])
        // What does not come takes the keys with it.
        try await page.tab.wait(until: "!\(isOpen)")
        try await page.settle()
        try await page.tab.keys("Home")
        other = try LockingClient(page.list.path, "EXCLUSIVE")
        try await page.tab.keys("Enter", "d", "Enter", "J")
        try await expectWaiting(page, without: "\(isOpen) ? '!' : ''")
        try await page.tab.keys("Escape")
        try other.end()
        try await page.tab.wait(until: "\(trouble) === ''")
        #expect(try await page.tab.value(isOpen, as: Bool.self) == false)
        try await page.settle()
        #expect(try page.stored() == [["Ann", "Bob", "Cid", "Judy Lee", "d Dd"]])
      }
    }

    @Test func `rows are read after the wait, and nothing is said about it any more`() async throws {
      try await withPage("Ann, Bob") { page in
        let other = try LockingClient(page.list.path, "EXCLUSIVE")
        try await page.tab.run("self.dispatchEvent(new Event('online'))")
        try await expectWaiting(page, without: news)
        try other.end()
        try await page.tab.wait(until: "\(trouble) === ''")
        #expect(try await page.tab.value(news, as: String.self) == "")
      }
    }

    @Test func `edits that wait in two tabs are both remembered, to be settled if the tabs are closed`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        let second = try await Tab(page.server.url, in: page.tab.context)
        try await second.wait(until: "document.querySelectorAll('.row').length === 2")
        let other = try LockingClient(page.list.path)
        for tab in [page.tab, second] {
          try await tab.keys("Home", "Alt+ArrowDown")
          try await tab.wait(until: "\(trouble).startsWith('Waiting: ')")
        }
        // A tab may see what another one has written a moment later.
        let sent = "Object.keys(localStorage).filter((name) => name.includes(' sent ')).length"
        try await second.wait(until: "\(sent) === 2")
        try other.end()
        for tab in [page.tab, second] { try await tab.wait(until: "\(news) !== '' && \(sent) === 0") }
        try await second.close(keepingContext: true)
      }
    }

    @Test func `an edit of a page that was closed before the answer is settled, and what is said is true`()
      async throws
    {
      try await withPage("Ann, Bob") { page in
        let other = try LockingClient(page.list.path)
        try await page.tab.keys("Home", "Alt+ArrowDown")
        try await expectWaiting(page, without: news)
        try await page.tab.run("self.isFirst = true")
        try await page.tab.reload()
        try await page.tab.wait(until: "!self.isFirst && document.title === 'customers.sqlite'")
        try await expectWaiting(page, without: news)
        try other.end()
        try await page.tab.wait(until: "\(news) !== ''")
        let isDone = try await page.tab.value(
          "!document.getElementById('news').classList.contains('bad')", as: Bool.self)
        #expect(try page.stored() == [isDone ? ["Bob", "Ann"] : ["Ann", "Bob"]])
      }
    }
  }
}
