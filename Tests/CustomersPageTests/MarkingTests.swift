internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Testing

extension PageTests {
  /// Marked rows, and what is done to them.
  @Suite struct MarkingTests {
    private func marked(_ names: String...) -> String {
      """
      JSON.stringify([...document.querySelectorAll('.marked')].sort((a, b) => a.row - b.row)
        .map((e) => e.querySelector('b').textContent)) === '\(names)'.replaceAll(', ', ',')
      """
    }

    private func cursor(_ name: String) -> String {
      "document.querySelector('.cursor b')?.textContent === '\(name)'"
    }

    @Test func `a range grows and shrinks with the cursor, by Shift, clicks, and a mode`() async throws {
      try await withPage("Ann, Bob, Cid, Dee, Eve") { page in
        try await page.tab.keys("Home", "ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown")
        try await page.tab.wait(until: marked("Bob", "Cid", "Dee"))
        try await page.tab.keys("Shift+ArrowUp")
        try await page.tab.wait(until: marked("Bob", "Cid"))
        try await page.tab.keys("Shift+Home")
        try await page.tab.wait(until: marked("Ann", "Bob"))
        try await page.tab.click(page.row("Dee", ".name"), holding: "Shift")
        try await page.tab.wait(until: marked("Bob", "Cid", "Dee"))
        // Whatever else is done ends it.
        try await page.tab.keys("ArrowDown", "Shift+ArrowDown")
        try await page.tab.wait(until: marked("Bob", "Cid", "Dee", "Eve"))
        try await page.tab.keys("Escape", "Home", "v", "End")
        try await page.tab.wait(until: marked("Ann", "Bob", "Cid", "Dee", "Eve"))
        try await page.tab.keys("ArrowUp", "2", "G", "v", "End")
        try await page.tab.wait(until: cursor("Eve"))
        try await page.tab.wait(until: marked("Ann", "Bob"))
      }
    }

    @Test func `a range begins at its row, whatever others do`() async throws {
      try await withPage("Ann, Bob, Cid, Dee") { page in
        try await page.tab.keys("Home", "ArrowDown", "v")
        try page.edit { list in try list.insert(CustomerFields(firstName: "New"), at: .first) }
        try await page.tab.wait(until: page.row("New"))
        try await page.tab.keys("ArrowDown")
        try await page.tab.wait(until: marked("Bob", "Cid"))
      }
    }

    @Test func `keys are about the marked rows, wherever the cursor is`() async throws {
      try await withPage(.generated(300)) { page in
        let ids = try page.ids()
        try await page.tab.keys("Home", "Space", "Space", "Shift+J")
        try await page.hear("Moved")
        try await page.settle()
        #expect(try page.ids() == [ids[2]] + ids[..<2] + ids[3...])
        // Marked above, the cursor is at the end.
        try await page.tab.keys("End", "m", "End", "Enter")
        try await page.tab.wait(until: "document.querySelector('.cursor')?.row === 299")
        try await page.settle()
        #expect(try page.ids() == Array(ids[2...]) + ids[..<2])
        try await page.tab.keys("Home", "d")
        try await page.hear("Delete 2 customers?")
        try await page.tab.wait(until: "document.querySelector('.asked')")
        try await page.tab.keys("Enter")
        try await page.hear("Deleted")
        #expect(try page.ids() == Array(ids[2...]))
      }
    }

    @Test func `of rows that were marked one by one, those that are left are meant`() async throws {
      try await withPage("Ann, Bob, Cid, Dee") { page in
        try await page.tab.keys("Home", "Space", "Space", "Space")
        try page.edit { list in try list.delete([list.customer(named: "Bob").id]) }
        try await page.tab.wait(until: "document.getElementById('count').textContent === '3 customers'")
        try await page.tab.keys("Shift+J")
        try await page.hear("1 of the rows had been deleted.")
        try await page.expect(["Dee", "Ann", "Cid"])
      }
    }

    @Test func `after a deletion, the cursor is where the rows were`() async throws {
      try await withPage(.generated(300)) { page in
        let ids = try page.ids()
        try await page.tab.keys("1", "0", "0", "G", "v", "1", "2", "0", "G", "d", "Enter")
        try await page.hear("Deleted")
        try await page.settle()
        try await page.tab.wait(until: "document.querySelector('.cursor')?.id === 'r\(ids[120])'")
      }
    }

    @Test func `what cuts rows ends the marks, and what is cut goes nowhere in another order`() async throws {
      try await withPage("Ann, Bob, Cid, Dee") { page in
        try await page.tab.keys("Home", "v", "ArrowDown", "x")
        try await page.hear("Cut 2 customers")
        try await page.tab.keys("End")
        try await page.tab.wait(until: cursor("Dee"))
        try await page.tab.wait(
          until: "!document.querySelector('.marked') && document.querySelectorAll('.cut').length === 2")
        try await page.tab.keys("/")
        try await page.tab.type("Dee")
        try await page.tab.wait(until: "document.querySelectorAll('.row').length === 1")
        try await page.tab.keys("ArrowDown", "p")
        try await page.hear("Only matches are shown")
        // The search ends first.
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: "document.querySelectorAll('.cut').length === 2")
        try await page.tab.keys("p")
        try await page.expect(["Cid", "Dee", "Ann", "Bob"])
      }
    }

    @Test func `Escape ends a search before the marks`() async throws {
      try await withPage("Ann, Bob, Cid, Dee") { page in
        try await page.tab.keys("Home", "Space", "/")
        try await page.tab.type("Cid")
        try await page.tab.wait(until: "document.querySelectorAll('.row').length === 1")
        try await page.tab.keys("ArrowDown", "Escape")
        try await page.tab.wait(until: "document.querySelectorAll('.row').length === 4")
        try await page.tab.wait(until: marked("Ann"))
        try await page.tab.keys("Escape")
        try await page.tab.wait(until: marked())
      }
    }

    @Test func `arrows and Space work when the keys of one character are off`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.run("document.getElementById('letters').click()")
        try await page.tab.keys("Home", "ArrowDown", "Shift+ArrowDown")
        try await page.tab.wait(until: marked("Bob", "Cid"))
        try await page.tab.keys("d", "Escape", "Home", "Space")
        try await page.tab.wait(until: marked("Ann"))
        #expect(try await !page.tab.value("!!document.querySelector('.asked')"))
      }
    }

    @Test func `a question hears what others do`() async throws {
      try await withPage("Ann, Bob, Cid") { page in
        try await page.tab.keys("Home", "Space", "Space")
        try await page.tab.click(page.id("removeMarked"))
        try page.edit { list in try list.update(list.customer(named: "Bob").id) { $0.note = "Called" } }
        try await page.tab.wait(until: "document.getElementById('heard').textContent.includes('Bob')")
        try await page.tab.keys("Escape")
      }
    }
  }
}
