internal import CustomerFixtures
internal import CustomerStore
internal import CustomersBrowser
internal import Testing

extension PageTests {
  /// The list on paper, and what an empty list offers.
  @Suite struct PrintingTests {
    private func lines(_ page: TestPage) async throws -> [String] {
      try await page.tab.run("self.print = () => { self.isPrinted = true }")
      try await page.tab.keys("Control+p")
      try await page.tab.wait(until: "self.isPrinted")
      return try await page.tab.value(
        "[...document.querySelectorAll('.printing #paper tr')].map((e) => [...e.children].map((e) => e.textContent).join('|'))"
      )
    }

    @Test func `Ctrl+P prints all rows with numbers and boxes, section by section`() async throws {
      let names = (1...1_500).map { "N\($0)" }
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        try list.update(list.customer(named: "Z2").id) { $0.phone = "+49 30 1" }
      }
      try await withPage(.init("One: \(names.joined(separator: ", ")) | Two: Z1, Z2"), prepare: prepare) {
        page in
        try await page.tab.keys("End")
        try await page.tab.wait(until: "\(page.row("Z2"))?.querySelector('.phone')")
        let lines = try await lines(page)
        #expect(lines.count == 1 + 2 + 1_502)
        #expect(lines.prefix(3) == ["||Name|Phone", "||One", "☐|1|N1|"])
        #expect(lines.suffix(3) == ["||Two", "☐|1,501|Z1|", "☐|1,502|Z2|+49 30 1"])
        // Nothing of it is on the screen.
        #expect(
          try await page.tab.value("document.getElementById('paper').getClientRects().length", as: Int.self)
            == 0)
        try await page.tab.run("dispatchEvent(new Event('afterprint'))")
        #expect(try await page.tab.value("document.body.matches('.printing')", as: Bool.self) == false)
      }
    }

    @Test func `of a search, the matches are printed, and of a list that is too long nothing`() async throws {
      try await withPage(.init((1...10_001).map { "N\($0)" }.joined(separator: ", "))) { page in
        try await page.tab.keys("Control+p")
        try await page.hear("More than 10,000 customers")
        try await page.tab.keys("/")
        try await page.tab.type("n77")
        try await page.tab.wait(until: "document.getElementById('found').textContent.endsWith(' found')")
        #expect(try await lines(page).count == 1 + 111)
      }
    }

    @Test(arguments: [("a4", 24), ("letter", 30)])
    func `labels have the addresses, so many on a sheet`(_ paper: String, _ size: Int) async throws {
      let names = (1...31).map { "N\($0)" }
      let prepare: @Sendable (inout CustomerList) throws -> Void = { list in
        for name in names.dropLast() {
          try list.update(list.customer(named: name).id) { $0.address = "Street of \(name)\n10115 Berlin" }
        }
        try list.update(list.customer(named: "N1").id) { $0.company = "Acme" }
      }
      try await withPage(.init(names.joined(separator: ", ")), prepare: prepare) { page in
        try await page.tab.run("self.print = () => { self.isPrinted = true }")
        try await page.tab.click(page.id("more"))
        try await page.choose("Print labels…")
        try await page.tab.wait(until: "document.getElementById('ask').open")
        try await page.tab.run("document.querySelector('#answer select').value = '\(paper)'")
        try await page.tab.click(page.id("yes"))
        try await page.tab.wait(until: "self.isPrinted")
        let sheets = try await page.tab.value(
          "[...document.querySelectorAll('#paper.labels.\(paper) > div')].map((e) => e.children.length)",
          as: [Int].self)
        #expect(sheets == (size == 24 ? [24, 6] : [30]))
        #expect(
          try await page.tab.value("document.querySelector('#paper p').textContent", as: String.self)
            == "N1\nAcme\nStreet of N1\n10115 Berlin")
        try await page.hear("1 customer without an address has no label.")
      }
    }

    @Test func `an empty list offers to add, to import, and a sample, which Undo takes away`() async throws {
      try await withPage("") { page in
        let first = page.id("first")
        try await page.tab.click(first)
        try await page.tab.wait(until: "document.activeElement.name === 'first_name'")
        try await page.tab.keys("Escape")
        try await page.tab.click(page.id("sample"))
        try await page.expect(["Ann Lee", "Bob Ray", "Cid Fox"])
        #expect(try await page.tab.value("!\(first).getClientRects().length", as: Bool.self))
        try await page.tab.click(page.id("undo"))
        try await page.tab.wait(until: "\(first).getClientRects().length")
      }
    }
  }
}
