internal import CustomerFixtures
internal import CustomersBrowser
internal import Testing

extension PageTests {
  /// What only Chromium can be driven to: fingers that scroll, slow links, and what a screen reader gets.
  @Suite struct ChromiumTests {
    /// Firefox has a mouse here, however narrow it is.
    @Test(arguments: [Tab.Screen.phone, .desk])
    func `on a phone, the help is about fingers`(screen: Tab.Screen) async throws {
      try await withPage("Ann", screen) { page in
        try await page.tab.run("document.getElementById('helps').click()")
        let terms = try await page.tab.value(
          "[...document.querySelectorAll('#help dt')].filter((e) => e.getClientRects().length).map((e) => e.textContent)",
          as: [String].self)
        let fingers = ["Tap", "Long press", "Swipe left", "Handle"]
        #expect(screen == .phone ? terms == fingers : terms.starts(with: fingers + ["Click"]))
      }
    }

    @Test func `a finger that moves at once scrolls and moves nothing`() async throws {
      let names = (1...40).map { "N\($0)" }
      try await withPage(.init(names.joined(separator: ", ")), .phone) { page in
        try await page.freezeTimers(of: 400)
        try await page.tab.swipe(page.row("N6", ".name"), y: -250)
        try await page.tab.wait(until: "document.getElementById('list').scrollTop > 100")
        #expect(try page.stored() == [names])
      }
    }

    @Test func `a link of 200 ms drags as smoothly, and the row stays where it was dropped`() async throws {
      try await withPage("Ann, Bob, Cid, Dee") { page in
        try await page.tab.click(page.id("edit"))
        try await page.tab.delayNetwork(milliseconds: 200)
        try await page.freezeTimers(of: 1500)
        try await page.tab.drop(page.row("Ann", ".handle button"), by: 110)
        #expect(try await page.tab.value(TestPage.names, as: [String].self) == ["Bob", "Cid", "Ann", "Dee"])
        try await page.expect(["Bob", "Cid", "Ann", "Dee"])
      }
    }

    @Test func `what is opened as soon as the rows are there stays open`() async throws {
      try await withPage("Ann") { page in
        try await page.tab.runFirst(
          """
          new MutationObserver((_, observer) => {
            if (document.getElementById('count')?.textContent) observer.disconnect(), document.getElementById('add').click()
          }).observe(document, {childList: true, subtree: true, characterData: true})
          """)
        try await page.tab.reload()
        try await page.tab.wait(until: "document.getElementById('form')?.open")
      }
    }

    @Test(arguments: ["/v1/form", "/v1/rows"])
    func `what turns out to be saved while its form is on its way is not shown`(late: String) async throws {
      let kept = "Object.keys(localStorage).some((key) => / (draft|sent) /.test(key))"
      try await withPage("Ann") { page in
        try await page.tab.runFirst(
          """
          self.isDone = false;
          (real => self.fetch = async (path, ...more) => {
            const answer = await real(path, ...more)
            if (path.startsWith('/v1/edits')) self.isDone = true, await new Promise(() => {})
            if (path.startsWith('\(late)')) while (\(kept)) await new Promise(go => setTimeout(go, 10))
            return answer
          })(self.fetch)
          """)
        try await page.tab.reload()
        try await page.tab.wait(
          until: "self.isDone === false && document.getElementById('count')?.textContent")
        try await page.tab.keys("a")
        try await page.tab.wait(until: "document.getElementById('form').open")
        try await page.tab.type("Cid")
        try await page.tab.keys("Control+s")
        try await page.tab.wait(until: "self.isDone")
        try await page.tab.reload()
        try await page.hear("Added \"Cid\"")
        try await page.settle()
        try await page.tab.wait(until: "!location.hash.includes('new')")
        #expect(try await page.tab.value("!document.getElementById('form').open && !\(kept)"))
        #expect(try page.stored() == [["Ann", "Cid"]])
      }
    }
  }
}
